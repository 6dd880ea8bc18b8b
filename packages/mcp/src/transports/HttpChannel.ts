/** The SDK's Streamable HTTP transport, so that every request sent is answered, and a session ended. */
import { McpFixedLimits } from "../McpLimits.ts"
import type { Transport } from "../Remote.ts"
import { type HttpTransport, OVERSIZED } from "../sdk.ts"
import type { PinnedFetch } from "./pinnedFetch.ts"
import type { StreamPauses } from "./StreamPauses.ts"

export interface HttpChannelOptions {
  readonly url: URL
  /** The host's own, for the request that ends a session. */
  readonly headers: Headers
  readonly http: PinnedFetch
  readonly pauses: StreamPauses
}

interface Message {
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: { readonly requestId?: unknown }
}

const INTERNAL_ERROR = -32_603

export class HttpChannel implements Transport {
  onclose: (() => void) | undefined
  onerror: ((error: Error) => void) | undefined
  onmessage: ((message: never, extra?: never) => void) | undefined
  /** As the SDK asks for it: each request has a response of its own. */
  readonly hasPerRequestStream = true
  readonly #inner: HttpTransport
  readonly #options: HttpChannelOptions
  /** By request id: what ends the wait for its response. */
  readonly #unanswered = new Map<unknown, AbortController>()
  /** What the SDK has just complained of. */
  #complaint: Error | undefined
  #closing: Promise<void> | undefined

  constructor(inner: HttpTransport, options: HttpChannelOptions) {
    this.#inner = inner
    this.#options = options
    Object.assign(inner, {
      onclose: () => this.onclose?.(),
      onerror: (error: Error) => this.#complain(error),
      onmessage: (message: never, extra?: never) => this.#receive(message, extra)
    })
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId
  }

  start(): Promise<void> {
    return this.#inner.start()
  }

  send(message: never, options?: never): Promise<void> {
    const { id, method, params } = message as Message
    if (method === "notifications/cancelled") return this.#cancel(message, options, params?.requestId)
    if (method === undefined || id === undefined) return this.#inner.send(message, options)
    const waiting = new AbortController()
    this.#unanswered.set(id, waiting)
    const given = options as { readonly requestSignal?: AbortSignal } | undefined
    const own = {
      ...given,
      requestSignal: given?.requestSignal ?? waiting.signal,
      // By this the SDK tells of a response that ended.
      onRequestStreamEnd: () => this.#answerMissing(id)
    }
    return this.#inner.send(message, own as never)
  }

  /**
   * Tells the server first, which has `stopMs` to take notice; a response that nobody waits for would hold its connection as
   * long as the server likes.
   */
  async #cancel(message: never, options?: never, id?: unknown): Promise<void> {
    const requestSignal = AbortSignal.timeout(McpFixedLimits.stopMs.hardCap)
    try {
      await this.#inner.send(message, { ...(options as object | undefined), requestSignal } as never)
    } finally {
      const waiting = this.#unanswered.get(id)
      this.#unanswered.delete(id)
      waiting?.abort()
    }
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion(version)
  }

  /** Whoever waits for an answer is told at once; settles when the session is ended, too, or will not be. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    const ended = this.#endSession()
    // The SDK would take back one of them.
    this.#options.pauses.close()
    await this.#inner.close()
    await ended
    await this.#options.http.close()
  }

  /** Tells the server, which may not care, within `stopMs`. */
  async #endSession(): Promise<void> {
    const { protocolVersion, sessionId } = this.#inner
    if (sessionId === undefined) return
    const { headers: own, http, url } = this.#options
    const headers = new Headers(own)
    headers.set("mcp-session-id", sessionId)
    if (protocolVersion !== undefined) headers.set("mcp-protocol-version", protocolVersion)
    const signal = AbortSignal.timeout(McpFixedLimits.stopMs.hardCap)
    try {
      const answer = await http.fetch(url, { method: "DELETE", headers, signal })
      await answer.body?.cancel()
    } catch {
      // The session ends by itself then; a close has nobody to complain to.
    }
  }

  #receive(message: never, extra?: never): void {
    const { id, method } = message as Message
    if (method === undefined) this.#unanswered.delete(id)
    this.onmessage?.(message, extra)
  }

  #complain(error: Error): void {
    this.#complaint = error
    queueMicrotask(() => {
      this.#complaint = undefined
    })
    this.onerror?.(error)
  }

  /** A response is over, and will not be taken up again: what it did not answer would be waited for until the timeout. */
  #answerMissing(id: unknown): void {
    if (!this.#unanswered.delete(id)) return
    const complaint = this.#complaint?.message ?? "MCP server ended its response without an answer"
    // The SDK repeats the error of the body as text.
    const [oversized] = /MCP HTTP response exceeds \d+ bytes$/.exec(complaint) ?? []
    const [code, message] = oversized === undefined ? [INTERNAL_ERROR, complaint] : [OVERSIZED, oversized]
    // A JSON-RPC error, which the SDK reads as the answer to its request.
    this.onmessage?.({ jsonrpc: "2.0", id, error: { code, message } } as never)
  }
}
