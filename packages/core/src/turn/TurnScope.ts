/** What every provider turn of a run shares. */
import type { AgentEvent } from "../events/AgentEvent.ts"
import type { AIProvider, ProviderRequestPolicy, RetryOptions } from "../ports/AIProvider.ts"
import type { MiddlewareRegistry } from "../ports/MiddlewarePort.ts"
import type { SecretRedactor } from "../ports/Redaction.ts"
import type { Driver } from "../ports/Steps.ts"
import type { Metadata } from "../schema/Json.ts"
import type { OwnershipScope } from "../schema/Ownership.ts"
import type { ProviderEvent } from "../schema/ProviderEvent.ts"
import type { LedgerWriter } from "../store/RunLedger.ts"
import type { RunBudget } from "./RunBudget.ts"
import type { UsageTotal } from "./UsageTotal.ts"

export interface TurnScope extends Driver {
  readonly sessionId: string
  readonly runId: string
  readonly metadata: Metadata
  readonly signal: AbortSignal
  readonly provider: AIProvider
  /** The agent's policies, then the run's. */
  readonly policies: ReadonlyArray<ProviderRequestPolicy>
  readonly middleware: MiddlewareRegistry | undefined
  readonly redactor: SecretRedactor | undefined
  readonly retry: RetryOptions | undefined
  readonly ledger: LedgerWriter | undefined
  readonly ownership: OwnershipScope | undefined
  /** False while the transcript cannot hold a tool name that a provider would refuse. */
  readonly mayHoldForeignNames: boolean
  readonly budget: RunBudget
  readonly usage: UsageTotal
  /** An iterator is read from now on: a stop closes it even while nothing comes. */
  readonly startReading: (iterator: AsyncIterator<ProviderEvent>) => void
  readonly endReading: (iterator: AsyncIterator<ProviderEvent>) => void
  readonly now: () => number
  /** False while nobody would see an event: pieces of a message are not told then. */
  readonly isObserved: boolean
  readonly emit: (event: AgentEvent) => void | Promise<void>
}
