/** Keeps the code of runs fast while there is no run. */
import * as Effect from "effect/Effect"
import { makeAgent } from "../agent/Agent.ts"
import type { AIProvider } from "../ports/AIProvider.ts"
import type { ToolDefinition } from "../ports/ToolDefinition.ts"
import { Transcript } from "../run/Transcript.ts"
import type { ProviderEvent } from "../schema/ProviderEvent.ts"
import { sessionLog } from "../store/SessionStore.ts"
import { Session } from "./Session.ts"

let kept: ReadonlyArray<unknown> = []

/**
 * Starts, once per process, two runs that never go on: one waits for its provider, one for its tools. An engine forgets
 * what it has optimised for a kind of object when a collection finds none of it alive, so that the first runs after an idle
 * moment were several times slower. The two have no timer, handle or listener, and end with the process.
 */
export const keepShapes = (): void => {
  if (kept.length > 0) return
  const text: ProviderEvent = { type: "content_delta", content: { type: "text", text: "" } }
  const streamed = sessionAfter([text]).stream("")
  const called = sessionAfter([callOf("a"), callOf("b"), { type: "done" }])
  kept = [streamed, streamed.next(), called.subscribe(), Effect.runFork(called.run(""))]
}

// @effect-diagnostics-next-line newPromise:off
const NEVER = new Promise<never>(() => undefined)

const pause: ToolDefinition = { name: "pause", execute: () => NEVER }

const callOf = (id: string): ProviderEvent => ({
  type: "tool_call",
  call: { type: "tool_call", id, name: "pause", arguments: {} }
})

const sessionAfter = (events: ReadonlyArray<ProviderEvent>): Session => {
  const agent = makeAgent({
    model: { provider: "pause", model: "pause" },
    provider: providerOf(events),
    tools: [pause],
    loop: { strategy: "single-shot", toolConcurrency: 2 }
  })
  return new Session(agent, new Transcript("pause", sessionLog(undefined), undefined, true), undefined)
}

const providerOf = (events: ReadonlyArray<ProviderEvent>): AIProvider => ({
  id: "pause",
  generate: () => {
    const left = [...events]
    const next = (): Promise<IteratorResult<ProviderEvent>> => {
      const value = left.shift()
      return value === undefined ? NEVER : Promise.resolve({ value, done: false })
    }
    return { [Symbol.asyncIterator]: () => ({ next }) }
  }
})
