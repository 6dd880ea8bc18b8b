/** What a session keeps for its subscribers, and how far it follows pages of a store. */
import * as Limits from "./Limits.ts"

export const SessionLimits = Limits.define({
  maxQueuedEvents: { unit: "count", default: 1024, hardCap: 1_048_576 },
  branchPages: { unit: "count", default: 64, hardCap: 64 }
})
