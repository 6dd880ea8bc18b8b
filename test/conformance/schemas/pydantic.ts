/** In the style of pydantic 1 and 2, of FastMCP and of dataclass exporters. */
import { ready } from "./ListedSchema.ts"

const titled = (title: string, properties: object, required?: ReadonlyArray<string>, rest: object = {}) => ({
  properties,
  ...(required === undefined ? {} : { required }),
  title: `${title}Arguments`,
  type: "object",
  ...rest
})

export const pydanticSchemas = [
  ready(
    "git_status",
    titled("git_status", { repo_path: { title: "Repo Path", type: "string" } }, ["repo_path"]),
    { repo_path: "." },
    {}
  ),
  ready(
    "git_diff_unstaged",
    titled(
      "GitDiffUnstaged",
      {
        repo_path: { title: "Repo Path", type: "string" },
        context_lines: { default: 3, title: "Context Lines", type: "integer" }
      },
      ["repo_path"]
    ),
    { repo_path: ".", context_lines: 3 },
    { repo_path: ".", context_lines: "3" }
  ),
  ready(
    "git_log",
    titled(
      "GitLog",
      {
        repo_path: { title: "Repo Path", type: "string" },
        max_count: { default: 10, title: "Max Count", type: "integer" },
        start_timestamp: {
          anyOf: [{ type: "string" }, { type: "null" }],
          default: null,
          description: "Accepts ISO 8601 ('2024-01-15T14:30:25') and relative ('2 weeks ago')",
          title: "Start Timestamp"
        }
      },
      ["repo_path"]
    ),
    { repo_path: ".", start_timestamp: null },
    { repo_path: ".", start_timestamp: 0 }
  ),
  ready(
    "fetch",
    {
      description: "Parameters for fetching a URL.",
      properties: {
        url: { description: "URL to fetch", format: "uri", minLength: 1, title: "Url", type: "string" },
        max_length: {
          default: 5000,
          exclusiveMaximum: 1_000_000,
          exclusiveMinimum: 0,
          title: "Max Length",
          type: "integer"
        },
        raw: { default: false, title: "Raw", type: "boolean" }
      },
      required: ["url"],
      title: "Fetch",
      type: "object"
    },
    { url: "https://example.com/a?b#c", max_length: 999_999 },
    { url: "https://example.com/", max_length: 1_000_000 }
  ),
  ready("no arguments", titled("ping", {}), {}, null),
  ready(
    "model in $defs",
    titled("send_mail", { message: { $ref: "#/$defs/Message" } }, ["message"], {
      $defs: {
        Address: titled(
          "Address",
          {
            name: { anyOf: [{ type: "string" }, { type: "null" }], default: null },
            mail: { format: "email", type: "string" }
          },
          ["mail"]
        ),
        Message: titled(
          "Message",
          {
            to: { items: { $ref: "#/$defs/Address" }, minItems: 1, type: "array" },
            subject: { maxLength: 998, type: "string" }
          },
          ["to", "subject"]
        )
      }
    }),
    { message: { to: [{ mail: "a@example.com" }], subject: "" } },
    { message: { to: [{ mail: "example.com" }], subject: "" } }
  ),
  ready(
    "enum in $defs",
    titled("set_level", { level: { $ref: "#/$defs/Level", default: "info" } }, undefined, {
      $defs: { Level: { enum: ["debug", "info", "error"], title: "Level", type: "string" } }
    }),
    { level: "error" },
    { level: "loud" }
  ),
  ready(
    "recursive model",
    titled("render", { tree: { $ref: "#/$defs/Node" } }, ["tree"], {
      $defs: {
        Node: titled(
          "Node",
          { tag: { type: "string" }, children: { default: [], items: { $ref: "#/$defs/Node" }, type: "array" } },
          ["tag"],
          { additionalProperties: false }
        )
      }
    }),
    { tree: { tag: "a", children: [{ tag: "b", children: [{ tag: "c" }] }] } },
    { tree: { tag: "a", children: [{ tag: "b", children: [{}] }] } }
  ),
  ready(
    "mutually recursive models",
    titled("evaluate", { expression: { $ref: "#/$defs/Expression" } }, ["expression"], {
      $defs: {
        Expression: { anyOf: [{ type: "number" }, { $ref: "#/$defs/Operation" }] },
        Operation: titled(
          "Operation",
          { op: { enum: ["+", "-"] }, args: { items: { $ref: "#/$defs/Expression" }, minItems: 2, type: "array" } },
          ["op", "args"]
        )
      }
    }),
    { expression: { op: "+", args: [1, { op: "-", args: [2, 3] }] } },
    { expression: { op: "+", args: [1, { op: "-", args: [2] }] } }
  ),
  ready(
    "discriminated by mapping",
    titled(
      "draw",
      {
        shape: {
          discriminator: { mapping: { circle: "#/$defs/Circle", square: "#/$defs/Square" }, propertyName: "kind" },
          oneOf: [{ $ref: "#/$defs/Circle" }, { $ref: "#/$defs/Square" }]
        }
      },
      ["shape"],
      {
        $defs: {
          Circle: titled(
            "Circle",
            { kind: { const: "circle", type: "string" }, radius: { exclusiveMinimum: 0, type: "number" } },
            ["kind", "radius"]
          ),
          Square: titled("Square", { kind: { const: "square", type: "string" }, side: { type: "number" } }, [
            "kind",
            "side"
          ])
        }
      }
    ),
    { shape: { kind: "circle", radius: 0.5 } },
    { shape: { kind: "circle", radius: 0 } }
  ),
  ready(
    "discriminator with a default, so not required",
    titled("move", { to: { oneOf: [{ $ref: "#/$defs/A" }, { $ref: "#/$defs/B" }] } }, ["to"], {
      $defs: {
        A: titled("A", { kind: { const: "a", default: "a" }, x: { type: "integer" } }, ["x"]),
        B: titled("B", { kind: { const: "b", default: "b" }, y: { type: "integer" } }, ["y"])
      }
    }),
    { to: { x: 1 } },
    { to: { x: 1, y: 1 } }
  ),
  ready(
    "version 1: definitions",
    {
      title: "Query",
      type: "object",
      properties: { filters: { title: "Filters", type: "array", items: { $ref: "#/definitions/Filter" } } },
      definitions: {
        Filter: {
          title: "Filter",
          type: "object",
          properties: {
            column: { title: "Column", type: "string" },
            op: { title: "Op", default: "=", enum: ["=", "<", ">"], type: "string" }
          },
          required: ["column"]
        }
      }
    },
    { filters: [{ column: "a", op: "<" }] },
    { filters: [{ op: "<" }] }
  ),
  ready(
    "version 1: reference in an allOf of one",
    {
      title: "Args",
      type: "object",
      properties: { color: { title: "Color", default: "red", allOf: [{ $ref: "#/definitions/Color" }] } },
      definitions: { Color: { title: "Color", description: "An enumeration.", enum: ["red", "green"], type: "string" } }
    },
    { color: "green" },
    { color: "blue" }
  ),
  ready(
    "version 1: tuple",
    {
      title: "Args",
      type: "object",
      properties: {
        box: {
          type: "array",
          minItems: 4,
          maxItems: 4,
          items: [{ type: "integer" }, { type: "integer" }, { type: "integer" }, { type: "integer" }]
        }
      }
    },
    { box: [0, 0, 10, 10] },
    { box: [0, 0, 10, 10.5] }
  ),
  ready(
    "version 2: tuple",
    titled(
      "crop",
      { box: { maxItems: 2, minItems: 2, prefixItems: [{ type: "integer" }, { type: "integer" }], type: "array" } },
      ["box"]
    ),
    { box: [0, 1] },
    { box: [0] }
  ),
  ready(
    "optional model",
    titled("f", { at: { anyOf: [{ $ref: "#/$defs/P" }, { type: "null" }], default: null } }, undefined, {
      $defs: { P: titled("P", { x: { type: "number" } }, ["x"]) }
    }),
    { at: null },
    { at: {} }
  ),
  ready(
    "dict of lists",
    titled("f", { groups: { additionalProperties: { items: { type: "integer" }, type: "array" }, type: "object" } }),
    { groups: { a: [1], b: [] } },
    { groups: { a: 1 } }
  ),
  ready("any value", titled("f", { value: { title: "Value" } }, ["value"]), { value: null }, {}),
  ready(
    "dict without types",
    titled("f", {
      metadata: { anyOf: [{ additionalProperties: true, type: "object" }, { type: "null" }], default: null }
    }),
    { metadata: { a: [1] } },
    { metadata: [] }
  ),
  ready(
    "literal",
    titled("f", { unit: { const: "metric", default: "metric", title: "Unit", type: "string" } }),
    { unit: "metric" },
    { unit: "imperial" }
  ),
  ready(
    "decimal",
    titled(
      "f",
      { amount: { anyOf: [{ type: "number" }, { pattern: "^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*$", type: "string" }] } },
      ["amount"]
    ),
    { amount: "-12.50" },
    { amount: "-." }
  ),
  ready(
    "date and time",
    titled("f", {
      day: { format: "date", type: "string" },
      at: { format: "time", type: "string" },
      span: { format: "duration", type: "string" }
    }),
    { day: "2024-02-29", at: "12:00:00Z", span: "P1DT2H" },
    { day: "2023-02-29" }
  ),
  ready(
    "paths",
    titled("f", { file: { format: "file-path", type: "string" }, dir: { format: "directory-path", type: "string" } }),
    { file: "/nowhere" },
    { file: 0 }
  ),
  ready(
    "secrets",
    titled("f", { token: { format: "password", type: "string", writeOnly: true } }, ["token"]),
    { token: "" },
    { token: null }
  ),
  ready(
    "bytes",
    titled("f", { blob: { format: "binary", type: "string" }, more: { contentEncoding: "base64", type: "string" } }),
    { blob: "\u0000", more: "AA==" },
    { blob: [] }
  ),
  ready(
    "set",
    titled("f", { ids: { items: { type: "integer" }, type: "array", uniqueItems: true } }),
    { ids: [1, 2] },
    { ids: [1, 1] }
  ),
  ready(
    "positive and negative",
    titled("f", { up: { exclusiveMinimum: 0, type: "integer" }, down: { exclusiveMaximum: 0, type: "integer" } }),
    { up: 1, down: -1 },
    { up: 0 }
  ),
  ready(
    "integer enum",
    titled("f", { priority: { enum: [1, 2, 3], title: "Priority", type: "integer" } }),
    { priority: 3 },
    { priority: 4 }
  ),
  ready(
    "union of models, best match",
    titled("f", { ref: { anyOf: [{ $ref: "#/$defs/ById" }, { $ref: "#/$defs/ByName" }] } }, ["ref"], {
      $defs: {
        ById: titled("ById", { id: { type: "integer" } }, ["id"]),
        ByName: titled("ByName", { name: { type: "string" } }, ["name"])
      }
    }),
    { ref: { name: "x" } },
    { ref: { id: "x" } }
  ),
  ready(
    "extra forbidden",
    titled("f", { a: { type: "string" } }, ["a"], { additionalProperties: false }),
    { a: "" },
    { a: "", b: "" }
  ),
  ready(
    "generic names in $defs",
    titled("f", { page: { $ref: "#/$defs/Page_Item_" } }, ["page"], {
      $defs: {
        Item: titled("Item", { n: { type: "integer" } }, ["n"]),
        Page_Item_: titled("Page[Item]", { items: { items: { $ref: "#/$defs/Item" }, type: "array" } }, ["items"])
      }
    }),
    { page: { items: [{ n: 1 }] } },
    { page: { items: [{}] } }
  ),
  ready(
    "definition names with slashes and spaces",
    titled("f", { x: { $ref: "#/$defs/app~1models~1X%20Y" } }, ["x"], {
      $defs: { "app/models/X Y": { type: "integer" } }
    }),
    { x: 1 },
    { x: "1" }
  ),
  ready(
    "Python pattern that ECMA-262 reads",
    titled("f", { version: { pattern: "^\\d+\\.\\d+(\\.\\d+)?$", type: "string" } }),
    { version: "1.2.3" },
    { version: "1" }
  ),
  ready(
    "a letter that ECMA-262 takes as it is",
    titled("f", { name: { pattern: "^\\w+\\Z", type: "string" } }),
    { name: "abcZ" },
    { name: "abc" }
  ),
  ready(
    "examples and deprecated",
    titled("f", { q: { deprecated: true, examples: ["a", { b: [] }], type: "string" } }),
    { q: "" },
    { q: {} }
  )
]
