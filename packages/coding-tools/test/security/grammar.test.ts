import { spawnSync } from "node:child_process"
import { assert, describe, it } from "@effect/vitest"
import { collectPrograms } from "../../src/security/analysis/collectPrograms.ts"
import { analyzeCommand } from "../../src/security/commandAnalysis.ts"
import { evasions } from "./evasions.ts"
import { refused, taken } from "./grammar.ts"
import { ordinary } from "./ordinary.ts"

/** What Bash makes of a line without running it: its own spelling, or nothing where it refuses it. */
const readByBash = (line: string): string | undefined => {
  const { error, status, stderr, stdout } = spawnSync("/bin/bash", ["--pretty-print", "-n"], {
    input: line,
    encoding: "utf8",
    env: { PATH: "/nonexistent", LC_ALL: "C" }
  })
  if (error !== undefined) throw error
  return status === 0 && !/syntax error|unexpected/.test(stderr) ? stdout : undefined
}

const isParsed = (line: string): boolean =>
  !collectPrograms(line).doubts.some((doubt) => doubt.startsWith("cannot be parsed"))

/** The words of every program, and how each was found; of a word that is known only when it runs, no more than that. */
const programsOf = (line: string) =>
  collectPrograms(line).programs.map(({ kind, words }) => ({
    kind,
    words: words.map(({ isStatic, value }) => (isStatic ? value : "?"))
  }))

/** Bash takes the pattern for a syntax error unless `extglob` is set; the parser takes it, and asks. */
const PATTERN = "@(rm) x"

/** Where the spelling of Bash says something else: it names the process, and drops a `$` that asks anyway. */
const RESPELT = new Set(["coproc rm x", '$"rm" x', "echo $'a\\\nb'; rm x", String.raw`$'a\'b' $"c"`])

const lines = [...new Set([...evasions, ...ordinary, ...taken, ...refused])].filter((line) => !line.includes("\0"))
const spellings = new Map(lines.map((line) => [line, readByBash(line)]))

describe("the parser", () => {
  it("CS17: takes and refuses the same command lines as Bash does", () => {
    assert.isAtLeast(lines.length, 800)
    const differing = lines.filter((line) => isParsed(line) !== (spellings.get(line) !== undefined))
    assert.deepEqual(differing, [PATTERN])
    assert.deepEqual(
      taken.filter((line) => spellings.get(line) === undefined),
      []
    )
    assert.deepEqual(
      refused.filter((line) => spellings.get(line) !== undefined),
      []
    )
  })

  it("CS17: finds the same programs in a line as in what Bash makes of it", () => {
    const differing = lines.filter((line) => {
      const spelling = spellings.get(line)
      return spelling !== undefined && JSON.stringify(programsOf(line)) !== JSON.stringify(programsOf(spelling))
    })
    assert.deepEqual(
      differing.filter((line) => !RESPELT.has(line)),
      []
    )
    assert.isAtMost(differing.length, RESPELT.size)
  })

  it("CS17: never allows what Bash refuses", () => {
    const rules = [{ pattern: /./, action: "allow", expansions: true }] as const
    const allowed = lines.filter(
      (line) => spellings.get(line) === undefined && analyzeCommand(line, rules).action === "allow"
    )
    assert.deepEqual(allowed, [])
  })
})
