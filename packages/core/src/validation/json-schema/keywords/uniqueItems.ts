import { isUnique } from "../equality.ts"
import { onArray } from "../Keyword.ts"
import { flag } from "../shapes.ts"

/** JSON Schema validation §6.4.3; equality is deep. */
export const uniqueItems = onArray({
  name: "uniqueItems",
  shape: flag,
  check: (isWanted) => (isWanted ? isUnique : undefined),
  message: () => "must not have equal items",
  source: (_isWanted, emit, name) => `${emit.constant(isUnique)}(${name})`
})
