/** Counts what the limits of a run bound. */
import { RunLimitError } from "../errors/RunLimitError.ts"
import type { RunLimitValues } from "../limits/RunLimits.ts"

export class RunBudget {
  readonly #limits: RunLimitValues
  /** Provider turns so far. */
  turns = 0
  #toolCalls = 0
  /** Calls of the last turn that none of its siblings has been dispatched for. */
  #announced = 0

  constructor(limits: RunLimitValues) {
    this.#limits = limits
  }

  /** The number of the turn that begins, from 1. Throws `RunLimitError` when it is one too many. */
  beginTurn(): number {
    const max = this.#limits.maxTurns
    if (max !== undefined && this.turns >= max) throw new RunLimitError({ limit: "maxTurns", max })
    this.turns += 1
    return this.turns
  }

  /** A turn asks for this many calls, of which all or none may run. */
  announceCalls(count: number): void {
    this.#announced = count
  }

  /** A call is about to be dispatched. Throws `RunLimitError` before the first of a batch that is too large. */
  beginToolCall(): void {
    const max = this.#limits.maxToolCalls
    if (max !== undefined && this.#toolCalls + Math.max(1, this.#announced) > max) {
      throw new RunLimitError({ limit: "maxToolCalls", max })
    }
    if (this.#announced > 0) this.#announced -= 1
    this.#toolCalls += 1
  }
}
