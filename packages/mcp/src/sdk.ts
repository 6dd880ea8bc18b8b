/** The only module that imports the official SDK's client, its logins aside. */
import {
  Client as SdkClient,
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport
} from "@modelcontextprotocol/client"
import { getDefaultEnvironment } from "@modelcontextprotocol/client/stdio"
import { boundText } from "./boundText.ts"
import { OversizedResponseError } from "./errors/OversizedResponseError.ts"
import { McpFixedLimits } from "./McpLimits.ts"
import type { Client, ResultSchema, ServerRequests, Transport } from "./Remote.ts"
import { untilAborted } from "./transports/untilAborted.ts"

/** Lets a result through as it came: the SDK checks nothing and compiles no schema of a server's. */
export const asReceived: ResultSchema = {
  "~standard": { version: 1, vendor: "@arnilo/prism-mcp", validate: (value) => ({ value }) }
}

/** Variables that a child gets besides those that the host names: no credentials among them. */
export const childEnvironment = getDefaultEnvironment

/**
 * A client that is not connected yet. It tells servers no more than what `requests` can answer. Begins with the handshake
 * of `initialize`, or speaks the given version, which has none.
 */
export const makeClient = (requests: ServerRequests, version?: string): SdkClient => {
  const client = new SdkClient(
    { name: "@arnilo/prism-mcp", version: "0.0.0" },
    {
      ...(version !== undefined && { versionNegotiation: { mode: { pin: version } } }),
      capabilities: {
        ...(requests.elicit !== undefined && { elicitation: { form: {} } }),
        ...(requests.sample !== undefined && { sampling: {} })
      }
    }
  )
  const { elicit, sample } = requests
  if (elicit !== undefined) {
    client.setRequestHandler("elicitation/create", ({ params }, { mcpReq }) => elicit(params, mcpReq.signal))
  }
  if (sample !== undefined) {
    // The SDK checks the answer against its own schema.
    client.setRequestHandler(
      "sampling/createMessage",
      ({ params }, { mcpReq }) => sample(params, mcpReq.signal) as never
    )
  }
  client.fallbackRequestHandler = (request) => requests.refuse(request.method)
  return version === undefined ? client : withTimeOfAllRounds(client)
}

/** Without a handshake the server asks by its answer, and the request is sent again: the time of both is one. */
const withTimeOfAllRounds = (client: SdkClient): SdkClient => {
  const send: Client["request"] = client.request.bind(client)
  const request: Client["request"] = async (what, schema, options = {}) => {
    const { signal, timeout } = options
    if (timeout === undefined) return send(what, schema, options)
    const late = lateAfter(timeout)
    const either = signal === undefined ? late.signal : AbortSignal.any([signal, late.signal])
    try {
      return await send(what, schema, { timeout, signal: either })
    } catch (error) {
      // Whoever was asked in between tells only that he was given up.
      late.signal.throwIfAborted()
      throw error
    } finally {
      late.clear()
    }
  }
  return Object.assign(client, { request })
}

/** Aborts after `timeout` milliseconds with the error that the SDK has for that. */
const lateAfter = (timeout: number): { readonly signal: AbortSignal; readonly clear: () => void } => {
  const late = new AbortController()
  const timer = setTimeout(
    () => late.abort(new SdkError(SdkErrorCode.RequestTimeout, "Request timed out", { timeout })),
    timeout
  )
  return { signal: late.signal, clear: () => clearTimeout(timer) }
}

/**
 * Initializes the connection within `timeout`, which the SDK bounds no more than single requests by; closes nothing when that
 * fails.
 */
export const connectClient = async (
  client: SdkClient,
  transport: Transport,
  options: { readonly timeout: number; readonly signal: AbortSignal }
): Promise<void> => {
  const late = lateAfter(options.timeout)
  try {
    // Structurally the SDK's own; our type only hides its messages.
    await untilAborted(client.connect(transport as Parameters<SdkClient["connect"]>[0], options), late.signal)
  } finally {
    late.clear()
  }
}

