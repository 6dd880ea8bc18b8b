/** Which call a progress notification is for. The SDK would lose what arrives together with the answer of the call. */

export interface Progress {
  readonly progress: number
  readonly total?: number
  readonly message?: string
}

const METHOD = "notifications/progress"

export class ProgressTokens {
  readonly #listeners = new Map<string, (progress: Progress) => void>()
  #last = 0

  /** A token for one request. Text: the SDK's own are numbers. */
  open(listener: (progress: Progress) => void): string {
    const token = `prism-${++this.#last}`
    this.#listeners.set(token, listener)
    return token
  }

  close(token: string): void {
    this.#listeners.delete(token)
  }

  /** Whether a message was the progress of a request that is under way. What is no progress at all is dropped. */
  take(message: unknown): boolean {
    const { method, params } = message as { readonly method?: unknown; readonly params?: Record<string, unknown> }
    if (method !== METHOD) return false
    const { message: text, progress, progressToken, total } = params ?? {}
    const listener = typeof progressToken === "string" ? this.#listeners.get(progressToken) : undefined
    if (listener === undefined) return false
    if (typeof progress === "number") {
      listener({
        progress,
        ...(typeof total === "number" && { total }),
        ...(typeof text === "string" && { message: text })
      })
    }
    return true
  }
}
