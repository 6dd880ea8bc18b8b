/** How long a person is waited for. */
import * as Limits from "./Limits.ts"
import { MAX_TIMER_MS } from "./RunLimits.ts"

export const ApprovalLimits = Limits.define({
  approvalTimeoutMs: { unit: "milliseconds", default: 30_000, hardCap: MAX_TIMER_MS }
})
