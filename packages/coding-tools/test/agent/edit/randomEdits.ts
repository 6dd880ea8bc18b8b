/**
 * Random edits of random files: what is outside the spans keeps its bytes, and the patch is the change. On its own:
 * `node -C @arnilo/source packages/coding-tools/test/agent/edit/randomEdits.ts --cases 100000 --seed 1`.
 */
import { ok, strictEqual } from "node:assert/strict"
import { parseArgs } from "node:util"
import { applyPatch } from "diff"
import { diffsOf } from "../../../src/agent/diffs.ts"
import { applyEdits } from "../../../src/agent/edit/applyEdits.ts"
import { fuzzyText } from "../../../src/agent/edit/fuzzyText.ts"
import type { Edit } from "../../../src/agent/edit/parseEdits.ts"
import { ToolFailure } from "../../../src/agent/results.ts"

/** The same numbers for the same seed, 0 to 1 (mulberry32). */
export const seeded = (seed: number) => (): number => {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}

const WORDS = [
  "alpha",
  "\tbeta",
  "  gamma",
  "\u201Cq\u201D",
  "it\u2019s",
  "x \u2014 y",
  "\u4E2D\u6587",
  "\u{1F600}\u{1F3FD}",
  "e\u0301",
  "\uFF21\uFF22",
  "\u00A0",
  "a\rb",
  "\u2026",
  "$&",
  "same",
  " ",
  "\\"
]

interface EditCase {
  readonly file: string
  readonly edits: ReadonlyArray<Edit>
}

const randomCase = (random: () => number): EditCase => {
  const pick = <A>(from: ReadonlyArray<A>): A => from[Math.floor(random() * from.length)]!
  const kind = pick(["\n", "\r\n", "mixed"])
  const lineEnd = () => (kind === "mixed" ? pick(["\n", "\r\n"]) : kind)
  const lines = Array.from(
    { length: 1 + Math.floor(random() * 30) },
    (_, line) => `${pick(WORDS)}${pick(WORDS)}${line % 3 === 0 ? line : ""}${pick(["", " ", "\t "])}`
  )
  const ended = lines.map((line, at) => line + (at < lines.length - 1 || random() < 0.5 ? lineEnd() : ""))
  const edits = Array.from({ length: 1 + Math.floor(random() * 3) }, (): Edit => {
    const start = Math.floor(random() * lines.length)
    const chosen = lines.slice(start, start + 1 + Math.floor(random() * 3)).join("\n")
    const whole = random() < 0.4 ? lookAlike(chosen) : chosen
    const oldText = random() < 0.3 ? whole.slice(0, 6) : whole
    return { oldText, newText: pick(["", "new", "one\ntwo", "one\r\ntwo\n", `${whole}!`, "\u{1F680}", "$`"]) }
  })
  return { file: pick(["", "", "\uFEFF"]) + ended.join(""), edits }
}

const lookAlike = (text: string): string =>
  text
    .normalize("NFKC")
    .replaceAll(/[\u201C\u201D]/g, '"')
    .replaceAll("\u2019", "'")
    .replaceAll("\u2014", "-")
    .replaceAll(/[ \t]+(?=\n)/g, "")

/** How many of its edits matched tolerantly; undefined where they were refused. */
const check = ({ edits, file }: EditCase): number | undefined => {
  const bytes = Buffer.from(file)
  const before = Buffer.from(bytes)
  let edited
  try {
    edited = applyEdits("P", bytes, edits)
  } catch (error) {
    ok(error instanceof ToolFailure)
    return undefined
  } finally {
    ok(bytes.equals(before))
  }
  const result = Buffer.from(edited.newText)
  let [oldAt, newAt, fuzzy] = [0, 0, 0]
  const same = (oldEnd: number): void => {
    const kept = bytes.subarray(oldAt, oldEnd)
    ok(result.subarray(newAt, newAt + kept.length).equals(kept))
    oldAt = oldEnd
    newAt += kept.length
  }
  for (const span of edited.spans) {
    same(Buffer.byteLength(file.slice(0, span.start)))
    oldAt = Buffer.byteLength(file.slice(0, span.end))
    newAt += Buffer.byteLength(span.newText)
    const replaced = file.slice(span.start, span.end).replaceAll("\r\n", "\n")
    const wanted = edits[span.index]!.oldText
    if (replaced === wanted) continue
    fuzzy++
    strictEqual(fuzzyText(replaced), fuzzyText(wanted))
  }
  same(bytes.length)
  strictEqual(newAt, result.length)
  const { patch, firstChangedLine } = diffsOf("P", edited.oldText, edited.newText, edited.spans)
  strictEqual(applyPatch(file, patch, { autoConvertLineEndings: false }), edited.newText)
  const oldLines = file.split("\n")
  const firstDifferent = edited.newText.split("\n").findIndex((line, at) => line !== oldLines[at])
  if (firstDifferent >= 0) ok(firstChangedLine <= firstDifferent + 1)
  return fuzzy
}

/** Goes on until so many cases were applied; those that the tool refuses do not count. Throws at the first that is wrong. */
export const editRandomly = ({ cases, seed }: { readonly cases: number; readonly seed: number }) => {
  const random = seeded(seed)
  const counts = { applied: 0, refused: 0, fuzzy: 0, wide: 0 }
  while (counts.applied < cases) {
    const one = randomCase(random)
    let fuzzy
    try {
      fuzzy = check(one)
    } catch (error) {
      throw new Error(`case ${counts.applied + counts.refused} of seed ${seed}: ${JSON.stringify(one)}`, {
        cause: error
      })
    }
    if (fuzzy === undefined) {
      counts.refused++
      continue
    }
    counts.applied++
    if (fuzzy > 0) counts.fuzzy++
    if (/[^\0-\u00FF]/.test(one.file)) counts.wide++
  }
  return counts
}

const main = (): void => {
  const { values } = parseArgs({
    options: { cases: { type: "string", default: "100000" }, seed: { type: "string", default: "1" } }
  })
  const { applied, fuzzy, refused, wide } = editRandomly({ cases: Number(values.cases), seed: Number(values.seed) })
  process.stdout.write(`${applied} applied (${fuzzy} tolerantly, ${wide} with wide characters), ${refused} refused\n`)
}

if (import.meta.main) main()
