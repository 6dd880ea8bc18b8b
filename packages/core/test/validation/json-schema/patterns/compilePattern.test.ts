import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { compilePattern } from "../../../../src/validation/json-schema/patterns/compilePattern.ts"
import { steps, stepsExhausted } from "../../../../src/validation/json-schema/steps.ts"

const BUDGET = 2_000_000
const compiled = (source: string) => Result.getOrThrow(compilePattern(source))
const refusalOf = (source: string) => Result.getOrUndefined(Result.flip(compilePattern(source)))
/** The answer, or `undefined` where the steps do not suffice. */
const answerOf = (pattern: ReturnType<typeof compiled>, subject: string): boolean | undefined => {
  steps.left = BUDGET
  try {
    return pattern.test(subject)
  } catch (error) {
    assert.strictEqual(error, stepsExhausted)
    return undefined
  }
}
const times = (text: string, length: number, end: string) => text.repeat(Math.ceil(length / text.length)) + end

/** A pattern, what to repeat, the end that makes it fail, and the answer on all of it. */
const attacks: ReadonlyArray<readonly [pattern: string, pump: string, end: string, answer: boolean]> = [
  ["(a+)+$", "a", "!", false],
  ["(a|a)*$", "a", "!", true],
  ["^(a|a)*$", "a", "!", false],
  ["(a|aa)+$", "a", "!", false],
  ["^(.*a){20}$", "a", "!", false],
  ["^(([a-z])+.)+[A-Z]([a-z])+$", "a", "", false],
  ["(x+x+)+y", "x", "", false],
  [String.raw`\s+$`, " ", "!", false],
  [String.raw`^(\w+\s?)*$`, "aB ", "!", false],
  [String.raw`^([a-zA-Z0-9_.-])+@(([a-zA-Z0-9-])+.)+([a-zA-Z0-9]{2,4})+$`, "a@a", "!", false],
  [String.raw`^\w+([.-]?\w+)*@\w+([.-]?\w+)*(\.\w{2,3})+$`, "a", "!", false],
  [String.raw`^(https?:\/\/)?([\da-z.-]+)\.([a-z.]{2,6})([\/\w .-]*)*\/?$`, "a.", "!", false],
  [String.raw`^(?:(?:[^:\/?#]+):)?(?:\/\/([^\/?#]*))?([^?#]*)(?:\?(?:[^#]*))?(?:#(.*))?$`, "a:/", "\n", true],
  ["^a*a*a*a*a*$", "a", "!", false],
  ["a*a*a*a*a*b$", "a", "!", false],
  ["^(?=(a+)+$)", "a", "!", false],
  ["(?=(?=(?=.*b).*b).*b)c", "b", "!", false],
  ["(?<=(?<=a.*)b.*)c", "ab", "!", false],
  [String.raw`(?:\b|a|)*(?:a?)*!!`, "a", "!", false],
  ["(?:a?){64}a{64}!!", "a", "!", false],
  ["(?:a{0,9}){0,9}b", "a", "!", false],
  [".{1,4096}!!", "a", "!", false],
  [String.raw`(?:\b)+`.repeat(24), "a", "!", true],
  [String.raw`\p{L}`.repeat(8) + "!", "é€", "", false],
  ["(?:[^é]|[^aé])".repeat(8), "é", "", false],
  ["^(?:.|\\n)*$", "a", "", true],
  [String.raw`^(?:\p{L}|\p{N}|-)*$`, "é€1", "!", false],
  [String.raw`<(\w+)>.*<\/\1>`, "<a>", "!", false],
  [String.raw`(.*)=\1!!`, "=", "!", false],
  [String.raw`^(["']).*\1$`, "'", "!", false],
  [String.raw`(\w+) \1 \1 \1!`, "a ", "", false]
]

