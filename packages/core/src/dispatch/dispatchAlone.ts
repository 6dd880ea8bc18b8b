/** One tool call outside any run, with the gates of a run. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import type { AgentEvent } from "../events/AgentEvent.ts"
import type { HostValue } from "../ports/HostValue.ts"
import type { MiddlewareRegistry } from "../ports/MiddlewarePort.ts"
import type { PermissionPolicy } from "../ports/Policies.ts"
import type { SecretRedactor, Secrets } from "../ports/Redaction.ts"
import type { RunLedgerPort } from "../ports/RunLedgerPort.ts"
import { LedgerError } from "../errors/LedgerError.ts"
import { type Driver, drive, drivePromise, type Steps, unstoppable, waitFor } from "../ports/Steps.ts"
import type { ToolExecutionContext, ToolFilter, ToolRegistry, ToolValidator } from "../ports/ToolDefinition.ts"
import type { ToolCallContent } from "../schema/Content.ts"
import type { OwnershipScope } from "../schema/Ownership.ts"
import type { ToolResult } from "../schema/ToolResult.ts"
import { redactAgentEvent, resolveRedactor } from "../security/Redactor.ts"
import { LedgerWriter } from "../store/RunLedger.ts"
import type { DispatchScope } from "./DispatchScope.ts"
import { dispatchToolCall } from "./dispatchToolCall.ts"

export interface DispatchToolCallOptions {
  readonly call: ToolCallContent
  readonly registry: ToolRegistry
  readonly context: ToolExecutionContext
  readonly filter?: ToolFilter | ReadonlyArray<ToolFilter> | undefined
  readonly middleware?: MiddlewareRegistry | undefined
  readonly validate?: ToolValidator | undefined
  readonly permission?: PermissionPolicy | undefined
  /** Told every event of the call, in order; what it answers is waited for. */
  readonly emit?: ((event: AgentEvent) => HostValue<void>) | undefined
  readonly secrets?: Secrets | undefined
  readonly redactor?: SecretRedactor | undefined
  readonly ledger?: RunLedgerPort | undefined
  readonly ownership?: OwnershipScope | undefined
}

/** Resolves with the result of a refused or failed call as well; rejects only when `emit` or the ledger fails. */
export const dispatchAlone = (options: DispatchToolCallOptions): Promise<ToolResult> =>
  drivePromise(dispatchToolCall(scopeOf(options, unstoppable), options.call), unstoppable)

const clock = Context.get(Context.empty(), Clock.Clock)

const scopeOf = (options: DispatchToolCallOptions, driver: Driver): DispatchScope => {
  const { context, emit, ledger } = options
  const redactor = resolveRedactor(options.redactor, options.secrets)
  return {
    ...driver,
    sessionId: context.sessionId,
    runId: context.runId,
    metadata: context.metadata,
    signal: context.signal,
    registry: options.registry,
    filter: options.filter,
    middleware: options.middleware,
    permission: options.permission,
    validate: options.validate,
    redactor,
    secrets: undefined,
    ledger: ledger === undefined ? undefined : new LedgerWriter(ledger, driver),
    ownership: options.ownership,
    toolTimeoutMs: undefined,
    progress:
      context.progress === undefined ? undefined : (progress, metadata) => context.progress?.(progress, metadata),
    now: () => clock.currentTimeMillisUnsafe(),
    emit: (event) => (emit === undefined ? undefined : drive(told(emit, redactAgentEvent(event, redactor)), driver))
  }
}

function* told(emit: (event: AgentEvent) => HostValue<void>, event: AgentEvent): Steps<void> {
  try {
    yield* waitFor(emit(event))
  } catch (cause) {
    // A listener that fails must not look like a tool that failed: like a ledger, it ends the dispatch.
    throw LedgerError.of(cause)
  }
}
