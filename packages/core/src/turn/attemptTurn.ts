/** One attempt at a provider turn: send, read every event, tell it, put the turn together. */
import { ProviderError } from "../errors/ProviderError.ts"
import type { ProviderTurnMetadata } from "../events/TurnEvents.ts"
import type { ProviderTurnResult } from "../ports/AIProvider.ts"
import type { Secrets } from "../ports/Redaction.ts"
import type { Steps } from "../ports/Steps.ts"
import { TurnCollector } from "../provider/collectTurn.ts"
import type { ToolCallContent } from "../schema/Content.ts"
import type { ErrorInfo } from "../schema/ErrorInfo.ts"
import type { Usage } from "../schema/Usage.ts"
import { errorToErrorInfo, redactRunLedgerRecord, redactSecrets } from "../security/Redactor.ts"
import { makeId } from "../store/ids.ts"
import { isoTimestamp } from "../store/timestamps.ts"
import type { PreparedRequest } from "./prepareRequest.ts"
import { readEvents } from "./readEvents.ts"
import type { TurnScope } from "./TurnScope.ts"

/** `observed`: a message had been started, so the attempt must not be repeated. */
export type Attempt =
  | { readonly ok: true; readonly result: ProviderTurnResult }
  | { readonly ok: false; readonly error: ErrorInfo; readonly cause: unknown; readonly observed: boolean }

export function* attemptTurn(
  scope: TurnScope,
  prepared: PreparedRequest,
  turn: number,
  attempt: number
): Steps<Attempt> {
  const startedAt = scope.now()
  const metadata: ProviderTurnMetadata = { providerId: scope.provider.id, model: prepared.request.model.model, attempt }
  const { runId, sessionId } = scope
  const begun = scope.emit({ type: "provider_turn_started", sessionId, runId, turn, metadata })
  if (begun !== undefined) yield begun
  // Whoever was asked or told on the way here may have aborted, without anything to wait for in between.
  if (scope.stopped) throw scope.stopReason
  const collector = new TurnCollector(prepared.names?.fromWire)
  let outcome: Attempt
  try {
    yield readEvents(scope, scope.provider.generate(prepared.request), collector)
    const finished = collector.finishCalls()
    if (finished.length > 0) yield* tellCalls(scope, finished)
    outcome = { ok: true, result: collector.result() }
  } catch (cause) {
    outcome = { ok: false, error: errorOf(scope, prepared, cause), cause, observed: collector.started }
  }
  const { usage } = collector
  if (usage !== undefined) {
    scope.usage.add(usage)
    const recorded = recordUsage(scope, turn, attempt, usage)
    if (recorded !== undefined) yield recorded
  }
  if (!scope.isObserved) return outcome
  const told = scope.emit({
    type: "provider_turn_finished",
    sessionId,
    runId,
    turn,
    metadata: { ...metadata, latencyMs: Math.max(0, scope.now() - startedAt) },
    ...ending(usage, outcome)
  })
  if (told !== undefined) yield told
  return outcome
}

function* tellCalls(scope: TurnScope, calls: ReadonlyArray<ToolCallContent>): Steps<void> {
  const { runId, sessionId } = scope
  for (const content of calls) {
    const told = scope.emit({ type: "message_delta", sessionId, runId, content })
    if (told !== undefined) yield told
  }
}

const ending = (usage: Usage | undefined, outcome: Attempt): { usage?: Usage; error?: ErrorInfo } | undefined => {
  if (outcome.ok) return usage === undefined ? undefined : { usage }
  return usage === undefined ? { error: outcome.error } : { usage, error: outcome.error }
}

const errorOf = (scope: TurnScope, prepared: PreparedRequest, cause: unknown): ErrorInfo => {
  const secrets = [...prepared.secrets, ...(scope.retry?.secrets ?? [])]
  const info = cause instanceof ProviderError ? toldError(cause.error, secrets) : errorToErrorInfo(cause, secrets)
  return scope.redactor === undefined ? info : scope.redactor.redact(info)
}

/** An error event keeps its name: by that a retry policy knows an abort. */
const toldError = (error: ErrorInfo, secrets: Secrets): ErrorInfo => {
  const info = errorToErrorInfo(error, secrets)
  return typeof error?.name === "string" ? { name: redactSecrets(error.name, secrets), ...info } : info
}

const recordUsage = (scope: TurnScope, turn: number, attempt: number, usage: Usage): void | Promise<void> =>
  scope.ledger?.write((ledger) =>
    ledger.appendUsage(
      redactRunLedgerRecord(
        {
          ...scope.ownership,
          id: makeId("usage"),
          sessionId: scope.sessionId,
          runId: scope.runId,
          scope: "provider_turn",
          turn,
          attempt,
          usage,
          recordedAt: isoTimestamp(scope.now())
        },
        scope.redactor
      )
    )
  )
