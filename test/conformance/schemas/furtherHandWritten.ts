/** Written by hand for tools of many kinds, and with every form that a hand may give them. */
import { ready } from "./ListedSchema.ts"

const text = { type: "string" }
const flag = { type: "boolean" }
const whole = { type: "integer" }

export const furtherHandWrittenSchemas = [
  ready(
    "cloud instance",
    {
      type: "object",
      properties: {
        region: { type: "string", pattern: "^[a-z]{2}-[a-z]+-\\d$" },
        count: { ...whole, minimum: 1, maximum: 20, default: 1 },
        tags: { type: "object", maxProperties: 50, additionalProperties: { type: "string", maxLength: 256 } }
      },
      required: ["region"]
    },
    { region: "eu-west-1", tags: { a: "b" } },
    { region: "eu-west", tags: {} }
  ),
  ready(
    "bucket name",
    {
      type: "object",
      properties: {
        bucket: {
          type: "string",
          minLength: 3,
          maxLength: 63,
          pattern: "^(?!xn--)(?!.*-s3alias$)[a-z0-9][a-z0-9.-]*[a-z0-9]$"
        }
      }
    },
    { bucket: "my-bucket" },
    { bucket: "xn--bucket" }
  ),
  ready(
    "resource labels",
    {
      type: "object",
      patternProperties: { "^[a-z]([-a-z0-9]*[a-z0-9])?$": { type: "string" } },
      additionalProperties: false
    },
    { app: "web", "x-any": "1" },
    { App: "web" }
  ),
  ready(
    "address and port",
    {
      type: "object",
      properties: {
        host: { anyOf: [{ format: "hostname" }, { format: "ipv4" }, { format: "ipv6" }], type: "string" },
        port: { ...whole, minimum: 1, maximum: 65_535 }
      },
      required: ["host"]
    },
    { host: "::1", port: 80 },
    { host: "not a host", port: 80 }
  ),
  ready(
    "web search",
    {
      type: "object",
      properties: {
        query: { type: "string", maxLength: 400 },
        count: { type: "number", default: 10 },
        offset: { type: "number", maximum: 9 },
        freshness: {
          oneOf: [{ enum: ["pd", "pw"] }, { type: "string", pattern: "^\\d{4}-\\d{2}-\\d{2}to\\d{4}-\\d{2}-\\d{2}$" }]
        }
      },
      required: ["query"]
    },
    { query: "q", freshness: "2024-01-01to2024-02-01" },
    { query: "q", freshness: "yesterday" }
  ),
  ready(
    "bounding box",
    {
      type: "object",
      properties: {
        bbox: { type: "array", items: { type: "number", minimum: -180, maximum: 180 }, minItems: 4, maxItems: 4 }
      }
    },
    { bbox: [-1, -1, 1, 1] },
    { bbox: [-1, -1, 1, 181] }
  ),
  ready(
    "filter tree",
    {
      type: "object",
      properties: { filter: { $ref: "#/$defs/filter" } },
      $defs: {
        filter: {
          oneOf: [
            {
              type: "object",
              properties: { and: { type: "array", items: { $ref: "#/$defs/filter" } } },
              required: ["and"],
              additionalProperties: false
            },
            {
              type: "object",
              properties: { field: text, eq: {} },
              required: ["field", "eq"],
              additionalProperties: false
            }
          ]
        }
      }
    },
    { filter: { and: [{ field: "a", eq: 1 }] } },
    { filter: { and: [{ field: "a" }] } }
  ),
  ready(
    "transition an issue",
    {
      type: "object",
      properties: {
        issueKey: { type: "string", pattern: "^[A-Z][A-Z0-9]+-\\d+$" },
        fields: { type: "object" },
        update: { type: "object", additionalProperties: { type: "array", items: { type: "object", minProperties: 1 } } }
      },
      required: ["issueKey"]
    },
    { issueKey: "AB-1", update: { labels: [{ add: "x" }] } },
    { issueKey: "AB-1", update: { labels: [{}] } }
  ),
  ready(
    "rich text document",
    {
      type: "object",
      properties: { doc: { $ref: "#/$defs/block" } },
      $defs: {
        block: {
          type: "object",
          required: ["type"],
          properties: {
            type: text,
            content: { type: "array", items: { anyOf: [{ $ref: "#/$defs/block" }, { $ref: "#/$defs/inline" }] } }
          }
        },
        inline: {
          type: "object",
          required: ["text"],
          properties: { text, marks: { type: "array", items: { enum: ["bold", "code"] }, uniqueItems: true } }
        }
      }
    },
    { doc: { type: "p", content: [{ text: "a", marks: ["bold"] }] } },
    { doc: { type: "p", content: [{ text: "a", marks: ["bold", "bold"] }] } }
  ),
  ready(
    "run a command",
    {
      type: "object",
      properties: {
        command: { anyOf: [text, { type: "array", items: text, minItems: 1 }] },
        timeout: { type: "number", exclusiveMinimum: 0 }
      },
      required: ["command"]
    },
    { command: ["ls"] },
    { command: [] }
  ),
  ready(
    "apply patches",
    {
      type: "object",
      properties: {
        patch: {
          type: "array",
          items: {
            oneOf: [
              {
                properties: { op: { enum: ["add", "replace", "test"] }, path: { format: "json-pointer" }, value: {} },
                required: ["op", "path", "value"]
              },
              { properties: { op: { const: "remove" }, path: { format: "json-pointer" } }, required: ["op", "path"] }
            ]
          }
        }
      }
    },
    { patch: [{ op: "remove", path: "/a" }] },
    { patch: [{ op: "add", path: "/a" }] }
  ),
  ready(
    "chart",
    {
      type: "object",
      properties: {
        series: { type: "array", items: { type: "array", items: { type: "number" } } },
        axis: { type: "object", properties: { min: { type: "number" }, max: { type: "number" } } }
      }
    },
    { series: [[1, 2], []] },
    { series: [1] }
  ),
  ready(
    "color",
    { type: "object", properties: { color: { type: "string", pattern: "^#(?:[0-9a-fA-F]{3}){1,2}$" } } },
    { color: "#Ff0000" },
    { color: "#ff00" }
  ),
  ready(
    "version range",
    {
      type: "object",
      properties: { version: { type: "string", pattern: "^[~^]?\\d+(?:\\.\\d+){0,2}(?:-[0-9A-Za-z.-]+)?$" } }
    },
    { version: "^1.2.3-rc.1" },
    { version: "latest" }
  ),
  ready(
    "properties named as keywords",
    {
      type: "object",
      properties: {
        type: text,
        required: flag,
        properties: { type: "object" },
        items: { type: "array" },
        $ref: text,
        enum: { type: "array" },
        id: whole,
        format: text
      },
      required: ["type"]
    },
    { type: "a", $ref: "x", required: true, id: 1 },
    { type: "a", required: "yes" }
  ),
  ready(
    "properties named as methods",
    { type: "object", properties: { toString: text, hasOwnProperty: whole }, required: ["valueOf"] },
    { valueOf: 1, toString: "" },
    { toString: "" }
  ),
  ready(
    "names that are not ASCII",
    {
      type: "object",
      properties: { größe: { type: "number" }, 名前: text, "a b": flag, "a/b": whole },
      required: ["名前"]
    },
    { 名前: "x", größe: 1 },
    { 名前: "x", "a/b": 1.5 }
  ),
  ready(
    "data that looks like references",
    {
      type: "object",
      properties: {
        link: {
          enum: [{ $ref: "https://example.com/a" }, { $ref: "b.json" }],
          default: { $ref: "c.json" },
          examples: [{ $ref: 1 }]
        }
      }
    },
    { link: { $ref: "b.json" } },
    { link: { $ref: "c.json" } }
  ),
  ready(
    "deep nesting",
    Array.from({ length: 12 }).reduce<object>((inner) => ({ type: "object", properties: { next: inner } }), {
      type: "object",
      properties: { end: whole }
    }),
    { next: { next: { next: {} } } },
    { next: { next: { next: { next: [] } } } }
  ),
  ready(
    "wide",
    {
      type: "object",
      properties: Object.fromEntries(
        Array.from({ length: 120 }, (_, index) => [`field_${index}`, index % 2 === 0 ? text : whole])
      ),
      additionalProperties: false
    },
    { field_0: "a", field_119: 1 },
    { field_120: 1 }
  ),
  ready(
    "many names to choose from",
    {
      type: "object",
      properties: { currency: { type: "string", enum: Array.from({ length: 180 }, (_, index) => `C${index}`) } }
    },
    { currency: "C179" },
    { currency: "C180" }
  ),
  ready(
    "seventeen names to choose from",
    {
      type: "object",
      properties: { lang: { type: "string", enum: Array.from({ length: 17 }, (_, index) => `l${index}`) } }
    },
    { lang: "l16" },
    { lang: "l17" }
  ),
  ready(
    "one of numbers and objects",
    { type: "object", properties: { n: { type: "number", enum: [4, {}] } } },
    { n: 4 },
    { n: 2 }
  ),
  ready(
    "constant beside a choice",
    { type: "object", properties: { n: { type: "string", enum: ["a", "b"], const: "a" } } },
    { n: "a" },
    { n: "b" }
  ),
  ready(
    "a choice that has null",
    { type: "object", properties: { sort: { type: ["string", "null"], enum: ["asc", "desc", null] } } },
    { sort: null },
    { sort: "" }
  )
]
