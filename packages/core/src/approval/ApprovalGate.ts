/** Asks a person, and waits no longer than it was told to. */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { ApprovalLimits } from "../limits/ApprovalLimits.ts"
import type { ApprovalDecision, ApprovalPrompt, ApprovalRequest } from "../ports/Approval.ts"
import { isPending } from "../ports/Steps.ts"
import { errorToErrorInfo } from "../security/Redactor.ts"

export interface ApprovalOptions {
  readonly prompt: ApprovalPrompt
  /** How long an answer is waited for, in milliseconds: 30,000 unless set, at most 2,147,483,647. */
  readonly approvalTimeoutMs?: number | undefined
}

/** `signal` ends the wait like interruption does, for callers that have no fiber. */
export interface AskOptions {
  readonly signal?: AbortSignal | undefined
}

export class ApprovalGate extends Context.Service<
  ApprovalGate,
  {
    /**
     * Never fails: no answer in time, an abort, a prompt that throws and an answer that is none are refusals with a reason.
     * Whatever ends the wait early aborts the prompt's `signal`, with an error that says why or with the reason of the
     * caller's own signal; what the prompt answers later is ignored.
     */
    readonly ask: (request: ApprovalRequest, options?: AskOptions) => Effect.Effect<ApprovalDecision>
  }
>()("@arnilo/prism-core/approval/ApprovalGate") {
  /** Throws `LimitError` when `approvalTimeoutMs` is out of range. */
  static readonly make = ({ approvalTimeoutMs, prompt }: ApprovalOptions): ApprovalGate["Service"] => {
    const limits = Result.getOrThrowWith(ApprovalLimits.resolve({ approvalTimeoutMs }), (error) => error)
    return ApprovalGate.of({
      ask: (request, options) => ask(prompt, limits.approvalTimeoutMs, request, options?.signal)
    })
  }

  static readonly layer = (options: ApprovalOptions) => Layer.sync(ApprovalGate, () => ApprovalGate.make(options))
}

const refused = (reason: string): ApprovalDecision => ({ approved: false, reason })

const ABORTED = "Approval aborted"

const ask = (
  prompt: ApprovalPrompt,
  timeoutMs: number,
  request: ApprovalRequest,
  signal: AbortSignal | undefined
): Effect.Effect<ApprovalDecision> =>
  Effect.suspend(() => {
    if (signal?.aborted === true) return Effect.succeed(refused(ABORTED))
    const withdrawn = new AbortController()
    let why: unknown
    const late = Effect.map(Effect.sleep(timeoutMs), () => {
      const reason = `Approval timed out after ${timeoutMs} ms`
      why = new Error(reason)
      return refused(reason)
    })
    const aborted = Effect.map(abortOf(signal), () => {
      why = signal?.reason
      return refused(ABORTED)
    })
    let answered = false
    const answer = Effect.map(answerOf(prompt, request, withdrawn.signal), (decision) => {
      answered = true
      return decision
    })
    return Effect.raceFirst(answer, Effect.raceFirst(late, aborted)).pipe(
      Effect.onExit(() =>
        Effect.sync(() => {
          if (!answered) withdrawn.abort(why ?? new Error(ABORTED))
        })
      )
    )
  })

/**
 * The prompt's own answer. An Effect runs in a fiber of its own, with the caller's services. It is interrupted with the
 * wait, which its finalizers cannot prolong.
 */
const answerOf = (
  prompt: ApprovalPrompt,
  request: ApprovalRequest,
  signal: AbortSignal
): Effect.Effect<ApprovalDecision> =>
  Effect.flatMap(Effect.context(), (context) =>
    Effect.callback((resume) => {
      const decide = (answer: unknown): void => resume(Effect.succeed(readDecision(answer)))
      const fail = (error: unknown): void => resume(Effect.succeed(failed(error)))
      try {
        const answer = prompt(request, { signal })
        if (!isPending(answer)) return decide(answer)
        if (!Effect.isEffect(answer)) return void Promise.resolve(answer).then(decide, fail)
        const asking = Effect.runForkWith(context)(answer)
        asking.addObserver((exit) => (Exit.isSuccess(exit) ? decide(exit.value) : fail(Cause.squash(exit.cause))))
        return Effect.sync(() => asking.interruptUnsafe())
      } catch (error) {
        return fail(error)
      }
    })
  )

const failed = (error: unknown): ApprovalDecision => refused(`Approval failed: ${errorToErrorInfo(error).message}`)

/** Anything that is not a plain yes is a no. */
const readDecision = (answer: unknown): ApprovalDecision => {
  if (answer === true) return { approved: true }
  if (typeof answer !== "object" || answer === null) return refused("Approval denied")
  try {
    const { approved, reason } = answer as Partial<ApprovalDecision>
    if (approved === true) return typeof reason === "string" ? { approved, reason } : { approved }
    return refused(typeof reason === "string" ? reason : "Approval denied")
  } catch (error) {
    return failed(error)
  }
}

const abortOf = (signal: AbortSignal | undefined): Effect.Effect<void> =>
  signal === undefined
    ? Effect.never
    : Effect.callback((resume) => {
        const onAbort = (): void => resume(Effect.void)
        signal.addEventListener("abort", onAbort, { once: true })
        return Effect.sync(() => signal.removeEventListener("abort", onAbort))
      })
