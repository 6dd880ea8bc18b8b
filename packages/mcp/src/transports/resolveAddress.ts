/** From a host name to the one address that is connected to. */
import { lookup } from "node:dns/promises"
import { McpBridgeError } from "../errors/McpBridgeError.ts"
import { McpFixedLimits } from "../McpLimits.ts"
import { type Address, isAddress, isLoopbackAddress, isPublicAddress } from "./addresses.ts"
import { type Endpoint, hostOf, literalAddress } from "./endpoint.ts"
import { untilAborted } from "./untilAborted.ts"

export type ResolveHostname = (hostname: string, signal: AbortSignal) => Promise<ReadonlyArray<Address>>

/** Asks the operating system, as every program does. */
export const resolveBySystem: ResolveHostname = async (hostname) => {
  const found = await lookup(hostname, { all: true, verbatim: true })
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))
}

/**
 * The first of the answer, once all of it is fit: one address that is malformed, or not where the endpoint may be, rejects
 * the whole answer. A literal address is not looked up.
 */
export const resolveAddress = async (
  { isLoopback, url }: Endpoint,
  resolve: ResolveHostname,
  signal: AbortSignal
): Promise<Address> => {
  const host = hostOf(url)
  const literal = literalAddress(host)
  const answer: unknown = literal === undefined ? await untilAborted(resolve(host, signal), signal) : [literal]
  const { hardCap } = McpFixedLimits.addresses
  if (!Array.isArray(answer) || answer.length === 0 || answer.length > hardCap) {
    throw new McpBridgeError(`MCP HTTP host must resolve to 1 to ${hardCap} addresses`)
  }
  const isFit = isLoopback ? isLoopbackAddress : isPublicAddress
  for (const address of answer as ReadonlyArray<unknown>) {
    if (!isAddress(address)) throw new McpBridgeError("MCP HTTP host resolves to a malformed address")
    if (!isFit(address)) {
      throw new McpBridgeError(`MCP HTTP host resolves to an address that is not ${isLoopback ? "loopback" : "public"}`)
    }
  }
  // Not empty, and every item was looked at.
  return answer[0] as Address
}
