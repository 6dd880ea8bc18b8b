/**
 * The positions of a pattern (Glushkov's automaton): each place where it takes a character, and where a match may go from
 * there. A match in progress is a walk over them, and a backtracking engine takes, at the worst, every walk there is.
 */
import { anything, type CharacterSet } from "./CharacterSet.ts"
import { addCost, type Cost, unbounded } from "./Cost.ts"
import type { GroupNode, PatternNode, RepeatNode } from "./PatternNode.ts"

/** What may still be looked at, for all parts of a pattern together: positions, ways between them, pairs of ways. */
export interface Effort {
  left: number
}

/** A counted repetition of up to this many positions is written out; a greater one counts as a loop, which is no less. */
const MAX_WRITTEN_OUT = 64

export interface Position {
  readonly set: CharacterSet
  /** The outermost loop around it, -1 without one. Those of a loop are neighbours, and each reaches each other. */
  readonly loop: number
  /** Where a walk may go from here, and in how many ways. Only inside a loop does it lead back. */
  readonly to: Array<number>
  readonly times: Array<number>
  /** What is done from here without taking a character. */
  readonly work: Array<number>
}

/** Pairs of a place and the number of ways to it. A negative place takes no character: it is only work. */
type Ways = ReadonlyArray<number>

/** A part of the pattern: how it begins, how it ends, and in how many ways it is passed without a character. */
interface Fragment {
  readonly first: Ways
  readonly last: Ways
  readonly empty: number
}

interface Builder {
  readonly groups: ReadonlyArray<GroupNode | undefined>
  readonly costOfLook: (body: PatternNode, behind: boolean) => Cost
  /** Characters are taken from right to left, as in a lookbehind. */
  readonly backward: boolean
  readonly positions: Array<Position>
  readonly works: Array<Cost>
  /** The groups whose text a backreference is standing for. */
  readonly referred: Array<number>
  readonly effort: Effort
  loop: number
  loops: number
}

const blank: Fragment = { first: [], last: [], empty: 1 }
/** A place that is passed at once. */
const passed: Fragment = { first: [-1, 1], last: [], empty: 1 }

const scaled = (ways: Ways, by: number): Ways => (by === 1 ? ways : ways.map((n, i) => (i % 2 === 0 ? n : n * by)))
const both = (a: Ways, b: Ways): Ways => (a.length === 0 ? b : b.length === 0 ? a : [...a, ...b])

const isFull = ({ effort }: Builder): boolean => effort.left < 0

const link = (builder: Builder, last: Ways, first: Ways): void => {
  builder.effort.left -= 1 + (last.length * first.length) / 4
  if (isFull(builder)) return
  for (let i = 0; i < last.length; i += 2) {
    const from = builder.positions[last[i] ?? 0]
    if (from === undefined) continue
    for (let j = 0; j < first.length; j += 2) {
      const place = first[j] ?? 0
      const times = (last[i + 1] ?? 0) * (first[j + 1] ?? 0)
      if (place < 0) {
        addCost(from.work, builder.works[-1 - place] ?? [], times, 0)
        continue
      }
      const known = from.to.indexOf(place)
      builder.effort.left -= from.to.length / 16
      if (known >= 0) {
        from.times[known] = (from.times[known] ?? 0) + times
      } else {
        from.to.push(place)
        from.times.push(times)
      }
    }
  }
}

const addPosition = (builder: Builder, set: CharacterSet): Fragment => {
  const { loop, positions } = builder
  builder.effort.left -= 1
  const place = positions.length
  positions.push({ set, loop, to: [], times: [], work: [] })
  return { first: [place, 1], last: [place, 1], empty: 0 }
}

const addWork = (builder: Builder, cost: Cost): Fragment => {
  builder.works.push(cost)
  return { first: [-builder.works.length, 1], last: [], empty: 1 }
}

const inSequence = (builder: Builder, a: Fragment, b: Fragment): Fragment => {
  builder.effort.left -= (a.first.length + a.last.length + b.first.length + b.last.length) / 16
  link(builder, a.last, b.first)
  return {
    first: a.empty > 0 ? both(a.first, scaled(b.first, a.empty)) : a.first,
    last: b.empty > 0 ? both(scaled(a.last, b.empty), b.last) : b.last,
    empty: a.empty * b.empty
  }
}

/** A repetition that takes no character ends, so that its empty ways are only work. */
const firstOfOptional = ({ empty, first }: Fragment): Ways => (empty > 0 ? [...first, -1, empty] : first)

const addLoop = (builder: Builder, min: number, build: () => Fragment): Fragment => {
  const outer = builder.loop
  if (outer < 0) builder.loop = builder.loops++
  const body = build()
  const first = firstOfOptional(body)
  link(builder, body.last, first)
  builder.loop = outer
  if (min === 0) return { first, last: body.last, empty: 1 }
  return { first: scaled(first, 1 + body.empty), last: body.last, empty: body.empty }
}

