/** The tools that an agent may call, and the filters that leave some of them out. */
import * as Result from "effect/Result"
import { ToolLimits } from "../limits/ToolLimits.ts"
import { makeKeyedRegistry, type RegistryOptions } from "../ports/KeyedRegistry.ts"
import type { ToolDefinition, ToolFilter, ToolRegistry } from "../ports/ToolDefinition.ts"

/**
 * Tools by exact name, in order of first registration. A name that is taken is replaced in its place, or refused with
 * `Duplicate tool: <name>`; `resolve` throws `Unknown tool: <name>`. A tool without a name or `execute` is refused with
 * a `TypeError`, one with an impossible `timeoutMs` with a `RangeError`.
 */
export const createToolRegistry = (
  tools: ReadonlyArray<ToolDefinition> = [],
  options: RegistryOptions = {}
): ToolRegistry => {
  const { put, get, resolve, list } = makeKeyedRegistry<ToolDefinition>("tool", options)
  const register = (tool: ToolDefinition): void => {
    checkTool(tool)
    put(tool.name, tool)
  }
  for (const tool of tools) register(tool)
  return { register, get, resolve, list }
}

const checkTool = (tool: ToolDefinition): void => {
  if (typeof tool.name !== "string" || tool.name === "") throw new TypeError("Tool name must be a non-empty string")
  if (typeof tool.execute !== "function") throw new TypeError(`Tool ${tool.name}: execute must be a function`)
  const { timeoutMs } = tool
  const limits = ToolLimits.resolve({ timeoutMs })
  if (Result.isFailure(limits)) {
    throw new RangeError(
      `Tool ${tool.name}: timeoutMs must be a positive safe integer at most ${String(limits.failure.max)}`
    )
  }
}

/** One filter or several, each of which must let a tool pass. */
export type ToolFilters = ToolFilter | ReadonlyArray<ToolFilter> | undefined

// The library's own check does not narrow to a read-only array.
const isList = (filters: ToolFilter | ReadonlyArray<ToolFilter>): filters is ReadonlyArray<ToolFilter> =>
  Array.isArray(filters)

/** Whether every filter lets the exact name pass: no `deny` holds it, and every `allow` that is not empty does. */
export const isToolAllowed = (name: string, filters: ToolFilters): boolean => {
  if (filters === undefined) return true
  if (!isList(filters)) return passes(name, filters)
  for (let index = 0; index < filters.length; index++) {
    const filter = filters[index]
    if (filter !== undefined && !passes(name, filter)) return false
  }
  return true
}

const passes = (name: string, { allow, deny }: ToolFilter): boolean =>
  !(deny !== undefined && deny.includes(name)) && (allow === undefined || allow.length === 0 || allow.includes(name))

/** The tools that every filter lets pass, in the order given. */
export const filterTools = (
  tools: ReadonlyArray<ToolDefinition>,
  filter?: ToolFilters
): ReadonlyArray<ToolDefinition> => tools.filter((tool) => isToolAllowed(tool.name, filter))
