/**
 * Matches by following all ways through a pattern at the same time (Thompson's simulation), so that the work is the length of
 * the subject times the size of the pattern, and never more.
 */
import { charge } from "../steps.ts"
import { has, isWord } from "./CharacterSet.ts"
import { type LinearProgram, ops } from "./LinearProgram.ts"

/** What one instruction takes at one character, and what more where it counts, or asks the platform for the character. */
const STEPS = 3
const COUNTING_STEPS = 3
const NATIVE_STEPS = 8

/** The code points of `subject`, or its UTF-16 units. */
const charactersOf = (subject: string, unicode: boolean): Int32Array => {
  charge(1 + (subject.length >> 1))
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

/** Runs the instructions over the subject, from one end to the other. Each run is one use. */
class Run {
  private readonly program: LinearProgram
  private readonly characters: Int32Array
  /** For each lookaround that has been looked at, one byte for each position. */
  private readonly holds: ReadonlyArray<Uint8Array>
  /** When each instruction was last reached. */
  private readonly seen: Int32Array
  private readonly stack: Int32Array
  /** The instructions that take the next character, and how many they are. */
  private following: Int32Array<ArrayBuffer>
  private count = 0
  private readonly entries: Array<Entries | undefined> = []
  private accepted = false
  /** How many characters have been taken, and where in the subject that is. */
  private taken = 0
  private at = 0

  constructor(program: LinearProgram, characters: Int32Array, holds: ReadonlyArray<Uint8Array>) {
    const size = program.op.length
    charge(1 + size)
    this.program = program
    this.characters = characters
    this.holds = holds
    this.seen = new Int32Array(size).fill(-1)
    this.stack = new Int32Array(2 * size + 2)
    this.following = new Int32Array(size)
  }

  /** Marks in `found` each position at which the instructions from `start` are through; without it the first one ends the run. */
  over(start: number, backward: boolean, anchored: boolean, found?: Uint8Array): boolean {
    const { characters, program, seen } = this
    let active = new Int32Array(program.op.length)
    this.at = backward ? characters.length : 0
    for (;;) {
      if (this.taken === 0 || !anchored) this.reach(start)
      if (this.accepted) {
        if (found === undefined) return true
        found[this.at] = 1
        this.accepted = false
      }
      const { count, following } = this
      if (this.taken === characters.length || (anchored && count === 0)) return false
      this.following = active
      this.count = 0
      active = following
      charge(1 + STEPS * count)
      const c = characters[backward ? this.at - 1 : this.at] ?? 0
      this.taken++
      this.at += backward ? -1 : 1
      for (let i = 0; i < count; i++) {
        const number = active[i] ?? 0
        const set = program.sets[number]
        if (set === undefined) continue
        if (c >= 128 && set.native !== undefined) charge(NATIVE_STEPS)
        const isTaken = has(set, c)
        if (program.op[number] === ops.count) this.goOnCounting(number, isTaken)
        else if (isTaken) {
          const next = program.next[number] ?? 0
          // A counted set notes each time at which it is entered, also when it has been reached.
          if (seen[next] !== this.taken || program.op[next] === ops.count) this.reach(next)
        }
      }
    }
  }

  private goOnCounting(number: number, isTaken: boolean): void {
    const { program, taken } = this
    charge(COUNTING_STEPS)
    const entries = this.entries[number]
    if (entries === undefined) return
    const { times } = entries
    if (!isTaken) {
      // What another instruction has entered with this very character goes on.
      const isNew = times.at(-1) === taken
      times.length = 0
      entries.head = 0
      if (isNew) times.push(taken)
      return
    }
    const max = program.max[number] ?? 0
    while (entries.head < times.length && taken - (times[entries.head] ?? 0) > max) entries.head++
    const oldest = times[entries.head]
    if (oldest === undefined) return
    this.wait(number)
    if (taken - oldest >= (program.min[number] ?? 0)) this.reach(program.next[number] ?? 0)
  }

  /** Lets the instruction see the next character. */
  private wait(number: number): void {
    if (this.seen[number] === this.taken) return
    this.seen[number] = this.taken
    this.following[this.count++] = number
  }

  private enter(number: number): void {
    charge(COUNTING_STEPS)
    const entries = (this.entries[number] ??= { times: [], head: 0 })
    const { times } = entries
    if (times.at(-1) !== this.taken) {
      // Without an upper bound the oldest entry can do whatever a later one can; the newest alone outlives another character.
      if (this.program.max[number] === Infinity && times.length - entries.head > 1) times.pop()
      times.push(this.taken)
    }
    this.wait(number)
  }

  private holdsBoundary(): boolean {
    const { at, characters } = this
    const before = at > 0 && isWord(characters[at - 1] ?? 0)
    return before !== (at < characters.length && isWord(characters[at] ?? 0))
  }

  private isPassed(number: number): boolean {
    const { at, characters, program } = this
    const look = program.other[number] ?? 0
    switch (program.op[number]) {
      case ops.look:
        return this.holds[look]?.[at] === 1
      case ops.notLook:
        return this.holds[look]?.[at] !== 1
      case ops.start:
        return at === 0
      case ops.end:
        return at === characters.length
      case ops.boundary:
        return this.holdsBoundary()
      default:
        return !this.holdsBoundary()
    }
  }

  /** Goes on with an instruction, and with all that it leads to before the next character is taken. */
  private reach(from: number): void {
    const { program, seen, stack, taken } = this
    const { next, op, other } = program
    let visited = 0
    let height = 1
    stack[0] = from
    while (height > 0) {
      const number = stack[--height] ?? 0
      const code = op[number]
      visited++
      if (code === ops.count) {
        this.enter(number)
        continue
      }
      if (seen[number] === taken) continue
      seen[number] = taken
      if (code === ops.set) this.following[this.count++] = number
      else if (code === ops.split) {
        stack[height++] = other[number] ?? 0
        stack[height++] = next[number] ?? 0
      } else if (code === ops.accept) this.accepted = true
      else if (this.isPassed(number)) stack[height++] = next[number] ?? 0
    }
    charge(STEPS * visited)
  }
}

/** Whether the pattern occurs in `subject`. Charges its steps; a subject that takes more than are left ends in a throw. */
export const matchLinear = (program: LinearProgram, subject: string, unicode: boolean): boolean => {
  const characters = charactersOf(subject, unicode)
  const holds: Array<Uint8Array> = []
  for (const look of program.looks) {
    charge(1 + (characters.length >> 4))
    const found = new Uint8Array(characters.length + 1)
    new Run(program, characters, holds).over(look.start, !look.behind, false, found)
    holds.push(found)
  }
  return new Run(program, characters, holds).over(program.start, false, program.anchored)
}
