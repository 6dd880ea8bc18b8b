/** One attempt at a provider turn: send, read every event, tell it, put the turn together. */
import { ProviderError } from "../errors/ProviderError.ts"
import type { ProviderTurnMetadata } from "../events/TurnEvents.ts"
import type { ProviderTurnResult } from "../ports/AIProvider.ts"
import { isPending, type Steps, waitFor } from "../ports/Steps.ts"
import { TurnCollector } from "../provider/collectTurn.ts"
import { fromWireEvent } from "../provider/wireNames.ts"
import type { ErrorInfo } from "../schema/ErrorInfo.ts"
import type { ProviderEvent } from "../schema/ProviderEvent.ts"
import { errorToErrorInfo, redactRunLedgerRecord } from "../security/Redactor.ts"
import { makeId } from "../store/ids.ts"
import { isoTimestamp } from "../store/timestamps.ts"
import type { PreparedRequest } from "./prepareRequest.ts"
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
  yield* tell(scope, { type: "provider_turn_started", turn, metadata })
  const collector = new TurnCollector()
  let outcome: Attempt
  try {
    yield* readEvents(scope, prepared, collector)
    outcome = { ok: true, result: collector.result() }
  } catch (cause) {
    outcome = { ok: false, error: errorOf(scope, prepared, cause), cause, observed: collector.started }
  }
  const { usage } = collector
  if (usage !== undefined) {
    scope.usage.add(usage)
    yield* waitFor(recordUsage(scope, turn, attempt, usage))
  }
  yield* tell(scope, {
    type: "provider_turn_finished",
    turn,
    metadata: { ...metadata, latencyMs: Math.max(0, scope.now() - startedAt) },
    ...(usage === undefined ? undefined : { usage }),
    ...(outcome.ok ? undefined : { error: outcome.error })
  })
  return outcome
}

function* readEvents(scope: TurnScope, { names, request }: PreparedRequest, collector: TurnCollector): Steps<void> {
  const iterator = openIterator(scope, scope.provider.generate(request))
  let started = false
  scope.reading = iterator
  try {
    while (!collector.done) {
      const pending = iterator.next()
      const step = (isPending(pending) ? yield pending : pending) as IteratorResult<ProviderEvent>
      if (step.done === true) {
        scope.reading = undefined
        break
      }
      const content = collector.accept(names === undefined ? step.value : fromWireEvent(step.value, names))
      if (collector.started && !started) {
        started = true
        yield* tellStart(scope, collector.messageId)
      }
      if (content !== undefined) {
        const told = scope.emit({ type: "message_delta", sessionId: scope.sessionId, runId: scope.runId, content })
        if (told !== undefined) yield told
      }
    }
  } finally {
    // Read to its end it is closed already; left early it is told, and nobody waits for its answer.
    if (scope.reading !== undefined) closeIterator(iterator)
    scope.reading = undefined
  }
  for (const content of collector.finishCalls()) yield* tell(scope, { type: "message_delta", content })
}

const openIterator = (scope: TurnScope, events: AsyncIterable<ProviderEvent>): AsyncIterator<ProviderEvent> => {
  if (typeof events?.[Symbol.asyncIterator] !== "function") {
    const message = `Provider ${scope.provider.id} returned no async iterable`
    throw new ProviderError({ error: { message, code: "invalid_provider" } })
  }
  return events[Symbol.asyncIterator]()
}

/** Asks an iterator to release what it holds. Its answer, a failure too, is of no use to anybody. */
export const closeIterator = (iterator: AsyncIterator<unknown>): void => {
  try {
    const closed = iterator.return?.()
    if (isPending(closed)) Promise.resolve(closed).catch(() => undefined)
  } catch {
    // The turn is over either way.
  }
}

const tellStart = (scope: TurnScope, id: string | undefined): Steps<void> =>
  tell(scope, {
    type: "message_started",
    message: { ...(id === undefined ? undefined : { id }), role: "assistant", content: [] }
  })

type Told = Parameters<TurnScope["emit"]>[0]
type OfRun<Event> = Event extends Told ? Omit<Event, "sessionId" | "runId"> : never

function* tell(scope: TurnScope, event: OfRun<Told>): Steps<void> {
  // Spreading a union loses which member it is; every member of it is an event of a run.
  yield* waitFor(scope.emit({ ...event, sessionId: scope.sessionId, runId: scope.runId } as Told))
}

const errorOf = (scope: TurnScope, { secrets }: PreparedRequest, cause: unknown): ErrorInfo => {
  const info = errorToErrorInfo(cause instanceof ProviderError ? cause.error : cause, [
    ...secrets,
    ...(scope.retry?.secrets ?? [])
  ])
  return scope.redactor === undefined ? info : scope.redactor.redact(info)
}

const recordUsage = (
  scope: TurnScope,
  turn: number,
  attempt: number,
  usage: NonNullable<TurnCollector["usage"]>
): void | Promise<void> =>
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
