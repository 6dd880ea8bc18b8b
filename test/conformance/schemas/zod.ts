/** In the style of zod-to-json-schema, of Zod's own export, and of TypeBox. */
import { ready } from "./ListedSchema.ts"

const draft07 = "http://json-schema.org/draft-07/schema#"
const draft2020 = "https://json-schema.org/draft/2020-12/schema"
const object = (properties: object, required: ReadonlyArray<string> = Object.keys(properties)) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
  $schema: draft07
})

export const zodSchemas = [
  ready("read_file", object({ path: { type: "string" } }), { path: "a.txt" }, { path: 1 }),
  ready(
    "read_text_file",
    object({ path: { type: "string" }, tail: { type: "number" }, head: { type: "number" } }, ["path"]),
    { path: "a", head: 3 },
    { path: "a", haed: 3 }
  ),
  ready(
    "read_multiple_files",
    object({ paths: { type: "array", items: { type: "string" }, minItems: 1 } }),
    { paths: ["a"] },
    { paths: [] }
  ),
  ready(
    "edit_file",
    object(
      {
        path: { type: "string" },
        edits: {
          type: "array",
          items: {
            type: "object",
            properties: {
              oldText: { type: "string", description: "Text to search for - must match exactly" },
              newText: { type: "string", description: "Text to replace with" }
            },
            required: ["oldText", "newText"],
            additionalProperties: false
          }
        },
        dryRun: { type: "boolean", default: false }
      },
      ["path", "edits"]
    ),
    { path: "a", edits: [{ oldText: "x", newText: "y" }], dryRun: true },
    { path: "a", edits: [{ oldText: "x" }] }
  ),
  ready(
    "directory_tree",
    object({ path: { type: "string" }, excludePatterns: { type: "array", items: { type: "string" }, default: [] } }, [
      "path"
    ]),
    { path: "/" },
    { path: "/", excludePatterns: "node_modules" }
  ),
  ready("list_allowed_directories", { type: "object", properties: {}, $schema: draft07 }, {}, []),
  ready("get_me", { type: "object", properties: {}, additionalProperties: false, $schema: draft07 }, {}, { x: 1 }),
  ready(
    "list_directory_with_sizes",
    object({ path: { type: "string" }, sortBy: { type: "string", enum: ["name", "size"], default: "name" } }, ["path"]),
    { path: ".", sortBy: "size" },
    { path: ".", sortBy: "date" }
  ),
  ready(
    "create_entities",
    object({
      entities: {
        type: "array",
        items: {
          type: "object",
          properties: {
            name: { type: "string" },
            entityType: { type: "string" },
            observations: { type: "array", items: { type: "string" } }
          },
          required: ["name", "entityType", "observations"],
          additionalProperties: false
        }
      }
    }),
    { entities: [{ name: "a", entityType: "b", observations: [] }] },
    { entities: [{ name: "a", entityType: "b", observations: [1] }] }
  ),
  ready(
    "sequential_thinking",
    object(
      {
        thought: { type: "string" },
        nextThoughtNeeded: { type: "boolean" },
        thoughtNumber: { type: "integer", minimum: 1 },
        branchFromThought: { type: "integer", exclusiveMinimum: 0, maximum: 9_007_199_254_740_991 }
      },
      ["thought", "nextThoughtNeeded", "thoughtNumber"]
    ),
    { thought: "t", nextThoughtNeeded: false, thoughtNumber: 1 },
    { thought: "t", nextThoughtNeeded: false, thoughtNumber: 0 }
  ),
  ready(
    "discriminated union",
    object({
      action: {
        anyOf: [
          {
            type: "object",
            properties: { type: { type: "string", const: "click" }, selector: { type: "string" } },
            required: ["type", "selector"],
            additionalProperties: false
          },
          {
            type: "object",
            properties: { type: { type: "string", const: "goto" }, url: { type: "string", format: "uri" } },
            required: ["type", "url"],
            additionalProperties: false
          }
        ]
      }
    }),
    { action: { type: "goto", url: "https://example.com/" } },
    { action: { type: "click", url: "https://example.com/" } }
  ),
  ready("union of types", object({ id: { type: ["string", "number"] } }), { id: 7 }, { id: true }),
  ready(
    "nullable by anyOf",
    object({ cursor: { anyOf: [{ type: "string", minLength: 1 }, { type: "null" }] } }, []),
    { cursor: null },
    { cursor: "" }
  ),
  ready("optional of anything", object({ data: {} }, []), { data: [null] }, "text"),
  ready(
    "optional by not",
    object({ limit: { anyOf: [{ not: {} }, { type: "integer", maximum: 100 }] } }, []),
    { limit: 100 },
    { limit: 101 }
  ),
  ready(
    "record",
    object({ headers: { type: "object", additionalProperties: { type: "string" } } }),
    { headers: { accept: "*/*" } },
    { headers: { accept: 1 } }
  ),
  ready(
    "record with key schema",
    object({
      env: {
        type: "object",
        additionalProperties: { type: "string" },
        propertyNames: { pattern: "^[A-Z_][A-Z0-9_]*$" }
      }
    }),
    { env: { PATH: "/bin" } },
    { env: { "not-env": "x" } }
  ),
  ready(
    "tuple",
    object({ point: { type: "array", minItems: 2, maxItems: 2, items: [{ type: "number" }, { type: "number" }] } }),
    { point: [1.5, 2] },
    { point: [1.5, "2"] }
  ),
  ready(
    "tuple with rest",
    object({ args: { type: "array", minItems: 1, items: [{ type: "string" }], additionalItems: { type: "number" } } }),
    { args: ["sum", 1, 2] },
    { args: ["sum", 1, "2"] }
  ),
  ready(
    "recursive by pointer into properties",
    object({
      filter: {
        type: "object",
        properties: {
          field: { type: "string" },
          and: { type: "array", items: { $ref: "#/properties/filter" } }
        },
        additionalProperties: false
      }
    }),
    { filter: { and: [{ field: "a" }, { and: [] }] } },
    { filter: { and: [{ and: [{ fields: "a" }] }] } }
  ),
  ready(
    "seen twice, second by pointer",
    object({
      from: { type: "object", properties: { x: { type: "number" } }, required: ["x"] },
      to: { $ref: "#/properties/from" }
    }),
    { from: { x: 1 }, to: { x: 2 } },
    { from: { x: 1 }, to: {} }
  ),
  ready(
    "named at the root",
    {
      $ref: "#/definitions/SearchArgs",
      definitions: {
        SearchArgs: object({ query: { type: "string", minLength: 1 }, limit: { type: "integer", default: 10 } }, [
          "query"
        ])
      },
      $schema: draft07
    },
    { query: "a" },
    { query: "" }
  ),
  ready(
    "lazy tree in definitions",
    {
      $schema: draft07,
      type: "object",
      properties: { root: { $ref: "#/definitions/__schema0" } },
      required: ["root"],
      definitions: {
        __schema0: {
          type: "object",
          properties: {
            value: { type: "string" },
            children: { type: "array", items: { $ref: "#/definitions/__schema0" } }
          },
          required: ["value", "children"],
          additionalProperties: false
        }
      }
    },
    { root: { value: "a", children: [{ value: "b", children: [] }] } },
    { root: { value: "a", children: [{ value: "b" }] } }
  ),
  ready(
    "Zod 4 safe integers",
    {
      $schema: draft2020,
      type: "object",
      properties: {
        page: { default: 1, type: "integer", minimum: -9_007_199_254_740_991, maximum: 9_007_199_254_740_991 }
      },
      additionalProperties: false
    },
    { page: 2 },
    { page: 2.5 }
  ),
  ready(
    "Zod 4 tuple",
    {
      $schema: draft2020,
      type: "object",
      properties: { range: { type: "array", prefixItems: [{ type: "integer" }, { type: "integer" }], items: false } }
    },
    { range: [1, 2] },
    { range: [1, 2, 3] }
  ),
  ready(
    "Zod 4 intersection",
    {
      $schema: draft2020,
      allOf: [
        { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
        { type: "object", properties: { b: { type: "number" } }, required: ["b"] }
      ],
      unevaluatedProperties: false
    },
    { a: "", b: 0 },
    { a: "", b: 0, c: 0 }
  ),
  ready(
    "Zod string formats",
    object({
      mail: {
        type: "string",
        format: "email",
        pattern:
          "^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-\\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$"
      },
      at: { type: "string", format: "date-time" },
      id: { type: "string", format: "uuid" }
    }),
    { mail: "a.b@example.com", at: "2024-05-06T07:08:09Z", id: "123e4567-e89b-42d3-a456-426614174000" },
    { mail: "a..b@example.com", at: "2024-05-06T07:08:09Z", id: "123e4567-e89b-42d3-a456-426614174000" }
  ),
  ready(
    "Zod unknown formats",
    object({
      id: { type: "string", format: "cuid2" },
      n: { type: "string", format: "emoji" },
      t: { type: "string", format: "base64url" }
    }),
    { id: "anything", n: "no emoji", t: "?" },
    { id: 1, n: "", t: "" }
  ),
  ready(
    "startsWith as a pattern",
    object({ ref: { type: "string", pattern: "^refs\\/heads\\/" } }),
    { ref: "refs/heads/main" },
    { ref: "main" }
  ),
  ready(
    "TypeBox literals",
    {
      type: "object",
      required: ["mode"],
      properties: {
        mode: {
          anyOf: [
            { const: "r", type: "string" },
            { const: "w", type: "string" },
            { const: 0, type: "number" }
          ]
        }
      }
    },
    { mode: 0 },
    { mode: "x" }
  ),
  ready(
    "TypeBox record",
    { type: "object", patternProperties: { "^(.*)$": { type: "integer" } } },
    { a: 1, "": 2 },
    { a: 1.5 }
  ),
  ready(
    "TypeBox numeric keys",
    { type: "object", patternProperties: { "^(0|[1-9][0-9]*)$": { type: "string" } }, additionalProperties: false },
    { 0: "a", 10: "b" },
    { "01": "a" }
  ),
  ready(
    "TypeBox recursive",
    {
      $id: "Node",
      type: "object",
      required: ["id", "nodes"],
      properties: { id: { type: "string" }, nodes: { type: "array", items: { $ref: "#" } } }
    },
    { id: "a", nodes: [{ id: "b", nodes: [] }] },
    { id: "a", nodes: [{ id: "b", nodes: {} }] }
  ),
  ready(
    "TypeBox template literal",
    { type: "object", properties: { key: { type: "string", pattern: "^user:(0|[1-9][0-9]*)$" } } },
    { key: "user:12" },
    { key: "user:012" }
  ),
  ready(
    "multiple of a decimal",
    object({ price: { type: "number", multipleOf: 0.01, minimum: 0 } }),
    { price: 19.99 },
    { price: 19.999 }
  ),
  ready(
    "set of names",
    object({ tags: { type: "array", uniqueItems: true, items: { type: "string" } } }),
    { tags: ["a", "b"] },
    { tags: ["a", "a"] }
  ),
  ready(
    "length of an emoji",
    object({ icon: { type: "string", minLength: 1, maxLength: 1 } }),
    { icon: "😀" },
    { icon: "😀😀" }
  )
]
