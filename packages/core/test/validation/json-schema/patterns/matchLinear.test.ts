import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { isTooLarge, linearProgram } from "../../../../src/validation/json-schema/patterns/LinearProgram.ts"
import { matchLinear } from "../../../../src/validation/json-schema/patterns/matchLinear.ts"
import { parsePattern } from "../../../../src/validation/json-schema/patterns/parsePattern.ts"
import { steps, stepsExhausted } from "../../../../src/validation/json-schema/steps.ts"
import { numbersFrom, randomPattern, randomSubject } from "./regexpText.ts"

const compiled = (source: string, unicode: boolean) => {
  const { node, references } = Result.getOrThrow(parsePattern(source, unicode))
  return references || isTooLarge(node) ? undefined : linearProgram(node)
}
const matches = (source: string, subject: string): boolean => {
  steps.left = 2_000_000
  return matchLinear(compiled(source, true)!, subject, true)
}
/** The platform's answer. V8 also tries positions inside a surrogate pair, which ECMA-262 has not; hence from each one by hand. */
const byPlatform = (regexp: RegExp, subject: string): boolean => {
  if (!regexp.unicode) return regexp.test(subject)
  const sticky = new RegExp(regexp.source, "uy")
  for (let at = 0; at <= subject.length; at += (subject.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) {
    sticky.lastIndex = at
    if (sticky.test(subject)) return true
  }
  return false
}
const validity = (source: string) => {
  for (const flags of ["u", ""]) {
    try {
      return new RegExp(source, flags)
    } catch {
      // Not valid with these flags: the next ones, or no pattern at all.
    }
  }
  return undefined
}

describe("matchLinear", () => {
  it("answers as the platform does, whatever the pattern and the subject", () => {
    const next = numbersFrom(20_201_212)
    let checked = 0
    for (let i = 0; i < 4_000; i++) {
      const source = randomPattern(next, 4)
      const regexp = validity(source)
      const program = regexp === undefined ? undefined : compiled(source, regexp.unicode)
      if (regexp === undefined || program === undefined) continue
      for (let j = 0; j < 6; j++) {
        const subject = randomSubject(next, 9)
        steps.left = 2_000_000
        const answer = matchLinear(program, subject, regexp.unicode)
        assert.strictEqual(answer, byPlatform(regexp, subject), `${regexp} on ${JSON.stringify(subject)}`)
        checked++
      }
    }
    assert.isAbove(checked, 20_000)
  }, 60_000)

  it("counts characters of one set without writing them out", () => {
    assert.isTrue(matches("^.{1,4096}$", "a".repeat(4096)))
    assert.isFalse(matches("^.{1,4096}$", "a".repeat(4097)))
    assert.isFalse(matches("^.{1,4096}$", ""))
    assert.isTrue(matches("^(?:x|.{3}){2}.{2,3}$", "abcdefgh"))
    assert.isFalse(matches("b.{999999999}", "abc"))
    assert.isAtMost(compiled("^.{1,4096}(.){5,}$", true)!.op.length, 8)
  })

  it("enters a count again while it is counting", () => {
    assert.isTrue(matches(String.raw`(?:\b|b).{2}\d[^a]`, "bcc1 a"))
    assert.isTrue(matches("a.{2,}c", "aba!c"))
    assert.isTrue(matches("a[ab]{2,}c", "aa-aabc"))
    assert.isFalse(matches("a[ab]{3,}c", "aa-aabc"))
  })

  it("a lookaround is true at every position where it is, at any depth", () => {
    assert.isTrue(matches("^(?=.*[a-z])(?=.*[0-9])(?!.*[^a-z0-9]).{4,}$", "abc1"))
    assert.isFalse(matches("^(?=.*[a-z])(?=.*[0-9])(?!.*[^a-z0-9]).{4,}$", "ab-1"))
    assert.isTrue(matches("(?<=a(?=bc)b)c", "abc"))
    assert.isFalse(matches("(?<!a(?=bc)b)c", "abc"))
    assert.isTrue(matches("(?<=^(?<!b)a)$", "a"))
  })

  it("takes steps in proportion to the subject, and throws when they are used up", () => {
    const program = compiled("(?:a|a)*(?:a*)*b", true)!
    const stepsOf = (length: number): number => {
      steps.left = 2_000_000
      assert.isFalse(matchLinear(program, "a".repeat(length), true))
      return 2_000_000 - steps.left
    }
    assert.approximately(stepsOf(20_000) / stepsOf(10_000), 2, 0.1)
    steps.left = 1_000
    assert.throws(() => matchLinear(program, "a".repeat(10_000), true), stepsExhausted.message)
  })
})
