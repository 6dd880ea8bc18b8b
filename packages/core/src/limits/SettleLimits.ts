/** How long the end of a run waits for what others still have to do. */
import * as Limits from "./Limits.ts"

export const SettleLimits = Limits.define({
  /** Finalizers of tools, and each last row of a ledger. */
  settleMs: { unit: "milliseconds", default: 5_000, hardCap: 5_000 }
})
