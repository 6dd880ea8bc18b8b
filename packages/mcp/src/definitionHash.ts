/** What tells whether a server still means the tool that was approved. */
import { createHash } from "node:crypto"
import type { RemoteTool } from "./Remote.ts"

/**
 * SHA-256, in hexadecimal, over name, description and both schemas; the order of keys does not count. For definitions
 * that `admitTool` found to be within bounds.
 */
export const definitionHash = ({ description, inputSchema, name, outputSchema }: RemoteTool): string =>
  createHash("sha256")
    .update(JSON.stringify([name, description ?? null, sorted(inputSchema), sorted(outputSchema ?? null)]))
    .digest("hex")

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== "object" || value === null) return value
  return Object.entries(value)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, member]) => [key, sorted(member)])
}
