/** Where a Streamable HTTP transport may go: checked once, before anything is sent. */
import { isIP } from "node:net"
import { McpBridgeError } from "../errors/McpBridgeError.ts"
import { McpFixedLimits } from "../McpLimits.ts"
import { type Address, isLoopbackAddress, isPublicAddress } from "./addresses.ts"

export interface Endpoint {
  readonly url: URL
  /** Every address must be loopback; else every address must be public. */
  readonly isLoopback: boolean
}

interface EndpointOptions {
  readonly url: string
  readonly allowedOrigins: readonly string[]
  readonly allowLoopbackHttp?: boolean
}

/** Throws `McpBridgeError` for what is no allow-listed, public `https:` URL, or loopback where that is allowed. */
export const resolveEndpoint = ({
  allowedOrigins,
  allowLoopbackHttp = false,
  url: text
}: EndpointOptions): Endpoint => {
  const origins = checkOrigins("allowedOrigins", allowedOrigins, allowLoopbackHttp)
  const endpoint = readEndpoint(text, allowLoopbackHttp)
  const { origin } = endpoint.url
  if (!origins.has(origin)) throw new McpBridgeError(`MCP HTTP origin ${origin} is not allow-listed`)
  return endpoint
}

/** The same without an allow-list. */
export const readEndpoint = (text: string, allowLoopbackHttp: boolean): Endpoint => {
  const url = parseUrl(text)
  if (url === undefined) throw new McpBridgeError(`Invalid MCP HTTP URL: ${text}`)
  if (url.username !== "" || url.password !== "") throw new McpBridgeError("MCP HTTP URL must not hold credentials")
  if (url.hash !== "" || text.includes("#")) throw new McpBridgeError("MCP HTTP URL must not have a fragment")
  const isLoopback = allowLoopbackHttp && isLoopbackHost(hostOf(url))
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback)) {
    throw new McpBridgeError(`MCP HTTP URL must use https: (got ${url.protocol})`)
  }
  if (!isLoopback && !isPublicHost(hostOf(url))) throw new McpBridgeError("MCP HTTP URL is not public")
  return { url, isLoopback }
}

/** Without the brackets of an IPv6 address and the dot of a rooted name. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "")

/** The address that a host name is, where it is one. */
export const literalAddress = (host: string): Address | undefined => {
  const family = isIP(host)
  return family === 4 || family === 6 ? { address: host, family } : undefined
}

const parseUrl = (text: unknown): URL | undefined =>
  typeof text === "string" ? (URL.parse(text) ?? undefined) : undefined

/** Throws `McpBridgeError` for what is no list of exact origins. `name` is that of the option. */
export const checkOrigins = (name: string, allowed: unknown, allowLoopbackHttp: boolean): ReadonlySet<string> => {
  const { hardCap } = McpFixedLimits.allowedOrigins
  if (!Array.isArray(allowed) || allowed.length === 0 || allowed.length > hardCap) {
    throw new McpBridgeError(`${name} must be a list of 1 to ${hardCap} origins`)
  }
  for (const origin of allowed as ReadonlyArray<unknown>) {
    const url = parseUrl(origin)
    const isHttps = url?.protocol === "https:"
    const isLoopback = allowLoopbackHttp && url?.protocol === "http:" && isLoopbackHost(hostOf(url))
    if (url === undefined || origin !== url.origin || !(isHttps || isLoopback) || url.hostname.includes("*")) {
      const isRefusedLoopback = !allowLoopbackHttp && url?.protocol === "http:" && isLoopbackHost(hostOf(url))
      const hint = isRefusedLoopback ? "; http: on this machine takes allowLoopbackHttp: true" : ""
      throw new McpBridgeError(`${name} must hold exact https: origins (got ${String(origin)})${hint}`)
    }
  }
  return new Set(allowed as ReadonlyArray<string>)
}

const isLoopbackHost = (host: string): boolean => {
  const literal = literalAddress(host)
  return literal === undefined ? host === "localhost" || host.endsWith(".localhost") : isLoopbackAddress(literal)
}

/** Names under which clouds answer with the credentials of the machine. */
const METADATA = new Set([
  "metadata",
  "metadata.google.internal",
  "metadata.goog",
  "instance-data",
  "instance-data.ec2.internal"
])

const isPublicHost = (host: string): boolean => {
  const literal = literalAddress(host)
  if (literal !== undefined) return isPublicAddress(literal)
  return !isLoopbackHost(host) && host !== "local" && !host.endsWith(".local") && !METADATA.has(host)
}
