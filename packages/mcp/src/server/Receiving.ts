/** Requests that are still being received: given up when their client leaves, or all at once. */
export class Receiving {
  readonly #open = new Set<AbortController>()

  /** What `work` comes to; rejects as soon as its signal aborts, whatever it still waits for. */
  run<A>(client: AbortSignal, work: (signal: AbortSignal) => Promise<A>): Promise<A> {
    return new Promise<A>((resolve, reject) => {
      const controller = new AbortController()
      const { signal } = controller
      const leave = (): void => controller.abort(client.reason)
      const done = (): void => {
        this.#open.delete(controller)
        client.removeEventListener("abort", leave)
      }
      const stop = (): void => {
        done()
        reject(signal.reason)
      }
      signal.addEventListener("abort", stop, { once: true })
      this.#open.add(controller)
      if (client.aborted) return leave()
      client.addEventListener("abort", leave, { once: true })
      work(signal).finally(done).then(resolve, reject)
    })
  }

  giveUp(reason: unknown): void {
    for (const controller of this.#open) controller.abort(reason)
  }
}
