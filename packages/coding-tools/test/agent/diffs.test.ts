import { assert, describe, it } from "@effect/vitest"
import { applyPatch, createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff"
import { diffsOf } from "../../src/agent/diffs.ts"

/** The diffs of one replacement, and the text it makes. */
const replaced = (oldText: string, start: number, end: number, newText: string) => {
  const result = oldText.slice(0, start) + newText + oldText.slice(end)
  return { result, ...diffsOf("P", oldText, result, [{ start, end, newText }]) }
}

const lines = (count: number, text = "line") =>
  Array.from({ length: count }, (_, index) => `${text} ${index}\n`).join("")

describe("diffsOf", () => {
  it("CT76: says what the library says of the whole file", () => {
    const oldText = lines(40)
    const start = oldText.indexOf("line 20\n")
    const { result, patch } = replaced(oldText, start, start + 8, "x\nline 20\ny\n")
    const options = { context: 4, headerOptions: FILE_HEADERS_ONLY }
    assert.strictEqual(patch, createTwoFilesPatch("P", "P", oldText, result, undefined, undefined, options))
  })

  it("CT76: tells a missing line feed at the end, before and after", () => {
    for (const [oldText, newText] of [
      ["a\nb", "a\nb\n"],
      ["a\nb\n", "a\nb"],
      ["a\nb", "a\nc"],
      ["a", ""]
    ] as const) {
      const { result, patch } = replaced(oldText, 0, oldText.length, newText)
      assert.strictEqual(applyPatch(oldText, patch, { autoConvertLineEndings: false }), result)
      assert.strictEqual(patch.includes("\\ No newline at end of file"), true)
    }
  })

  it("CT76: has four lines of context also among lines that are all the same", () => {
    const oldText = "x\n".repeat(100)
    const { patch, firstChangedLine } = replaced(oldText, 100, 100, "x\n")
    assert.strictEqual(patch, `--- P\n+++ P\n@@ -47,8 +47,9 @@\n${" x\n".repeat(4)}+x\n${" x\n".repeat(4)}`)
    assert.strictEqual(firstChangedLine, 51)
  })

  it("CT76: joins changes that share context, and no others", () => {
    const oldText = lines(60)
    const at = (line: number) => oldText.indexOf(`line ${line}\n`)
    const replacements = [10, 19, 29].map((line) => ({ start: at(line), end: at(line) + 4, newText: "LINE" }))
    const newText = oldText
      .replace("line 10\n", "LINE 10\n")
      .replace("line 19\n", "LINE 19\n")
      .replace("line 29\n", "LINE 29\n")
    const { patch } = diffsOf("P", oldText, newText, replacements)
    assert.deepStrictEqual(patch.match(/@@ .* @@/g), ["@@ -7,18 +7,18 @@", "@@ -26,9 +26,9 @@"])
    assert.strictEqual(applyPatch(oldText, patch), newText)
  })

  it("CT76: replaces a block whole where too many of its lines differ to compare them all", { timeout: 20_000 }, () => {
    const oldText = lines(20_000, "old")
    const newText = lines(20_000, "new")
    const began = performance.now()
    const { patch } = replaced(oldText, 0, oldText.length, newText)
    // Comparing them all takes the square of their number: minutes.
    assert.isBelow(performance.now() - began, 5_000)
    assert.strictEqual(applyPatch(oldText, patch), newText)
  })
})
