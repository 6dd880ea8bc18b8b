import { stat } from "node:fs/promises"
import { assert, describe, it } from "@effect/vitest"
import { identityOf, keepLineStarts, nearestLineStart } from "../../src/agent/LineIndex.ts"
import { readText } from "../../src/agent/readText.ts"
import { makeDirectory } from "./readFixtures.ts"

const FILE_START = { line: 1, byte: 0 }

describe("LineIndex", () => {
  it("CT44: what is known of a file that has changed is dropped", () => {
    keepLineStarts("/changed", "before", [], { line: 3, byte: 20 })
    assert.deepStrictEqual(nearestLineStart("/changed", "after", 3), FILE_START)
    assert.deepStrictEqual(nearestLineStart("/changed", "before", 3), FILE_START)
  })
  it("CT44: never names a line behind the one that is sought, and the exact one after a page", () => {
    const starts = [10, 20, 30].map((line) => ({ line, byte: line * 10 }))
    keepLineStarts("/near", "same", starts, { line: 35, byte: 350 })
    const lines = [1, 9, 10, 29, 30, 34, 35, 99].map((line) => nearestLineStart("/near", "same", line).line)
    assert.deepStrictEqual(lines, [1, 1, 10, 20, 30, 30, 35, 35])
  })
  it("CT44: stays small, for long files and for many", () => {
    const starts = Array.from({ length: 100_000 }, (_, at) => ({ line: at + 2, byte: (at + 1) * 100 }))
    keepLineStarts("/long", "same", starts, { line: 100_002, byte: 10_000_100 })
    const known = new Set<number>()
    for (let line = 1; line <= 100_000; line += 20) known.add(nearestLineStart("/long", "same", line).line)
    assert.isBelow(known.size, 600)
    assert.isAbove(known.size, 200)
    for (let file = 0; file < 64; file++) keepLineStarts(`/many/${file}`, "same", [], { line: 2, byte: 1 })
    assert.deepStrictEqual(nearestLineStart("/long", "same", 100_002), FILE_START)
    assert.strictEqual(nearestLineStart("/many/0", "same", 2).line, 2)
  })
  it("CT44: a line start without a line end before it is not believed", async () => {
    await using directory = await makeDirectory()
    const path = await directory.write("f", "one\ntwo\nthree\n")
    keepLineStarts(path, identityOf(await stat(path, { bigint: true })), [], { line: 2, byte: 2 })
    const bounds = { maxLines: 10, maxBytes: 100, maxScanBytes: 100 }
    const page = await readText(path, { ...bounds, offset: 2, limit: 1 })
    assert.strictEqual(page.content, "two\n")
  })
})
