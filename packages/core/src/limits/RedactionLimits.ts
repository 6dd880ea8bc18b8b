/** How far a redactor walks into a value. */
import * as Limits from "./Limits.ts"

export const RedactionLimits = Limits.define({
  /** Levels of containers that come through; far above every depth that another limit admits. */
  maxDepth: { unit: "count", default: 1_024, hardCap: 1_024 }
})
