import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"

const source = new URL("../../../src/security/TerminalApproval.ts", import.meta.url).href

const PROGRAM = `
import { createTerminalApproval } from ${JSON.stringify(source)}
const approve = createTerminalApproval()
const action = (command) => ({ kind: "shell", operation: "execute", paths: ["/"], command, metadata: { runId: "r" } })
console.log("READY")
const until = Date.now() + 300
while (Date.now() < until); // What is typed now waits in the terminal.
for (const command of ["first", "second", "first", "third"]) {
  const isAllowed = await approve({ action: action(command) })
  console.log(command + " -> " + isAllowed)
}
console.log("raw " + process.stdin.isRaw + ", listeners " + process.stdin.listenerCount("data"))
`

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "prism-pty-"))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Runs the program at a terminal of its own. Each text is typed as soon as the one before it in the pair is shown. */
const atTerminal = async (program: string, steps: ReadonlyArray<readonly [string, string]>) => {
  await writeFile(join(folder, "program.mjs"), program)
  const command = `'${process.execPath}' -C @arnilo/source --disable-warning=ExperimentalWarning program.mjs`
  const child = spawn("script", ["-qefc", command, "/dev/null"], { cwd: folder })
  const waiting = [...steps]
  let screen = ""
  child.stdout.on("data", (chunk: Buffer) => {
    screen += chunk.toString()
    const [next] = waiting
    if (next === undefined || !screen.includes(next[0])) return
    waiting.shift()
    child.stdin.write(next[1])
  })
  const [code] = await once(child, "close")
  return { code: Number(code), screen }
}

describe("createTerminalApproval at a real terminal", () => {
  it(
    "reads a line for each question, drops what was typed before, lets the process end",
    { timeout: 30_000 },
    async () => {
      const { code, screen } = await atTerminal(PROGRAM, [
        ["READY", "y\ny\n"],
        ["first\r\na: yes", "a\n"],
        ["second\r\na: yes", "\n"],
        ["third\r\na: yes", "\u0004"]
      ])
      assert.strictEqual(code, 0, screen)
      assert.deepEqual(screen.match(/\w+ -> \w+/g), [
        "first -> true",
        "second -> false",
        "first -> true",
        "third -> false"
      ])
      assert.include(screen, "raw false, listeners 0")
    }
  )
})
