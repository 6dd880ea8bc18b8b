/** What the OpenAI-compatible provider accepts from a server. Overflow ends the turn with an `error` event. */
import * as Limits from "./Limits.ts"

export const OpenAICompatibleLimits = Limits.define({
  /** Data of one server-sent event. */
  eventBytes: { unit: "bytes", default: 262_144, hardCap: 262_144 },
  /** An event that has not ended yet, and an answer that is one JSON document. */
  bufferBytes: { unit: "bytes", default: 524_288, hardCap: 524_288 },
  /** Streamed argument text of one tool call. */
  toolArgumentBytes: { unit: "bytes", default: 262_144, hardCap: 262_144 },
  /** Tool calls of one turn. */
  toolCalls: { unit: "count", default: 256, hardCap: 256 },
  /** What an error tells of a server's words. */
  errorTextBytes: { unit: "bytes", default: 65_536, hardCap: 65_536 },
  /** What an error quotes of an event that could not be read. */
  excerptBytes: { unit: "bytes", default: 300, hardCap: 300 },
  /** How long the end of the body is awaited behind `[DONE]`, so that the connection can be used again. */
  drainMs: { unit: "milliseconds", default: 250, hardCap: 250 }
})
