/** What one run may use. Only tool rounds are bounded unless a host says more. */
import * as Limits from "./Limits.ts"

/** The longest delay of a timer on every platform, in milliseconds. */
export const MAX_TIMER_MS = 2_147_483_647

export const RunLimits = Limits.define({
  maxToolRounds: { unit: "count", default: 1, hardCap: 64 },
  maxTurns: { unit: "count", hardCap: 10_000 },
  maxToolCalls: { unit: "count", hardCap: 100_000 },
  maxWallMs: { unit: "milliseconds", hardCap: MAX_TIMER_MS },
  toolTimeoutMs: { unit: "milliseconds", hardCap: MAX_TIMER_MS }
})

export type RunLimitValues = Limits.ValuesOf<typeof RunLimits.table>
