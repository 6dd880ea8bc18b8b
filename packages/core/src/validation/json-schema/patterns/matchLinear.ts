/**
 * Matches by following all ways through a pattern at the same time (Thompson's simulation), so that the work is the length of
 * the subject times the size of the pattern, and never more.
 */
import { charge } from "../steps.ts"
import { has, isWord } from "./CharacterSet.ts"
import type { EdgeNode } from "./PatternNode.ts"
import type { Instruction, LinearProgram } from "./LinearProgram.ts"

/** Asking the platform for one character takes as long as this many steps. */
const NATIVE_STEPS = 8

/** The code points of `subject`, or its UTF-16 units. */
const charactersOf = (subject: string, unicode: boolean): Int32Array => {
  charge(1 + (subject.length >> 2))
  const characters = new Int32Array(subject.length)
  let length = 0
  for (let at = 0; at < subject.length; at++) {
    const c = (unicode ? subject.codePointAt(at) : subject.charCodeAt(at)) ?? 0
    characters[length++] = c
    if (c > 0xffff) at++
  }
  return characters.subarray(0, length)
}

/** When a counted set was entered, oldest first from `head`, in characters taken since the beginning. */
interface Entries {
  readonly times: Array<number>
  head: number
}

/** What is known of one subject. `holds` has one byte for each position, for each lookaround that has been looked at. */
interface Subject {
  readonly characters: Int32Array
  readonly holds: Array<Uint8Array>
}

const holdsEdge = (edge: EdgeNode["edge"], characters: Int32Array, at: number): boolean => {
  if (edge === "start") return at === 0
  if (edge === "end") return at === characters.length
  const before = at > 0 && isWord(characters[at - 1] ?? 0)
  const after = at < characters.length && isWord(characters[at] ?? 0)
  return (before !== after) === (edge === "boundary")
}

/**
 * Runs the instructions from `start` over the subject, from one end to the other, and tells `found` each position at which
 * they are through, until that returns `true`.
 */
class Run {
  private readonly seen: Int32Array
  private readonly entries: Array<Entries | undefined> = []
  private readonly stack: Array<number> = []
  private active: Array<number> = []
  private following: Array<number> = []
  private accepted = false
  /** How many characters have been taken, and where in the subject that is. */
  private taken = 0
  private at = 0
  private readonly instructions: ReadonlyArray<Instruction>
  private readonly subject: Subject

  constructor(instructions: ReadonlyArray<Instruction>, subject: Subject) {
    this.instructions = instructions
    this.subject = subject
    this.seen = new Int32Array(instructions.length).fill(-1)
    charge(1 + (instructions.length >> 4))
  }

  over(start: number, backward: boolean, anchored: boolean, found: (at: number) => boolean): boolean {
    const { characters } = this.subject
    const step = backward ? -1 : 1
    this.at = backward ? characters.length : 0
    for (;;) {
      if (this.taken === 0 || !anchored) this.reach(start)
      if (this.accepted && found(this.at)) return true
      if (this.taken === characters.length || (anchored && this.following.length === 0)) return false
      const last = this.active
      this.active = this.following
      this.following = last
      last.length = 0
      this.accepted = false
      charge(1 + 2 * this.active.length)
      const c = characters[backward ? this.at - 1 : this.at] ?? 0
      this.taken++
      this.at += step
      for (const number of this.active) this.take(number, c)
    }
  }

  /** Takes `c` by one of the instructions that take characters. */
  private take(number: number, c: number): void {
    const instruction = this.instructions[number]
    if (instruction === undefined || (instruction.type !== "set" && instruction.type !== "count")) return
    if (c >= 128 && instruction.set.native !== undefined) charge(NATIVE_STEPS)
    const isTaken = has(instruction.set, c)
    if (instruction.type === "set") {
      if (isTaken) this.reach(instruction.next)
      return
    }
    const entries = this.entries[number]
    if (entries === undefined) return
    const { times } = entries
    if (!isTaken) {
      // What another instruction has entered with this very character goes on.
      const isNew = times.at(-1) === this.taken
      times.length = 0
      entries.head = 0
      if (isNew) times.push(this.taken)
      return
    }
    while (entries.head < times.length && this.taken - (times[entries.head] ?? 0) > instruction.max) entries.head++
    const oldest = times[entries.head]
    if (oldest === undefined) return
    this.wait(number)
    if (this.taken - oldest >= instruction.min) this.reach(instruction.next)
  }

  /** Lets the instruction see the next character. */
  private wait(number: number): void {
    if (this.seen[number] === this.taken) return
    this.seen[number] = this.taken
    this.following.push(number)
  }

  private enter(number: number, max: number): void {
    const entries = (this.entries[number] ??= { times: [], head: 0 })
    const { times } = entries
    if (times.at(-1) !== this.taken) {
      // Without an upper bound the oldest entry can do whatever a later one can; the newest alone outlives another character.
      if (max === Infinity && times.length - entries.head > 1) times.pop()
      times.push(this.taken)
    }
    this.wait(number)
  }

  /** Goes on with an instruction, and with all that it leads to before the next character is taken. */
  private reach(from: number): void {
    const { instructions, seen, stack, subject, taken } = this
    let visited = 0
    for (let number: number | undefined = from; number !== undefined; number = stack.pop()) {
      const instruction = instructions[number]
      if (instruction === undefined) continue
      if (instruction.type === "count") {
        this.enter(number, instruction.max)
        continue
      }
      if (seen[number] === taken) continue
      visited++
      switch (instruction.type) {
        case "set":
          this.wait(number)
          break
        case "accept":
          this.accepted = true
          break
        case "split":
          stack.push(instruction.right, instruction.left)
          break
        case "edge":
          if (holdsEdge(instruction.edge, subject.characters, this.at)) stack.push(instruction.next)
          break
        case "look":
          if ((subject.holds[instruction.look]?.[this.at] === 1) !== instruction.negated) stack.push(instruction.next)
          break
      }
      seen[number] = taken
    }
    charge(2 * visited)
  }
}

/** Whether the pattern occurs in `subject`. Charges its steps; a subject that takes more than are left ends in a throw. */
export const matchLinear = (program: LinearProgram, subject: string, unicode: boolean): boolean => {
  const { anchored, instructions, looks, start } = program
  const characters = charactersOf(subject, unicode)
  const holds: Array<Uint8Array> = []
  for (const look of looks) {
    charge(1 + (characters.length >> 4))
    const at = new Uint8Array(characters.length + 1)
    new Run(instructions, { characters, holds }).over(look.start, !look.behind, false, (position) => {
      at[position] = 1
      return false
    })
    holds.push(at)
  }
  return new Run(instructions, { characters, holds }).over(start, false, anchored, () => true)
}
