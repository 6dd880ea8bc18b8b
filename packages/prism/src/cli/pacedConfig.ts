/** A config whose provider is asked for more only while the output has room. */
import type { AgentConfig, AIProvider } from "@arnilo/prism-core"
import { setImmediate } from "node:timers/promises"
import type { Output } from "./Output.ts"

/** Events that a provider may be ahead of the output when it answers at once, without ever waiting for anything. */
const EVENTS_AHEAD = 256

/**
 * A session publishes without waiting for its subscribers, so a reader slower than the model would be made up for in memory.
 * Holding up the provider instead bounds what waits; what tools report is not held up.
 */
export const pacedConfig = (config: AgentConfig, output: Output): AgentConfig => {
  const { provider, providerSource } = config
  const paced = (given: AIProvider): AIProvider => ({
    id: given.id,
    generate: (request) => pacedEvents(given.generate(request), output)
  })
  return {
    ...config,
    ...(provider !== undefined && { provider: paced(provider) }),
    ...(providerSource !== undefined && {
      providerSource: (model) => {
        const found = providerSource(model)
        return found === undefined ? undefined : paced(found)
      }
    })
  }
}

const pacedEvents = <Event>(events: AsyncIterable<Event>, output: Output): AsyncIterable<Event> => {
  // What is no stream is the session's to refuse.
  if (typeof events?.[Symbol.asyncIterator] !== "function") return events
  return { [Symbol.asyncIterator]: () => pacedIterator(events[Symbol.asyncIterator](), output) }
}

const pacedIterator = <Event>(events: AsyncIterator<Event>, output: Output): AsyncIterator<Event> => {
  let taken = 0
  const afterPause = async (): Promise<IteratorResult<Event>> => {
    // What was published is written by then, or waits for room; and signals are seen.
    await setImmediate()
    await output.room
    return events.next()
  }
  return {
    next: () => {
      taken += 1
      return taken % EVENTS_AHEAD === 0 || output.room !== undefined ? afterPause() : events.next()
    },
    return: async () => (await events.return?.()) ?? { done: true, value: undefined }
  }
}
