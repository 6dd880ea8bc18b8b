import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PassThrough } from "node:stream"
import { analyzeCommand, createTerminalApproval, readOnlyCommandRules } from "@arnilo/prism-coding-tools/security"
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { startModelServer, type ModelServer, type Turn } from "../demo/modelServer.ts"
import { fencesOf, readPage, repository } from "../docs/pages.ts"

const documented = fencesOf(readPage("docs/coding-tools.md")).find(({ info }) => info === "js")

const shell = (command: string): Turn => ({ text: "", calls: [{ name: "shell", arguments: { command } }] })
const edits = [{ oldText: "one", newText: "two" }]

/** What the model tries, a turn each: reading, looking outside, changing by a command and by a tool. */
const TURNS: ReadonlyArray<Turn> = [
  shell("grep -n one a.txt | head -3"),
  shell("cat ../secret.txt"),
  shell("printenv MODEL_API_KEY"),
  shell("touch made.txt; echo key=$MODEL_API_KEY"),
  { text: "", calls: [{ name: "edit", arguments: { path: "a.txt", edits } }] },
  shell("sudo id")
]

let base: string
let project: string
let server: ModelServer
/** The last line of each result. */
let answers: ReadonlyArray<string | undefined>

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "prism-coding-host-")))
  project = join(base, "project")
  await mkdir(project)
  await writeFile(join(base, "secret.txt"), "outside\n")
  await writeFile(join(project, "a.txt"), "one\n")
  await writeFile(join(project, "prism.config.mjs"), documented?.text ?? "")
  await symlink(join(repository, "node_modules"), join(project, "node_modules"))
  answers = []
  server = await startModelServer((messages) => {
    answers = messages.filter(({ role }) => role === "tool").map(({ content }) => content?.trimEnd().split("\n").at(-1))
    return TURNS[answers.length] ?? { text: "That is all.", calls: [] }
  })
})
afterEach(async () => {
  await server.close()
  await rm(base, { recursive: true, force: true })
})

const command = [
  "-C",
  "@arnilo/source",
  "--disable-warning=ExperimentalWarning",
  `${repository}/packages/prism/src/bin.ts`
]
const argv = [...command, "--host", "prism.config.mjs", "--max-tool-rounds", "64", "-p", "Go"]

const options = () => ({
  cwd: project,
  env: { PATH: process.env["PATH"], MODEL_URL: server.baseUrl, MODEL_API_KEY: "sk-demo" }
})

it("the page on coding tools shows what the terminal shows", async () => {
  const page = fencesOf(readPage("docs/coding-tools.md"))
  const shown = page.find(({ info, text }) => info === "text" && text.startsWith("──"))?.text ?? ""
  const typed = /command +(.*)$/m.exec(shown)?.[1] ?? ""
  const input = Object.assign(new PassThrough(), { isTTY: true })
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 120 })
  const approve = createTerminalApproval({ input, output })
  const action = {
    kind: "shell",
    operation: "execute",
    paths: ["/srv/project"],
    command: typed,
    metadata: { runId: "r" }
  }
  const asking = approve({ action, analysis: analyzeCommand(typed, readOnlyCommandRules) })
  const [screen] = (await once(output, "data")) as [Buffer]
  input.end()
  assert.isFalse(await asking)
  assert.strictEqual(screen.toString().trim(), shown)
})

/** Runs the command at a terminal of its own, where each question is answered with the next of the texts. */
const atTerminal = async (typed: ReadonlyArray<string>) => {
  const line = [process.execPath, ...argv].map((word) => `'${word}'`).join(" ")
  const child = spawn("script", ["-qefc", line, "/dev/null"], options())
  const untyped = [...typed]
  let screen = ""
  child.stdout.on("data", (chunk: Buffer) => {
    const before = screen.split("[y/N/a]").length
    screen += chunk.toString()
    if (screen.split("[y/N/a]").length > before) child.stdin.write(untyped.shift() ?? "n\n")
  })
  const [code] = await once(child, "close")
  return { code: Number(code), screen, untyped }
}

describe("the documented prism.config.mjs", () => {
  it("CS6, CS23: without a terminal runs what only reads, and refuses all that asks", { timeout: 60_000 }, async () => {
    const child = spawn(process.execPath, argv, options())
    child.stdin.write("y\ny\ny\ny\n")
    const text = { stdout: "", stderr: "" }
    child.stdout.on("data", (chunk: Buffer) => (text.stdout += chunk.toString()))
    child.stderr.on("data", (chunk: Buffer) => (text.stderr += chunk.toString()))
    const [code] = await once(child, "close")
    assert.deepEqual([code, text.stdout], [0, "That is all."])
    assert.strictEqual(text.stderr.match(/── not allowed: there is no terminal to ask at\n/g)?.length, 4)
    assert.deepEqual(answers, [
      "1:one",
      ...Array<string>(4).fill("approval denied"),
      "command matches default deny pattern"
    ])
    assert.strictEqual(readFileSync(join(project, "a.txt"), "utf8"), "one\n")
    assert.isFalse(existsSync(join(project, "made.txt")))
  })

  it("CS17: asks before a command looks outside the folder, however it spells that", { timeout: 60_000 }, async () => {
    const commands = [
      "cat a.txt",
      "cat</etc/hostname",
      "cat {/etc/hostname,a.txt}",
      "grep -f/etc/hostname a.txt",
      "cat .*/secret.txt",
      "printf '%b' '\\057etc\\057hostname' | xargs cat",
      "wc --files0-from=a.txt",
      "awk 'BEGIN{for(k in ENVIRON) print ENVIRON[k]}'",
      "ps eww",
      "jq -n env"
    ]
    const script = `
      const { default: config } = await import(${JSON.stringify(join(project, "prism.config.mjs"))})
      for (const command of ${JSON.stringify(commands)}) {
        const result = await config.tools[0].execute({ command }, { sessionId: "s", runId: "r", toolCallId: "c" })
        console.log(result.error?.message ?? "ran")
      }`
    const flags = ["-C", "@arnilo/source", "--disable-warning=ExperimentalWarning", "--input-type=module", "-e", script]
    const child = spawn(process.execPath, flags, options())
    let text = ""
    child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()))
    await once(child, "close")
    assert.deepEqual(text.trim().split("\n"), ["ran", ...commands.slice(1).map(() => "approval denied")])
  })

  it("CS5, CS23: at a terminal asks for each, and does what is allowed", { timeout: 60_000 }, async () => {
    const { code, screen, untyped } = await atTerminal(["n\n", "\n", "y\n", "y\n"])
    assert.strictEqual(code, 0, screen)
    assert.deepEqual(answers, [
      "1:one",
      "approval denied",
      "approval denied",
      "key=",
      "Successfully replaced 1 block(s) in a.txt.",
      "command matches default deny pattern"
    ])
    assert.strictEqual(readFileSync(join(project, "a.txt"), "utf8"), "two\n")
    assert.isTrue(existsSync(join(project, "made.txt")))
    assert.deepEqual(untyped, [])
    assert.include(screen, "│ edit   - one\r\n│        + two\r\n")
    assert.include(screen, "by no rule: touch made.txt")
  })

  it("CS21: Ctrl-C at a question is a no, and ends the run", { timeout: 60_000 }, async () => {
    const { code, screen } = await atTerminal(["n\n", "n\n", "\u0003"])
    assert.strictEqual(code, 130, screen)
    assert.include(screen, "No answer: not allowed.")
    assert.strictEqual(answers.length, 3)
    assert.isFalse(existsSync(join(project, "made.txt")))
  })
})
