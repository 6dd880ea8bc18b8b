/** Odd, yet with a meaning that nobody doubts. */
import { ready } from "./ListedSchema.ts"

const sameId = { $id: "address", type: "object", properties: { city: { type: "string" } } }

export const oddSchemas = [
  ready("nothing at all", {}, { a: [1] }, Number.NaN),
  ready("true", true, { a: 1 }, undefined),
  ready("only a type", { type: "object" }, { a: 1 }, []),
  ready("no type", { properties: { a: { type: "string" } }, required: ["a"] }, { a: "" }, {}),
  ready("no properties", { type: "object", required: ["a"] }, { a: 1 }, { b: 1 }),
  ready("empty list of required", { type: "object", properties: {}, required: [] }, {}, "{}"),
  ready("boolean subschemas", { type: "object", properties: { any: true, none: false } }, { any: 1 }, { none: 1 }),
  ready("false for the rest", { properties: { a: true }, additionalProperties: false }, { a: 1 }, { b: 1 }),
  ready(
    "same $id twice",
    { type: "object", properties: { home: sameId, work: sameId } },
    { home: { city: "a" }, work: {} },
    { work: { city: 1 } }
  ),
  ready(
    "same $id as another tool, with other content",
    { $id: "address", type: "object", properties: { city: { type: "integer" } } },
    { city: 1 },
    { city: "a" }
  ),
  ready(
    "empty $id",
    { $id: "", type: "object", properties: { a: { $ref: "#/$defs/x" } }, $defs: { x: { type: "integer" } } },
    { a: 1 },
    { a: "" }
  ),
  ready(
    "$id with a scheme of its own",
    { $id: "mcp://server/tool", type: "object", properties: { next: { $ref: "#" } } },
    { next: {} },
    { next: 1 }
  ),
  ready(
    "pointer below a nested $id",
    {
      type: "object",
      properties: { a: { $id: "inner", $ref: "#/$defs/x", $defs: { x: { type: "string" } } } },
      $defs: { x: { type: "integer" } }
    },
    { a: "text" },
    { a: 1 }
  ),
  ready(
    "percent-encoded pointer",
    { properties: { a: { $ref: "#/definitions/a%20b%7E1c" } }, definitions: { "a b/c": { type: "null" } } },
    { a: null },
    { a: 0 }
  ),
  ready(
    "pointer into an unknown keyword",
    { properties: { a: { $ref: "#/x-shared/name" } }, "x-shared": { name: { minLength: 1 } } },
    { a: "x" },
    { a: "" }
  ),
  ready(
    "pointer into a list",
    { properties: { a: { $ref: "#/anyOf/1" } }, anyOf: [false, { type: "object" }] },
    { a: {} },
    { a: 1 }
  ),
  ready(
    "unknown formats",
    {
      properties: {
        a: { type: "string", format: "file-path" },
        b: { type: "string", format: "markdown" },
        c: { type: "number", format: "currency" }
      }
    },
    { a: "?", b: "", c: 1 },
    { c: "1" }
  ),
  ready(
    "keys that nobody knows",
    {
      type: "object",
      markdownDescription: "**x**",
      "x-tool": { cost: 1 },
      errorMessage: { required: "gone" },
      enumDescriptions: ["a"],
      propertyOrdering: [],
      $vendor: null,
      properties: { a: { type: "integer", ui: { widget: "slider" } } }
    },
    { a: 1 },
    { a: 1.5 }
  ),
  ready(
    "defaults that do not match",
    { properties: { n: { type: "integer", default: "ten" } } },
    { n: 1 },
    { n: "ten" }
  ),
  ready(
    "keywords for other types",
    { properties: { a: { type: "string", minimum: 5, minItems: 2, required: ["x"] } } },
    { a: "" },
    { a: 7 }
  ),
  ready("nullable: a text", { properties: { a: { type: "string", nullable: "true" } } }, { a: "" }, { a: null }),
  ready("choice of one", { properties: { v: { enum: ["v1"] } } }, { v: "v1" }, { v: "v2" }),
  ready("empty choice", { properties: { v: { enum: [] } } }, {}, { v: 1 }),
  ready("choice with repeats", { properties: { v: { enum: ["a", "a", 1, 1] } } }, { v: 1 }, { v: 2 }),
  ready(
    "choice of objects",
    { properties: { v: { enum: [{ a: 1, b: [2] }, [1, { c: null }]] } } },
    { v: { b: [2], a: 1 } },
    { v: { a: 1, b: [3] } }
  ),
  ready(
    "constants of every type",
    { properties: { a: { const: 0 }, b: { const: "" }, c: { const: false }, d: { const: [] }, e: { const: {} } } },
    { a: 0, b: "", c: false, d: [], e: {} },
    { a: false }
  ),
  ready("one and 1.0", { properties: { n: { type: "integer", const: 1 } } }, JSON.parse('{"n":1.0}'), { n: 2 }),
  ready("numbers beyond integers", { properties: { n: { type: "integer", minimum: 1e20 } } }, { n: 1e21 }, { n: 1e19 }),
  ready(
    "lookahead password",
    { properties: { p: { pattern: "^(?=.*[A-Z])(?=.*\\d).{8,}$" } } },
    { p: "Abcdefg1" },
    { p: "abcdefg1" }
  ),
  ready("lookbehind", { properties: { p: { pattern: "(?<!\\\\)\\$\\{" } } }, { p: "a${b}" }, { p: "a\\${b}" }),
  ready(
    "named group",
    { properties: { p: { pattern: "^(?<year>\\d{4})-(?<month>\\d{2})$" } } },
    { p: "2024-05" },
    { p: "2024-5" }
  ),
  ready(
    "identity escapes that only the older syntax has",
    { properties: { p: { pattern: "^[\\w\\.\\-\\@]+\\_\\!$" } } },
    { p: "a@b_!" },
    { p: "a b_!" }
  ),
  ready("Unicode property", { properties: { p: { pattern: "^\\p{Lu}\\p{Ll}+$" } } }, { p: "Éa" }, { p: "éa" }),
  ready(
    "POSIX class, which is a set of letters here",
    { properties: { p: { pattern: "^[[:alpha:]]+$" } } },
    { p: "a]" },
    { p: "b" }
  ),
  ready("empty pattern", { properties: { p: { type: "string", pattern: "" } } }, { p: "" }, { p: 1 }),
  ready(
    "pattern of nested repetition",
    { properties: { p: { pattern: "^(a+)+$" } } },
    { p: "aaaa" },
    { p: `${"a".repeat(60)}!` }
  ),
  ready(
    "definitions that nobody uses",
    { $defs: { unused: { $ref: "#/$defs/other" }, other: { type: "null" } }, type: "object", minProperties: 1 },
    { a: 1 },
    {}
  ),
  ready("type as a list of one", { type: ["object"], properties: { a: { type: ["string"] } } }, { a: "" }, { a: 1 }),
  ready(
    "all types",
    { properties: { a: { type: ["string", "number", "integer", "boolean", "array", "object", "null"] } } },
    { a: [{}] },
    1n
  ),
  ready(
    "long description",
    {
      type: "object",
      description: "d".repeat(20_000),
      properties: { a: { type: "integer", description: "<b>\u0000\u2028 \ud800" } }
    },
    { a: 1 },
    { a: "" }
  ),
  ready(
    "root of anyOf",
    {
      anyOf: [
        { type: "object", required: ["a"] },
        { type: "object", required: ["b"] }
      ]
    },
    { b: 1 },
    { c: 1 }
  ),
  ready(
    "root of oneOf with type beside",
    { type: "object", oneOf: [{ required: ["a"] }, { required: ["b"] }] },
    { a: 1 },
    { a: 1, b: 1 }
  ),
  ready("array at the root", { type: "array", items: { type: "string" } }, ["a"], ["a", 1]),
  ready("text at the root", { type: "string", maxLength: 3 }, "abc", "abcd"),
  ready(
    "recursion through allOf below a member",
    { properties: { n: { allOf: [{ $ref: "#" }, { required: ["v"] }] }, v: {} } },
    { n: { v: 1, n: { v: 2 } } },
    { n: { v: 1, n: {} } }
  )
]
