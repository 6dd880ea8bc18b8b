import { ToolBlockedError } from "../../errors/ToolBlockedError.ts"
import type { Steps } from "../../ports/Steps.ts"
import { permissionSteps } from "../../security/Permission.ts"
import type { Dispatch } from "../DispatchScope.ts"

/** Permission for `tool:<name>:execute`. A policy that throws denies. */
export function* authorize({ call, scope }: Dispatch): Steps<void> {
  if (scope.permission === undefined) return
  const decision = yield* permissionSteps(scope.permission, {
    kind: "tool",
    action: "execute",
    target: call.name,
    metadata: scope.metadata
  })
  if (decision.allowed) return
  const { reason }: { readonly reason?: unknown } = decision
  const message =
    typeof reason === "string" && reason !== "" ? reason : `Permission denied for tool:${call.name}:execute`
  throw new ToolBlockedError({ reason: "permission_denied", error: { message } })
}
