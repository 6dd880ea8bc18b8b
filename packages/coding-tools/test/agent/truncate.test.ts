import { assert, describe, it } from "@effect/vitest"
import { formatSize, truncateHead, truncateTail } from "../../src/agent/truncate.ts"

describe("formatSize", () => {
  it("CT33: bytes below 1 KiB, one decimal of KB below 1 MiB, else of MB", () => {
    assert.deepStrictEqual([0, 1023, 1024, 51_200, 1024 * 1024 - 1, 1024 * 1024, 67_108_864].map(formatSize), [
      "0B",
      "1023B",
      "1.0KB",
      "50.0KB",
      "1024.0KB",
      "1.0MB",
      "64.0MB"
    ])
  })
})

describe("truncateHead", () => {
  it("CT46: drops the line that crosses maxBytes whole, its line end counted", () => {
    const cut = truncateHead("aa\nbb\ncc", { maxBytes: 5 })
    assert.deepInclude(cut, { content: "aa", truncatedBy: "bytes", outputLines: 1, outputBytes: 2, totalLines: 3 })
    assert.deepInclude(truncateHead("aa\nbb\ncc", { maxBytes: 6 }), { content: "aa\nbb", outputLines: 2 })
  })
  it("CT47: keeps nothing where the first line alone is too long", () => {
    const cut = truncateHead("ééé\nb", { maxBytes: 5 })
    assert.deepInclude(cut, { content: "", firstLineExceedsLimit: true, outputLines: 0, truncatedBy: "bytes" })
  })
  it("CT45: a line feed at the end opens one more line, and what fits is left alone", () => {
    assert.deepInclude(truncateHead("a\n"), { content: "a\n", truncated: false, truncatedBy: null, totalLines: 2 })
    assert.deepInclude(truncateHead("a\n", { maxLines: 1 }), { content: "a", truncatedBy: "lines", outputLines: 1 })
    assert.deepInclude(truncateHead(""), { content: "", totalLines: 1, truncated: false })
  })
})

describe("truncateTail", () => {
  it("CT32: keeps the last lines whole, and a line feed at the end is no line", () => {
    const cut = truncateTail("a\nb\nc\n", { maxLines: 2 })
    assert.deepInclude(cut, { content: "b\nc", truncatedBy: "lines", totalLines: 3, outputLines: 2, outputBytes: 3 })
    assert.deepInclude(truncateTail("aa\nbb\ncc", { maxBytes: 4 }), { content: "cc", truncatedBy: "bytes" })
    assert.deepInclude(truncateTail("aa\nbb\ncc", { maxBytes: 5 }), { content: "bb\ncc", outputLines: 2 })
    assert.deepInclude(truncateTail("\n\nx", { maxLines: 2 }), { content: "\nx", outputLines: 2, totalLines: 3 })
    assert.deepInclude(truncateTail("a\nb\n", { maxLines: 2 }), { content: "a\nb\n", truncated: false })
  })
  it("CT32: cuts a last line that is too long at the border of a character", () => {
    const cut = truncateTail("first\nxx😀😀\n", { maxBytes: 7 })
    assert.deepInclude(cut, {
      content: "😀",
      lastLinePartial: true,
      truncatedBy: "bytes",
      outputLines: 1,
      totalLines: 2
    })
    const cjk = truncateTail("漢字漢字", { maxBytes: 8 })
    assert.deepInclude(cjk, { content: "漢字", outputBytes: 6, lastLinePartial: true })
    assert.strictEqual(truncateTail(`${"😀".repeat(50)}ab`, { maxBytes: 9 }).content, "😀ab")
  })
  it("CT32: where only the last line end does not fit, the lines are whole", () => {
    assert.deepInclude(truncateTail("aa\nb\n", { maxBytes: 4 }), {
      content: "aa\nb",
      truncatedBy: "bytes",
      outputLines: 2,
      lastLinePartial: false
    })
  })
})
