/** What a bridge needs of the official SDK, as structural types: its values satisfy them, and none of its types shows. */

/** A Standard Schema, as far as the client reads it. */
export interface ResultSchema {
  readonly "~standard": {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => { readonly value: unknown }
    readonly types?: { readonly input: unknown; readonly output: unknown } | undefined
  }
}

export interface RequestOptions {
  readonly signal?: AbortSignal
  /** Milliseconds. */
  readonly timeout?: number
}

/** A connected client. */
export interface Client {
  request(
    request: { readonly method: string; readonly params?: Record<string, unknown> },
    schema: ResultSchema,
    options?: RequestOptions
  ): Promise<unknown>
  setNotificationHandler(method: "notifications/tools/list_changed", handler: () => void): void
  close(): Promise<void>
  /** As the server calls itself. */
  getServerVersion?(): { readonly name: string; readonly version: string } | undefined
  getNegotiatedProtocolVersion?(): string | undefined
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
}

/** A channel to a server. */
export interface Transport {
  start(): Promise<void>
  // The messages are the SDK's own; a bridge never looks into them.
  send(message: never, options?: never): Promise<void>
  close(): Promise<void>
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  onmessage?: ((message: never, extra?: never) => void) | undefined
  sessionId?: string | undefined
}

/** One tool as a server lists it. Nothing about it is trusted. */
export interface RemoteTool {
  readonly name: string
  readonly description?: string
  readonly inputSchema: unknown
  readonly outputSchema?: unknown
}

/** The answer to a question of a server's. */
export type ElicitResult = { action: "accept"; content: Record<string, never> } | { action: "decline" }

/** How the requests of one server are answered. */
export interface ServerRequests {
  readonly elicit?: (params: unknown, signal: AbortSignal) => Promise<ElicitResult>
  readonly sample?: (params: unknown, signal: AbortSignal) => Promise<unknown>
  /** Of everything else. A throw becomes a JSON-RPC error. */
  readonly refuse: (method: string) => Promise<ElicitResult>
}
