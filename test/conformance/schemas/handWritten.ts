/** Written by hand for tools of many kinds. */
import { ready } from "./ListedSchema.ts"

const text = { type: "string" }
const flag = { type: "boolean" }
const whole = { type: "integer" }

export const handWrittenSchemas = [
  ready(
    "browser_click",
    {
      type: "object",
      properties: {
        element: { ...text, description: "Human-readable element" },
        ref: text,
        button: { enum: ["left", "right", "middle"] },
        modifiers: { type: "array", items: { enum: ["Alt", "Control", "Meta", "Shift"] } }
      },
      required: ["element", "ref"]
    },
    { element: "OK", ref: "e1", modifiers: ["Alt"] },
    { element: "OK", ref: "e1", button: "back" }
  ),
  ready(
    "browser_evaluate",
    { type: "object", properties: { function: text, filename: text }, required: ["function"] },
    { function: "() => 1" },
    {}
  ),
  ready(
    "screenshot",
    {
      type: "object",
      properties: {
        fullPage: flag,
        quality: { type: "number", minimum: 0, maximum: 100 },
        type: { type: "string", enum: ["png", "jpeg"], default: "png" }
      },
      dependentRequired: { quality: ["type"] }
    },
    { quality: 80, type: "jpeg" },
    { quality: 80 }
  ),
  ready(
    "viewport",
    {
      type: "object",
      properties: { width: { ...whole, minimum: 1 }, height: { ...whole, minimum: 1 } },
      dependencies: { width: ["height"], height: ["width"] }
    },
    { width: 1, height: 1 },
    { width: 1 }
  ),
  ready(
    "query a database",
    {
      type: "object",
      properties: {
        sql: { ...text, minLength: 1 },
        params: { type: "array", items: { type: ["string", "number", "boolean", "null"] } }
      },
      required: ["sql"]
    },
    { sql: "select ?", params: [null, 1, "a"] },
    { sql: "select ?", params: [[]] }
  ),
  ready(
    "insert documents",
    {
      type: "object",
      properties: {
        collection: text,
        documents: { type: "array", items: { type: "object" }, minItems: 1, maxItems: 100 }
      },
      required: ["collection", "documents"]
    },
    { collection: "c", documents: [{}] },
    { collection: "c", documents: ["{}"] }
  ),
  ready(
    "aggregate",
    {
      type: "object",
      properties: {
        pipeline: {
          type: "array",
          items: { type: "object", minProperties: 1, maxProperties: 1, propertyNames: { pattern: "^\\$" } }
        }
      }
    },
    { pipeline: [{ $match: {} }] },
    { pipeline: [{ match: {} }] }
  ),
  ready(
    "key and value",
    {
      type: "object",
      properties: { key: text, value: {}, ttl: { type: "integer", minimum: 0 } },
      required: ["key", "value"]
    },
    { key: "a", value: null },
    { key: "a" }
  ),
  ready(
    "create_event",
    {
      type: "object",
      properties: {
        start: {
          type: "object",
          properties: { dateTime: { type: "string", format: "date-time" }, date: { type: "string", format: "date" } },
          oneOf: [{ required: ["dateTime"] }, { required: ["date"] }]
        }
      },
      required: ["start"]
    },
    { start: { date: "2024-05-06" } },
    { start: { date: "2024-05-06", dateTime: "2024-05-06T00:00:00Z" } }
  ),
  ready(
    "recurrence",
    {
      type: "object",
      properties: {
        rule: { type: "string", pattern: "^RRULE:FREQ=(DAILY|WEEKLY|MONTHLY|YEARLY)(;[A-Z]+=[A-Z0-9,+-]+)*$" }
      }
    },
    { rule: "RRULE:FREQ=WEEKLY;BYDAY=MO,TU" },
    { rule: "RRULE:FREQ=HOURLY" }
  ),
  ready(
    "attendees",
    {
      type: "object",
      properties: {
        attendees: {
          type: "array",
          items: {
            type: "object",
            properties: { email: { type: "string", format: "email" }, optional: flag },
            required: ["email"]
          },
          contains: { properties: { optional: { const: false } }, required: ["optional"] }
        }
      }
    },
    { attendees: [{ email: "a@b.co", optional: false }] },
    { attendees: [{ email: "a@b.co" }] }
  ),
  ready(
    "post_message",
    {
      type: "object",
      properties: {
        channel_id: { type: "string", pattern: "^[CDG][A-Z0-9]{8,}$" },
        text: { type: "string", maxLength: 40_000 }
      },
      required: ["channel_id", "text"]
    },
    { channel_id: "C01234567", text: "" },
    { channel_id: "#general", text: "" }
  ),
  ready(
    "message blocks",
    {
      type: "object",
      properties: {
        blocks: {
          type: "array",
          items: {
            type: "object",
            properties: { type: text },
            required: ["type"],
            if: { properties: { type: { const: "image" } } },
            then: { required: ["image_url"] },
            else: { required: ["text"] }
          }
        }
      }
    },
    { blocks: [{ type: "image", image_url: "u" }] },
    { blocks: [{ type: "image", text: "t" }] }
  ),
  ready(
    "text or blocks",
    {
      type: "object",
      properties: { text, blocks: { type: "array" } },
      anyOf: [{ required: ["text"] }, { required: ["blocks"] }]
    },
    { blocks: [] },
    {}
  ),
  ready(
    "not both",
    { type: "object", properties: { id: text, name: text }, not: { required: ["id", "name"] } },
    { id: "a" },
    { id: "a", name: "b" }
  )
]
