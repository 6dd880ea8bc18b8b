/** The only module that imports the official SDK. */
import {
  Client as SdkClient,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport
} from "@modelcontextprotocol/client"
import { getDefaultEnvironment } from "@modelcontextprotocol/client/stdio"
import { OversizedResponseError } from "./errors/OversizedResponseError.ts"
import type { ResultSchema, Transport } from "./Remote.ts"
import type { ServerRequests } from "./serverRequests.ts"

/** Lets a result through as it came: the SDK checks nothing and compiles no schema of a server's. */
export const asReceived: ResultSchema = {
  "~standard": { version: 1, vendor: "@arnilo/prism-mcp", validate: (value) => ({ value }) }
}

/** Variables that a child gets besides those that the host names: no credentials among them. */
export const childEnvironment = getDefaultEnvironment

/** A client that is not connected yet. It tells servers no more than what `requests` can answer. */
export const makeClient = (requests: ServerRequests): SdkClient => {
  const client = new SdkClient(
    { name: "@arnilo/prism-mcp", version: "0.0.0" },
    {
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
  return client
}

/** Initializes the connection; closes nothing when that fails. */
export const connectClient = (
  client: SdkClient,
  transport: Transport,
  options: { readonly timeout: number; readonly signal: AbortSignal }
): Promise<void> =>
  // Structurally the SDK's own; our type only hides its messages.
  client.connect(transport as Parameters<SdkClient["connect"]>[0], options)

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

/** The status that a server refused a request with. */
export const httpStatusOf = (error: unknown): number | undefined =>
  error instanceof SdkHttpError ? error.status : undefined

/** The code of an answer that we make in the place of one that was too long. */
export const OVERSIZED = -32_098

export const isOversized = (error: unknown): boolean =>
  error instanceof OversizedResponseError || (error instanceof ProtocolError && error.code === OVERSIZED)
