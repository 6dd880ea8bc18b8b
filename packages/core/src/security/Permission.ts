/** Who may do what: one question to a host's policy, whose failure is a refusal. */
import * as Context from "effect/Context"
import { PermissionDeniedError } from "../errors/PermissionDeniedError.ts"
import type { PermissionDecision, PermissionPolicy, PermissionRequest } from "../ports/Policies.ts"
import { drivePromise, type Steps, unstoppable, waitFor } from "../ports/Steps.ts"
import { errorToErrorInfo } from "./Redactor.ts"

/** The permission policy of whatever runs below. None by default: then everything is allowed. */
export const Permission: Context.Reference<PermissionPolicy | undefined> = Context.Reference<
  PermissionPolicy | undefined
>("@arnilo/prism-core/security/Permission", { defaultValue: () => undefined })

const allowed: PermissionDecision = Object.freeze({ allowed: true })

/** The key of a request in static policies and messages: `kind:target:action`. */
export const permissionKey = (request: PermissionRequest): string =>
  `${request.kind}:${request.target}:${request.action}`

/**
 * Asks the policy; without one the answer is yes. Never throws: a policy that fails, or answers with anything but a
 * decision, has refused.
 */
export function* permissionSteps(
  policy: PermissionPolicy | undefined,
  request: PermissionRequest
): Steps<PermissionDecision> {
  if (policy === undefined) return allowed
  try {
    const decision = yield* waitFor(policy.check(request))
    if (typeof decision?.allowed === "boolean") return decision
  } catch (error) {
    return { allowed: false, reason: errorToErrorInfo(error).message }
  }
  return { allowed: false, reason: "Permission policy gave no decision" }
}

/** Asks the policy once; without one everything is allowed. Never rejects: a policy that fails has refused. */
export const checkPermission = (
  policy: PermissionPolicy | undefined,
  request: PermissionRequest
): Promise<PermissionDecision> => drivePromise(permissionSteps(policy, request), unstoppable)

/** Asks the policy and throws `PermissionDeniedError`, which carries request and decision, unless it allows. */
export function* assertPermissionSteps(policy: PermissionPolicy | undefined, request: PermissionRequest): Steps<void> {
  const decision = yield* permissionSteps(policy, request)
  if (!decision.allowed) throw new PermissionDeniedError({ request, decision })
}

/** Rejects with `PermissionDeniedError`, which carries request and decision, unless the policy allows. */
export const assertPermission = (policy: PermissionPolicy | undefined, request: PermissionRequest): Promise<void> =>
  drivePromise(assertPermissionSteps(policy, request), unstoppable)

/**
 * A policy of exact keys `kind:target:action`, read once. `deny` wins; a missing or empty `allow` allows all that is
 * not denied. `true` allows and `false` denies everything. Throws `TypeError` when `deny` holds a text that is no such
 * key: it would match nothing, so what it was meant to deny would be allowed.
 */
export const createStaticPermissionPolicy = (
  rules:
    | boolean
    | { readonly allow?: ReadonlyArray<string> | undefined; readonly deny?: ReadonlyArray<string> | undefined }
): PermissionPolicy => {
  const allow = new Set(typeof rules === "boolean" ? [] : rules.allow)
  const deny = new Set(typeof rules === "boolean" ? [] : rules.deny)
  for (const key of deny) assertKey(key)
  return {
    check: (request) => {
      const key = permissionKey(request)
      if (rules === false || deny.has(key)) return { allowed: false, reason: `Permission denied: ${key}` }
      if (allow.size > 0 && !allow.has(key)) return { allowed: false, reason: `Permission not allowed: ${key}` }
      return allowed
    }
  }
}

const assertKey = (key: string): void => {
  if (typeof key === "string" && /^[^:]+:.+:[^:]+$/s.test(key)) return
  throw new TypeError(`deny must hold keys of the form kind:target:action, not ${key}`)
}
