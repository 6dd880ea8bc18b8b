/** What every tool must do behind the gates of dispatch. */
import { dispatchAlone, type DispatchToolCallOptions } from "../dispatch/dispatchAlone.ts"
import type { AgentEvent } from "../events/AgentEvent.ts"
import type { ToolBlockedReason } from "../events/ToolEvents.ts"
import type { PermissionPolicy } from "../ports/Policies.ts"
import type { Secrets } from "../ports/Redaction.ts"
import { drivePromise, type Steps, unstoppable, waitFor } from "../ports/Steps.ts"
import type {
  ToolDefinition,
  ToolExecutionContext,
  ToolFilter,
  ToolRegistry,
  ToolValidator
} from "../ports/ToolDefinition.ts"
import type { ToolCallContent } from "../schema/Content.ts"
import type { JsonObject } from "../schema/Json.ts"
import type { ToolResult } from "../schema/ToolResult.ts"

/** A dispatch whose context may be left out: then it is of session `conformance` and run `r`. */
export type ToolProbe = Omit<DispatchToolCallOptions, "context" | "emit"> & {
  readonly context?: ToolExecutionContext | undefined
}

/** Dispatches the call and returns its result with every event, in order. */
export const dispatchAndCollect = (
  probe: ToolProbe
): Promise<{ readonly result: ToolResult; readonly events: ReadonlyArray<AgentEvent> }> => {
  const events: Array<AgentEvent> = []
  const context = probe.context ?? { sessionId: "conformance", runId: "r", toolCallId: probe.call.id }
  return dispatchAlone({ ...probe, context, emit: (event) => void events.push(event) }).then((result) => ({
    result,
    events
  }))
}

/** Rejects with an `Error` unless the call is blocked for `reason`: one event, an error result, and nothing ran. */
export const assertToolBlocked = (probe: ToolProbe, reason: ToolBlockedReason): Promise<void> =>
  drivePromise(blockedSteps(probe, reason), unstoppable)

function* blockedSteps(probe: ToolProbe, reason: ToolBlockedReason): Steps<void> {
  const { events, result } = yield* waitFor(dispatchAndCollect(probe))
  const seen = events.map((event) => event.type).join(", ")
  const [event] = events
  if (events.length !== 1 || event?.type !== "tool_execution_blocked") {
    throw new Error(`${reason}: expected one tool_execution_blocked event, saw ${seen === "" ? "none" : seen}`)
  }
  if (event.reason !== reason) throw new Error(`expected the call to be blocked for ${reason}, not ${event.reason}`)
  if (result.error === undefined) throw new Error(`${reason}: the result carries no error`)
  if (result.toolCallId !== event.toolCallId || result.name !== event.name) {
    throw new Error(`${reason}: the result is of ${result.name} ${result.toolCallId}`)
  }
}

export interface ToolConformanceOptions {
  readonly tool: ToolDefinition
  /** Arguments that the tool and its validator accept. */
  readonly validArgs: JsonObject
  readonly permission?: PermissionPolicy | undefined
  readonly validate?: ToolValidator | undefined
  readonly filter?: ToolFilter | ReadonlyArray<ToolFilter> | undefined
  readonly secrets?: Secrets | undefined
}

/**
 * Registers the tool, then probes: unknown, denied by filter, arguments that are no object, permission denied, validator
 * failed, success. Rejects with an `Error` at the first deviation.
 */
export const assertToolDispatchConforms = (registry: ToolRegistry, options: ToolConformanceOptions): Promise<void> =>
  drivePromise(conformanceSteps(registry, options), unstoppable)

function* conformanceSteps(registry: ToolRegistry, options: ToolConformanceOptions): Steps<void> {
  const { filter, permission, secrets, tool, validArgs, validate } = options
  registry.register(tool)
  const call: ToolCallContent = { type: "tool_call", id: "probe", name: tool.name, arguments: validArgs }
  const probe: ToolProbe = { call, registry, filter, permission, validate, secrets }
  let unknown = `${tool.name}-unknown`
  while (registry.get(unknown) !== undefined) unknown += "-unknown"
  yield* waitFor(assertToolBlocked({ ...probe, call: { ...call, name: unknown } }, "unknown_tool"))
  yield* waitFor(assertToolBlocked({ ...probe, filter: { deny: [tool.name] } }, "tool_denied"))
  // What a provider may send in spite of the type.
  const notAnObject = ["not an object"] as unknown as JsonObject
  yield* waitFor(assertToolBlocked({ ...probe, call: { ...call, arguments: notAnObject } }, "invalid_arguments"))
  const nobody: PermissionPolicy = { check: () => ({ allowed: false }) }
  yield* waitFor(assertToolBlocked({ ...probe, permission: nobody }, "permission_denied"))
  yield* waitFor(assertToolBlocked({ ...probe, validate: () => "refused by the probe" }, "validation_failed"))
  yield* successSteps(probe)
}

function* successSteps(probe: ToolProbe): Steps<void> {
  const { events, result } = yield* waitFor(dispatchAndCollect(probe))
  const types = events.map((event) => event.type)
  if (types[0] !== "tool_execution_started" || types.at(-1) !== "tool_execution_finished") {
    throw new Error(`success: expected started … finished, saw ${types.join(", ")}`)
  }
  if (result.error !== undefined) throw new Error(`success: the tool failed with ${result.error.message}`)
  if (result.toolCallId !== probe.call.id || result.name !== probe.call.name) {
    throw new Error(`success: the result is of ${result.name} ${result.toolCallId}`)
  }
}
