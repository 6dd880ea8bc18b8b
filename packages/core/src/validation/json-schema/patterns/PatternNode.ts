/** What a pattern says, without what has no part in whether it matches: lazy or greedy, the names of groups. */
import type { CharacterSet } from "./CharacterSet.ts"

interface SetNode {
  readonly type: "set"
  readonly set: CharacterSet
}

/** One after the other; nothing at all where `items` is empty. */
export interface SequenceNode {
  readonly type: "sequence"
  readonly items: ReadonlyArray<PatternNode>
}

interface ChoiceNode {
  readonly type: "choice"
  readonly items: ReadonlyArray<PatternNode>
}

/** `max` is `Infinity` where nothing bounds it. */
export interface RepeatNode {
  readonly type: "repeat"
  readonly body: PatternNode
  readonly min: number
  readonly max: number
}

/** A group that captures; the first of a pattern is 1. */
export interface GroupNode {
  readonly type: "group"
  readonly index: number
  readonly body: PatternNode
}

interface LookNode {
  readonly type: "look"
  readonly behind: boolean
  readonly negated: boolean
  readonly body: PatternNode
}

/** `^`, `$`, `\b`, `\B`. */
export interface EdgeNode {
  readonly type: "edge"
  readonly edge: "start" | "end" | "boundary" | "inside"
}

/** `\1`, `\k<name>`: the groups of the number or name, which stand anywhere in the pattern. */
interface ReferenceNode {
  readonly type: "reference"
  readonly groups: ReadonlyArray<number>
}

export type PatternNode =
  | SetNode
  | SequenceNode
  | ChoiceNode
  | RepeatNode
  | GroupNode
  | LookNode
  | EdgeNode
  | ReferenceNode

export const nothing: SequenceNode = { type: "sequence", items: [] }

/** Whether every match of `node` begins where the subject does; a `false` may be wrong, a `true` is not. */
export const startsAtStart = (node: PatternNode): boolean => {
  switch (node.type) {
    case "edge":
      return node.edge === "start"
    case "group":
      return startsAtStart(node.body)
    case "sequence":
      return node.items[0] !== undefined && startsAtStart(node.items[0])
    case "choice":
      return node.items.every(startsAtStart)
    default:
      return false
  }
}

/** What `node` takes, where it does not matter that it captures. */
export const withoutGroup = (node: PatternNode): PatternNode => (node.type === "group" ? withoutGroup(node.body) : node)
