/** Exported from OpenAPI 3.0 and 3.1 documents. */
import { ready } from "./ListedSchema.ts"

const operation = (schema: object, parameters: object = {}) => ({
  type: "object",
  properties: { ...parameters, requestBody: schema },
  required: ["requestBody"]
})

export const openApiSchemas = [
  ready(
    "path and query parameters",
    {
      type: "object",
      properties: {
        petId: { type: "integer", format: "int64", in: "path", required_: true },
        verbose: { type: "boolean", style: "form", explode: true }
      },
      required: ["petId"]
    },
    { petId: 1 },
    { petId: "1" }
  ),
  ready(
    "nullable text",
    operation({ type: "object", properties: { note: { type: "string", nullable: true } } }),
    { requestBody: { note: null } },
    { requestBody: { note: 1 } }
  ),
  ready(
    "nullable: false",
    operation({ type: "object", properties: { note: { type: "string", nullable: false } } }),
    { requestBody: { note: "" } },
    { requestBody: { note: null } }
  ),
  ready(
    "nullable with a choice",
    operation({ type: "string", nullable: true, enum: ["a", null] }),
    { requestBody: null },
    { requestBody: "b" }
  ),
  ready(
    "nullable without type says nothing",
    operation({ nullable: true, minimum: 1 }),
    { requestBody: "any" },
    { requestBody: 0 }
  ),
  ready(
    "boolean exclusiveMinimum",
    operation({ type: "number", minimum: 0, exclusiveMinimum: true }),
    { requestBody: 0.1 },
    { requestBody: 0 }
  ),
  ready(
    "boolean exclusiveMaximum that is false",
    operation({ type: "number", maximum: 1, exclusiveMaximum: false }),
    { requestBody: 1 },
    { requestBody: 1.1 }
  ),
  ready(
    "exclusiveMinimum without minimum",
    operation({ type: "number", exclusiveMinimum: true }),
    { requestBody: -1 },
    { requestBody: "-1" }
  ),
  ready(
    "vendor keys",
    operation({
      type: "object",
      "x-order": 1,
      "x-ms-visibility": ["read"],
      properties: { a: { type: "string", "x-nullable": true, "x-enum-varnames": [] } },
      xml: { name: "a" },
      externalDocs: { url: "https://example.com" }
    }),
    { requestBody: { a: "" } },
    { requestBody: { a: null } }
  ),
  ready(
    "example and discriminator",
    operation({
      type: "object",
      discriminator: { propertyName: "petType" },
      properties: { petType: { type: "string", example: "cat" } },
      required: ["petType"],
      example: { petType: "dog" }
    }),
    { requestBody: { petType: "x" } },
    { requestBody: {} }
  ),
  ready(
    "inheritance by allOf",
    operation(
      { allOf: [{ $ref: "#/components/schemas/Pet" }, { type: "object", properties: { hunts: { type: "boolean" } } }] },
      {}
    ) && {
      ...operation({
        allOf: [{ $ref: "#/components/schemas/Pet" }, { type: "object", properties: { hunts: { type: "boolean" } } }]
      }),
      components: {
        schemas: {
          Pet: {
            type: "object",
            required: ["name"],
            properties: { name: { type: "string" }, parent: { $ref: "#/components/schemas/Pet" } }
          }
        }
      }
    },
    { requestBody: { name: "a", hunts: true, parent: { name: "b" } } },
    { requestBody: { name: "a", parent: {} } }
  ),
  ready(
    "formats of numbers",
    operation({
      type: "object",
      properties: {
        a: { type: "integer", format: "int32" },
        b: { type: "number", format: "float" },
        c: { type: "number", format: "double" }
      }
    }),
    { requestBody: { a: -2_147_483_648, b: 1.5, c: 1e300 } },
    { requestBody: { a: 2_147_483_648 } }
  ),
  ready(
    "byte and binary",
    operation({
      type: "object",
      properties: { file: { type: "string", format: "binary" }, sum: { type: "string", format: "byte" } }
    }),
    { requestBody: { sum: "YWJj", file: "any" } },
    { requestBody: { sum: "YW~j" } }
  ),
  ready(
    "readOnly and writeOnly",
    operation({
      type: "object",
      properties: {
        id: { type: "string", readOnly: true },
        secret: { type: "string", writeOnly: true, deprecated: false }
      }
    }),
    { requestBody: { id: "a" } },
    { requestBody: { id: 1 } }
  ),
  ready(
    "free form",
    operation({ type: "object", additionalProperties: {} }),
    { requestBody: { a: [] } },
    { requestBody: [] }
  ),
  ready(
    "3.1: types with null",
    operation({ type: ["object", "null"], properties: { a: { type: ["integer", "null"] } } }),
    { requestBody: { a: null } },
    { requestBody: { a: "" } }
  ),
  ready(
    "3.1: content of a text",
    operation({
      type: "string",
      contentMediaType: "application/json",
      contentEncoding: "base64",
      contentSchema: { type: "object" }
    }),
    { requestBody: "not JSON" },
    { requestBody: {} }
  ),
  ready(
    "unknown $schema",
    {
      $schema: "https://spec.openapis.org/oas/3.1/dialect/base",
      type: "object",
      properties: { a: { type: "integer" } }
    },
    { a: 1 },
    { a: "1" }
  ),
  ready(
    "provider subset in capitals beside",
    {
      type: "object",
      properties: { a: { type: "string", format: "enum", enum: ["X"] } },
      propertyOrdering: ["a"],
      title: ""
    },
    { a: "X" },
    { a: "x" }
  )
]
