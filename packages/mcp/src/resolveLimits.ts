/** From options to bounds. Out of range fails before anything is started; nothing is clamped. */
import { McpBridgeError } from "./errors/McpBridgeError.ts"
import { type Bound, type McpLimitOptions, McpLimits, type McpLimitValues } from "./McpLimits.ts"

/** Throws `McpBridgeError` `<name> must be a positive safe integer <= <cap>`. */
export const resolveLimit = (name: string, value: number | undefined, bound: Bound): number => {
  if (value === undefined) return bound.default
  if (Number.isSafeInteger(value) && value >= 1 && value <= bound.hardCap) return value
  throw new McpBridgeError(`${name} must be a positive safe integer <= ${bound.hardCap}`)
}

/** Every bound of `McpLimits`, from the options or its default. Throws as `resolveLimit` does. */
export const resolveMcpLimits = (options: McpLimitOptions): McpLimitValues =>
  Object.fromEntries(
    Object.entries(McpLimits).map(([name, bound]) => [
      name,
      resolveLimit(name, options[name as keyof McpLimitValues], bound)
    ])
    // The entries are those of the table.
  ) as McpLimitValues
