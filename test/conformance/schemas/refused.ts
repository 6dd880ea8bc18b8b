/** What is refused, with the place and the reason. */
import { refused } from "./ListedSchema.ts"

const withProperty = (schema: unknown) => ({ type: "object", properties: { a: schema } })
const at = (name: string, schema: unknown, below: string, reason: string) =>
  refused(name, withProperty(schema), `/properties/a${below}`, reason)

const cyclic: Record<string, unknown> = { type: "object" }
cyclic["properties"] = { self: cyclic }

export const refusedSchemas = [
  at(
    "required: true",
    { type: "string", required: true },
    "/required",
    "must be an array of names, in the object that has the property"
  ),
  at(
    "required: a text",
    { type: "object", required: "b" },
    "/required",
    "must be an array of strings without duplicates"
  ),
  at(
    "required with repeats",
    { type: "object", required: ["b", "b"] },
    "/required",
    "must be an array of strings without duplicates"
  ),
  at("type: any", { type: "any" }, "/type", 'must name a type of JSON Schema, got "any"'),
  at("type: file", { type: "file" }, "/type", 'must name a type of JSON Schema, got "file"'),
  at("type: str", { type: "str" }, "/type", 'must name a type of JSON Schema, got "str"'),
  at("type in capitals", { type: "STRING" }, "/type", 'must name a type of JSON Schema, got "STRING"'),
  at("type: null, the value", { type: null }, "/type", "must name a type of JSON Schema, got null"),
  at(
    "type: a union of texts",
    { type: "string|number" },
    "/type",
    'must name a type of JSON Schema, got "string|number"'
  ),
  at("type: an empty list", { type: [] }, "/type", "must name at least one type, each once"),
  at(
    "type: a list with an unknown name",
    { type: ["string", "uuid"] },
    "/type",
    'must name a type of JSON Schema, got "uuid"'
  ),
  at(
    "type: schemas in a list, as in draft-03",
    { type: ["string", { type: "null" }] },
    "/type",
    "must name a type of JSON Schema, got an object"
  ),
  at("dangling reference", { $ref: "#/$defs/Missing" }, "/$ref", 'leads nowhere: "#/$defs/Missing"'),
  at("dangling anchor", { $ref: "#Missing" }, "/$ref", 'leads nowhere: "#Missing"'),
  at(
    "reference left by an exporter",
    { $ref: "#/components/schemas/Pet" },
    "/$ref",
    'leads nowhere: "#/components/schemas/Pet"'
  ),
  at("reference to data", { $ref: "#/type" }, "/$ref", 'leads to no schema: "#/type"'),
  at("relative reference", { $ref: "common.json" }, "/$ref", 'remote $ref is not allowed: "common.json"'),
  at(
    "relative reference with fragment",
    { $ref: "types.json#/definitions/A" },
    "/$ref",
    'remote $ref is not allowed: "types.json#/definitions/A"'
  ),
  at(
    "reference by https",
    { $ref: "https://example.com/schema.json" },
    "/$ref",
    'remote $ref is not allowed: "https://example.com/schema.json"'
  ),
  at(
    "reference to a meta-schema",
    { $ref: "http://json-schema.org/draft-07/schema#" },
    "/$ref",
    'remote $ref is not allowed: "http://json-schema.org/draft-07/schema#"'
  ),
  at(
    "reference by urn",
    { $ref: "urn:jsonschema:com:example:A" },
    "/$ref",
    'remote $ref is not allowed: "urn:jsonschema:com:example:A"'
  ),
  at("reference by a bare name", { $ref: "Pet" }, "/$ref", 'remote $ref is not allowed: "Pet"'),
  at("empty reference", { $ref: "" }, "/$ref", 'remote $ref is not allowed: ""'),
  at("reference that is no text", { $ref: { a: 1 } }, "/$ref", "must be a string"),
  refused(
    "reference that loops",
    { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { allOf: [{ $ref: "#/$defs/a" }] } } },
    "/$defs/a",
    "references form a loop that consumes nothing"
  ),
  refused("reference to itself", { $ref: "#" }, "", "references form a loop that consumes nothing"),
  at(
    "nested identifier elsewhere",
    { $id: "https://example.com/address.json" },
    "/$id",
    '$id leaves the document: "https://example.com/address.json"'
  ),
  at("Python named group", { pattern: "^(?P<year>\\d{4})$" }, "/pattern", "it is no ECMAScript regular expression"),
  at("inline flags", { pattern: "(?i)abc" }, "/pattern", "it is no ECMAScript regular expression"),
  at("possessive repetition", { pattern: "^a++$" }, "/pattern", "it is no ECMAScript regular expression"),
  at("open bracket", { pattern: "[a-" }, "/pattern", "it is no ECMAScript regular expression"),
  at("pattern that is no text", { pattern: 5 }, "/pattern", "must be a string"),
  at("pattern of 5,000 characters", { pattern: "a".repeat(5_000) }, "/pattern", "it is longer than 4096 characters"),
  at(
    "bad pattern of names",
    { patternProperties: { "(": {} } },
    "/patternProperties/(",
    "it is no ECMAScript regular expression"
  ),
  at("properties: null", { properties: null }, "/properties", "must be an object"),
  at("properties: a list", { properties: [{ name: "b" }] }, "/properties", "must be an object"),
  at(
    "property that is a text",
    { properties: { b: "string" } },
    "/properties/b",
    "must be a schema: an object or a boolean"
  ),
  at("property that is null", { properties: { b: null } }, "/properties/b", "must be a schema: an object or a boolean"),
  at("items: null", { type: "array", items: null }, "/items", "must be a schema: an object or a boolean"),
  at("items: a text", { type: "array", items: "string" }, "/items", "must be a schema: an object or a boolean"),
  at("items: an empty list", { type: "array", items: [] }, "/items", "must be an array of at least one schema"),
  at(
    "additionalProperties: a text",
    { additionalProperties: "false" },
    "/additionalProperties",
    "must be a schema: an object or a boolean"
  ),
  at("anyOf: an empty list", { anyOf: [] }, "/anyOf", "must be an array of at least one schema"),
  at("oneOf: an object", { oneOf: { type: "string" } }, "/oneOf", "must be an array of at least one schema"),
  at("allOf with null", { allOf: [null] }, "/allOf/0", "must be a schema: an object or a boolean"),
  at("enum: a text", { enum: "a,b" }, "/enum", "must be an array"),
  at("enum: an object", { enum: { A: 1 } }, "/enum", "must be an array"),
  at("minimum: a text", { minimum: "0" }, "/minimum", "must be a number"),
  at("maximum: null", { maximum: null }, "/maximum", "must be a number"),
  at("minLength below zero", { minLength: -1 }, "/minLength", "must be an integer of at least 0"),
  at("maxItems: a fraction", { maxItems: 1.5 }, "/maxItems", "must be an integer of at least 0"),
  at("multipleOf: zero", { multipleOf: 0 }, "/multipleOf", "must be a number above 0"),
  at("exclusiveMinimum: a text", { exclusiveMinimum: "0" }, "/exclusiveMinimum", "must be a number or boolean"),
  refused(
    "draft-07 with a boolean limit",
    { $schema: "http://json-schema.org/draft-07/schema#", minimum: 0, exclusiveMinimum: true },
    "/exclusiveMinimum",
    "must be a number"
  ),
  at("uniqueItems: a text", { uniqueItems: "true" }, "/uniqueItems", "must be a boolean"),
  at("description: null", { description: null }, "/description", "must be a string"),
  at("title: a number", { title: 5 }, "/title", "must be a string"),
  at("format: null", { format: null }, "/format", "must be a string"),
  at("examples: a text", { examples: "a" }, "/examples", "must be an array"),
  at(
    "dependencies: a text",
    { dependencies: { b: "c" } },
    "/dependencies/b",
    "must be a schema: an object or a boolean"
  ),
  at("$defs: a list", { $defs: [{}] }, "/$defs", "must be an object"),
  refused("null", null, "", "must be a schema: an object or a boolean"),
  refused("a text", "object", "", "must be a schema: an object or a boolean"),
  refused("a list", [], "", "must be a schema: an object or a boolean"),
  refused("undefined", undefined, "", "must be plain JSON, not undefined"),
  refused("a member that is undefined", withProperty(undefined), "/properties/a", "must be plain JSON, not undefined"),
  refused(
    "a function",
    withProperty(() => true),
    "/properties/a",
    "must be plain JSON, not function"
  ),
  refused("a class instance", withProperty(new Date(0)), "/properties/a", "must be a plain object"),
  refused(
    "a number that is not finite",
    withProperty({ maximum: Infinity }),
    "/properties/a/maximum",
    "must be a finite number"
  ),
  refused("a cycle", cyclic, `${"/properties/self".repeat(32)}/properties`, "must not be cyclic"),
  refused(
    "a property named constructor",
    { type: "object", properties: { constructor: { type: "string" } } },
    "/properties",
    "forbidden key: constructor"
  ),
  refused(
    "a property named __proto__",
    JSON.parse('{"properties":{"__proto__":{"type":"string"}}}'),
    "/properties",
    "forbidden key: __proto__"
  ),
  refused(
    "too deep",
    Array.from({ length: 70 }).reduce<object>((inner) => ({ not: inner }), {}),
    "/not".repeat(65),
    "exceeds maximum schema depth 64"
  ),
  refused("too large", { description: "d".repeat(262_144) }, "", "exceeds maximum schema size of 262144 bytes"),
  refused(
    "too many references",
    { anyOf: Array.from({ length: 129 }, () => ({ $ref: "#/$defs/a" })), $defs: { a: true } },
    "/anyOf/128/$ref",
    "exceeds maximum schema references 128"
  )
]
