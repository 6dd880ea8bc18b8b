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
     * Whatever ends the wait early aborts the prompt's `signal`; what the prompt answers later is ignored.
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

const ask = (
  prompt: ApprovalPrompt,
  timeoutMs: number,
  request: ApprovalRequest,
  signal: AbortSignal | undefined
): Effect.Effect<ApprovalDecision> =>
  Effect.suspend(() => {
    if (signal?.aborted === true) return Effect.succeed(refused("Approval aborted"))
    const withdrawn = new AbortController()
    let answered = false
    return Effect.raceFirst(
      Effect.tap(answerOf(prompt, request, withdrawn.signal), () => Effect.sync(() => void (answered = true))),
      Effect.raceFirst(
        Effect.as(Effect.sleep(timeoutMs), refused(`Approval timed out after ${timeoutMs} ms`)),
        abortOf(signal)
      )
    ).pipe(
      Effect.onExit((exit) =>
        Effect.sync(() => {
          if (!answered) withdrawn.abort(Exit.isSuccess(exit) ? exit.value.reason : "Approval aborted")
        })
      )
    )
  })

/** The prompt's own answer. Its Effect runs in a fiber of this one, and is interrupted with it. */
const answerOf = (
  prompt: ApprovalPrompt,
  request: ApprovalRequest,
  signal: AbortSignal
): Effect.Effect<ApprovalDecision> =>
  Effect.suspend(() => {
    const answer = prompt(request, { signal })
    if (!isPending(answer)) return Effect.succeed(answer)
    return Effect.isEffect(answer) ? answer : Effect.tryPromise({ try: () => Promise.resolve(answer), catch: (e) => e })
  }).pipe(
    Effect.map(readDecision),
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.interrupt
        : Effect.succeed(refused(`Approval failed: ${messageOf(Cause.squash(cause))}`))
    )
  )

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Anything that is not a plain yes is a no. */
const readDecision = (answer: unknown): ApprovalDecision => {
  if (answer === true) return { approved: true }
  if (typeof answer !== "object" || answer === null) return refused("Approval denied")
  const { approved, reason } = answer as Partial<ApprovalDecision>
  if (approved === true) return typeof reason === "string" ? { approved, reason } : { approved }
  return refused(typeof reason === "string" ? reason : "Approval denied")
}

const abortOf = (signal: AbortSignal | undefined): Effect.Effect<ApprovalDecision> =>
  signal === undefined
    ? Effect.never
    : Effect.callback((resume) => {
        const onAbort = (): void => resume(Effect.succeed(refused("Approval aborted")))
        signal.addEventListener("abort", onAbort, { once: true })
        return Effect.sync(() => signal.removeEventListener("abort", onAbort))
      })
