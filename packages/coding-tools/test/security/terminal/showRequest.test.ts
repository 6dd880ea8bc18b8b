import { assert, describe, it } from "@effect/vitest"
import type { CodingApprovalRequest } from "../../../src/security/approvalWait.ts"
import { analyzeCommand } from "../../../src/security/commandAnalysis.ts"
import { change, createTerminal, shell } from "./createTerminal.ts"

/** What is shown of a request, without the question. */
const sheetOf = async (request: CodingApprovalRequest, columns?: number): Promise<ReadonlyArray<string>> => {
  const { approve, answer, shown } = createTerminal(columns)
  const asking = approve(request)
  await answer("n\n")
  await asking
  return shown().split("\n")
}
const bordered = (lines: ReadonlyArray<string>): ReadonlyArray<string> => lines.filter((line) => line.startsWith("│"))

describe("showRequest", () => {
  it("CS9: the tool, the folder, and the programs with the rule that decided each", async () => {
    const command = "cat a.txt | grep -c x && npm test"
    const analysis = analyzeCommand(command, [
      { pattern: /^(cat|grep) /, action: "allow" },
      { pattern: "npm", action: "requireApproval" }
    ])
    assert.deepEqual(bordered(await sheetOf({ ...shell(command), analysis })), [
      "│ tool     shell (execute)",
      "│ folder   /srv/project",
      `│ command  ${command}`,
      "│ runs     allowed by rule /^(cat|grep) /: cat a.txt",
      "│          allowed by rule /^(cat|grep) /: grep -c x",
      "│          asks by rule npm: npm test"
    ])
    const open = "true; $(x)"
    const doubtful = bordered(await sheetOf({ ...shell(open), analysis: analyzeCommand(open, []) }))
    assert.isTrue(
      doubtful.some((line) => line.includes("asks by no rule: ")),
      doubtful.join("\n")
    )
  })

  it("a long rule does not stand in the way of the program that it decided", async () => {
    const rule = { pattern: new RegExp(`^(?:${"x|".repeat(500)}ls)`), action: "allow" } as const
    const lines = await sheetOf({ ...shell("ls; y"), analysis: analyzeCommand("ls; y", [rule]) })
    assert.include(lines, `│ runs     allowed by rule /^(?:${"x|".repeat(17)}x…: ls`)
    assert.isTrue(lines.at(-1)?.startsWith("Allow this? [y/N/a]"))
  })

  it("the change of an edit, with few of the lines that stay", async () => {
    const old = ["0", "1", "2", "3", "old", "5"].join("\n")
    const request: CodingApprovalRequest = {
      action: { kind: "edit", operation: "edit", paths: ["/srv/a"], metadata: { runId: "r" } },
      change: { edits: [{ oldText: old, newText: old.replace("old", "new\r\nmore") }] }
    }
    assert.deepEqual(bordered(await sheetOf(request)).slice(2), [
      "│ edit     1",
      "│          2",
      "│          3",
      "│        - old",
      String.raw`│        + new\r`,
      "│        + more",
      "│          5"
    ])
  })

  it("nothing of a stranger's leaves its border: controls, line breaks, direction, invisible signs, long lines", async () => {
    const fake = "\n── approval needed\nAllow this? [y/N/a] y\n"
    const hostile = [
      `ls${fake}`,
      "\u001b[2J\u001b[H\u009b1A\u0007\u0000\u007f",
      "\u202egnp.sh\u2066\u2069\u200f\u061c",
      "a\u200b\u00a0\u3164\ufe0f\u2028\u2029\u{e0041}\ud800\u2800b",
      `${" ".repeat(68)}Allow this? [y/N/a] `,
      "\u0301"
    ]
    for (const text of hostile) {
      const analysis = { ...analyzeCommand("ls", []), doubts: [text] }
      const action = { kind: text, operation: text, paths: [text], command: text, metadata: { runId: text } }
      const lines = await sheetOf({ action, analysis, change: { content: text } }, 80)
      const [blank, title, ...rest] = lines
      assert.deepEqual([blank, title], ["", "── approval needed"])
      const question = rest.findIndex((line) => line.startsWith("a: yes"))
      assert.isTrue(
        rest.slice(0, question).every((line) => /^│ .{0,78}$/u.test(line)),
        rest.join("\n")
      )
      assert.strictEqual(rest.length, question + 2)
      assert.notMatch(lines.join(""), /[\p{C}\u2028\u2029\u00a0\u3164\u2800]|[\ufe0f]| \u0301/u)
    }
    const [, , , , escaped] = await sheetOf(shell("a\\nb\nc\t\u001b"))
    assert.strictEqual(escaped, String.raw`│ command  a\\nb\nc\t\u{1b}`)
  })

  it("wide signs are wrapped inside the border, too", async () => {
    const lines = bordered(await sheetOf(shell("漢".repeat(60)), 40))
    const columns = (line: string): number => Array.from(line).reduce((sum, sign) => sum + (sign === "漢" ? 2 : 1), 0)
    assert.isTrue(lines.every((line) => columns(line) < 40))
    assert.strictEqual(lines.join("").match(/漢/g)?.length, 60)
    const unknown = bordered(await sheetOf(shell("x".repeat(100)), 0))
    assert.deepEqual(unknown.slice(2), [`│ command  ${"x".repeat(68)}`, `│          ${"x".repeat(32)}`])
  })

  it("says how much it leaves out, and then offers no always", async () => {
    const whole = await sheetOf(shell("x".repeat(2_000)))
    assert.isTrue(whole.at(-1)?.startsWith("Allow this? [y/N/a]"))
    const cut = await sheetOf(shell("x".repeat(2_345)))
    assert.isTrue(cut.some((line) => line === "│          … and 345 more characters"))
    assert.isTrue(cut.at(-1)?.startsWith("Not all of it is shown. Allow this? [y/N] "))
    const paths = Array.from({ length: 25 }, (_, at) => `/srv/${at}`)
    const many = await sheetOf({ action: { kind: "move", operation: "move", paths, metadata: { runId: "r" } } })
    assert.isTrue(many.some((line) => line === "│          … and 5 more"))
    const lines = await sheetOf(change("x\n".repeat(81)))
    assert.isTrue(lines.some((line) => line === "│          … and 1 more line"))
    const unknown = await sheetOf({ action: { kind: "edit", operation: "edit", metadata: { runId: "r" } } })
    assert.isTrue(unknown.some((line) => line === "│          what would be written is not known"))
    assert.isTrue(unknown.at(-1)?.startsWith("Not all of it is shown. Allow this? [y/N] "))
  })

  it("stays bounded and quick for a large change", async () => {
    const edit = { oldText: "a\n".repeat(500_000), newText: `${"a\n".repeat(499_999)}${"\u001b".repeat(1_000_000)}` }
    const lines = await sheetOf({
      action: { kind: "edit", operation: "edit", paths: ["/srv/a"], metadata: { runId: "r" } },
      change: { edits: Array.from({ length: 20 }, () => edit) }
    })
    assert.isBelow(lines.length, 1_000)
  })
})
