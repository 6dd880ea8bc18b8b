import { describe, expect, it } from "vitest"
import { formatNames, formatOf } from "../../../../src/validation/json-schema/formats/formats.ts"

const LENGTH = 1_000_000
const names = [
  "date",
  "time",
  "date-time",
  "iso-time",
  "iso-date-time",
  "duration",
  "uri",
  "uri-reference",
  "uri-template",
  "iri",
  "iri-reference",
  "url",
  "email",
  "idn-email",
  "hostname",
  "idn-hostname",
  "ipv4",
  "ipv6",
  "regex",
  "uuid",
  "json-pointer",
  "json-pointer-uri-fragment",
  "relative-json-pointer",
  "byte",
  "int32",
  "int64",
  "float",
  "double",
  "password",
  "binary"
]

/** The names of the formats that accept `text`. */
const acceptedBy = (text: string): ReadonlyArray<string> =>
  formatNames.filter((name) => {
    const format = formatOf(name)
    return format?.appliesTo === "string" && format.test(text)
  })

describe("formatOf, formatNames", () => {
  it("know every name of JSON Schema and of ajv-formats", () => {
    expect(formatNames).toEqual(names)
  })

  it("know no other name, be it one that every object has", () => {
    const unknown = ["", "DATE", "color", "constructor", "__proto__", "toString", "hasOwnProperty"]
    expect(unknown.map(formatOf)).toEqual(unknown.map(() => undefined))
  })

  it("say which type a format looks at", () => {
    const ofNumbers = formatNames.filter((name) => formatOf(name)?.appliesTo === "number")
    expect(ofNumbers).toEqual(["int32", "int64", "float", "double"])
  })

  it("lead to the test of that name", () => {
    expect(acceptedBy("2024-02-29")).toEqual(expect.arrayContaining(["date", "uri-reference", "hostname", "regex"]))
    expect(acceptedBy("23:59:60Z")).toEqual(["time", "iso-time", "uri-template", "regex", "password", "binary"])
    expect(acceptedBy("::1")).toEqual(["uri-template", "ipv6", "regex", "password", "binary"])
    expect(acceptedBy("a@[::1]")).toEqual(["uri-template", "regex", "password", "binary"])
  })
})

describe("a million characters", () => {
  const references = ["uri-reference", "uri-template", "iri-reference"]
  const free = ["password", "binary"]

  it.each([
    ["a", [...references, "byte", ...free]],
    ["1", [...references, "relative-json-pointer", "byte", ...free]],
    ["0", [...references, "byte", ...free]],
    ["-", [...references, ...free]],
    [".", [...references, ...free]],
    ["/", [...references, "json-pointer", "byte", ...free]],
    ["~0", [...references, ...free]],
    ["%41", [...references, ...free]],
    ["%", free],
    ["?", [...references, ...free]],
    ["#", ["uri-template", ...free]],
    [":", ["uri-template", ...free]],
    ["@", [...references, ...free]],
    ["[", ["uri-template", ...free]],
    ["{", free],
    ["{a}", ["uri-template", ...free]],
    ["(", [...references, ...free]],
    ["=", [...references, ...free]],
    ['"', free],
    ["\\", free],
    [" ", free],
    ["\n", free],
    ["ü", ["uri-template", "iri-reference", ...free]],
    ["א", ["uri-template", "iri-reference", ...free]],
    ["\u0301", ["uri-template", "iri-reference", ...free]],
    ["\u200c", ["uri-template", "iri-reference", ...free]],
    ["😀", ["uri-template", "iri-reference", ...free]],
    ["\ud800", free]
  ])("of %j get an answer", (unit, accepted) => {
    expect(acceptedBy(unit.repeat(LENGTH / unit.length))).toEqual(accepted)
  })

  it.each([
    ["00:00:00.", "1", ["iso-time", "uri-template", ...free]],
    ["2020-01-01T00:00:00.", "1", ["iso-date-time", "uri-template", ...free]],
    ["P", "1", [...references, ...free]],
    ["http://", "a", ["uri", ...references.slice(0, 2), "iri", "iri-reference", ...free]],
    ["http://[v1.", "a", ["uri-template", ...free]],
    ["http://a:", "1", ["uri", ...references.slice(0, 2), "iri", "iri-reference", ...free]],
    ["{a", ",a", free],
    ["{a", ".a", free],
    ["#/", "a", ["uri-reference", "uri-template", "iri-reference", "json-pointer-uri-fragment", ...free]],
    ["#/", "%C3%A9", ["uri-reference", "uri-template", "iri-reference", "json-pointer-uri-fragment", ...free]],
    ['"', "\\a", free],
    ["a@", "a.", [...references, ...free]],
    ["xn--", "a", [...references, ...free]]
  ])("behind %j of %j get an answer", (start, unit, accepted) => {
    const text = start + unit.repeat(LENGTH / unit.length)
    expect(acceptedBy(text)).toEqual(formatNames.filter((name) => accepted.includes(name)))
  })
})