const sizeOf = (node: PatternNode): number => {
  switch (node.type) {
    case "set":
    case "reference":
      return 1
    case "sequence":
    case "choice":
      return node.items.reduce((sum, item) => sum + sizeOf(item), 0)
    case "group":
      return sizeOf(node.body)
    case "repeat":
      return sizeOf(node.body) * Math.max(1, node.max === Infinity ? node.min : node.max)
    default:
      return 0
  }
}

const addOptional = (builder: Builder, body: PatternNode, times: number): Fragment => {
  if (times === 0) return blank
  // In the order of the text: the builder's positions lead forward outside loops.
  const parts: Array<Fragment> = []
  for (let i = 0; i < times && !isFull(builder); i++) parts.push(add(builder, body))
  return parts.reduceRight((rest, part) => {
    const whole = inSequence(builder, part, rest)
    return { first: firstOfOptional(whole), last: whole.last, empty: 1 }
  }, blank)
}

const addRepeat = (builder: Builder, { body, max, min }: RepeatNode): Fragment => {
  if (max === 0) return blank
  if (max === 1) return min === 1 ? add(builder, body) : addOptional(builder, body, 1)
  if (max === Infinity && min <= 1) return addLoop(builder, min, () => add(builder, body))
  const copies = max === Infinity ? min : max
  if (copies * Math.max(1, sizeOf(body)) > MAX_WRITTEN_OUT) {
    return addLoop(builder, min, () => {
      const one = add(builder, body)
      // Which of the counted passes were empty is a choice that a loop has not.
      if (one.empty > 0) builder.effort.left = -1
      return one
    })
  }
  let whole = blank
  const required = max === Infinity ? min - 1 : min
  for (let i = 0; i < required; i++) whole = inSequence(builder, whole, add(builder, body))
  const rest =
    max === Infinity ? addLoop(builder, 1, () => add(builder, body)) : addOptional(builder, body, max - required)
  return inSequence(builder, whole, rest)
}

/** A backreference takes what its group took, in one of the ways in which the group may take it, or nothing. */
const addReference = (builder: Builder, groups: ReadonlyArray<number>): Fragment =>
  groups.reduce<Fragment>((all, number) => {
    const group = builder.groups[number]
    if (group === undefined) return all
    const isInItself = builder.referred.includes(number)
    builder.referred.push(number)
    const one = isInItself ? addLoop(builder, 0, () => addPosition(builder, anything)) : add(builder, group.body)
    builder.referred.pop()
    return { first: both(all.first, one.first), last: both(all.last, one.last), empty: 1 }
  }, passed)

const add = (builder: Builder, node: PatternNode): Fragment => {
  if (isFull(builder)) return blank
  switch (node.type) {
    case "set":
      return addPosition(builder, node.set)
    case "sequence": {
      const items = builder.backward ? node.items.toReversed() : node.items
      return items.reduce<Fragment>((before, item) => inSequence(builder, before, add(builder, item)), blank)
    }
    case "choice": {
      const items = node.items.map((item) => add(builder, item))
      return {
        first: items.flatMap(({ first }) => first),
        last: items.flatMap(({ last }) => last),
        empty: items.reduce((sum, { empty }) => sum + empty, 0)
      }
    }
    case "repeat":
      return addRepeat(builder, node)
    case "group":
      return inSequence(builder, passed, add(builder, node.body))
    case "look":
      // The text that a backreference stands for was looked at when its group took it.
      return builder.referred.length > 0 ? passed : addWork(builder, builder.costOfLook(node.body, node.behind))
    case "reference":
      return addReference(builder, node.groups)
    default:
      return passed
  }
}

/**
 * The positions of `node`, in an order in which every way outside of loops leads on. The first is where a match begins; it
 * is a loop over everything unless `anchored`, since a match is tried everywhere. `undefined` where they take too much effort.
 */
export const positionsOf = (
  node: PatternNode,
  options: Pick<Builder, "groups" | "costOfLook" | "backward" | "effort"> & { readonly anchored: boolean }
): ReadonlyArray<Position> | undefined => {
  const builder: Builder = {
    groups: options.groups,
    costOfLook: options.costOfLook,
    backward: options.backward,
    positions: [],
    works: [[1]],
    referred: [],
    effort: options.effort,
    loop: -1,
    loops: 0
  }
  const start = options.anchored
    ? addPosition(builder, anything)
    : addLoop(builder, 0, () => addPosition(builder, anything))
  const whole = inSequence(builder, { ...start, empty: 0 }, add(builder, node))
  link(builder, whole.last, passed.first)
  return isFull(builder) || builder.works.includes(unbounded) ? undefined : builder.positions
}
