/** A loop's request → the request that is sent, with everything that acts once per turn. */
import type { ProviderRequest } from "../ports/AIProvider.ts"
import type { Secrets } from "../ports/Redaction.ts"
import { type Steps, waitFor } from "../ports/Steps.ts"
import { runMiddleware } from "../middleware/Middleware.ts"
import { assertModalities, assertStructuredOutput } from "../provider/checkRequest.ts"
import { toWireRequest, type WireNames, wireNamesOf } from "../provider/wireNames.ts"
import { redactProviderRequest } from "../security/Redactor.ts"
import type { TurnScope } from "./TurnScope.ts"

export interface PreparedRequest {
  readonly request: ProviderRequest
  readonly names: WireNames | undefined
  /** What policies want removed from the errors of this turn. */
  readonly secrets: Secrets
}

/** Modality check, policies, `provider_request` middleware, redaction, wire names: in this order, not again for a retry. */
export function* prepareRequest(scope: TurnScope, assembled: ProviderRequest): Steps<PreparedRequest> {
  assertModalities(assembled.model, assembled.messages)
  assertStructuredOutput(assembled.model, assembled.options)
  let request = assembled.signal === scope.signal ? assembled : { ...assembled, signal: scope.signal }
  const secrets: Array<string | undefined> = []
  for (const policy of scope.policies) {
    const applied = yield* waitFor(policy.apply(request, scope))
    if ("request" in applied) {
      request = applied.request
      if (applied.secrets !== undefined) secrets.push(...applied.secrets)
    } else request = applied
  }
  request = yield* runMiddleware(scope.middleware, "provider_request", request)
  if (scope.redactor !== undefined) request = redactProviderRequest(request, scope.redactor)
  const names = wireNamesOf(request, scope.mayHoldForeignNames)
  return { request: names === undefined ? request : toWireRequest(request, names), names, secrets }
}
