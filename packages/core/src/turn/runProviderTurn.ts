/** One provider response: the request made ready once, then attempts until one succeeds or none may follow. */
import * as Effect from "effect/Effect"
import { ProviderError } from "../errors/ProviderError.ts"
import { runMiddleware } from "../middleware/Middleware.ts"
import type {
  ProviderRequest,
  ProviderTurnResult,
  RetryContext,
  RetryDecision,
  RetryOptions
} from "../ports/AIProvider.ts"
import { type Steps, waitFor } from "../ports/Steps.ts"
import { decideRetry } from "../provider/RetryPolicy.ts"
import type { ErrorInfo } from "../schema/ErrorInfo.ts"
import { redactSecrets } from "../security/Redactor.ts"
import { type Attempt, attemptTurn } from "./attemptTurn.ts"
import { prepareRequest } from "./prepareRequest.ts"
import type { TurnScope } from "./TurnScope.ts"

/** Fails with `ProviderError` when the provider failed for good, and with `RunLimitError` beyond `maxTurns`. */
export function* runProviderTurn(scope: TurnScope, assembled: ProviderRequest): Steps<ProviderTurnResult> {
  const turn = scope.budget.beginTurn()
  const prepared = yield* prepareRequest(scope, assembled)
  for (let attempt = 1; ; attempt += 1) {
    const outcome = yield* attemptTurn(scope, prepared, turn, attempt)
    if (outcome.ok) {
      scope.budget.announceCalls(outcome.result.calls.length)
      return scope.redactor === undefined ? outcome.result : scope.redactor.redact(outcome.result)
    }
    const { error, retry } = yield* decide(scope, outcome, turn, attempt)
    if (retry === undefined) throw new ProviderError({ error, cause: outcome.cause })
    const { runId, sessionId } = scope
    yield* waitFor(scope.emit({ type: "retry_scheduled", sessionId, runId, attempt, delayMs: retry.delayMs, error }))
    // Also for no time at all: everybody else gets a turn before the provider is asked again.
    yield* waitFor(Effect.sleep(retry.delayMs))
  }
}

interface Verdict {
  readonly error: ErrorInfo
  /** Absent: the attempt was the last. */
  readonly retry: { readonly delayMs: number } | undefined
}

/** The policy decides, then middleware may change it. What either wants to be secret is removed from the error. */
function* decide(
  scope: TurnScope,
  { error, observed }: Attempt & { readonly ok: false },
  turn: number,
  attempt: number
): Steps<Verdict> {
  const options = scope.retry
  if (options === undefined || observed) return { error, retry: undefined }
  const { runId, sessionId, signal } = scope
  const context: RetryContext = { sessionId, runId, turn, attempt, error, signal }
  const decided = yield* askPolicy(context, options)
  const changed = yield* runMiddleware<{ readonly context: RetryContext; readonly decision: RetryDecision }>(
    scope.middleware,
    "retry",
    { context, decision: decided }
  )
  const decision = readDecision(changed?.decision, "retry middleware")
  const safe = decision.secrets === undefined ? error : redactSecrets(error, decision.secrets)
  return { error: safe, retry: decision.retry ? { delayMs: delayOf(decision) } : undefined }
}

function* askPolicy(context: RetryContext, options: RetryOptions): Steps<RetryDecision> {
  if (options.policy === undefined) return decideRetry(context, options)
  return readDecision(yield* waitFor(options.policy.decide(context)), "retry policy")
}

const readDecision = (decision: RetryDecision | undefined, who: string): RetryDecision => {
  if (typeof decision === "object" && decision !== null && typeof decision.retry === "boolean") return decision
  throw new TypeError(`The ${who} must return a decision with a boolean retry`)
}

const delayOf = ({ delayMs }: RetryDecision): number => (typeof delayMs === "number" && delayMs > 0 ? delayMs : 0)
