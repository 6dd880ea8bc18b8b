/** Who may do what, as a host says it. No policy means allowed; a policy that throws means denied. */
import type { Metadata } from "../schema/Json.ts"
import type { HostValue } from "./HostValue.ts"

/** `kind` is `tool`, `extension`, `resource` or a host's own word. */
export interface PermissionRequest {
  readonly kind: string
  readonly action: string
  readonly target: string
  readonly metadata?: Metadata | undefined
}
export interface PermissionDecision {
  readonly allowed: boolean
  readonly reason?: string | undefined
  readonly metadata?: Metadata | undefined
}
/** Checked by name, at dispatch. */
export interface PermissionPolicy {
  check(request: PermissionRequest): HostValue<PermissionDecision>
}

/** `kind` is `project`, `resource`, `extension` or a host's own word. */
export interface TrustRequest {
  readonly kind: string
  readonly target: string
  readonly capability?: string | undefined
  readonly metadata?: Metadata | undefined
}
export interface TrustDecision {
  readonly trusted: boolean
  readonly reason?: string | undefined
  readonly metadata?: Metadata | undefined
}
export interface TrustPolicy {
  check(request: TrustRequest): HostValue<TrustDecision>
}

/** What a tool is about to do. `kind` is `shell`, `read`, `write`, `edit` or a host's own word. */
export interface ExecutionAction {
  readonly kind: string
  readonly operation: string
  readonly paths?: ReadonlyArray<string> | undefined
  readonly command?: string | undefined
  readonly risk?: "low" | "medium" | "high" | undefined
  readonly metadata?: Metadata | undefined
}
export interface ExecutionDecision {
  readonly allowed: boolean
  readonly reason?: string | undefined
  /** Laid over the action, field by field. */
  readonly modified?: Partial<ExecutionAction> | undefined
  /** Says that the action needs its turn for itself. The static marker of the tool is what serialises. */
  readonly exclusive?: boolean | undefined
}
/** Checked by a tool inside `execute`, before its side effect. */
export interface ExecutionPolicy {
  check(action: ExecutionAction): HostValue<ExecutionDecision>
}
