/** A run, written as it goes. */
import type { AgentEvent } from "@arnilo/prism-core"
import * as Effect from "effect/Effect"
import type { CliOptions } from "./CliOptions.ts"
import type { Output } from "./Output.ts"

/**
 * Writes every event before the next one is taken. Fails with what the run failed with, after its last event, or with
 * `OutputError` once nothing can be written: the run is aborted then, and has settled.
 */
export const writeRun = (
  events: AsyncIterable<AgentEvent>,
  mode: CliOptions["mode"],
  output: Output
): Effect.Effect<void, unknown> => {
  const format = mode === "json" ? eventLine : assistantText
  return Effect.acquireUseRelease(
    Effect.sync(() => events[Symbol.asyncIterator]()),
    (iterator) => writeEvents(iterator, format, output),
    (iterator) => Effect.promise(async () => iterator.return?.())
  )
}

const writeEvents = Effect.fnUntraced(function* (
  events: AsyncIterator<AgentEvent>,
  format: (event: AgentEvent) => string,
  output: Output
) {
  const toText = (step: IteratorResult<AgentEvent>) => (step.done === true ? undefined : format(step.value))
  while (true) {
    // Formatted in there: a host's tool may have answered with what is no JSON.
    const text = yield* Effect.tryPromise({ try: () => events.next().then(toText), catch: (error) => error })
    if (text === undefined) return
    if (text !== "") yield* output.write(text)
  }
})

const assistantText = (event: AgentEvent): string =>
  event.type === "message_delta" && event.content.type === "text" ? event.content.text : ""

const eventLine = (event: AgentEvent): string => {
  const { sessionId, runId } = "runId" in event ? event : { sessionId: event.sessionId, runId: undefined }
  return `${JSON.stringify({ type: "event", sessionId, runId, event })}\n`
}

/** The last line of a run that did not succeed. One line whatever the message holds. */
export const failureLine = (error: unknown, mode: CliOptions["mode"]): string => {
  const message = error instanceof Error ? error.message : String(error)
  if (mode === "json") return `${JSON.stringify({ type: "error", error: { message } })}\n`
  // Control characters would let a provider write to the terminal what it likes.
  return `${message.replace(/\p{Cc}+/gu, " ").trim()}\n`
}
