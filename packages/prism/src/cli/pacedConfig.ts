/** A config whose provider is asked for more only while the output has room. */
import type { AgentConfig, AIProvider } from "@arnilo/prism-core"
import type { Output } from "./Output.ts"

/**
 * A session publishes without waiting for its subscribers, so a reader slower than the model would be made up for in memory.
 * Holding up the provider instead bounds what waits; what tools report is not held up.
 */
export const pacedConfig = (config: AgentConfig, output: Output): AgentConfig => {
  const { provider, providerSource } = config
  const paced = (given: AIProvider): AIProvider => ({ id: given.id, generate: (request) => pacedEvents(given.generate(request), output) })
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
  return {
    [Symbol.asyncIterator]: () => {
      const iterator = events[Symbol.asyncIterator]()
      return {
        next: () => (output.room === undefined ? iterator.next() : output.room.then(() => iterator.next())),
        return: () => iterator.return?.() ?? Promise.resolve({ done: true, value: undefined })
      }
    }
  }
}
