/** A pattern as instructions for `matchLinear`. */
import type { CharacterSet } from "./CharacterSet.ts"
import { type EdgeNode, type PatternNode, type RepeatNode, startsAtStart, withoutGroup } from "./PatternNode.ts"

/** Instructions a pattern may come to, once its counted repetitions are written out. */
const MAX_INSTRUCTIONS = 4_096

/** `next`, `left` and `right` are the numbers of instructions. */
type Instruction =
  | { readonly type: "set"; readonly set: CharacterSet; next: number }
  /** From `min` to `max` characters of one set: written out, `.{1,4096}` would be thousands of instructions. */
  | { readonly type: "count"; readonly set: CharacterSet; readonly min: number; readonly max: number; next: number }
  | { readonly type: "split"; left: number; right: number }
  | { readonly type: "edge"; readonly edge: EdgeNode["edge"]; next: number }
  /** Holds where the lookaround of this number holds. */
  | { readonly type: "look"; readonly look: number; readonly negated: boolean; next: number }
  | { readonly type: "accept" }

/** Instructions in columns, in which they are several times faster to run. The numbers in `op` are those of `ops`. */
export interface LinearProgram {
  readonly op: Uint8Array
  /** `next`, or `left`. */
  readonly next: Int32Array
  /** `right`, or `look`. */
  readonly other: Int32Array
  readonly sets: ReadonlyArray<CharacterSet | undefined>
  readonly min: Float64Array
  readonly max: Float64Array
  readonly start: number
  /** A match can only begin where the subject does. */
  readonly anchored: boolean
  /** Each lookaround's own start; one that stands inside another comes before it. */
  readonly looks: ReadonlyArray<{ readonly start: number; readonly behind: boolean }>
}

export const ops = {
  set: 0,
  count: 1,
  split: 2,
  accept: 3,
  look: 4,
  notLook: 5,
  start: 6,
  end: 7,
  boundary: 8,
  inside: 9
} as const

/** The number of instructions of `node`, without writing them. */
const instructionsOf = (node: PatternNode): number => {
  switch (node.type) {
    case "sequence":
      return node.items.reduce((sum, item) => sum + instructionsOf(item), 0)
    case "choice":
      return node.items.reduce((sum, item) => sum + 1 + instructionsOf(item), 0)
    case "group":
      return instructionsOf(node.body)
    case "look":
      return 2 + instructionsOf(node.body)
    case "repeat": {
      if (withoutGroup(node.body).type === "set") return 3
      const times = node.max === Infinity ? node.min + 1 : node.max
      return times === 0 ? 0 : times * (1 + instructionsOf(node.body))
    }
    default:
      return 1
  }
}

export const isTooLarge = (node: PatternNode): boolean => instructionsOf(node) > MAX_INSTRUCTIONS

interface Writer {
  readonly instructions: Array<Instruction>
  readonly looks: Array<{ readonly start: number; readonly behind: boolean }>
  /** The number of each lookaround: where a repetition is written out it stands more than once. */
  readonly known: Map<PatternNode, number>
}

const put = (writer: Writer, instruction: Instruction): number => writer.instructions.push(instruction) - 1

const writeOptional = (writer: Writer, body: PatternNode, times: number, backward: boolean, next: number): number => {
  let start = next
  for (let i = 0; i < times; i++) {
    start = put(writer, { type: "split", left: write(writer, body, backward, start), right: next })
  }
  return start
}

const writeLoop = (writer: Writer, body: PatternNode, backward: boolean, next: number): number => {
  const split = { type: "split" as const, left: next, right: next }
  const start = put(writer, split)
  split.left = write(writer, body, backward, start)
  return start
}

const writeRepeat = (writer: Writer, node: RepeatNode, backward: boolean, next: number): number => {
  const { max, min } = node
  const body = withoutGroup(node.body)
  if (max === 0) return next
  if (body.type === "set" && (max !== Infinity || min > 1) && max > 1) {
    const count = put(writer, { type: "count", set: body.set, min: Math.max(1, min), max, next })
    return min === 0 ? put(writer, { type: "split", left: count, right: next }) : count
  }
  let start =
    max === Infinity ? writeLoop(writer, body, backward, next) : writeOptional(writer, body, max - min, backward, next)
  for (let i = 0; i < min; i++) start = write(writer, body, backward, start)
  return start
}

/** Writes `node` so that it goes on with `next`, and returns its own start. */
const write = (writer: Writer, node: PatternNode, backward: boolean, next: number): number => {
  switch (node.type) {
    case "set":
      return put(writer, { type: "set", set: node.set, next })
    case "sequence":
      return backward
        ? node.items.reduce((after, item) => write(writer, item, backward, after), next)
        : node.items.reduceRight((after, item) => write(writer, item, backward, after), next)
    case "choice":
      return node.items
        .map((item) => write(writer, item, backward, next))
        .reduceRight((right, left) => put(writer, { type: "split", left, right }))
    case "group":
      return write(writer, node.body, backward, next)
    case "repeat":
      return writeRepeat(writer, node, backward, next)
    case "edge":
      return put(writer, { type: "edge", edge: node.edge, next })
    case "look": {
      // Where a lookahead holds is found from the end of the subject, by its reverse.
      let look = writer.known.get(node)
      if (look === undefined) {
        const start = write(writer, node.body, !node.behind, put(writer, { type: "accept" }))
        look = writer.looks.push({ start, behind: node.behind }) - 1
        writer.known.set(node, look)
      }
      return put(writer, { type: "look", look, negated: node.negated, next })
    }
    default:
      return next
  }
}

const opOf = (instruction: Instruction): number => {
  if (instruction.type === "edge") return ops[instruction.edge]
  return instruction.type === "look" && instruction.negated ? ops.notLook : ops[instruction.type]
}

/** `node` has no backreferences, and `isTooLarge` does not hold for it. */
export const linearProgram = (node: PatternNode): LinearProgram => {
  const writer: Writer = { instructions: [], looks: [], known: new Map() }
  const start = write(writer, node, false, put(writer, { type: "accept" }))
  const { instructions, looks } = writer
  return {
    op: Uint8Array.from(instructions, opOf),
    next: Int32Array.from(instructions, (i) => (i.type === "split" ? i.left : i.type === "accept" ? -1 : i.next)),
    other: Int32Array.from(instructions, (i) => (i.type === "split" ? i.right : i.type === "look" ? i.look : -1)),
    sets: instructions.map((i) => (i.type === "set" || i.type === "count" ? i.set : undefined)),
    min: Float64Array.from(instructions, (i) => (i.type === "count" ? i.min : 0)),
    max: Float64Array.from(instructions, (i) => (i.type === "count" ? i.max : 0)),
    start,
    looks,
    anchored: startsAtStart(node)
  }
}
