/** A run, written as it goes. */
import type { AgentEvent } from "@arnilo/prism-core"
import * as Effect from "effect/Effect"
import { type CliFailure, toCliFailure } from "./CliFailure.ts"
import type { CliOptions } from "./CliOptions.ts"
import type { Output, OutputError } from "./Output.ts"

/**
 * Writes every event before the next one is taken. Comes to the number of tool calls that no round was left for. Fails with
 * `CliFailure` if the run does, after its last event. When an event cannot be written, the run is aborted, and this fails
 * once it has settled: with `OutputError`, or `CliFailure` for an event that is no JSON.
 */
export const writeRun = Effect.fnUntraced(function* (
  events: AsyncIterable<AgentEvent>,
  mode: CliOptions["mode"],
  output: Output
) {
  const format = mode === "json" ? eventLine : assistantText
  const iterator = events[Symbol.asyncIterator]()
  let unanswered = 0
  while (true) {
    const step = yield* Effect.tryPromise({ try: () => iterator.next(), catch: toCliFailure })
    if (step.done === true) return unanswered
    unanswered = callsLeft(step.value, unanswered)
    yield* Effect.onError(writeEvent(step.value, format, output), () => Effect.promise(async () => iterator.return?.()))
  }
})

const writeEvent = (
  event: AgentEvent,
  format: (event: AgentEvent) => string,
  output: Output
): Effect.Effect<void, CliFailure | OutputError> => {
  try {
    return output.write(format(event))
  } catch (error) {
    // A host's tool may have answered with what is no JSON.
    return Effect.fail(toCliFailure(error))
  }
}

/** The calls of the latest message, until the first of them is taken up. */
const callsLeft = (event: AgentEvent, before: number): number => {
  if (event.type === "message_finished") return event.message.content.filter(({ type }) => type === "tool_call").length
  return event.type === "tool_execution_started" || event.type === "tool_execution_blocked" ? 0 : before
}

const assistantText = (event: AgentEvent): string =>
  event.type === "message_delta" && event.content.type === "text" ? event.content.text : ""

const eventLine = (event: AgentEvent): string => {
  const { sessionId, runId } = "runId" in event ? event : { sessionId: event.sessionId, runId: undefined }
  return `${JSON.stringify({ type: "event", sessionId, runId, event })}\n`
}

/** The last line of a run that did not succeed. One line whatever the message holds. */
export const failureLine = ({ message }: CliFailure, mode: CliOptions["mode"]): string => {
  if (mode === "json") return `${JSON.stringify({ type: "error", error: { message } })}\n`
  // Control and direction characters would let a provider write to the terminal what it likes.
  return `${message.replace(/[\p{Cc}\p{Cf}]+/gu, " ").trim()}\n`
}
