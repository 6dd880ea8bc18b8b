/**
 * What a check found out before it failed: how many leading items of an array match a schema. Spares the explanation,
 * which comes right after, to go through them again. Validation is synchronous, so that one memory serves all.
 */
import type { SchemaNode } from "./SchemaNode.ts"

interface Passed {
  readonly array: ReadonlyArray<unknown>
  readonly node: SchemaNode
  readonly count: number
  /** The depth at which the items were found to keep the bounds as well. */
  readonly boundAt: number | undefined
}

/** More arrays than this are not remembered; only time is lost by it. */
const MAX_REMEMBERED = 32

let remembered: Array<Passed> = []

/** The item behind `count` others that match `node` does not. Answers false, for the check to return. */
export const failsAfter = (array: ReadonlyArray<unknown>, node: SchemaNode, count: number, boundAt?: number): false => {
  if (count > 0 && remembered.length < MAX_REMEMBERED) remembered.push({ array, node, count, boundAt })
  return false
}

/** Leading items that match `node`. */
export const passedItems = (array: ReadonlyArray<unknown>, node: SchemaNode): number => {
  for (const passed of remembered) if (passed.array === array && passed.node === node) return passed.count
  return 0
}

/** Leading items that keep the bounds at that depth. */
export const boundItems = (array: ReadonlyArray<unknown>, depth: number): number => {
  for (const passed of remembered) if (passed.array === array && passed.boundAt === depth) return passed.count
  return 0
}

/** Begins with nothing: a validation within another one, in a getter, has limits and schemas of its own. */
export const takeMemory = (): Array<Passed> | undefined => {
  if (remembered.length === 0) return undefined
  const outer = remembered
  remembered = []
  return outer
}

/** Forgets what was remembered since, and goes on with what was taken. */
export const giveBackMemory = (outer: Array<Passed> | undefined): void => {
  if (outer !== undefined) remembered = outer
  else if (remembered.length > 0) remembered.length = 0
}
