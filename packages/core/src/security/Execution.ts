/**
 * What a tool may do to the world: one question to a host's policy before the side effect, whose failure is a refusal.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import { ExecutionDeniedError } from "../errors/ExecutionDeniedError.ts"
import type { ExecutionAction, ExecutionDecision, ExecutionPolicy } from "../ports/Policies.ts"
import { drivePromise, fromSteps, type Steps, unstoppable, waitFor } from "../ports/Steps.ts"
import { errorToErrorInfo } from "./Redactor.ts"

/** The execution policy of whatever runs below. None by default: then everything is allowed. */
export const Execution: Context.Reference<ExecutionPolicy | undefined> = Context.Reference<ExecutionPolicy | undefined>(
  "@arnilo/prism-core/security/Execution",
  { defaultValue: () => undefined }
)

const allowed: ExecutionDecision = Object.freeze({ allowed: true })

/**
 * Asks the policy; without one the answer is yes. Never throws: a policy that fails, or answers with anything but a
 * decision, has refused.
 */
export function* executionSteps(
  policy: ExecutionPolicy | undefined,
  action: ExecutionAction
): Steps<ExecutionDecision> {
  if (policy === undefined) return allowed
  try {
    const decision = yield* waitFor(policy.check(action))
    if (typeof decision?.allowed === "boolean") return decision
  } catch (error) {
    return { allowed: false, reason: errorToErrorInfo(error).message }
  }
  return { allowed: false, reason: "Execution policy gave no decision" }
}

/**
 * The action to carry out: as given, or with the policy's `modified` laid over it. Throws `ExecutionDeniedError`
 * otherwise.
 */
export function* assertExecutionSteps(
  policy: ExecutionPolicy | undefined,
  action: ExecutionAction
): Steps<ExecutionAction> {
  const decision = yield* executionSteps(policy, action)
  if (!decision.allowed) throw new ExecutionDeniedError({ action, decision })
  return decision.modified === undefined ? action : { ...action, ...decision.modified }
}

/** Asks the policy once; without one everything is allowed. Never rejects: a policy that fails has refused. */
export const checkExecution = (
  policy: ExecutionPolicy | undefined,
  action: ExecutionAction
): Promise<ExecutionDecision> => drivePromise(executionSteps(policy, action), unstoppable)

/**
 * The action to carry out: unchanged, or with the policy's `modified` laid over it field by field. Rejects with
 * `ExecutionDeniedError`, which carries action and decision, unless the policy allows. To be called inside `execute`,
 * before the side effect.
 */
export const assertExecutionAllowed = (
  policy: ExecutionPolicy | undefined,
  action: ExecutionAction
): Promise<ExecutionAction> => drivePromise(assertExecutionSteps(policy, action), unstoppable)

/** `assertExecutionAllowed` for a tool that is an Effect: an Effect of the policy runs in the tool's own fiber. */
export const requireExecution = (
  policy: ExecutionPolicy | undefined,
  action: ExecutionAction
): Effect.Effect<ExecutionAction, ExecutionDeniedError> =>
  // `executionSteps` answers whatever the policy does, so a denial is all that is ever thrown.
  fromSteps(() => assertExecutionSteps(policy, action)) as Effect.Effect<ExecutionAction, ExecutionDeniedError>
