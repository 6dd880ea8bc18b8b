/** How a run settles: children ended, last rows written, one terminal event made; once. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import { AgentRunError } from "../errors/AgentRunError.ts"
import { LedgerError } from "../errors/LedgerError.ts"
import { ProviderError } from "../errors/ProviderError.ts"
import type { AgentEvent } from "../events/AgentEvent.ts"
import { SettleLimits } from "../limits/SettleLimits.ts"
import { type Steps, waitFor } from "../ports/Steps.ts"
import type { AgentRunResult } from "../records/AgentRunResult.ts"
import type { ErrorInfo } from "../schema/ErrorInfo.ts"
import type { Usage } from "../schema/Usage.ts"
import { errorToErrorInfo, redactRunLedgerRecord } from "../security/Redactor.ts"
import { makeId } from "../store/ids.ts"
import { isoTimestamp } from "../store/timestamps.ts"
import type { ActiveRun, Stop } from "./ActiveRun.ts"
import { recordRun } from "./recordRun.ts"

const settleMs = SettleLimits.table.settleMs.default

/** The loop came to its end, or the run was stopped, or it failed. */
export type RunEnd =
  | { readonly status: "succeeded"; readonly usage: unknown; readonly keepsHistory: boolean }
  | (Omit<Stop, "reason"> & { readonly reason?: unknown })

/** What `session.run` comes to. */
export type RunOutcome = AgentRunResult | AgentRunError

export interface Conclusion {
  readonly outcome: RunOutcome
  /** Redacted and in the ledger; subscribers have yet to be told. */
  readonly event: AgentEvent
}

/** Never fails: a ledger that refuses the last rows of a success makes it a failure. */
export function* concludeRun(run: ActiveRun, end: RunEnd): Steps<Conclusion> {
  // Who stopped the run may be a child that has only just begun, and is counted once it pauses.
  if (end.status !== "succeeded") yield Promise.resolve()
  const children = run.children
  // Tools that are Effects have finalizers: what they hold is released before the run is over.
  if (children.length > 0) yield* waitFor(Effect.timeoutOption(Fiber.awaitAll(children), settleMs))
  const kept = end.status === "succeeded" && end.keepsHistory && run.transcript.leafId === run.leafId
  if (!kept) run.transcript.forget()
  if (end.status !== "succeeded") return yield* fail(run, end)
  try {
    const total = run.usage.get()
    const success = successOf(run, total ?? (isUsage(end.usage) ? end.usage : undefined))
    if (run.ledger !== undefined) yield* recordSuccess(run, total, success.event)
    return success
  } catch (error) {
    return yield* fail(run, { status: "failed", error })
  }
}

const successOf = (run: ActiveRun, usage: Usage | undefined): Conclusion => {
  const { runId, sessionId } = run
  const type = "agent_finished"
  const event = run.redacted(usage === undefined ? { type, sessionId, runId } : { type, sessionId, runId, usage })
  return { outcome: resultOf(run, "succeeded", usage), event }
}

function* recordSuccess(run: ActiveRun, total: Usage | undefined, event: AgentEvent): Steps<void> {
  if (total !== undefined) yield* written(recordTotal(run, total))
  yield* written(recordRun(run, { status: "succeeded", finishedAt: isoTimestamp(run.now()) }))
  yield* written(run.record(event))
}

function* fail(run: ActiveRun, end: Exclude<RunEnd, { readonly status: "succeeded" }>): Steps<Conclusion> {
  const error = errorOf(run, end.error)
  const abortReason = end.status === "aborted" ? { abortReason: reasonOf(end) } : undefined
  const { status } = end
  const result: AgentRunResult = { ...resultOf(run, status, run.usage.get()), error, ...abortReason }
  const event = run.redacted({ type: "error", sessionId: run.sessionId, runId: run.id, error })
  try {
    yield* written(recordRun(run, { status, finishedAt: isoTimestamp(run.now()), error, ...abortReason }))
    yield* written(run.record(event))
  } catch {
    // The ledger, or a redactor, is what failed. Subscribers still have to see the end.
  }
  return { outcome: new AgentRunError({ result, cause: end.error }), event }
}

/** A ledger that does not answer must not hold a session for ever: it has failed. */
function* written(row: void | Promise<void>): Steps<void> {
  if (row === undefined) return
  const done = yield* waitFor(
    Effect.timeoutOption(Effect.tryPromise({ try: () => row, catch: (error) => LedgerError.of(error) }), settleMs)
  )
  if (Option.isNone(done)) throw LedgerError.of(new Error(`no answer within ${settleMs} ms`))
}

type Draft<Record> = { -readonly [Field in keyof Record]: Record[Field] }

const resultOf = (run: ActiveRun, status: AgentRunResult["status"], usage: Usage | undefined): AgentRunResult => {
  const message = run.lastMessage
  const content = message?.content ?? []
  let text = ""
  for (const block of content) if (block.type === "text") text += block.text
  const result: Draft<AgentRunResult> = { sessionId: run.sessionId, runId: run.id, status, text, content }
  if (message !== undefined) result.message = message
  if (usage !== undefined) result.usage = usage
  if (run.leafId !== undefined) result.leafId = run.leafId
  return result
}

const isUsage = (value: unknown): value is Usage => typeof value === "object" && value !== null && !Array.isArray(value)

const errorOf = (run: ActiveRun, error: unknown): ErrorInfo => {
  const info = error instanceof ProviderError ? error.error : errorToErrorInfo(error)
  if (run.redactor === undefined) return info
  try {
    return run.redactor.redact(info)
  } catch {
    return { message: "Agent run failed with an error that the redactor could not redact" }
  }
}

/** Without a reason it is what the signal says. */
const reasonOf = ({ error, reason }: Omit<Stop, "status" | "reason"> & { readonly reason?: unknown }): string => {
  try {
    return String(reason === undefined ? error : reason)
  } catch {
    return "[Unreadable]"
  }
}

const recordTotal = (run: ActiveRun, usage: Usage): void | Promise<void> =>
  run.ledger?.write((ledger) =>
    ledger.appendUsage(
      redactRunLedgerRecord(
        {
          ...run.ownership,
          id: makeId("usage"),
          sessionId: run.sessionId,
          runId: run.id,
          scope: "run_total",
          usage,
          recordedAt: isoTimestamp(run.now())
        },
        run.redactor
      )
    )
  )
