/** Requests of one client that have no answer yet. */
export type RequestId = string | number

/**
 * Of two requests of one id the SDK knows the later alone: the other can neither be cancelled nor answered where it was
 * asked. So a second one is not let in.
 */
export class OpenRequests {
  /** How many came together with it, in a batch or alone. */
  readonly #ids = new Map<RequestId, number>()

  /** The ids of a message or batch, open from now on; nothing, and none is opened, where one of them is open already. */
  begin(body: unknown): ReadonlyArray<RequestId> | undefined {
    const ids = (Array.isArray(body) ? body : [body]).flatMap(requestIdOf)
    if (new Set(ids).size < ids.length || ids.some((id) => this.#ids.has(id))) return undefined
    for (const id of ids) this.#ids.set(id, ids.length)
    return ids
  }

  isAlone(id: RequestId): boolean {
    return this.#ids.get(id) === 1
  }

  end(id: RequestId): void {
    this.#ids.delete(id)
  }

  /** Of a message to the client. */
  answered(message: object): void {
    const { id, method } = message as { readonly id?: RequestId; readonly method?: unknown }
    if (method === undefined && id !== undefined) this.end(id)
  }
}

const requestIdOf = (message: unknown): ReadonlyArray<RequestId> => {
  const { id, method } = Object(message) as { readonly id?: unknown; readonly method?: unknown }
  return method !== undefined && (typeof id === "string" || typeof id === "number") ? [id] : []
}
