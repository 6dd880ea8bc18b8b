import { describe, it } from "vitest"
import { isUriTemplate } from "../../../../src/validation/json-schema/formats/uriTemplates.ts"
import { expectVerdicts } from "./verdicts.ts"

describe("isUriTemplate", () => {
  it("takes the expressions of all levels (RFC 6570 §1.2)", () => {
    const one = [
      "",
      "{var}",
      "http://www.example.com/foo{?query,number}",
      "{+path}/here",
      "X{#var}",
      "map?{x,y}",
      "{+x,hello,y}"
    ]
    const two = [
      "{#path,x}/here",
      "X{.x,y}",
      "{/var,x}/here",
      "{;x,y,empty}",
      "{?x,y}",
      "?fixed=yes{&x}",
      "{var:3}",
      "{&list*}"
    ]
    expectVerdicts(isUriTemplate, {
      valid: [...one, ...two, "{a.b_c.%41}", "{v:9999}", "{=reserved}", "é{x}", "a'b%20c"],
      invalid: []
    })
  })

  it("refuses broken expressions", () => {
    const braces = ["{", "}", "{}", "{a", "a}", "{{a}}", "{a}}", "{a}{", "{a{b}}"]
    const lists = ["{,}", "{a,}", "{,,a}", "{+}", "{++a}", "{a b}", "{a-b}", "{é}", "{$a}"]
    const names = ["{.a.}", "{a.}", "{..a}", "{a..b}", "{a%4}", "{%}"]
    const modifiers = [
      "{a:}",
      "{a:0}",
      "{a:01}",
      "{a:10000}",
      "{a:x}",
      "{a:1*}",
      "{a*:1}",
      "{a**}",
      "{*}",
      "{:1}",
      "{a:1:1}"
    ]
    expectVerdicts(isUriTemplate, { valid: [], invalid: [...braces, ...lists, ...names, ...modifiers] })
  })

  it("refuses literals that RFC 6570 §2.1 excludes", () => {
    const invalid = [
      " ",
      "a b",
      '"',
      "<",
      ">",
      "\\",
      "^",
      "`",
      "|",
      "%",
      "%4",
      "%zz",
      "\n",
      "\u007f",
      "\u0080",
      "\ud800"
    ]
    expectVerdicts(isUriTemplate, { valid: [], invalid })
  })
})
