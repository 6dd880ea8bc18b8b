import { assert, describe, it } from "@effect/vitest"
import { passLines } from "../../src/agent/passLines.ts"

/** What `passLines` should say, byte by byte. */
const plainly = (bytes: Uint8Array, wanted: number) => {
  let [lines, end] = [0, 0]
  for (let at = 0; at < bytes.length && lines < wanted; at++) if (bytes[at] === 10) [lines, end] = [lines + 1, at + 1]
  return { lines, end }
}

describe("passLines", () => {
  it("CT45: counts LF alone, at each length and each place in memory", () => {
    const memory = Uint8Array.from(
      { length: 3_000 },
      (_, at) => [10, 0x8a, 0x0b, 10, 0, 0xff, 0x0d][(at * at) % 7] ?? 9
    )
    for (let start = 0; start < 5; start++) {
      for (const length of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1_019, 1_020, 1_021, 2_990]) {
        const bytes = memory.subarray(start, start + length)
        for (const wanted of [0, 1, 2, 700, Infinity])
          assert.deepStrictEqual(passLines(bytes, wanted), plainly(bytes, wanted))
      }
    }
  })
  it("CT45: counts a block of nothing but LF", () => {
    assert.deepStrictEqual(passLines(Buffer.alloc(65_536, 10), Infinity), { lines: 65_536, end: 65_536 })
  })
})
