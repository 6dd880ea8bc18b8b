/** Runs the tool calls of one provider turn, at most `concurrency` at a time. */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type { HostValue } from "../ports/HostValue.ts"
import type { ToolBatch, ToolPoolPort } from "../ports/LoopStrategy.ts"
import type { ToolCallContent } from "../schema/Content.ts"
import type { ToolResult } from "../schema/ToolResult.ts"
import { readConcurrency } from "./resolveToolConcurrency.ts"

export class ToolPool extends Context.Service<ToolPool, ToolPoolPort>()("@arnilo/prism-core/dispatch/ToolPool") {
  static readonly live = ToolPool.of({
    // Bounded per turn, not by a semaphore shared with nested agents: at concurrency 1 a nested call would wait for the
    // permit that its own parent holds.
    runAll: (batch) => {
      const [call] = batch.calls
      if (call !== undefined && batch.calls.length === 1) return runOne(batch, call)
      // @effect-diagnostics-next-line newPromise:off
      return new Promise((resolve, reject) => new Workers(batch, resolve, reject).start())
    }
  })
  static readonly layer = Layer.succeed(ToolPool, ToolPool.live)
}

/** A batch of one needs no workers. */
const runOne = (batch: ToolBatch, call: ToolCallContent): HostValue<ReadonlyArray<ToolResult>> => {
  batch.signal.throwIfAborted()
  return batch.dispatch(call).then((result) => {
    batch.signal.throwIfAborted()
    return [result]
  })
}

/** A fiber per worker would cost twice as much, and each call already ends with the run: see `Driver`. */
class Workers {
  readonly #batch: ToolBatch
  readonly #results: Array<ToolResult> = []
  readonly #resolve: (results: ReadonlyArray<ToolResult>) => void
  readonly #reject: (reason: unknown) => void
  #next = 0
  #working = 0
  #over = false

  constructor(
    batch: ToolBatch,
    resolve: (results: ReadonlyArray<ToolResult>) => void,
    reject: (reason: unknown) => void
  ) {
    this.#batch = batch
    this.#resolve = resolve
    this.#reject = reject
  }

  start(): void {
    const { calls, concurrency } = this.#batch
    this.#working = Math.max(1, Math.min(readConcurrency(concurrency), calls.length))
    for (let worker = this.#working; worker > 0; worker -= 1) this.#claim()
  }

  #claim(): void {
    const { calls, signal } = this.#batch
    if (this.#over) return
    if (signal.aborted) return this.#fail(signal.reason)
    const at = this.#next
    const call = calls[at]
    if (call === undefined) {
      this.#working -= 1
      if (this.#working === 0) this.#finish(() => this.#resolve(this.#results))
      return
    }
    this.#next += 1
    try {
      this.#batch.dispatch(call).then((result) => {
        this.#results[at] = result
        this.#claim()
      }, this.#fail)
    } catch (error) {
      this.#fail(error)
    }
  }

  readonly #fail = (reason: unknown): void => this.#finish(() => this.#reject(reason))

  #finish(settle: () => void): void {
    if (this.#over) return
    this.#over = true
    settle()
  }
}
