import { assert, describe, it } from "@effect/vitest"
import { applyEdits } from "../../../src/agent/edit/applyEdits.ts"
import { fuzzyText } from "../../../src/agent/edit/fuzzyText.ts"
import type { Edit } from "../../../src/agent/edit/parseEdits.ts"
import { editRandomly, seeded } from "./randomEdits.ts"

const edit = (file: string, ...edits: ReadonlyArray<readonly [string, string]>): string =>
  applyEdits(
    "P",
    Buffer.from(file),
    edits.map(([oldText, newText]) => ({ oldText, newText }))
  ).newText

const refusal = (file: string | Buffer, ...edits: ReadonlyArray<readonly [string, string]>): string => {
  try {
    applyEdits(
      "P",
      Buffer.from(file as string),
      edits.map(([oldText, newText]) => ({ oldText, newText }))
    )
  } catch (error) {
    return (error as Error).message
  }
  return "applied"
}

const NOT_FOUND =
  "Could not find the exact text in P. The old text must match exactly including all whitespace and newlines."
const found = (count: number) =>
  `Found ${count} occurrences of the text in P. The text must be unique. Please provide more context to make it unique.`

describe("applyEdits", () => {
  it("CT68: refuses what is not UTF-8", () => {
    assert.include(refusal(Buffer.from([0x61, 0xff, 0x62]), ["a", "b"]), "not valid UTF-8")
  })

  it("CT75: words each refusal as documented, for one edit and for several", () => {
    assert.strictEqual(refusal("a", ["", "x"]), "oldText must not be empty in P.")
    assert.strictEqual(refusal("a", ["a", "x"], ["", "x"]), "edits[1].oldText must not be empty in P.")
    assert.strictEqual(refusal("a", ["b", "x"]), NOT_FOUND)
    assert.strictEqual(
      refusal("a", ["a", "x"], ["b", "x"]),
      "Could not find edits[1] in P. The oldText must match exactly including all whitespace and newlines."
    )
    assert.strictEqual(refusal("a a", ["a", "x"]), found(2))
    assert.strictEqual(
      refusal("a b b b", ["a", "x"], ["b", "x"]),
      "Found 3 occurrences of edits[1] in P. Each oldText must be unique. Please provide more context to make it unique."
    )
    assert.strictEqual(
      refusal("abc", ["ab", "x"], ["bc", "y"]),
      "edits[0] and edits[1] overlap in P. Merge them into one edit or target disjoint regions."
    )
    assert.match(refusal("abc", ["b", "b"]), /^No changes made to P\. /)
  })

  it("CT75: texts that touch do not overlap", () => {
    assert.strictEqual(edit("abc", ["a", "1"], ["b", "2"]), "12c")
  })

  it("CT72: a look-alike elsewhere makes an exact text a duplicate, and overlaps count", () => {
    assert.strictEqual(refusal("say 'x'\nsay \u2018x\u2019\n", ["say 'x'", "y"]), found(2))
    assert.strictEqual(refusal("aaa", ["aa", "b"]), found(2))
    assert.strictEqual(refusal(`${"ab".repeat(50)}a`, ["ab".repeat(40), "b"]), found(11))
  })

  it("CT73: blanks alone are counted as they are and never match others", () => {
    assert.strictEqual(refusal("a\u00A0b", [" ", "-"]), NOT_FOUND)
    assert.strictEqual(refusal("a\n\n\nb", ["\n\n", "-"]), found(2))
    assert.strictEqual(edit("a \tb c", [" \t", "-"]), "a-b c")
  })

  it("CT70, CT71: takes look-alikes where the text itself is not there", () => {
    assert.strictEqual(edit("x = \u201Ca\u201D \u2014 \u00A0b;\n", ['x = "a" -  b;', "y"]), "y\n")
    assert.strictEqual(edit("\uFF21\uFF22\uFF23", ["ABC", "x"]), "x")
    assert.strictEqual(edit("e\u0301t", ["\u00E9t", "x"]), "x")
    assert.strictEqual(edit("one  \ntwo\t\nthree", ["one\ntwo\nthree", "x"]), "x")
    assert.strictEqual(edit("one\ntwo", ["one  \ntwo  ", "x"]), "x")
  })

  it("CT71: neither case, nor indentation, nor runs of blanks within a line are relaxed", () => {
    assert.strictEqual(refusal("  a  b", ["A  b", "x"]), NOT_FOUND)
    assert.strictEqual(refusal("  a  b", ["   a  b", "x"]), NOT_FOUND)
    assert.strictEqual(refusal("  a  b", ["a b", "x"]), NOT_FOUND)
  })

  it("CT74: a fuzzy match leaves the rest of its line alone, blanks at the end and look-alikes included", () => {
    assert.strictEqual(
      edit("\u201Cp\u201D \u2018q\u2019 \u2014  \nz  \n", ["'q'", "r"]),
      "\u201Cp\u201D r \u2014  \nz  \n"
    )
    assert.strictEqual(edit("it\u2019s\u00A0 \r\nb", ["it's", "x"]), "x\u00A0 \r\nb")
  })

  it("CT74: a match that would end within a character or, with its blanks dropped, within a word is none", () => {
    assert.strictEqual(refusal("wait\u2026", ["wait.", "x"]), NOT_FOUND)
    assert.strictEqual(refusal("returned", ["return ", "x"]), NOT_FOUND)
    assert.strictEqual(edit("return\n", ["return ", "x"]), "x\n")
  })

  it("CT69: line ends of either kind match, and those of the file stay", () => {
    assert.strictEqual(edit("a\r\nb\r\nc\r\n", ["a\nb", "1\n2\n3"]), "1\r\n2\r\n3\r\nc\r\n")
    assert.strictEqual(edit("a\nb\nc\n", ["a\r\nb", "1\r\n2"]), "1\n2\nc\n")
    assert.strictEqual(edit("a\r\nb\nc\r\nd\n", ["b", "1\n2"]), "a\r\n1\r\n2\nc\r\nd\n")
    assert.strictEqual(edit("a\nb\r\nc\n", ["b", "1\n2"]), "a\n1\n2\r\nc\n")
    assert.strictEqual(edit("a\rb\r\nc", ["a\rb", "x\ry"]), "x\ry\r\nc")
    assert.strictEqual(refusal("a\rb", ["a\nb", "x"]), NOT_FOUND)
  })

  it("CT67: one byte order mark stays and need not be named; a second one is content", () => {
    assert.strictEqual(edit("\uFEFFab\r\nc", ["ab", "x"]), "\uFEFFx\r\nc")
    assert.strictEqual(edit("\uFEFFab", ["\uFEFFab", "\uFEFFx"]), "\uFEFFx")
    assert.strictEqual(edit("\uFEFF\uFEFFab", ["\uFEFFab", "x"]), "\uFEFFx")
  })

  it("CT77: inserts patterns of replacement as they are", () => {
    assert.strictEqual(edit("abc", ["b", "$& $1 $$ \\1 \\n"]), "a$& $1 $$ \\1 \\nc")
  })

  it("CT70: half a character matches nothing", () => {
    assert.strictEqual(refusal("\u{1F600}", ["\uD83D", "x"]), NOT_FOUND)
    assert.strictEqual(refusal("\uFFFD", ["\uD83D", "x"]), NOT_FOUND)
  })

  it("CT79: texts that repeat themselves do not take the product of lengths", { timeout: 20_000 }, () => {
    const file = Buffer.from("a".repeat(2_000_000))
    const half = "a".repeat(5_000)
    const edits = Array.from({ length: 10 }, (_, index): Edit => ({
      oldText: `${half}${"a".repeat(index)}b${half}`,
      newText: "x"
    }))
    const began = performance.now()
    assert.throws(() => applyEdits("P", file, edits), /Could not find edits\[0\]/)
    assert.throws(() => applyEdits("P", file, edits.slice(0, 1)), /Could not find the exact text/)
    assert.throws(() => applyEdits("P", file, [{ oldText: "a".repeat(5_000), newText: "x" }]), /Found 1995001 occ/)
    // A comparison at each place would take minutes.
    assert.isBelow(performance.now() - began, 10_000)
  })

  it("CT79: a hundred edits of 8 MiB take seconds", { timeout: 30_000 }, () => {
    const line = (at: number) => `${String(at).padStart(7, "0")}: ${"text ".repeat(11)}\n`
    const file = Buffer.from(Array.from({ length: 130_000 }, (_, at) => line(at)).join(""))
    assert.isAbove(file.length, 8_000_000)
    const edits = Array.from({ length: 100 }, (_, at): Edit => ({ oldText: line(at * 1_300), newText: `${at}\n` }))
    const began = performance.now()
    assert.lengthOf(applyEdits("P", file, edits).spans, 100)
    assert.isBelow(performance.now() - began, 5_000)
  })

  it("CT71: normalises a text in pieces as a whole", () => {
    const random = seeded(7)
    const pieces = [
      "e\u0301",
      "\u1112\u1161\u11AB",
      "\u3131\u314F",
      "\uFF76\uFF9E",
      "\uFB01",
      "\u{1F600}",
      "a",
      "\u0308\u0323",
      "\u{1D15E}",
      "\u00A8",
      "\u0915\u093C",
      "<\u0338",
      "\u2026",
      "\uAC00\u11A8",
      "\u09C7\u09BE",
      "\u2126",
      "\n"
    ]
    for (let round = 0; round < 2_000; round++) {
      const text = Array.from({ length: 12 }, () => pieces[Math.floor(random() * pieces.length)]!).join("")
      assert.strictEqual(fuzzyText(text), text.normalize("NFKC").replaceAll("\u2010", "-"), JSON.stringify(text))
    }
  })

  it("CT69, CT74, CT76: over 2,000 random edits every byte outside the spans stays, and the patch is the change", () => {
    const { applied, fuzzy, refused, wide } = editRandomly({ cases: 2_000, seed: 20_260 })
    assert.strictEqual(applied, 2_000)
    assert.isAbove(fuzzy, 250)
    assert.isAbove(wide, 500)
    assert.isAbove(refused, 500)
  }, 60_000)
})
