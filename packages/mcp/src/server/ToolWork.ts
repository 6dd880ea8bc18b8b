/** Which tools run now, apart from the policies before and the ledger behind them. */
import type { HostValue, ToolDefinition, ToolResult } from "@arnilo/prism-core"
import * as Effect from "effect/Effect"

export class ToolWork {
  /** By the run of the call: settles when its tool has ended. */
  readonly #running = new Map<string, Promise<void>>()

  /** The same tool, known to this while it runs. */
  watch(tool: ToolDefinition): ToolDefinition {
    return { ...tool, execute: (args, context) => this.#follow(context.runId, tool.execute(args, context)) }
  }

  /** At once where the tool has not begun. */
  async ended(runId: string): Promise<void> {
    await this.#running.get(runId)
  }

  forget(runId: string): void {
    this.#running.delete(runId)
  }

  #follow(runId: string, answer: HostValue<ToolResult>): HostValue<ToolResult> {
    // Errors are values, although tagged ones are Effects as well.
    if (Effect.isEffect(answer) && !(answer instanceof Error)) {
      let end: (() => void) | undefined
      this.#running.set(runId, new Promise((resolve) => (end = resolve)))
      return Effect.ensuring(
        answer,
        Effect.sync(() => end?.())
      )
    }
    if (!isThenable(answer)) return answer
    // Asked once: a foreign `then` may do its work each time.
    const settling = Promise.resolve(answer)
    this.#running.set(runId, settling.then(ignore, ignore))
    return settling
  }
}

const isThenable = (answer: unknown): answer is PromiseLike<ToolResult> =>
  typeof answer === "object" && answer !== null && "then" in answer && typeof answer.then === "function"

const ignore = (): void => undefined
