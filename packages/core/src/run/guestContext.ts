/** The loop context as a host's own loop gets it. */
import { ProviderView } from "../input/providerView.ts"
import type { LoopContext } from "../ports/LoopStrategy.ts"
import { onAbort } from "../ports/onAbort.ts"
import type { ToolCallContent } from "../schema/Content.ts"
import { redactProviderRequest } from "../security/Redactor.ts"
import type { ActiveRun } from "./ActiveRun.ts"
import { RunContext, type RunPlan } from "./loopContext.ts"
import { assertInput, assertMessage, type RunInput } from "./runInput.ts"
import type { History } from "./Transcript.ts"

/**
 * As `RunContext`, on the redacted side: history, metadata and requests hold no known secret, though they were stored
 * without a redactor. What the loop waits for rejects when the run is stopped, so that its own clean-up runs.
 */
export const guestContext = (run: ActiveRun, history: History, input: RunInput, plan: RunPlan): LoopContext => {
  const { redactor } = run
  const safe: History =
    redactor === undefined
      ? history
      : { ...history, messages: [...redactor.redact(history.messages)], view: new ProviderView() }
  const parts = { ...plan.turns.parts, history: safe.messages, view: safe.view }
  const context = new RunContext(run, safe, input, { ...plan, turns: { ...plan.turns, parts } })
  return {
    sessionId: context.sessionId,
    runId: context.runId,
    metadata: redactor === undefined ? run.metadata : redactor.redact(run.metadata),
    signal: context.signal,
    history: context.history,
    input: context.input,
    inputMessages: context.inputMessages,
    maxToolRounds: context.maxToolRounds,
    toolConcurrency: context.toolConcurrency,
    toolPool: context.toolPool,
    assemble: (nextInput, toolResults, turn) =>
      untilStopped(run, () => {
        assertInput(nextInput, "assemble: input")
        const assembled = context.assemble(nextInput, toolResults, turn)
        return redactor === undefined
          ? assembled
          : assembled.then((request) => redactProviderRequest(request, redactor))
      }),
    generate: (request) => untilStopped(run, () => context.generate(request)),
    dispatchToolCall: (call) =>
      untilStopped(run, () => {
        assertCall(call)
        return context.dispatchToolCall(call)
      }),
    appendMessage: (message) =>
      untilStopped(run, () => {
        assertMessage(message, "appendMessage: message")
        return context.appendMessage(message)
      }),
    isToolCallExclusive: (call) => context.isToolCallExclusive(call),
    emit: (event) => {
      if (typeof event?.type !== "string") throw new TypeError("emit: an agent event with a type was expected")
      context.emit(event)
    }
  }
}

const assertCall = (call: ToolCallContent): void => {
  if (typeof call?.id !== "string" || typeof call.name !== "string") {
    throw new TypeError("dispatchToolCall: a tool call with id and name was expected")
  }
}

const untilStopped = <A>(run: ActiveRun, begin: () => Promise<A>): Promise<A> => {
  // @effect-diagnostics-next-line newPromise:off
  const promise = new Promise<A>((resolve, reject) => {
    const fail = (error: unknown): void => {
      // Once the run is stopped, the loop may not be waiting for this any more.
      if (run.stopped) promise.catch(() => undefined)
      reject(error)
    }
    const stop = (): void => fail(run.stopReason)
    const done = onAbort(run.signal, stop)
    begin().then(
      (value) => {
        done()
        resolve(value)
      },
      (error: unknown) => {
        done()
        fail(error)
      }
    )
  })
  return promise
}
