/** Requests of one client that have no answer yet. */
export type RequestId = string | number

export interface OpenRequest {
  readonly id: RequestId
  /** It came in no batch. */
  readonly isAlone: boolean
}

/**
 * Of two requests of one id the SDK knows the later alone: the other can neither be cancelled nor answered where it was
 * asked. So a second one is not let in.
 */
export class OpenRequests {
  readonly #open = new Map<RequestId, OpenRequest>()

  /** The requests of a message or batch, open from now on; nothing, and none is opened, where an id is in use. */
  begin(body: unknown): ReadonlyArray<OpenRequest> | undefined {
    const ids = messagesOf(body).flatMap(({ id, method }) => (method !== undefined && isId(id) ? [id] : []))
    if (new Set(ids).size < ids.length || ids.some((id) => this.#open.has(id))) return undefined
    const requests = ids.map((id) => ({ id, isAlone: ids.length === 1 }))
    for (const request of requests) this.#open.set(request.id, request)
    return requests
  }

  /**
   * Calls back with each request that a message or batch cancels, once the SDK has heard of it: who was cancelled, and has
   * not been answered then, never is.
   */
  whenCancelled(body: unknown, end: (request: OpenRequest) => void): void {
    for (const { method, params } of messagesOf(body)) {
      if (method !== "notifications/cancelled") continue
      const { requestId } = Object(params) as { readonly requestId?: unknown }
      const request = isId(requestId) ? this.#open.get(requestId) : undefined
      if (request !== undefined) setImmediate(() => this.#open.get(request.id) === request && end(request))
    }
  }

  end({ id }: OpenRequest): void {
    this.#open.delete(id)
  }

  /** Of a message to the client. */
  answered(message: object): void {
    const { id, method } = message as { readonly id?: RequestId; readonly method?: unknown }
    if (method === undefined && id !== undefined) this.#open.delete(id)
  }
}

interface Message {
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: unknown
}

const messagesOf = (body: unknown): ReadonlyArray<Message> =>
  Array.isArray(body) ? body.map((message: unknown) => Object(message) as Message) : [Object(body) as Message]

const isId = (id: unknown): id is RequestId => typeof id === "string" || typeof id === "number"
