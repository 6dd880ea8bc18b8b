/** One provider response: the request made ready once, then attempts until one succeeds or none may follow. */
import * as Effect from "effect/Effect"
import { ProviderError } from "../errors/ProviderError.ts"
import { runMiddleware } from "../middleware/Middleware.ts"
import type { ProviderRequest, ProviderTurnResult, RetryContext, RetryDecision } from "../ports/AIProvider.ts"
import { type Steps, waitFor } from "../ports/Steps.ts"
import { decideRetry } from "../provider/RetryPolicy.ts"
import { redactSecrets } from "../security/Redactor.ts"
import { type Attempt, attemptTurn } from "./attemptTurn.ts"
import { prepareRequest } from "./prepareRequest.ts"
import type { TurnScope } from "./TurnScope.ts"

/** Fails with `ProviderError` when the provider failed for good, and with `RunLimitError` beyond `maxTurns`. */
export function* runProviderTurn(scope: TurnScope, assembled: ProviderRequest): Steps<ProviderTurnResult> {
  const turn = scope.budget.beginTurn()
  // A subscriber that aborts on the last event before this turn gets to run first.
  if (turn > 1) yield Promise.resolve()
  const prepared = yield* prepareRequest(scope, assembled)
  for (let attempt = 1; ; attempt += 1) {
    const outcome = yield* attemptTurn(scope, prepared, turn, attempt)
    if (outcome.ok) {
      scope.budget.announceCalls(outcome.result.calls.length)
      return scope.redactor === undefined ? outcome.result : scope.redactor.redact(outcome.result)
    }
    if (!(yield* waitToRetry(scope, outcome, turn, attempt))) {
      throw new ProviderError({ error: outcome.error, cause: outcome.cause })
    }
  }
}

/** False when the attempt was the last. Else waits as long as policy and middleware say. */
function* waitToRetry(
  scope: TurnScope,
  failed: Attempt & { readonly ok: false },
  turn: number,
  attempt: number
): Steps<boolean> {
  const options = scope.retry
  if (options === undefined || failed.observed) return false
  const { runId, sessionId, signal } = scope
  const context: RetryContext = { sessionId, runId, turn, attempt, error: failed.error, signal }
  const decided = yield* waitFor(options.policy?.decide(context) ?? decideRetry(context, options))
  const { decision } = yield* runMiddleware<{ readonly context: RetryContext; readonly decision: RetryDecision }>(
    scope.middleware,
    "retry",
    { context, decision: decided }
  )
  if (!decision.retry) return false
  const delayMs = typeof decision.delayMs === "number" && decision.delayMs > 0 ? decision.delayMs : 0
  const error = decision.secrets === undefined ? failed.error : redactSecrets(failed.error, decision.secrets)
  yield* waitFor(scope.emit({ type: "retry_scheduled", sessionId, runId, attempt, delayMs, error }))
  if (delayMs > 0) yield* waitFor(Effect.sleep(delayMs))
  return true
}
