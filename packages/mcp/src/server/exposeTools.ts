/** Tools under the names that clients see, as they stood when the server was made. */
import type { JsonObject, SecretRedactor, ToolDefinition } from "@arnilo/prism-core"
import { createJsonSchemaArgumentValidator } from "@arnilo/prism-core/validation/json-schema"
import { checkField, FLAG, TEXT } from "../checkFields.ts"
import { McpBridgeError } from "../errors/McpBridgeError.ts"
import type { McpToolDefinition } from "./sdk.ts"

/** MCP 2025-11-25, server/tools, tool names. */
const MAX_NAME = 128

export interface ExposedTool {
  readonly tool: ToolDefinition
  /** Known secrets are taken out of it. */
  readonly described: McpToolDefinition
}

/**
 * By client's name: clients accept letters, digits, `_`, `-` and `.`; whatever else a name has becomes `_`. No call of a
 * tool takes longer than `callTimeoutMs`. Throws `McpBridgeError` for tools that no client could call.
 */
export const exposeTools = (
  tools: ReadonlyArray<ToolDefinition>,
  callTimeoutMs: number,
  redactor: SecretRedactor | undefined
): ReadonlyMap<string, ExposedTool> => {
  const exposed = new Map<string, ExposedTool>()
  for (const [at, given] of tools.entries()) {
    const tool = ownTool(given, `tools[${at}]`, callTimeoutMs)
    const name = tool.name.replaceAll(/[^A-Za-z0-9_.-]/g, "_")
    if (name.length > MAX_NAME) throw new McpBridgeError(`tool ${tool.name}: the name exceeds ${MAX_NAME} characters`)
    const other = exposed.get(name)
    if (other !== undefined) {
      throw new McpBridgeError(`tools ${other.tool.name} and ${tool.name} would both be called ${name}`)
    }
    const described = describe(name, tool)
    exposed.set(name, { tool, described: redactor === undefined ? described : redactor.redact(described) })
  }
  return exposed
}

/** A copy: the host may go on changing its own. */
const ownTool = (given: unknown, at: string, callTimeoutMs: number): ToolDefinition => {
  const tool = Object(given) as ToolDefinition
  const { description, exclusive, name, parameters, timeoutMs = callTimeoutMs } = tool
  if (typeof name !== "string" || name === "" || typeof tool.execute !== "function") {
    throw new McpBridgeError(`${at} must be a tool definition, with a name and execute`)
  }
  // One that no client can read hides all others, too.
  if (description !== undefined) checkField(`tool ${name}: description`, description, TEXT)
  if (exclusive !== undefined) checkField(`tool ${name}: exclusive`, exclusive, FLAG)
  if (!Number.isSafeInteger(timeoutMs) || timeoutMs < 1) {
    throw new McpBridgeError(`tool ${name}: timeoutMs must be a positive safe integer`)
  }
  return {
    name,
    ...(description !== undefined && { description }),
    ...(parameters !== undefined && { parameters: ownParameters(name, parameters) }),
    ...(exclusive !== undefined && { exclusive }),
    // Dispatch tells and records a call that ends by it.
    timeoutMs: Math.min(timeoutMs, callTimeoutMs),
    // The tool may be an instance of a class.
    execute: (args, context) => tool.execute(args, context)
  }
}

const ownParameters = (tool: string, parameters: JsonObject): JsonObject => {
  const { type = "object" } = Object(parameters) as JsonObject
  if (type !== "object") throw new McpBridgeError(`tool ${tool}: parameters must be of type "object"`)
  const own = structuredClone(parameters)
  const { code, errors: [error] = [] } = createJsonSchemaArgumentValidator().validate(own, {})
  // What the empty object lacks is the caller's business; what the schema lacks is the host's.
  if (code === "schema_rejected") {
    throw new McpBridgeError(`tool ${tool}: parameters${error?.path ?? ""}: ${error?.message ?? "refused"}`)
  }
  return own
}

const describe = (name: string, { description, parameters = {} }: ToolDefinition): McpToolDefinition => ({
  name,
  ...(description !== undefined && { description }),
  inputSchema: Object.assign({ type: "object" }, parameters)
})