/** Without a handshake servers announce nothing unasked. Whoever cannot be followed is listed anew when the list is old. */
export const followList = async (
  client: SdkClient,
  onListChanged: () => void,
  options: { readonly timeout: number; readonly signal: AbortSignal }
): Promise<void> => {
  if (client.getServerCapabilities()?.tools?.listChanged !== true) return
  try {
    const { closed } = await client.listen({ toolsListChanged: true }, options)
    // What was announced after that nobody has heard.
    void closed.then(onListChanged)
  } catch {
    options.signal.throwIfAborted()
  }
}

/** The version to speak with a server that does not know the handshake; nothing where it failed for another reason. */
export const versionWithoutHandshake = (error: unknown): string | undefined => {
  const { code, data } = error instanceof SdkHttpError ? readError(error.data["text"]) : (Object(error) as JsonRpcError)
  if (code === HEADER_MISMATCH || code === ProtocolErrorCode.MethodNotFound) return WITHOUT_HANDSHAKE
  const { supported } = Object(data) as { readonly supported?: unknown }
  const isRefusal = code === ProtocolErrorCode.UnsupportedProtocolVersion && Array.isArray(supported)
  return isRefusal && supported.includes(WITHOUT_HANDSHAKE) ? WITHOUT_HANDSHAKE : undefined
}

const WITHOUT_HANDSHAKE = "2026-07-28"
/** MCP 2026-07-28: a header that each request has is missing from one of another version. */
const HEADER_MISMATCH = -32_020

interface JsonRpcError {
  readonly code?: unknown
  readonly data?: unknown
}

const readError = (body: unknown): JsonRpcError => {
  try {
    return Object((JSON.parse(String(body)) as { readonly error?: unknown }).error) as JsonRpcError
  } catch {
    return {}
  }
}

export interface HttpTransportOptions {
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>
  readonly headers: Headers
  readonly sessionId: string | undefined
  /** Calls back when a stream that broke off may be taken up; answers with what takes that back. */
  readonly schedule: (resume: () => void, ms: number) => () => void
}

/** The SDK's own; `protocolVersion` is the one that was agreed on. */
export interface HttpTransport extends Transport {
  readonly protocolVersion?: string | undefined
  setProtocolVersion(version: string): void
}

/** Streamable HTTP over the given `fetch` and over nothing else. */
export const makeHttpTransport = (
  url: URL,
  { fetch, headers, schedule, sessionId }: HttpTransportOptions
): HttpTransport =>
  new StreamableHTTPClientTransport(url, {
    fetch,
    reconnectionScheduler: schedule,
    requestInit: { headers },
    ...(sessionId !== undefined && { sessionId })
  })

export const isTimeout = (error: unknown): boolean =>
  error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout

export const isConnectionClosed = (error: unknown): boolean =>
  error instanceof SdkError &&
  (error.code === SdkErrorCode.ConnectionClosed || error.code === SdkErrorCode.NotConnected)

/** A server did not say what it speaks. */
export const isNegotiationOver = (error: unknown): boolean =>
  error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed

/** What a server answered where it should have answered with a message, in words that say so. */
export const answerProblem = (error: unknown): string | undefined => {
  if (error instanceof SdkHttpError) {
    const { text } = error.data
    const said = typeof text === "string" ? boundText(text.trim(), McpFixedLimits.remoteTextBytes.hardCap) : ""
    return `MCP server answered with status ${error.status}${said === "" ? "" : `: ${said}`}`
  }
  const isForeign = error instanceof Error && error.name === "ZodError"
  return isForeign ? "MCP server answered with what is no message of the protocol" : undefined
}

/** The status that a server refused a request with. */
export const httpStatusOf = (error: unknown): number | undefined =>
  error instanceof SdkHttpError ? error.status : undefined

/** The code of an answer that we make in the place of one that was too long. */
export const OVERSIZED = -32_098

export const isOversized = (error: unknown): boolean =>
  error instanceof OversizedResponseError || (error instanceof ProtocolError && error.code === OVERSIZED)