describe("compilePattern", () => {
  it("an attack ends in the right answer or in the end of the steps, soon", () => {
    for (const [source, pump, end, answer] of attacks) {
      const pattern = compiled(source)
      let longest = 0
      for (const length of [10, 30, 100, 3_000, 1_000_000]) {
        const subject = times(pump, length, end)
        const before = performance.now()
        const got = answerOf(pattern, subject)
        longest = Math.max(longest, performance.now() - before)
        if (got !== undefined) assert.strictEqual(got, answer, `${source} on ${length}`)
        else assert.isAtLeast(length, 100, `${source} gives up`)
      }
      // Far above what it takes, so that a busy machine does not fail; without a bound it would be years.
      assert.isBelow(longest, 1_000, source)
    }
  }, 60_000)

  it("the usual patterns are left to the platform, whatever the subject", () => {
    for (const source of ["^[a-z][a-z0-9-]*$", String.raw`^\d{4}-\d{2}-\d{2}$`, "^https?://", "^.{1,4096}$", "^x-"]) {
      const pattern = compiled(source)
      assert.strictEqual(pattern.nativeLength, Infinity, source)
      assert.strictEqual(pattern.regexp.source, new RegExp(source, "u").source)
    }
    const pattern = compiled("^[a-z]+$")
    answerOf(pattern, "a")
    assert.isTrue(answerOf(pattern, "a".repeat(1_000_000)))
    assert.isAtMost(BUDGET - steps.left, 1_500_000)
  })

  it("a pattern that the platform can bound for short subjects alone is matched in linear time on others", () => {
    const pattern = compiled(String.raw`^[^@\s]+@[^@\s]+\.[^@\s]+$`)
    assert.isAtLeast(pattern.nativeLength, 20)
    assert.isAtMost(pattern.nativeLength, 100)
    for (const length of [1, 20, 200, 2_000]) {
      assert.isTrue(answerOf(pattern, `${"a".repeat(length)}@example.org`))
      assert.isFalse(answerOf(pattern, `${"a".repeat(length)}@example@org`))
    }
  })

  it("steps are charged, and their end is a throw", () => {
    const pattern = compiled("^(a|b)+$")
    steps.left = 3
    assert.throws(() => pattern.test("ab".repeat(1_000)), stepsExhausted.message)
    steps.left = BUDGET
    assert.isTrue(pattern.test("ab".repeat(1_000)))
    assert.isBelow(steps.left, BUDGET)
  })

  it("is strict where the pattern allows it, and else takes what the platform takes without the flag", () => {
    assert.isTrue(answerOf(compiled("^.$"), "😀"))
    assert.isTrue(answerOf(compiled(String.raw`^\p{Letter}+$`), "é"))
    assert.isTrue(answerOf(compiled(String.raw`^\-a{,2}$`), "-a{,2}"))
    assert.isFalse(answerOf(compiled(String.raw`^\-.$`), "-😀"))
    assert.isTrue(answerOf(compiled("^😀*$"), "😀😀"))
  })

  it("refuses what is no expression, what it does not know, and what has no bound", () => {
    assert.strictEqual(refusalOf("("), "it is no ECMAScript regular expression")
    assert.strictEqual(refusalOf("a**"), "it is no ECMAScript regular expression")
    assert.strictEqual(refusalOf("a".repeat(4_097)), "it is longer than 4096 characters")
    assert.isUndefined(refusalOf("a".repeat(4_096)))
    assert.strictEqual(refusalOf(String.raw`\p{L}`.repeat(33)), "it names more than 32 Unicode properties")
    assert.strictEqual(refusalOf("(?i:a)"), "it changes flags inside a group")
    assert.strictEqual(
      refusalOf(`${"(".repeat(101)}a${")".repeat(101)}`),
      "its groups stand more than 100 deep in each other"
    )
    assert.strictEqual(refusalOf("(?:ab|a?b?){9000}"), "its counted repetitions make it too large")
    assert.strictEqual(
      refusalOf(String.raw`^((a|b)\2*)*$`),
      "it has a backreference where the time to match it has no bound"
    )
  })

  it("a backreference is matched as long as the platform is bounded, and then gives up", () => {
    const pattern = compiled(String.raw`^(.*),\1$`)
    assert.isTrue(answerOf(pattern, "abc,abc"))
    assert.isFalse(answerOf(pattern, "abc,abd"))
    assert.isUndefined(answerOf(pattern, ",".repeat(100_000)))
    assert.isTrue(answerOf(compiled(String.raw`^(?<q>['"]).*\k<q>$`), `'${"a".repeat(10_000)}'`))
  })
})
