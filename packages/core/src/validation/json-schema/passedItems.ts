/**
 * What a check found out before it failed: how many leading items of an array match a schema. Spares the explanation,
 * which comes right after, to go through them again. Validation is synchronous, so that one memory serves all.
 */
import type { SchemaNode } from "./SchemaNode.ts"

interface Passed {
  readonly array: ReadonlyArray<unknown>
  readonly node: SchemaNode
  readonly count: number
  /** Whether the items were found to keep the bounds, too. */
  readonly isBound: boolean
}

/** More arrays than this are not remembered; only time is lost by it. */
const MAX_REMEMBERED = 32

const remembered: Array<Passed> = []

/** The item behind `count` others that match `node` does not. Answers false, for the check to return. */
export const failsAfter = (array: ReadonlyArray<unknown>, node: SchemaNode, count: number, isBound: boolean): false => {
  if (count > 0 && remembered.length < MAX_REMEMBERED) remembered.push({ array, node, count, isBound })
  return false
}

/** Leading items that match `node`. */
export const passedItems = (array: ReadonlyArray<unknown>, node: SchemaNode): number => {
  for (const passed of remembered) if (passed.array === array && passed.node === node) return passed.count
  return 0
}

/** Leading items that keep the bounds. */
export const boundItems = (array: ReadonlyArray<unknown>): number => {
  for (const passed of remembered) if (passed.array === array && passed.isBound) return passed.count
  return 0
}

export const forgetPassedItems = (): void => {
  if (remembered.length > 0) remembered.length = 0
}
