/** The tools of a host and of its bridges, as one registry that follows what the servers list. */
import { createToolRegistry, type ToolDefinition, type ToolRegistry } from "@arnilo/prism-core"
import { checkField, checkFields, JUDGED, OBJECT } from "./checkFields.ts"
import type { McpToolBridge } from "./connectMcpTools.ts"
import { McpBridgeError } from "./errors/McpBridgeError.ts"
import { McpBridgeClosedError } from "./errors/McpBridgeClosedError.ts"

export interface McpToolRegistryOptions {
  /** The host's own, before those of the bridges. */
  readonly tools?: ReadonlyArray<ToolDefinition> | undefined
  readonly bridges: ReadonlyArray<Pick<McpToolBridge, "tools" | "prepareTurn">>
}

/**
 * For an agent's `tools`. Before each turn every bridge with `refresh: "next-turn"` lists anew where its list is stale.
 * Throws `McpBridgeError` for options that are refused, and `Duplicate tool: <name>` for a name that occurs twice, here and wherever it is read.
 */
export const createMcpToolRegistry = (options: McpToolRegistryOptions): ToolRegistry => {
  checkField("MCP options", options, OBJECT)
  checkFields("", options, { tools: JUDGED, bridges: JUDGED })
  const { bridges, tools = [] } = options
  if (!Array.isArray(bridges)) throw new McpBridgeError("bridges must be a list of bridges")
  const own = [...tools]
  let lists: ReadonlyArray<ReadonlyArray<ToolDefinition>> = []
  let registry: ToolRegistry | undefined
  const current = (): ToolRegistry => {
    const now = bridges.map((bridge, index) => toolsOf(bridge, lists[index]))
    if (registry === undefined || now.some((list, index) => list !== lists[index])) {
      registry = createToolRegistry([...own, ...now.flat()], { duplicate: "error" })
      lists = now
    }
    return registry
  }
  current()
  return {
    register: (tool) => {
      current().register(tool)
      own.push(tool)
    },
    get: (name) => current().get(name),
    resolve: (name) => current().resolve(name),
    list: () => current().list(),
    prepareTurn: async () => {
      await Promise.all(bridges.map((bridge) => bridge.prepareTurn()))
    }
  }
}

/** The tools of a bridge that was closed stay: a call of one says so to the model, where a missing list would fail the run. */
const toolsOf = (
  bridge: Pick<McpToolBridge, "tools">,
  before: ReadonlyArray<ToolDefinition> = []
): ReadonlyArray<ToolDefinition> => {
  try {
    return bridge.tools
  } catch (error) {
    if (error instanceof McpBridgeClosedError) return before
    throw error
  }
}
