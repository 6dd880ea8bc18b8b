/** What every call of a run, or of one lone dispatch, shares. */
import type { AgentEvent } from "../events/AgentEvent.ts"
import type { MiddlewareRegistry } from "../ports/MiddlewarePort.ts"
import type { PermissionPolicy } from "../ports/Policies.ts"
import type { Secrets, SecretRedactor } from "../ports/Redaction.ts"
import type { Driver } from "../ports/Steps.ts"
import type { ToolExecutionContext, ToolFilter, ToolRegistry, ToolValidator } from "../ports/ToolDefinition.ts"
import type { ToolCallContent } from "../schema/Content.ts"
import type { Metadata } from "../schema/Json.ts"
import type { OwnershipScope } from "../schema/Ownership.ts"
import type { LedgerWriter } from "../store/RunLedger.ts"

export interface DispatchScope extends Driver {
  readonly sessionId: string
  readonly runId: string
  readonly metadata: Metadata | undefined
  readonly signal: AbortSignal | undefined
  readonly registry: ToolRegistry
  readonly filter: ToolFilter | ReadonlyArray<ToolFilter> | undefined
  readonly middleware: MiddlewareRegistry | undefined
  readonly permission: PermissionPolicy | undefined
  readonly validate: ToolValidator | undefined
  readonly redactor: SecretRedactor | undefined
  readonly secrets: Secrets | undefined
  readonly ledger: LedgerWriter | undefined
  readonly ownership: OwnershipScope | undefined
  readonly toolTimeoutMs: number | undefined
  /** The host's own listener, told beside event and ledger. */
  readonly progress: ToolExecutionContext["progress"] | undefined
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Redacts and tells. Answers with a Promise only where a ledger is slow; a ledger that fails rejects. */
  readonly emit: (event: AgentEvent) => void | Promise<void>
}

/** One call on its way. `call` is what the next stage sees; middleware may replace it. */
export interface Dispatch {
  readonly scope: DispatchScope
  readonly startedAt: number
  call: ToolCallContent
  /** While its tool runs. What the tool says later belongs to nobody. */
  running: boolean
  /** Progress that listeners or the ledger have not taken yet. Rejects with `LedgerError` if they refuse it. */
  telling: Promise<void> | undefined
}
