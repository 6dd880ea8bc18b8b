/** `fetch` to one endpoint: every request to a validated address, no redirects, bounded bodies. */
import { Agent as HttpAgent, type ClientRequest, type IncomingMessage, request as httpRequest } from "node:http"
import { Agent as HttpsAgent, request as httpsRequest } from "node:https"
import { McpBridgeError } from "../errors/McpBridgeError.ts"
import { OversizedResponseError } from "../errors/OversizedResponseError.ts"
import { boundedBody } from "./boundedBody.ts"
import { type Endpoint, hostOf, literalAddress } from "./endpoint.ts"
import { resolveAddress, type ResolveHostname } from "./resolveAddress.ts"

export interface PinnedFetch {
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>
  /** Ends the connections that were kept. Never rejects. */
  close(): Promise<void>
}

export interface PinnedFetchOptions {
  readonly endpoint: Endpoint
  readonly maxResponseBytes: number
  readonly resolveHostname: ResolveHostname
}

const never = new AbortController().signal

/**
 * Each request resolves the host anew and connects to one address of a valid answer, without a second lookup. A connection
 * is kept for the next request to the same address.
 */
export const makePinnedFetch = ({ endpoint, maxResponseBytes, resolveHostname }: PinnedFetchOptions): PinnedFetch => {
  const isHttps = endpoint.url.protocol === "https:"
  const agent = isHttps ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true })
  const request = isHttps ? httpsRequest : httpRequest
  const fetch = async (target: string | URL, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(target)
    if (url.origin !== endpoint.url.origin)
      throw new McpBridgeError(`MCP HTTP origin ${url.origin} is not the endpoint's`)
    const signal = init.signal ?? never
    const { address, family } = await resolveAddress(endpoint, resolveHostname, signal)
    signal.throwIfAborted()
    const headers = new Headers(init.headers)
    headers.set("host", url.host)
    headers.set("accept-encoding", "identity")
    const host = hostOf(url)
    const sent = request({
      agent,
      // An address, so that nothing is looked up again.
      host: address,
      family,
      // A name is what the certificate is for; SNI takes no addresses.
      ...(isHttps && literalAddress(host) === undefined && { servername: host }),
      port: url.port === "" ? (isHttps ? 443 : 80) : Number(url.port),
      method: init.method ?? "GET",
      path: `${url.pathname}${url.search}`,
      headers: Object.fromEntries(headers),
      signal
    })
    const answer = await exchange(sent, init.body)
    return readAnswer(answer, maxResponseBytes)
  }
  return { fetch, close: () => Promise.resolve(agent.destroy()) }
}

const exchange = (sent: ClientRequest, body: RequestInit["body"]): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    sent.once("response", resolve)
    // Node tells of an answer with another protocol by this alone, and hands the connection over.
    sent.once("upgrade", (answer, socket) => {
      socket.destroy()
      resolve(answer)
    })
    // Whatever else it ends by. After an answer it is of no effect.
    sent.once("close", () => reject(new McpBridgeError("MCP HTTP connection was closed without an answer")))
    // Kept: an abort after the answer is an error of the request, too.
    sent.on("error", reject)
    // The client sends JSON text.
    sent.end(typeof body === "string" ? body : undefined)
  })

const NO_BODY = new Set([204, 205, 304])

const readAnswer = (answer: IncomingMessage, maxBytes: number): Response => {
  const status = answer.statusCode ?? 0
  if (status >= 300 && status < 400) throw refused(answer, `MCP HTTP redirects are not allowed (status ${status})`)
  const encoding = answer.headers["content-encoding"]
  if (encoding !== undefined && encoding !== "identity") throw refused(answer, "MCP HTTP response is compressed")
  const declared = Number(answer.headers["content-length"] ?? 0)
  if (declared > maxBytes) throw refused(answer, new OversizedResponseError(maxBytes))
  if (status < 200 || status > 599) throw refused(answer, `MCP HTTP response has an invalid status (${status})`)
  const hasBody = !NO_BODY.has(status)
  if (!hasBody) answer.resume()
  return new Response(hasBody ? boundedBody(answer, maxBytes) : null, {
    status,
    statusText: answer.statusMessage ?? "",
    headers: headersOf(answer)
  })
}

const refused = (answer: IncomingMessage, reason: string | McpBridgeError): McpBridgeError => {
  answer.destroy()
  return typeof reason === "string" ? new McpBridgeError(reason) : reason
}

const headersOf = ({ rawHeaders }: IncomingMessage): Headers => {
  const headers = new Headers()
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? "", rawHeaders[index + 1] ?? "")
  }
  return headers
}
