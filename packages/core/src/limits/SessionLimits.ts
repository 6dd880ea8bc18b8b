/** What a session keeps for its subscribers, and how far it follows pages of a store. */
import * as Limits from "./Limits.ts"

export const SessionLimits = Limits.define({
  maxQueuedEvents: { unit: "count", default: 1024, hardCap: Number.MAX_SAFE_INTEGER },
  branchPages: { unit: "count", default: 64, hardCap: 64 }
})
