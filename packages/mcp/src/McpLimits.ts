/** What a bridge waits for, reads and keeps. */
export interface Bound {
  readonly unit: "count" | "bytes" | "milliseconds"
  /** Without an option of its own. */
  readonly default: number
  readonly hardCap: number
}

/** By option of `connectMcpTools`. */
export const McpLimits = {
  listCacheTtlMs: { unit: "milliseconds", default: 30_000, hardCap: 86_400_000 },
  callTimeoutMs: { unit: "milliseconds", default: 60_000, hardCap: 1_800_000 },
  maxResultBytes: { unit: "bytes", default: 10_000_000, hardCap: 16_777_216 },
  maxListPages: { unit: "count", default: 20, hardCap: 100 },
  maxTools: { unit: "count", default: 500, hardCap: 5_000 },
  maxCursorBytes: { unit: "bytes", default: 4_096, hardCap: 16_384 },
  maxToolNameBytes: { unit: "bytes", default: 256, hardCap: 1_024 },
  maxToolDescriptionBytes: { unit: "bytes", default: 16_384, hardCap: 65_536 },
  maxToolSchemaBytes: { unit: "bytes", default: 262_144, hardCap: 1_048_576 },
  maxTotalToolSchemaBytes: { unit: "bytes", default: 4_194_304, hardCap: 16_777_216 },
  maxJsonDepth: { unit: "count", default: 64, hardCap: 128 },
  maxJsonProperties: { unit: "count", default: 10_000, hardCap: 100_000 }
} as const satisfies Record<string, Bound>

/** By option of a Streamable HTTP transport. */
export const McpHttpLimits = {
  maxResponseBytes: { unit: "bytes", default: 16_777_216, hardCap: 67_108_864 }
} as const satisfies Record<string, Bound>

/** By option of `createPrismMcpServer` and of its HTTP handler. */
export const McpServerLimits = {
  /** Calls that run at once, over all clients. */
  toolConcurrency: { unit: "count", default: 10, hardCap: 64 },
  /** Calls that wait for one of these. */
  maxWaitingCalls: { unit: "count", default: 100, hardCap: 10_000 },
  /** One call, from its arrival to its answer. */
  callTimeoutMs: { unit: "milliseconds", default: 60_000, hardCap: 1_800_000 },
  maxResultBytes: { unit: "bytes", default: 10_000_000, hardCap: 16_777_216 },
  /** One message of a client. */
  maxRequestBytes: { unit: "bytes", default: 4_194_304, hardCap: 16_777_216 },
  /** Clients over HTTP. */
  maxSessions: { unit: "count", default: 100, hardCap: 10_000 },
  /** How long a session without a request may be kept when another client needs its place. */
  sessionIdleMs: { unit: "milliseconds", default: 600_000, hardCap: 86_400_000 }
} as const satisfies Record<string, Bound>

/** Not to be set. */
export const McpFixedLimits = {
  /** Text that is kept of a remote error, of progress, of a question. */
  remoteTextBytes: { unit: "bytes", default: 8_192, hardCap: 8_192 },
  /** Progress of one call that a client is told, in all. */
  progressBytes: { unit: "bytes", default: 4_194_304, hardCap: 4_194_304 },
  /** What the system hands over at once of a pipe. */
  chunkBytes: { unit: "bytes", default: 65_536, hardCap: 65_536 },
  /** Samplings of one server at once; more are refused. */
  samplings: { unit: "count", default: 4, hardCap: 4 },
  /** How long a server without a handshake may take to agree to tell of changes. */
  followMs: { unit: "milliseconds", default: 2_000, hardCap: 2_000 },
  /** Each of a server's name, version and protocol version. */
  serverNameBytes: { unit: "bytes", default: 256, hardCap: 256 },
  /** What a child wrote to stderr last. */
  stderrBytes: { unit: "bytes", default: 4_096, hardCap: 4_096 },
  allowedOrigins: { unit: "count", default: 64, hardCap: 64 },
  /** Addresses that one host name may resolve to. */
  addresses: { unit: "count", default: 32, hardCap: 32 },
  /** A stdio message that has not ended yet. */
  frameBytes: { unit: "bytes", default: 34_603_008, hardCap: 34_603_008 },
  /** Messages that the other side of a pipe has not read yet. */
  unreadBytes: { unit: "bytes", default: 16_777_216, hardCap: 16_777_216 },
  /** How long a child may take to end after the end of its input, and again after SIGTERM; how long a DELETE, a cancellation or tokens on the way at a close may take. */
  stopMs: { unit: "milliseconds", default: 1_000, hardCap: 1_000 },
  /** How long the last words of a dead child are awaited where somebody else holds its output open. */
  drainMs: { unit: "milliseconds", default: 250, hardCap: 250 },
  reconnectAttempts: { unit: "count", default: 5, hardCap: 5 },
  reconnectBaseDelayMs: { unit: "milliseconds", default: 250, hardCap: 250 },
  reconnectMaxDelayMs: { unit: "milliseconds", default: 30_000, hardCap: 30_000 },
  /** One answer of an authorization server: its metadata, tokens. */
  oauthResponseBytes: { unit: "bytes", default: 1_048_576, hardCap: 1_048_576 },
  /** One request to an authorization server. */
  oauthRequestMs: { unit: "milliseconds", default: 30_000, hardCap: 30_000 },
  /** Logins that one request may cause: a server may ask for further scopes. */
  oauthAttempts: { unit: "count", default: 3, hardCap: 3 }
} as const satisfies Record<string, Bound>

type ValuesOf<Table> = { readonly [Name in keyof Table]: number }

export type McpLimitValues = ValuesOf<typeof McpLimits>
export type McpLimitOptions = { readonly [Name in keyof McpLimitValues]?: number | undefined }
