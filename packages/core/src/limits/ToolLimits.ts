/** What one tool may ask for. */
import * as Limits from "./Limits.ts"
import { MAX_TIMER_MS } from "./RunLimits.ts"

export const ToolLimits = Limits.define({
  timeoutMs: { unit: "milliseconds", hardCap: MAX_TIMER_MS }
})
