/** The pauses before streams of events that broke off are taken up again. */
import { McpFixedLimits } from "../McpLimits.ts"

const { reconnectBaseDelayMs, reconnectMaxDelayMs } = McpFixedLimits

/** A server may ask for a pause, and could ask for none, or for one that outlasts the host: here each has its bounds. */
export class StreamPauses {
  readonly #timers = new Set<NodeJS.Timeout>()
  #isOver = false

  /** Calls back after about `ms`, unless that is taken back. */
  readonly schedule = (resume: () => void, ms: number): (() => void) => {
    if (this.#isOver) return () => undefined
    const bounded = Math.min(Math.max(ms, reconnectBaseDelayMs.hardCap), reconnectMaxDelayMs.hardCap)
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      resume()
    }, bounded)
    this.#timers.add(timer)
    return () => {
      this.#timers.delete(timer)
      clearTimeout(timer)
    }
  }

  /** Leaves no timer, and takes no other. */
  close(): void {
    this.#isOver = true
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
  }
}
