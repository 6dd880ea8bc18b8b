/** A loop's request → the request that is sent, with everything that acts once per turn. */
import type { ProviderRequest, ProviderRequestPolicy, ProviderRequestPolicyResult } from "../ports/AIProvider.ts"
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
  assertRequest(assembled, "generate needs")
  assertModalities(assembled.model, assembled.messages)
  assertStructuredOutput(assembled.model, assembled.options)
  let request = withSignal(assembled, scope.signal)
  const secrets: Array<string | undefined> = []
  if (scope.policies.length > 0) request = yield* applyPolicies(scope, request, secrets)
  if (scope.middleware !== undefined) {
    request = yield* runMiddleware(scope.middleware, "provider_request", request)
    assertRequest(request, "provider_request middleware must return")
  }
  if (scope.redactor !== undefined) request = redactProviderRequest(request, scope.redactor)
  // The signal is the run's, whatever was put in its place: a provider must hear of an abort.
  request = withSignal(request, scope.signal)
  const names = wireNamesOf(request, scope.mayHoldForeignNames)
  return { request: names === undefined ? request : toWireRequest(request, names), names, secrets }
}

function* applyPolicies(
  scope: TurnScope,
  given: ProviderRequest,
  secrets: Array<string | undefined>
): Steps<ProviderRequest> {
  let request = given
  for (const policy of scope.policies) {
    const applied = readApplied(policy, yield* waitFor(policy.apply(request, scope)))
    request = applied.request
    if (applied.secrets !== undefined) secrets.push(...applied.secrets)
  }
  return request
}

const withSignal = (request: ProviderRequest, signal: AbortSignal): ProviderRequest =>
  request.signal === signal ? request : { ...request, signal }

const isRequest = (value: unknown): value is ProviderRequest =>
  typeof value === "object" &&
  value !== null &&
  "messages" in value &&
  Array.isArray(value.messages) &&
  "model" in value &&
  typeof value.model === "object" &&
  value.model !== null

const assertRequest = (value: unknown, who: string): void => {
  if (!isRequest(value)) throw new TypeError(`${who} a provider request with a model and messages`)
}

/** A policy answers with the request, or with the request and secrets. */
const readApplied = (
  { name = "" }: ProviderRequestPolicy,
  applied: ProviderRequest | ProviderRequestPolicyResult
): ProviderRequestPolicyResult => {
  if (isRequest(applied)) return { request: applied }
  if (typeof applied === "object" && applied !== null && isRequest(applied.request)) return applied
  const who = name === "" ? "A provider request policy" : `Provider request policy ${name}`
  throw new TypeError(`${who} must return a provider request with a model and messages`)
}
