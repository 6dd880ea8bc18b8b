/** How a run settles: children ended, last rows written, one terminal event, subscriptions ended; once. */
import * as Fiber from "effect/Fiber"
import { AgentRunError } from "../errors/AgentRunError.ts"
import { ProviderError } from "../errors/ProviderError.ts"
import { type Steps, waitFor } from "../ports/Steps.ts"
import type { AgentRunResult } from "../records/AgentRunResult.ts"
import type { ErrorInfo } from "../schema/ErrorInfo.ts"
import type { Usage } from "../schema/Usage.ts"
import { errorToErrorInfo, redactRunLedgerRecord } from "../security/Redactor.ts"
import { makeId } from "../store/ids.ts"
import { isoTimestamp } from "../store/timestamps.ts"
import type { ActiveRun, Stop } from "./ActiveRun.ts"
import { recordRun } from "./recordRun.ts"

/** The loop came to its end, or the run was stopped, or it failed. */
export type RunEnd =
  | { readonly status: "succeeded"; readonly usage: Usage | undefined | void; readonly keepsHistory: boolean }
  | (Omit<Stop, "reason"> & { readonly reason?: unknown })

/** What `session.run` comes to. */
export type RunOutcome = AgentRunResult | AgentRunError

export function* concludeRun(run: ActiveRun, end: RunEnd): Steps<RunOutcome> {
  const children = run.children
  // Tools that are Effects have finalizers: what they hold is released before the run is over.
  if (children.length > 0) yield* waitFor(Fiber.awaitAll(children))
  const kept = end.status === "succeeded" && end.keepsHistory && run.transcript.leafId === run.leafId
  if (!kept) run.transcript.forget()
  let outcome: RunOutcome
  if (end.status === "succeeded") {
    try {
      outcome = yield* succeed(run, end.usage)
    } catch (error) {
      outcome = yield* fail(run, { status: "failed", error })
    }
  } else outcome = yield* fail(run, end)
  run.endSubscriptions()
  return outcome
}

function* succeed(run: ActiveRun, fallback: Usage | undefined | void): Steps<AgentRunResult> {
  const total = run.usage.get()
  const usage = total ?? fallback ?? undefined
  if (total !== undefined) yield* waitFor(recordTotal(run, total))
  yield* waitFor(recordRun(run, { status: "succeeded", finishedAt: isoTimestamp(run.now()) }))
  yield* waitFor(
    run.tell({
      type: "agent_finished",
      sessionId: run.sessionId,
      runId: run.id,
      ...(usage === undefined ? undefined : { usage })
    })
  )
  return { ...resultOf(run, usage), status: "succeeded" }
}

function* fail(run: ActiveRun, end: Exclude<RunEnd, { readonly status: "succeeded" }>): Steps<AgentRunError> {
  const error = errorOf(run, end.error)
  const abortReason = end.status === "aborted" && end.reason !== undefined ? String(end.reason) : undefined
  const result: AgentRunResult = {
    ...resultOf(run, run.usage.get()),
    status: end.status,
    error,
    ...(abortReason === undefined ? undefined : { abortReason })
  }
  const event = { type: "error" as const, sessionId: run.sessionId, runId: run.id, error }
  try {
    yield* waitFor(
      recordRun(run, {
        status: end.status,
        finishedAt: isoTimestamp(run.now()),
        error,
        ...(abortReason === undefined ? undefined : { abortReason })
      })
    )
    yield* waitFor(run.tell(event))
  } catch {
    // The ledger is what failed. Subscribers still have to see the end.
    run.publish(event)
  }
  return new AgentRunError({ result, cause: end.error })
}

const resultOf = (run: ActiveRun, usage: Usage | undefined): Omit<AgentRunResult, "status"> => {
  const message = run.lastMessage
  const content = message?.content ?? []
  let text = ""
  for (const block of content) if (block.type === "text") text += block.text
  return {
    sessionId: run.sessionId,
    runId: run.id,
    text,
    content,
    ...(message === undefined ? undefined : { message }),
    ...(usage === undefined ? undefined : { usage }),
    ...(run.leafId === undefined ? undefined : { leafId: run.leafId })
  }
}

const errorOf = (run: ActiveRun, error: unknown): ErrorInfo => {
  const info = error instanceof ProviderError ? error.error : errorToErrorInfo(error)
  return run.redactor === undefined ? info : run.redactor.redact(info)
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
