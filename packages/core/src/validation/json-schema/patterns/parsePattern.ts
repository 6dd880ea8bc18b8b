/** Reads a pattern that the platform has found valid. */
import * as Result from "effect/Result"
import { escapeSets, notLineEnd, ofCodePoint, ofProperties } from "./CharacterSet.ts"
import { type GroupNode, nothing, type PatternNode } from "./PatternNode.ts"
import { type PatternReader, readCharacter, readEscape, refuse, take } from "./PatternReader.ts"
import { readClass } from "./readClass.ts"

/** How deep groups may stand in each other. */
const MAX_DEPTH = 100

export interface ParsedPattern {
  readonly node: PatternNode
  readonly unicode: boolean
  /** What each group captures, at its number. */
  readonly groups: ReadonlyArray<GroupNode | undefined>
  /** The pattern has backreferences; it is then no regular expression in the sense of automata. */
  readonly references: boolean
}

interface State extends PatternReader {
  depth: number
  opened: number
  references: boolean
  readonly groups: Array<GroupNode | undefined>
  /** The numbers of each name; several where alternatives use it again. */
  readonly names: Map<string, Array<number>>
  /** How many groups there are, and whether one has a name: without the `u` flag both decide what an escape means. */
  readonly total: number
  readonly named: boolean
}

/** Counts the groups of `source` without reading it. */
const countGroups = (source: string) => {
  let total = 0
  let named = false
  let inClass = false
  for (let at = 0; at < source.length; at++) {
    const c = source[at]
    if (c === "\\") at++
    else if (c === "[") inClass = true
    else if (c === "]") inClass = false
    else if (c === "(" && !inClass) {
      const isNamed = source.startsWith("?<", at + 1) && source[at + 3] !== "=" && source[at + 3] !== "!"
      if (isNamed) named = true
      if (isNamed || source[at + 1] !== "?") total++
    }
  }
  return { total, named }
}

const NUMBER = /[0-9]+/y
const GROUP_NAME = /<[^>]*>/y
const QUANTIFIER = /(?:[*+?]|\{[0-9]+(?:,[0-9]*)?\})\??/y
const PROPERTY = /[pP]\{[^}]*\}/y

const numbersOf = (state: State, name: string): Array<number> => {
  const known = state.names.get(name)
  if (known !== undefined) return known
  if (name.includes("\\")) refuse(state, "it names a group by an escape")
  const numbers: Array<number> = []
  state.names.set(name, numbers)
  return numbers
}

const readReference = (state: State, letter: string): PatternNode | undefined => {
  const { at, named, total, unicode } = state
  if (letter === "k" && (unicode || named)) {
    state.at++
    state.references = true
    return { type: "reference", groups: numbersOf(state, take(state, GROUP_NAME) ?? "") }
  }
  if (letter < "1" || letter > "9") return undefined
  const number = Number(take(state, NUMBER))
  if (unicode || number <= total) {
    state.references = true
    return { type: "reference", groups: [number] }
  }
  state.at = at
  return undefined
}

/** What stands behind the `\` that `state` has just passed. */
const readEscaped = (state: State): PatternNode => {
  const letter = state.source.charAt(state.at)
  const set = escapeSets.get(letter)
  if (set !== undefined) {
    state.at++
    return { type: "set", set }
  }
  if (letter === "b" || letter === "B") {
    state.at++
    return { type: "edge", edge: letter === "b" ? "boundary" : "inside" }
  }
  if (state.unicode && (letter === "p" || letter === "P")) {
    return { type: "set", set: ofProperties(`\\${take(state, PROPERTY) ?? ""}`) }
  }
  return readReference(state, letter) ?? { type: "set", set: ofCodePoint(readEscape(state, false)) }
}

