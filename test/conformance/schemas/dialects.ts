/** Of one dialect each, by `$schema`, and of none. */
import { ready } from "./ListedSchema.ts"

const draft04 = "http://json-schema.org/draft-04/schema#"
const draft06 = "http://json-schema.org/draft-06/schema#"
const draft07 = "http://json-schema.org/draft-07/schema#"
const draft2019 = "https://json-schema.org/draft/2019-09/schema"
const draft2020 = "https://json-schema.org/draft/2020-12/schema"

export const dialectSchemas = [
  ready(
    "draft-04: exclusive limits",
    { $schema: draft04, type: "object", properties: { n: { minimum: 0, exclusiveMinimum: true } } },
    { n: 1 },
    { n: 0 }
  ),
  ready(
    "draft-04: id and anchors",
    {
      $schema: draft04,
      id: "http://example.com/a",
      type: "object",
      properties: { a: { $ref: "#b" } },
      definitions: { b: { id: "#b", type: "integer" } }
    },
    { a: 1 },
    { a: "1" }
  ),
  ready(
    "draft-04: const means nothing",
    { $schema: draft04, properties: { a: { const: 1 }, b: { type: "null" } } },
    { a: 2 },
    { b: 2 }
  ),
  ready(
    "draft-04: siblings of $ref mean nothing",
    {
      $schema: draft04,
      properties: { a: { $ref: "#/definitions/t", maxLength: 1 } },
      definitions: { t: { type: "string" } }
    },
    { a: "long" },
    { a: 1 }
  ),
  ready(
    "draft-06: const and contains",
    { $schema: draft06, properties: { a: { const: null }, b: { contains: { type: "integer" } } } },
    { a: null, b: ["x", 1] },
    { b: ["x"] }
  ),
  ready("draft-06: if means nothing", { $schema: draft06, if: true, then: false, type: "object" }, {}, []),
  ready(
    "draft-07: if, then, else",
    {
      $schema: draft07,
      type: "object",
      if: { required: ["a"] },
      then: { required: ["b"] },
      else: { maxProperties: 0 }
    },
    { a: 1, b: 2 },
    { c: 1 }
  ),
  ready(
    "draft-07 over https, without the hash",
    {
      $schema: "https://json-schema.org/draft-07/schema",
      type: "object",
      properties: { a: { items: [{ type: "string" }], additionalItems: false } }
    },
    { a: ["x"] },
    { a: ["x", "y"] }
  ),
  ready(
    "draft-07: dependencies of both kinds",
    { $schema: draft07, dependencies: { a: ["b"], c: { properties: { d: { type: "integer" } } } } },
    { c: 1, d: 2 },
    { c: 1, d: "2" }
  ),
  ready(
    "draft-07: anchor in $id",
    { $schema: draft07, properties: { a: { $ref: "#x" } }, definitions: { x: { $id: "#x", enum: [1] } } },
    { a: 1 },
    { a: 2 }
  ),
  ready(
    "draft-07: dependentRequired means nothing",
    { $schema: draft07, type: "object", dependentRequired: { a: ["b"] } },
    { a: 1 },
    1
  ),
  ready(
    "2019-09: recursion",
    {
      $schema: draft2019,
      $recursiveAnchor: true,
      type: "object",
      properties: { children: { type: "array", items: { $recursiveRef: "#" } } },
      additionalProperties: false
    },
    { children: [{ children: [] }] },
    { children: [{ child: [] }] }
  ),
  ready(
    "2019-09: unevaluated and dependent",
    {
      $schema: draft2019,
      type: "object",
      properties: { a: true },
      dependentSchemas: { a: { properties: { b: true } } },
      unevaluatedProperties: false
    },
    { a: 1, b: 1 },
    { b: 1 }
  ),
  ready(
    "2019-09: tuple",
    {
      $schema: draft2019,
      properties: { a: { items: [{ type: "string" }], additionalItems: { type: "integer" }, minContains: 1 } }
    },
    { a: ["x", 1] },
    { a: ["x", "y"] }
  ),
  ready(
    "2019-09: contains counted",
    { $schema: draft2019, properties: { a: { contains: { const: 1 }, minContains: 2, maxContains: 3 } } },
    { a: [1, 1] },
    { a: [1, 1, 1, 1] }
  ),
  ready(
    "2020-12: dynamic reference",
    {
      $schema: draft2020,
      $dynamicAnchor: "node",
      type: "object",
      properties: { next: { $dynamicRef: "#node" } },
      unevaluatedProperties: false
    },
    { next: { next: {} } },
    { next: { nxt: {} } }
  ),
  ready(
    "2020-12: anchors",
    { $schema: draft2020, properties: { a: { $ref: "#pos" } }, $defs: { p: { $anchor: "pos", exclusiveMinimum: 0 } } },
    { a: 1 },
    { a: 0 }
  ),
  ready(
    "2020-12: unevaluatedItems",
    {
      $schema: draft2020,
      properties: {
        a: { prefixItems: [{ type: "string" }], contains: { type: "boolean" }, unevaluatedItems: { type: "integer" } }
      }
    },
    { a: ["x", true, 1] },
    { a: ["x", true, "y"] }
  ),
  ready(
    "2020-12: additionalItems means nothing",
    { $schema: draft2020, properties: { a: { prefixItems: [true], additionalItems: false, maxItems: 2 } } },
    { a: [1, 2] },
    { a: [1, 2, 3] }
  ),
  ready(
    "2020-12: $ref beside siblings",
    { $schema: draft2020, properties: { a: { $ref: "#/$defs/s", minLength: 2 } }, $defs: { s: { type: "string" } } },
    { a: "ab" },
    { a: "a" }
  ),
  ready(
    "2020-12: vocabulary and comments",
    {
      $schema: draft2020,
      $vocabulary: { "https://json-schema.org/draft/2020-12/vocab/core": true },
      $comment: "c",
      type: "object",
      maxProperties: 1
    },
    { a: 1 },
    { a: 1, b: 2 }
  ),
  ready(
    "no $schema: both kinds of definitions",
    {
      type: "object",
      properties: { a: { $ref: "#/definitions/x" }, b: { $ref: "#/$defs/x" } },
      definitions: { x: { type: "string" } },
      $defs: { x: { type: "integer" } }
    },
    { a: "", b: 1 },
    { a: 1, b: 1 }
  ),
  ready(
    "no $schema: both kinds of tuple",
    {
      properties: {
        a: { items: [{ type: "string" }], additionalItems: false },
        b: { prefixItems: [{ type: "string" }], items: false }
      }
    },
    { a: ["x"], b: ["x"] },
    { a: ["x", 1] }
  ),
  ready(
    "no $schema: dependencies and dependentRequired",
    { type: "object", dependencies: { a: ["b"] }, dependentRequired: { b: ["c"] } },
    { a: 1, b: 1, c: 1 },
    { a: 1, b: 1 }
  ),
  ready(
    "no $schema: boolean and numeric exclusive limits",
    { properties: { a: { maximum: 5, exclusiveMaximum: true }, b: { exclusiveMaximum: 5 } } },
    { a: 4, b: 4 },
    { a: 5 }
  ),
  ready(
    "$schema that is not known",
    { $schema: "https://example.com/my-schema", type: "object", required: ["a"] },
    { a: 1 },
    {}
  ),
  ready(
    "$schema without scheme",
    { $schema: "draft-07", type: "object", properties: { a: { prefixItems: [{ type: "integer" }] } } },
    { a: [1] },
    { a: ["1"] }
  )
]
