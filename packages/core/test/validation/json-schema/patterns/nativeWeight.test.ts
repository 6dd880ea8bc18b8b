import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { nativeWeight } from "../../../../src/validation/json-schema/patterns/nativeWeight.ts"
import { parsePattern } from "../../../../src/validation/json-schema/patterns/parsePattern.ts"

const weightOf = (source: string, unicode = true): number =>
  nativeWeight(Result.getOrThrow(parsePattern(source, unicode)).node, unicode)

describe("nativeWeight", () => {
  it("what V8 takes seconds to compile, or all memory, is never given to it", () => {
    assert.strictEqual(weightOf(String.raw`(?:\b)+`.repeat(24)), Infinity)
    assert.strictEqual(weightOf(String.raw`\p{L}`.repeat(8)), Infinity)
    assert.strictEqual(weightOf(String.raw`(?:[^é]|\S)`.repeat(8)), Infinity)
    assert.strictEqual(weightOf(String.raw`(?:\p{L}{3}){3}`), Infinity)
    assert.strictEqual(weightOf("a?".repeat(400)), Infinity)
  })

  it("usual patterns weigh little", () => {
    for (const source of ["^[a-z][a-z0-9-]*$", String.raw`^\d{4}-\d{2}-\d{2}$`, "^(GET|POST)$", String.raw`^\S+$`])
      assert.isAtMost(weightOf(source), 10_000, source)
    assert.isBelow(weightOf(String.raw`^\p{L}[\p{L}\p{N}_ -]*$`), Infinity)
    assert.isBelow(weightOf(Array.from({ length: 200 }, (_, i) => `word${i}`).join("|")), Infinity)
  })

  it("without the flag no set is beyond 0xFFFF", () => {
    assert.isBelow(weightOf("[^é]".repeat(40), false), Infinity)
    assert.strictEqual(weightOf("[^é]".repeat(40)), Infinity)
  })
})
