/** The deadline of one tool call. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import { ToolTimeoutError } from "../../errors/ToolTimeoutError.ts"
import { onAbort } from "../../ports/onAbort.ts"
import type { ToolResult } from "../../schema/ToolResult.ts"
import type { DispatchScope } from "../DispatchScope.ts"

export interface Deadline {
  /** Aborts at the deadline, or with the run. */
  readonly signal: AbortSignal
  /** The tool's answer, or a rejection with `ToolTimeoutError` at the deadline, even if the tool goes on. */
  readonly within: (answer: PromiseLike<ToolResult> | Effect.Effect<ToolResult, unknown>) => Promise<ToolResult>
  /** Stops the clock and lets go of the run's signal. */
  readonly close: () => void
}

/** The clock starts now. `timeoutMs` is in milliseconds. */
export const openDeadline = (scope: DispatchScope, tool: string, timeoutMs: number): Deadline => {
  const controller = new AbortController()
  let work: Fiber.Fiber<ToolResult, unknown> | undefined
  let expired: ToolTimeoutError | undefined
  let expire: ((error: ToolTimeoutError) => void) | undefined
  const failureOf = (cause: Cause.Cause<unknown>): unknown =>
    Cause.hasInterruptsOnly(cause) && scope.signal?.aborted === true ? scope.signal.reason : Cause.squash(cause)
  const abort = (): void => {
    controller.abort(scope.signal?.reason)
    work?.interruptUnsafe()
  }
  if (scope.signal?.aborted === true) abort()
  const forget = scope.signal === undefined || scope.signal.aborted ? undefined : onAbort(scope.signal, abort)
  const clock = scope.fork(Effect.sleep(timeoutMs))
  clock.addObserver((exit) => {
    if (Exit.isFailure(exit)) return
    expired = new ToolTimeoutError({ tool, timeoutMs })
    // The deadline is what ended the call, even if the tool answers to its signal at once.
    expire?.(expired)
    controller.abort(expired)
    // Nobody waits for its finalizers: the call ends at once. The run does, before it settles.
    work?.interruptUnsafe()
  })
  return {
    signal: controller.signal,
    within: (answer) =>
      // A Promise, which no driver interrupts: a call that was aborted still ends when its tool does.
      // @effect-diagnostics-next-line newPromise:off
      new Promise((resolve, reject) => {
        expire = reject
        if (expired !== undefined) reject(expired)
        if (!Effect.isEffect(answer)) answer.then(resolve, reject)
        else if (expired === undefined) {
          work = scope.fork(answer)
          work.addObserver((exit) => (Exit.isSuccess(exit) ? resolve(exit.value) : reject(failureOf(exit.cause))))
        }
      }),
    close: () => {
      clock.interruptUnsafe()
      forget?.()
    }
  }
}
