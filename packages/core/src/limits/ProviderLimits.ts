/** Retries of a provider turn, and what a response may weigh. */
import * as Limits from "./Limits.ts"
import { MAX_TIMER_MS } from "./RunLimits.ts"

export const RetryLimits = Limits.define({
  maxAttempts: { unit: "count", default: 3, hardCap: 100 },
  baseDelayMs: { unit: "milliseconds", default: 100, hardCap: MAX_TIMER_MS },
  maxDelayMs: { unit: "milliseconds", default: 1_000, hardCap: MAX_TIMER_MS }
})

export const ProviderLimits = Limits.define({
  /** Streamed argument text of one tool call. */
  toolArgumentBytes: { unit: "bytes", default: 1_048_576, hardCap: 1_048_576 },
  structuredOutputSchemaBytes: { unit: "bytes", default: 65_536, hardCap: 65_536 },
  structuredOutputNameLength: { unit: "count", default: 128, hardCap: 128 },
  wireNameLength: { unit: "count", default: 64, hardCap: 64 }
})
