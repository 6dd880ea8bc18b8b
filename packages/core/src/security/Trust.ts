/** What may be read from a place: one question to a host's policy, whose failure is a refusal. */
import * as Context from "effect/Context"
import { TrustDeniedError } from "../errors/TrustDeniedError.ts"
import type { TrustDecision, TrustPolicy, TrustRequest } from "../ports/Policies.ts"
import { drivePromise, type Steps, unstoppable, waitFor } from "../ports/Steps.ts"
import { errorToErrorInfo } from "./Redactor.ts"

/** The trust policy of whatever runs below. None by default: then everything is trusted. */
export const Trust: Context.Reference<TrustPolicy | undefined> = Context.Reference<TrustPolicy | undefined>(
  "@arnilo/prism-core/security/Trust",
  { defaultValue: () => undefined }
)

const trusted: TrustDecision = Object.freeze({ trusted: true })

/**
 * Asks the policy; without one the answer is yes. Never throws: a policy that fails, or answers with anything but a
 * decision, has refused.
 */
export function* trustSteps(policy: TrustPolicy | undefined, request: TrustRequest): Steps<TrustDecision> {
  if (policy === undefined) return trusted
  try {
    const decision = yield* waitFor(policy.check(request))
    if (typeof decision?.trusted === "boolean") return decision
  } catch (error) {
    return { trusted: false, reason: errorToErrorInfo(error).message }
  }
  return { trusted: false, reason: "Trust policy gave no decision" }
}

function* isTrustedSteps(policy: TrustPolicy | undefined, request: TrustRequest): Steps<boolean> {
  return (yield* trustSteps(policy, request)).trusted
}

function* assertTrustedSteps(policy: TrustPolicy | undefined, request: TrustRequest): Steps<void> {
  const decision = yield* trustSteps(policy, request)
  if (!decision.trusted) throw new TrustDeniedError({ request, decision })
}

/**
 * Whether the policy trusts what is asked for; without one everything is trusted. Never rejects: a policy that fails
 * has refused.
 */
export const isTrusted = (policy: TrustPolicy | undefined, request: TrustRequest): Promise<boolean> =>
  drivePromise(isTrustedSteps(policy, request), unstoppable)

/** Rejects with `TrustDeniedError`, which carries request and decision, unless the policy trusts. */
export const assertTrusted = (policy: TrustPolicy | undefined, request: TrustRequest): Promise<void> =>
  drivePromise(assertTrustedSteps(policy, request), unstoppable)

/** A policy that answers every request alike. */
export const createStaticTrustPolicy = (decision: boolean | TrustDecision): TrustPolicy => {
  const answer = typeof decision === "boolean" ? { trusted: decision } : decision
  return { check: () => answer }
}
