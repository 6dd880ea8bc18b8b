import { readdir, rename, utimes, writeFile } from "node:fs/promises"
import { assert, describe, it } from "@effect/vitest"
import { readText } from "../../src/agent/readText.ts"
import type { ReadTextOptions } from "../../src/agent/ReadOperations.ts"
import { makeDirectory } from "./readFixtures.ts"

const bounds = { offset: 1, maxLines: 2_000, maxBytes: 51_200, maxScanBytes: 67_108_864 }
const read = (path: string, options: Partial<ReadTextOptions> = {}) => readText(path, { ...bounds, ...options })
const refusal = async (path: string, options: Partial<ReadTextOptions>): Promise<string> =>
  read(path, options).then(
    () => "no refusal",
    (error: Error) => error.message
  )
/** Lines of 100 bytes that say their number. */
const numbered = (count: number): string =>
  Array.from({ length: count }, (_, at) => `${String(at + 1).padEnd(99, "x")}\n`).join("")

describe("readText", () => {
  it("CT50: refuses an offset behind the last line, and names the scan limit where that comes first", async () => {
    await using directory = await makeDirectory()
    const path = await directory.write("f", "a\nb\n")
    assert.strictEqual(await refusal(path, { offset: 4 }), "Offset 4 is beyond end of file (3 lines total)")
    const limited = "Text read exceeded 2B scan limit before reaching the requested page"
    assert.strictEqual(await refusal(path, { offset: 3, maxScanBytes: 2 }), limited)
    assert.strictEqual(await refusal(path, { offset: 9, maxScanBytes: 2 }), limited)
    const long = await directory.write("long", "0123456789\n")
    assert.include(await refusal(long, { maxScanBytes: 5 }), "5B scan limit")
  })
  it("CT51: a file of exactly maxScanBytes is read to its end", async () => {
    await using directory = await makeDirectory()
    const path = await directory.write("f", "a\nb\nc")
    const page = await read(path, { maxScanBytes: 5 })
    assert.deepInclude(page, { content: "a\nb\nc", hasMore: false, scannedBytes: 5, totalLines: 3, totalBytes: 5 })
    assert.strictEqual(
      await refusal(path, { maxScanBytes: 5, offset: 4 }),
      "Offset 4 is beyond end of file (3 lines total)"
    )
  })
  it("CT44: what lies behind the scan limit is not shown", async () => {
    await using directory = await makeDirectory()
    const page = await read(await directory.write("f", "a\nb\ncc\n"), { maxScanBytes: 5 })
    assert.deepInclude(page, { content: "a\nb\n", hasMore: true, nextOffset: 3, truncatedBy: null, scannedBytes: 5 })
    assert.notProperty(page, "totalLines")
  })
  it("CT45: lines end at LF alone, and the last one opens another", async () => {
    await using directory = await makeDirectory()
    const lines = async (content: string) => (await read(await directory.write("f", content))).totalLines
    assert.deepStrictEqual([await lines(""), await lines("a\n"), await lines("a\r\nb\rc")], [1, 2, 2])
    const last = await read(await directory.write("f", "a\n"), { offset: 2 })
    assert.deepInclude(last, { content: "", outputLines: 1, startLine: 2, hasMore: false })
  })
  it("CT46: a line that would cross maxBytes with its line end is dropped whole", async () => {
    await using directory = await makeDirectory()
    const path = await directory.write("f", "aa\nbb\ncc")
    assert.deepInclude(await read(path, { maxBytes: 6 }), { content: "aa\nbb\n", truncatedBy: "bytes", nextOffset: 3 })
    assert.deepInclude(await read(path, { maxBytes: 5 }), { content: "aa\n", truncatedBy: "bytes", nextOffset: 2 })
    assert.deepInclude(await read(path, { maxBytes: 8 }), { content: "aa\nbb\ncc", truncatedBy: null })
    assert.deepInclude(await read(path, { maxBytes: 2 }), { content: "", firstLineExceedsLimit: true, outputLines: 0 })
  })
  it("CT46: a limit above maxLines is cut to it, one at or below it is no truncation", async () => {
    await using directory = await makeDirectory()
    const path = await directory.write("f", "1\n2\n3\n4")
    assert.deepInclude(await read(path, { maxLines: 2, limit: 3 }), { content: "1\n2\n", truncatedBy: "lines" })
    assert.deepInclude(await read(path, { maxLines: 2, limit: 2 }), {
      content: "1\n2\n",
      truncatedBy: null,
      totalLines: 4
    })
    assert.deepInclude(await read(path, { maxLines: 2 }), { truncatedBy: "lines", nextOffset: 3, totalLines: 4 })
  })
  it("CT46, CT52: bytes that are no UTF-8 count as what they are shown as", async () => {
    await using directory = await makeDirectory()
    const path = await directory.write("f", Buffer.from("ff0aff0aff0a", "hex"))
    const page = await read(path, { maxBytes: 9 })
    assert.deepInclude(page, { content: "\uFFFD\n\uFFFD\n", truncatedBy: "bytes", outputLines: 2, nextOffset: 3 })
  })
  it("CT44, CT49: an early page of a large file reads one block and knows no total", async () => {
    await using directory = await makeDirectory()
    const path = await directory.write("f", numbered(5_000))
    const page = await read(path, { offset: 10, limit: 2 })
    assert.isAtMost(page.scannedBytes, 65_536)
    assert.notProperty(page, "totalLines")
    const [bytes, end] = [await read(path, { offset: 4_500, maxBytes: 1_000 }), await read(path, { offset: 4_999 })]
    assert.notProperty(bytes, "totalLines")
    assert.strictEqual(end.totalLines, 5_001)
  })
  it("CT44: each page of a large file holds the lines it should, in whatever order they are read", async () => {
    await using directory = await makeDirectory()
    const lines = Array.from({ length: 60_000 }, (_, at) => `${at + 1} ${"é".repeat(at % 40)}`)
    const path = await directory.write("f", lines.join("\n"))
    for (const offset of [59_990, 1, 30_000, 30_010, 655, 59_000, 30_005, 60_000, 29_999]) {
      const page = await read(path, { offset, limit: 10 })
      assert.strictEqual(page.content.replace(/\n$/, ""), lines.slice(offset - 1, offset + 9).join("\n"))
    }
  })
  it("CT44: the next page of an unchanged file starts where the last one ended", async () => {
    await using directory = await makeDirectory()
    const path = await directory.write("f", numbered(20_000))
    const first = await read(path, { offset: 15_000, limit: 200 })
    assert.isAbove(first.scannedBytes, 1_000_000)
    const next = await read(path, { offset: 15_200, limit: 200 })
    assert.isAtMost(next.scannedBytes, 65_536)
    assert.isTrue(next.content.startsWith("15200x"))
    const earlier = await read(path, { offset: 10_000, limit: 1 })
    assert.isAtMost(earlier.scannedBytes, 2 * 65_536)
  })
  it("CT44: a file whose size, time or inode has changed is searched from its start", async () => {
    await using directory = await makeDirectory()
    const path = await directory.write("f", numbered(20_000))
    const fromStart = async (): Promise<boolean> => (await read(path, { offset: 15_000 })).scannedBytes > 1_000_000
    assert.deepStrictEqual([await fromStart(), await fromStart()], [true, false])
    await writeFile(path, numbered(20_001))
    assert.deepStrictEqual([await fromStart(), await fromStart()], [true, false])
    await utimes(path, 1_000, 1_000)
    assert.deepStrictEqual([await fromStart(), await fromStart()], [true, false])
    const other = await directory.write("g", numbered(20_001).replaceAll("x", "y"))
    await utimes(other, 1_000, 1_000)
    await rename(other, path)
    assert.isTrue(await fromStart())
    assert.isTrue((await read(path, { offset: 15_000 })).content.startsWith("15000y"))
  })
  it("CT58: an abort between blocks ends the scan, and no file stays open", async () => {
    await using directory = await makeDirectory()
    const path = await directory.write("f", numbered(200_000))
    const descriptors = async () => (await readdir("/proc/self/fd").catch(() => [])).length
    const before = await descriptors()
    const controller = new AbortController()
    const reading = refusal(path, { offset: 190_000, signal: controller.signal })
    setImmediate(() => controller.abort())
    assert.strictEqual(await reading, "Operation aborted")
    assert.include(await refusal(path, { offset: 300_000 }), "beyond end of file")
    assert.strictEqual(await descriptors(), before)
  })
})
