/**
 * Compiles `pattern` and `patternProperties`. They come from outside, as do the subjects, and must not stop the host: the
 * platform's engine runs where its work is known to be small, and `matchLinear` does the rest.
 */
import * as Result from "effect/Result"
import { charge, stepsExhausted } from "../steps.ts"
import { type Cost, costAt, unbounded } from "./Cost.ts"
import { isTooLarge, type LinearProgram, linearProgram } from "./LinearProgram.ts"
import { matchLinear } from "./matchLinear.ts"
import { nativeWeight } from "./nativeWeight.ts"
import { type ParsedPattern, parsePattern } from "./parsePattern.ts"
import { isSmall, patternCost } from "./patternCost.ts"

/** In UTF-16 units. */
const MAX_SOURCE_LENGTH = 4_096
/** Classes like `\p{L}`; the platform takes about 0.1 ms to read one. */
const MAX_PROPERTIES = 32
/** Tries of the platform's engine to take a character that count as one step. */
const TRIES_PER_STEP = 4
/** A subject on which the platform might take more steps is matched in linear time instead. */
const MAX_NATIVE_STEPS = 2_048
/** The same where there is no such way, because of a backreference. */
const MAX_BACKREFERENCE_STEPS = 200_000

export interface Pattern {
  readonly source: string
  /** The platform's own expression, for where `subject.length <= nativeLength`. */
  readonly regexp: RegExp
  /**
   * Up to this many UTF-16 units `regexp.test` stays within a small cost: below 2,048 steps, or where it is `Infinity` within
   * a small multiple of the subject's length. It is -1 where the platform is never asked.
   */
  readonly nativeLength: number
  /** Steps that the platform takes to compile its expression, which it does at the first match. Charge them before. */
  readonly firstSteps: number
  /** Whether the pattern occurs in `subject`, by ECMA-262. Charges its steps, and throws `stepsExhausted` without any left. */
  readonly test: (subject: string) => boolean
}

const syntaxOf = (source: string, flags: string): RegExp | undefined => {
  try {
    return new RegExp(source, flags)
  } catch {
    return undefined
  }
}

const stepsOf = (cost: Cost, length: number): number => 1 + Math.floor(costAt(cost, length + 1) / TRIES_PER_STEP)

const nativeLengthOf = (cost: Cost, maxSteps: number): number => {
  if (isSmall(cost)) return Infinity
  let length = -1
  for (let by = 1 << 20; by >= 1; by >>= 1) {
    if (stepsOf(cost, length + by) <= maxSteps) length += by
  }
  return length
}

/** `regexp.test`; `undefined` where the platform gives up, as it does when the matches to come back to fill its memory. */
const testNative = (regexp: RegExp, subject: string): boolean | undefined => {
  try {
    return regexp.test(subject)
  } catch {
    return undefined
  }
}

/** What the platform takes to compile is charged in full where it is more than usual. */
const USUAL_WEIGHT = 5_000

interface Bounds {
  readonly cost: Cost
  readonly weight: number
  readonly nativeLength: number
}

const toPattern = (source: string, regexp: RegExp, parsed: ParsedPattern, bounds: Bounds): Pattern => {
  const { cost, nativeLength, weight } = bounds
  const constant = 1 + (cost[0] ?? 0) / TRIES_PER_STEP
  const rate = (cost[1] ?? 0) / TRIES_PER_STEP
  const firstSteps = nativeLength < 0 ? 0 : weight > USUAL_WEIGHT ? weight : weight >> 3
  let program: LinearProgram | undefined
  const test = (subject: string): boolean => {
    const { length } = subject
    if (length <= nativeLength) {
      charge(nativeLength === Infinity ? Math.ceil(constant + rate * length) : stepsOf(cost, length))
      const holds = testNative(regexp, subject)
      if (holds !== undefined) return holds
    }
    if (program === undefined) {
      if (parsed.references || isTooLarge(parsed.node)) throw stepsExhausted
      program = linearProgram(parsed.node)
    }
    return matchLinear(program, subject, parsed.unicode)
  }
  return { source, regexp, nativeLength, firstSteps, test }
}

/** The reason, a short sentence, where `source` is no ECMAScript expression, or where its work cannot be bounded. */
export const compilePattern = (source: string): Result.Result<Pattern, string> => {
  if (source.length > MAX_SOURCE_LENGTH) return Result.fail(`it is longer than ${MAX_SOURCE_LENGTH} characters`)
  if (/\\p/i.test(source) && source.split(/\\p/i).length - 1 > MAX_PROPERTIES)
    return Result.fail(`it names more than ${MAX_PROPERTIES} Unicode properties`)
  const strict = syntaxOf(source, "u")
  const regexp = strict ?? syntaxOf(source, "")
  if (regexp === undefined) return Result.fail("it is no ECMAScript regular expression")
  const read = parsePattern(source, strict !== undefined)
  if (Result.isFailure(read)) return Result.fail(read.failure)
  const parsed = read.success
  const weight = nativeWeight(parsed.node, parsed.unicode)
  const cost = weight === Infinity ? unbounded : patternCost(parsed)
  const nativeLength = nativeLengthOf(cost, parsed.references ? MAX_BACKREFERENCE_STEPS : MAX_NATIVE_STEPS)
  if (parsed.references && nativeLength < 1)
    return Result.fail("it has a backreference where the time to match it has no bound")
  if (nativeLength !== Infinity && !parsed.references && isTooLarge(parsed.node))
    return Result.fail("its counted repetitions make it too large")
  return Result.succeed(toPattern(source, regexp, parsed, { cost, weight, nativeLength }))
}
