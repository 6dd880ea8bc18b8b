/** In the style of generators for Go, Rust, C#, Java, Kotlin, PHP, Ruby and Swift. */
import { ready } from "./ListedSchema.ts"

export const typedSchemas = [
  ready(
    "Go: create_issue",
    {
      properties: {
        owner: { description: "Repository owner", type: "string" },
        repo: { description: "Repository name", type: "string" },
        title: { description: "Issue title", type: "string" },
        labels: { description: "Labels to apply to this issue", items: { type: "string" }, type: "array" }
      },
      required: ["owner", "repo", "title"],
      type: "object"
    },
    { owner: "o", repo: "r", title: "t", labels: ["bug"] },
    { owner: "o", repo: "r", title: "t", labels: [{ name: "bug" }] }
  ),
  ready(
    "Go: pages",
    {
      properties: { page: { minimum: 1, type: "number" }, perPage: { maximum: 100, minimum: 1, type: "number" } },
      type: "object"
    },
    { page: 1, perPage: 100 },
    { page: 0 }
  ),
  ready(
    "Go: nil slice or map",
    {
      type: "object",
      properties: {
        tags: { type: ["null", "array"], items: { type: "string" } },
        env: { type: ["null", "object"], additionalProperties: { type: "string" } }
      },
      additionalProperties: false
    },
    { tags: null, env: {} },
    { tags: ["a", null] }
  ),
  ready(
    "Go: no required",
    { type: "object", properties: { query: { type: "string" } }, required: [] },
    {},
    { query: ["a"] }
  ),
  ready(
    "Go: closed by a false schema",
    { type: "object", properties: { name: { type: "string" } }, required: ["name"], additionalProperties: { not: {} } },
    { name: "a" },
    { name: "a", b: 1 }
  ),
  ready(
    "Go: reflected with an identifier",
    {
      $schema: draft("2020-12"),
      $id: "https://example.com/pkg/args",
      $ref: "#/$defs/Args",
      $defs: {
        Args: { properties: { n: { type: "integer" } }, additionalProperties: false, type: "object", required: ["n"] }
      }
    },
    { n: 1 },
    { n: 1, m: 1 }
  ),
  ready("Go: json.RawMessage is true", { type: "object", properties: { raw: true } }, { raw: [{}] }, "x"),
  ready(
    "Go: time.Duration",
    { type: "object", properties: { timeout: { type: "integer", format: "int64" } } },
    { timeout: 1_000_000_000 },
    { timeout: 1e300 }
  ),
  ready(
    "Rust: schemars 0.8",
    {
      $schema: draft("07"),
      title: "StructRequest",
      type: "object",
      required: ["a", "b"],
      properties: { a: { type: "integer", format: "int32" }, b: { type: "integer", format: "int32" } }
    },
    { a: 1, b: -1 },
    { a: 1, b: 2_147_483_648 }
  ),
  ready(
    "Rust: option",
    {
      $schema: draft("07"),
      type: "object",
      properties: { limit: { type: ["integer", "null"], format: "uint32", minimum: 0.0 } }
    },
    { limit: null },
    { limit: -1 }
  ),
  ready(
    "Rust: enum with content",
    {
      $schema: draft("2020-12"),
      type: "object",
      properties: { op: { $ref: "#/$defs/Op" } },
      required: ["op"],
      $defs: {
        Op: {
          oneOf: [
            { type: "string", enum: ["Clear"] },
            {
              type: "object",
              properties: { Push: { type: "integer", format: "uint8", minimum: 0, maximum: 255 } },
              required: ["Push"],
              additionalProperties: false
            }
          ]
        }
      }
    },
    { op: { Push: 255 } },
    { op: { Push: 256 } }
  ),
  ready(
    "Rust: documented variants",
    {
      $schema: draft("2020-12"),
      type: "object",
      properties: {
        level: {
          oneOf: [
            { description: "All", type: "string", const: "all" },
            { description: "None", type: "string", const: "none" }
          ]
        }
      }
    },
    { level: "none" },
    { level: "some" }
  ),
  ready(
    "Rust: internally tagged",
    {
      type: "object",
      oneOf: [
        {
          type: "object",
          properties: { type: { type: "string", const: "file" }, path: { type: "string" } },
          required: ["type", "path"]
        },
        {
          type: "object",
          properties: { type: { type: "string", const: "url" }, url: { type: "string" } },
          required: ["type", "url"]
        }
      ]
    },
    { type: "url", url: "" },
    { type: "url", path: "" }
  ),
  ready(
    "Rust: reference beside siblings",
    {
      $schema: draft("2020-12"),
      type: "object",
      properties: { kind: { $ref: "#/$defs/Kind", description: "Which", default: "a" } },
      $defs: { Kind: { type: "string", enum: ["a", "b"] } }
    },
    { kind: "b" },
    { kind: "c" }
  ),
  ready(
    "Rust: allOf around a reference",
    {
      $schema: draft("07"),
      type: "object",
      properties: { kind: { description: "Which", allOf: [{ $ref: "#/definitions/Kind" }] } },
      definitions: { Kind: { type: "string", enum: ["a", "b"] } }
    },
    { kind: "b" },
    { kind: 1 }
  ),
  ready(
    "Rust: flattened map",
    {
      $schema: draft("2020-12"),
      type: "object",
      properties: { id: { type: "string" } },
      required: ["id"],
      additionalProperties: { type: "integer" }
    },
    { id: "a", x: 1 },
    { id: "a", x: "1" }
  ),
  ready(
    "Rust: unit arguments",
    { $schema: draft("2020-12"), title: "EmptyObject", type: "object", properties: {} },
    { anything: 1 },
    null
  ),
  ready(
    "Rust: char and path",
    { type: "object", properties: { sep: { type: "string", minLength: 1, maxLength: 1 }, at: { type: "string" } } },
    { sep: "é" },
    { sep: "ab" }
  ),
  ready(
    "C#: nullable reference",
    { type: "object", properties: { name: { type: ["string", "null"], default: null } } },
    { name: null },
    { name: 5 }
  ),
  ready(
    "C#: closed with required",
    {
      type: "object",
      properties: { a: { type: "number" }, b: { type: "number" } },
      required: ["a", "b"],
      additionalProperties: false
    },
    { a: 1.5, b: 2 },
    { a: 1.5 }
  ),
  ready(
    "C#: number or text",
    { type: "object", properties: { n: { type: ["string", "integer"], pattern: "^-?(?:0|[1-9]\\d*)$" } } },
    { n: "-12" },
    { n: "012" }
  ),
  ready(
    "C#: floating point names",
    { type: "object", properties: { x: { anyOf: [{ type: "number" }, { enum: ["NaN", "Infinity", "-Infinity"] }] } } },
    { x: "NaN" },
    { x: "nan" }
  ),
  ready(
    "C#: reference to a sibling's items",
    {
      type: "object",
      properties: {
        head: {
          type: "object",
          properties: { next: { $ref: "#/properties/head" }, tags: { type: "array", items: { type: "string" } } }
        },
        tags: { $ref: "#/properties/head/properties/tags" }
      }
    },
    { head: { next: { next: {} } }, tags: ["a"] },
    { tags: [1] }
  ),
  ready(
    "C#: format of a GUID",
    {
      type: "object",
      properties: { id: { type: "string", format: "uuid" }, at: { type: "string", format: "date-time" } }
    },
    { id: "00000000-0000-0000-0000-000000000000" },
    { at: "2024-13-01T00:00:00Z" }
  ),
  ready(
    "C#: enum numbers",
    { type: "object", properties: { state: { type: "integer", enum: [0, 1, 2] } } },
    { state: 0 },
    { state: 3 }
  ),
  ready(
    "Java: victools",
    {
      $schema: draft("2020-12"),
      type: "object",
      properties: { "city()": { type: "string" }, zip: { type: "string", minLength: 5, maxLength: 5 } }
    },
    { zip: "01234" },
    { zip: "0123" }
  ),
  ready(
    "Java: Jackson urn identifiers",
    { type: "object", id: "urn:jsonschema:com:example:Args", properties: { a: { type: "integer" } } },
    { a: 1 },
    { a: "1" }
  ),
  ready(
    "Kotlin: polymorphic",
    {
      type: "object",
      properties: {
        shape: {
          anyOf: [
            {
              type: "object",
              properties: { type: { const: "c.e.Circle" }, r: { type: "number" } },
              required: ["type", "r"]
            },
            { type: "object", properties: { type: { const: "c.e.Dot" } }, required: ["type"] }
          ]
        }
      }
    },
    { shape: { type: "c.e.Dot" } },
    { shape: { type: "c.e.Circle" } }
  ),
  ready("PHP: empty objects are empty lists", { type: "object", properties: [] }, { a: 1 }, []),
  ready(
    "PHP: nested empty list",
    { type: "object", properties: { options: { type: "object", properties: [] } }, required: [], definitions: [] },
    { options: {} },
    { options: [] }
  ),
  ready(
    "Ruby: symbols as text",
    { type: "object", properties: { status: { type: "string", enum: ["open", "closed"] } }, required: ["status"] },
    { status: "open" },
    { status: ":open" }
  ),
  ready(
    "Swift: key order kept beside",
    {
      type: "object",
      properties: { b: { type: "string" }, a: { type: "string" } },
      propertyOrdering: ["b", "a"],
      required: ["a"]
    },
    { a: "" },
    { b: "" }
  ),
  ready(
    "Dart: additional true",
    { type: "object", properties: { w: { type: "integer", multipleOf: 8 } }, additionalProperties: true },
    { w: 16, x: {} },
    { w: 12 }
  ),
  ready(
    "Elixir: list of atoms",
    {
      type: "object",
      properties: { only: { type: "array", items: { type: "string", enum: ["up", "down"] }, maxItems: 2 } }
    },
    { only: ["up"] },
    { only: ["up", "down", "up"] }
  )
]

function draft(name: "07" | "2020-12"): string {
  return name === "07" ? "http://json-schema.org/draft-07/schema#" : "https://json-schema.org/draft/2020-12/schema"
}
