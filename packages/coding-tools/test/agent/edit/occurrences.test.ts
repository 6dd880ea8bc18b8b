import { assert, describe, it } from "@effect/vitest"
import { countOccurrences } from "../../../src/agent/edit/occurrences.ts"

/** By looking at every place. */
const counted = (text: string, needle: string) => {
  const places = Array.from({ length: text.length }, (_, at) => at).filter((at) => text.startsWith(needle, at))
  return { count: places.length, first: places[0] ?? -1 }
}

describe("countOccurrences", () => {
  it("CT72, CT79: counts many texts in one pass as it counts each alone, overlaps included", () => {
    let seed = 1
    const block = Array.from({ length: 300 }, () => {
      seed = Math.imul(seed, 1_103_515_245) + 12_345
      return "ab\u4E2D"[(seed >>> 16) % 3]
    }).join("")
    const text = `${block}${"c".repeat(90)}${block}`
    for (const length of [8, 9, 15, 16, 31, 32, 40, 70]) {
      const needles = Array.from({ length: 25 }, (_, at) => text.slice(at * 9, at * 9 + length))
      needles.push("b".repeat(length), text.slice(-length), text + text)
      assert.deepStrictEqual(
        countOccurrences(text, needles),
        needles.map((needle) => counted(text, needle))
      )
    }
  })
})
