/** Five tool schemas from small to large, each with arguments that pass and arguments that do not. */

interface ToolSchema {
  readonly schema: Readonly<Record<string, unknown>>
  readonly valid: unknown
  readonly invalid: unknown
}

const draft07 = "http://json-schema.org/draft-07/schema#"
const text = { type: "string" }

const notify: ToolSchema = {
  schema: {
    $schema: draft07,
    type: "object",
    properties: {
      level: { type: "string", enum: ["info", "warning", "critical"], description: "How loud the notice is" },
      withChart: { type: "boolean", default: false, description: "Whether a chart goes with it" }
    },
    required: ["level"],
    additionalProperties: false
  },
  valid: { level: "warning", withChart: true },
  invalid: { level: "loud" }
}

const listLinks: ToolSchema = {
  schema: {
    $schema: draft07,
    type: "object",
    properties: { count: { type: "number", minimum: 1, maximum: 25, default: 5, description: "How many links" } }
  },
  valid: { count: 5 },
  invalid: { count: 26 }
}

const readPart: ToolSchema = {
  schema: {
    $schema: draft07,
    type: "object",
    properties: {
      path: text,
      last: { type: "number", description: "Only so many lines from the end" },
      first: { type: "number", description: "Only so many lines from the start" }
    },
    required: ["path"]
  },
  valid: { path: "src/main.ts", first: 40 },
  invalid: { first: 40 }
}

const change = { before: "const value = compute(1)", after: "const value = compute(2)" }

const changeFile: ToolSchema = {
  schema: {
    $schema: draft07,
    type: "object",
    properties: {
      path: text,
      changes: {
        type: "array",
        items: {
          type: "object",
          properties: {
            before: { type: "string", description: "The text to look for" },
            after: { type: "string", description: "The text that takes its place" }
          },
          required: ["before", "after"],
          additionalProperties: false
        }
      },
      preview: { type: "boolean", default: false, description: "Shows the difference and writes nothing" }
    },
    required: ["path", "changes"],
    additionalProperties: false
  },
  valid: { path: "src/main.ts", changes: [change, change, change], preview: false },
  invalid: { path: "src/main.ts", changes: [change, { before: "x" }] }
}

const task = (index: number) => ({
  id: `task-${index}`,
  subject:
    index % 2 === 0
      ? { kind: "document", path: `docs/page${index}.md`, lines: { from: index, to: index + 10 } }
      : { kind: "function", name: `run${index}` },
  share: 0.5,
  changes: [change],
  needs: index === 0 ? [] : [`task-${index - 1}`]
})
const tasks = (count: number) => Array.from({ length: count }, (_, index) => task(index))

const plan: ToolSchema = {
  schema: {
    $schema: draft07,
    type: "object",
    definitions: {
      lines: {
        type: "object",
        properties: { from: { type: "integer", minimum: 0 }, to: { type: "integer", minimum: 0 } },
        required: ["from", "to"],
        additionalProperties: false
      },
      subject: {
        oneOf: [
          {
            type: "object",
            properties: {
              kind: { const: "document" },
              path: { type: "string", minLength: 1, maxLength: 1024 },
              lines: { $ref: "#/definitions/lines" }
            },
            required: ["kind", "path"],
            additionalProperties: false
          },
          {
            type: "object",
            properties: { kind: { const: "function" }, name: { type: "string", pattern: "^[A-Za-z_]\\w*$" } },
            required: ["kind", "name"],
            additionalProperties: false
          }
        ]
      }
    },
    properties: {
      goal: { type: "string", enum: ["rename", "port", "cover", "explain"] },
      settings: {
        type: "object",
        properties: {
          preview: { type: "boolean" },
          budget: { type: "integer", minimum: 1, maximum: 500 },
          tags: { type: "array", items: text, maxItems: 12, uniqueItems: true },
          variables: { type: "object", additionalProperties: text }
        },
        additionalProperties: false
      },
      tasks: {
        type: "array",
        minItems: 1,
        maxItems: 100,
        items: {
          type: "object",
          properties: {
            id: { type: "string", pattern: "^[a-z][a-z0-9-]*$" },
            subject: { $ref: "#/definitions/subject" },
            share: { type: "number", exclusiveMinimum: 0, maximum: 1 },
            changes: {
              type: "array",
              items: {
                type: "object",
                properties: { before: { type: "string", minLength: 1 }, after: text },
                required: ["before", "after"],
                additionalProperties: false
              }
            },
            needs: { type: "array", items: text }
          },
          required: ["id", "subject"],
          additionalProperties: false
        }
      }
    },
    required: ["goal", "tasks"],
    additionalProperties: false
  },
  valid: {
    goal: "rename",
    settings: { preview: true, tags: ["a", "b"], variables: { HOME: "/srv" } },
    tasks: tasks(20)
  },
  invalid: { goal: "rename", tasks: [...tasks(19), { id: "task-19", subject: { kind: "document", path: "" } }] }
}

export const toolSchemas: ReadonlyArray<ToolSchema> = [notify, listLinks, readPart, changeFile, plan]