const startGroup = (state: State): ((body: PatternNode) => PatternNode) => {
  const { source } = state
  const start = state.at
  const look = (length: number, behind: boolean, negated: boolean) => {
    state.at = start + length
    return (body: PatternNode): PatternNode => ({ type: "look", behind, negated, body })
  }
  if (source.startsWith("?:", start)) {
    state.at = start + 2
    return (body) => body
  }
  if (source.startsWith("?=", start)) return look(2, false, false)
  if (source.startsWith("?!", start)) return look(2, false, true)
  if (source.startsWith("?<=", start)) return look(3, true, false)
  if (source.startsWith("?<!", start)) return look(3, true, true)
  const index = ++state.opened
  if (source.startsWith("?<", start)) {
    state.at = start + 1
    numbersOf(state, take(state, GROUP_NAME) ?? "").push(index)
  } else if (source[start] === "?") refuse(state, "it changes flags inside a group")
  return (body) => (state.groups[index] = { type: "group", index, body })
}

/** The group whose `(` `state` has just passed. */
const readGroup = (state: State): PatternNode => {
  const finish = startGroup(state)
  if (++state.depth > MAX_DEPTH) refuse(state, `its groups stand more than ${MAX_DEPTH} deep in each other`)
  const body = readChoice(state)
  state.depth--
  state.at++
  return finish(body)
}

const readAtom = (state: State): PatternNode => {
  switch (state.source[state.at]) {
    case "^":
      state.at++
      return { type: "edge", edge: "start" }
    case "$":
      state.at++
      return { type: "edge", edge: "end" }
    case "(":
      state.at++
      return readGroup(state)
    case "[":
      return { type: "set", set: readClass(state) }
    case ".":
      state.at++
      return { type: "set", set: notLineEnd }
    case "\\":
      state.at++
      return readEscaped(state)
    default:
      return { type: "set", set: ofCodePoint(readCharacter(state)) }
  }
}

const repeated = (body: PatternNode, quantifier: string): PatternNode => {
  if (quantifier.startsWith("*")) return { type: "repeat", body, min: 0, max: Infinity }
  if (quantifier.startsWith("+")) return { type: "repeat", body, min: 1, max: Infinity }
  if (quantifier.startsWith("?")) return { type: "repeat", body, min: 0, max: 1 }
  const [min = "", max] = quantifier.slice(1, quantifier.lastIndexOf("}")).split(",")
  return {
    type: "repeat",
    body,
    min: Number(min),
    max: max === undefined ? Number(min) : max === "" ? Infinity : Number(max)
  }
}

const readSequence = (state: State): PatternNode => {
  const items: Array<PatternNode> = []
  while (state.at < state.source.length) {
    const next = state.source[state.at]
    if (next === "|" || next === ")") break
    const atom = readAtom(state)
    const after = state.source.charCodeAt(state.at)
    // Most atoms have no quantifier, and asking the expression costs more than reading them.
    const quantifier =
      after === 0x2a || after === 0x2b || after === 0x3f || after === 0x7b ? take(state, QUANTIFIER) : undefined
    items.push(quantifier === undefined ? atom : repeated(atom, quantifier))
  }
  return items.length === 0 ? nothing : items.length === 1 ? (items[0] ?? nothing) : { type: "sequence", items }
}

const readChoice = (state: State): PatternNode => {
  const first = readSequence(state)
  if (state.source[state.at] !== "|") return first
  const items = [first]
  while (state.source[state.at] === "|") {
    state.at++
    items.push(readSequence(state))
  }
  return { type: "choice", items }
}

/** Fails with a reason where the pattern uses what is not understood here. */
export const parsePattern = (source: string, unicode: boolean): Result.Result<ParsedPattern, string> => {
  const { total, named } = unicode ? { total: 0, named: false } : countGroups(source)
  const state: State = {
    source,
    unicode,
    total,
    named,
    at: 0,
    refused: undefined,
    depth: 0,
    opened: 0,
    references: false,
    groups: [],
    names: new Map()
  }
  const node = readChoice(state)
  if (state.refused !== undefined) return Result.fail(state.refused)
  // What is left was not understood, so that nothing can be said about it.
  if (state.at < source.length) return Result.fail("it uses syntax that is not known here")
  return Result.succeed({ node, unicode, groups: state.groups, references: state.references })
}
