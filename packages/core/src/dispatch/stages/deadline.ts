/** The deadline of one tool call. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import { ToolTimeoutError } from "../../errors/ToolTimeoutError.ts"
import type { ToolResult } from "../../schema/ToolResult.ts"
import type { DispatchScope } from "../DispatchScope.ts"

export interface Deadline {
  /** Aborts at the deadline, or with the run. */
  readonly signal: AbortSignal
  /** The tool's answer, or a failure with `ToolTimeoutError` at the deadline, even if the tool goes on. */
  readonly within: (
    answer: PromiseLike<ToolResult> | Effect.Effect<ToolResult, unknown>
  ) => Effect.Effect<ToolResult, unknown>
  /** Stops the clock and lets go of the run's signal. */
  readonly close: () => void
}

/** The clock starts now. `timeoutMs` is in milliseconds. */
export const openDeadline = (scope: DispatchScope, tool: string, timeoutMs: number): Deadline => {
  const controller = new AbortController()
  let work: Fiber.Fiber<ToolResult, unknown> | undefined
  let expire: ((error: ToolTimeoutError) => void) | undefined
  const abort = (): void => controller.abort(scope.signal?.reason)
  if (scope.signal?.aborted === true) abort()
  else scope.signal?.addEventListener("abort", abort, { once: true })
  const clock = scope.fork(Effect.sleep(timeoutMs))
  clock.addObserver((exit) => {
    if (Exit.isFailure(exit)) return
    const error = new ToolTimeoutError({ tool, timeoutMs })
    controller.abort(error)
    expire?.(error)
    // Nobody waits for its finalizers: the call ends at once. The run does, before it settles.
    work?.interruptUnsafe()
  })
  return {
    signal: controller.signal,
    within: (answer) =>
      Effect.callback((resume) => {
        expire = (error) => resume(Effect.fail(error))
        if (Effect.isEffect(answer)) {
          work = scope.fork(answer)
          work.addObserver(resume)
        } else {
          answer.then(
            (result) => resume(Effect.succeed(result)),
            (error) => resume(Effect.fail(error))
          )
        }
      }),
    close: () => {
      clock.interruptUnsafe()
      scope.signal?.removeEventListener("abort", abort)
    }
  }
}
