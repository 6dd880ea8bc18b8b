import { describe, it } from "vitest"
import {
  isJsonPointer,
  isJsonPointerUriFragment,
  isRelativeJsonPointer
} from "../../../../src/validation/json-schema/formats/pointers.ts"
import { expectVerdicts } from "./verdicts.ts"

describe("isJsonPointer", () => {
  it("takes the pointers of RFC 6901 §5", () => {
    expectVerdicts(isJsonPointer, {
      valid: [
        "",
        "/foo",
        "/foo/0",
        "/",
        "/a~1b",
        "/c%d",
        "/e^f",
        "/g|h",
        "/i\\j",
        '/k"l',
        "/ ",
        "/m~0n",
        "//",
        "/é/\u0000"
      ],
      invalid: ["foo", "0", "#/foo", " /foo", "/~", "/~2", "/a~", "/~~0", "/a/~b", "~0"]
    })
  })
})

describe("isJsonPointerUriFragment", () => {
  it("takes the fragments of RFC 6901 §6", () => {
    expectVerdicts(isJsonPointerUriFragment, {
      valid: [
        "#",
        "#/foo/0",
        "#/",
        "#/a~1b",
        "#/c%25d",
        "#/e%5Ef",
        "#/k%22l",
        "#/%20",
        "#/m~0n",
        "#/%C3%A9",
        "#/%7E0",
        "#%2F"
      ],
      invalid: ["", "/foo", "#foo", "#/e^f", "#/ ", "#/é", "#/%", "#/%2", "#/~", "#/%7E", "#/%C3", "#/%FF", "#/#", "##"]
    })
  })
})

describe("isRelativeJsonPointer", () => {
  it("takes levels, a place along an array, and a pointer or #", () => {
    expectVerdicts(isRelativeJsonPointer, {
      valid: ["0", "1/0", "12/highly/nested", "0#", "10#", "0/", "0//", "0+1", "0-1/foo", "2+10#", "1/a~0"],
      invalid: [
        "",
        "/a",
        "#",
        "-1",
        "+1",
        "01",
        "00",
        "0a",
        "0##",
        "0#/a",
        "0/~",
        "0+",
        "0-0",
        "0+01",
        "0+1+1",
        "٠",
        "0 ",
        "0\n"
      ]
    })
  })
})
