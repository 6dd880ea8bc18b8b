/** Keeps the code of runs fast while there is no run. */
import { makeAgent } from "../agent/Agent.ts"
import type { AIProvider } from "../ports/AIProvider.ts"
import type { ToolDefinition } from "../ports/ToolDefinition.ts"
import { Transcript } from "../run/Transcript.ts"
import type { ProviderEvent } from "../schema/ProviderEvent.ts"
import { sessionLog } from "../store/SessionStore.ts"
import { Session } from "./Session.ts"

let kept: ReadonlyArray<Session> = []

/**
 * Starts, once per process, two runs that never go on: one waits for its provider, one for its tools. An engine forgets
 * what it has optimised for a kind of object when a collection finds none of it alive, so that the first runs after an idle
 * moment were several times slower. The two have no timer, handle or listener, and end with the process.
 */
export const keepShapes = (): void => {
  if (kept.length > 0) return
  const text: ProviderEvent = { type: "content_delta", content: { type: "text", text: "" } }
  kept = [pausedAfter([text]), pausedAfter([callOf("a"), callOf("b"), { type: "done" }])]
}

const NEVER = new Promise<never>(() => undefined)

const pause: ToolDefinition = { name: "pause", execute: () => NEVER }

const callOf = (id: string): ProviderEvent => ({
  type: "tool_call",
  call: { type: "tool_call", id, name: "pause", arguments: {} }
})

const pausedAfter = (events: ReadonlyArray<ProviderEvent>): Session => {
  const agent = makeAgent({
    model: { provider: "pause", model: "pause" },
    provider: providerOf(events),
    tools: [pause],
    loop: { strategy: "single-shot", toolConcurrency: 2 }
  })
  const session = new Session(agent, new Transcript("pause", sessionLog(undefined), undefined, true), undefined)
  session.subscribe()
  session.start("", {}, () => undefined)
  return session
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
