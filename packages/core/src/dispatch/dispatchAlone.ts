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
import { drive, drivePromise, interruptedBy, type Steps, unstoppable, waitFor } from "../ports/Steps.ts"
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

/**
 * Resolves with the result of a refused or failed call as well. Rejects with `LedgerError` when a listener or the ledger
 * fails, and with the reason of `context.signal` if that is aborted beforehand. Aborted later, the signal interrupts a tool
 * that is an Effect; any other tool is waited for.
 */
export const dispatchAlone = (options: DispatchToolCallOptions): Promise<ToolResult> => {
  const { signal } = options.context
  if (signal?.aborted === true) return Promise.reject(signal.reason)
  return drivePromise(dispatchToolCall(scopeOf(options), options.call), interruptedBy(signal))
}

const clock = Context.get(Context.empty(), Clock.Clock)

const scopeOf = (options: DispatchToolCallOptions): DispatchScope => {
  const { context, emit, ledger } = options
  const redactor = resolveRedactor(options.redactor, options.secrets)
  return {
    // A deadline still counts after an abort, and what has happened is still told.
    ...unstoppable,
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
    ledger: ledger === undefined ? undefined : new LedgerWriter(ledger, unstoppable),
    ownership: options.ownership,
    toolTimeoutMs: undefined,
    progress:
      context.progress === undefined
        ? undefined
        : (progress, metadata) => tell("progress", () => context.progress?.(progress, metadata)),
    now: () => clock.currentTimeMillisUnsafe(),
    emit: (event) => (emit === undefined ? undefined : tell("emit", () => emit(redactAgentEvent(event, redactor))))
  }
}

const tell = (source: "emit" | "progress", listen: () => HostValue<void>): void | Promise<void> =>
  drive(told(source, listen), unstoppable)

function* told(source: "emit" | "progress", listen: () => HostValue<void>): Steps<void> {
  try {
    yield* waitFor(listen())
  } catch (cause) {
    // A listener that fails must not look like a tool that failed: like a ledger, it ends the dispatch.
    throw LedgerError.of(cause, source)
  }
}
