import { getEventListeners } from "node:events"
import { readFileSync } from "node:fs"
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setImmediate } from "node:timers/promises"
import type { ExecutionAction, ToolResult } from "@arnilo/prism-core"
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { createCodingTools } from "../../src/agent/codingTools.ts"
import type { CodingApprovalRequest } from "../../src/security/approvalWait.ts"
import { createCodingApprovalPolicy } from "../../src/security/CodingApprovalPolicy.ts"
import { createTerminalApproval } from "../../src/security/TerminalApproval.ts"
import { change, createTerminal, shell } from "./terminal/createTerminal.ts"

const turnsOfTheLoop = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await setImmediate()
}

/** What somebody types, and whether that is a yes. */
const ANSWERS: ReadonlyArray<readonly [string, boolean]> = [
  ["y\n", true],
  ["Y\r\n", true],
  [" yes \n", true],
  ["a\n", true],
  ["n\n", false],
  ["\n", false],
  ["yep\n", false],
  ["no y\n", false],
  ["\ny\n", false],
  ["y".repeat(500), false]
]

describe("createTerminalApproval", () => {
  it("CS23: y and a are yes, and everything else is no", async () => {
    for (const [typed, expected] of ANSWERS) {
      const { approve, answer } = createTerminal()
      const asking = approve(shell("ls"))
      await answer(typed)
      assert.strictEqual(await asking, expected, JSON.stringify(typed))
    }
  })

  it("CS23: is a no at once where nobody can be asked, and says so where it can", async () => {
    const { approve, input, output, shown } = createTerminal()
    for (const [stream, isTTY] of [
      [input, undefined],
      [output, false]
    ] as const) {
      Object.assign(stream, { isTTY })
      assert.isFalse(await approve(shell("ls")))
      Object.assign(stream, { isTTY: true })
    }
    input.destroy()
    assert.isFalse(await approve(shell("ls")))
    const closed = createTerminal()
    closed.output.end()
    assert.isFalse(await closed.approve(shell("ls")))
    assert.strictEqual(shown().match(/── not allowed: there is no terminal to ask at\n│ tool {5}shell/g)?.length, 3)
    assert.strictEqual(closed.shown(), "")
  })

  it("CS23: the end of the input is a no, also of an answer without a line end", async () => {
    const { approve, answer, input } = createTerminal()
    const asking = approve(shell("ls"))
    await answer("y")
    input.end()
    assert.isFalse(await asking)
    assert.isFalse(await approve(shell("ls")))
  })

  it("a terminal that cannot be written to is a no", async () => {
    const { input, output } = createTerminal()
    output.write = ((_: string, done: (error: Error) => void) => {
      done(new Error("EIO"))
      output.destroy(new Error("EIO"))
      return false
    }) as unknown as typeof output.write
    const asking = createTerminalApproval({ input, output })(shell("ls"))
    input.write("y\n")
    assert.isFalse(await asking)
  })

  it("CS21, CS26: an abort closes the question, and the next one is asked on a line of its own", async () => {
    const { approve, answer, asked, shown } = createTerminal()
    const controller = new AbortController()
    const first = approve({ ...shell("first"), signal: controller.signal })
    await asked()
    controller.abort()
    assert.isFalse(await first)
    const second = approve(shell("second"))
    await answer("y\n", 2)
    assert.isTrue(await second)
    assert.include(shown(), "[y/N/a] \nNo answer: not allowed.\n\n── approval needed\n")
  })

  it("CS21, CS22: an abort ends the wait for a turn, and nothing is shown of it", async () => {
    const { approve, answer, asked, shown } = createTerminal()
    const controller = new AbortController()
    const first = approve(shell("first"))
    await asked()
    const second = approve({ ...shell("second"), signal: controller.signal })
    controller.abort()
    assert.isFalse(await second)
    assert.isFalse(await approve({ ...shell("third"), signal: AbortSignal.abort() }).finally(() => answer("y\n")))
    assert.isTrue(await first)
    await turnsOfTheLoop(10)
    assert.notMatch(shown(), /second|third|No answer/)
  })

  it("CS24: the policy's timeout closes the question", async () => {
    const { input, output, shown } = createTerminal()
    const policy = createCodingApprovalPolicy({
      roots: [tmpdir()],
      approve: createTerminalApproval({ input, output }),
      approvalTimeoutMs: 50
    })
    const decision = await policy.check({ kind: "shell", operation: "execute", paths: [tmpdir()], command: "ls" })
    assert.deepInclude(decision, { allowed: false, reason: "approval denied (timed out)" })
    await turnsOfTheLoop(10)
    assert.include(shown(), "No answer: not allowed.")
    assert.strictEqual(input.listenerCount("data"), 0)
  })

  it("asks one question at a time, also for two policies at the same terminal", async () => {
    const { input, output, approve, answer, asked, shown } = createTerminal()
    const ask = createTerminalApproval({ input, output })
    const other = async (request: CodingApprovalRequest): Promise<boolean> => ask(request)
    const answers = [approve(shell("one")), other(shell("two")), approve(shell("three"))]
    await asked()
    await turnsOfTheLoop(20)
    assert.notInclude(shown(), "two")
    // One line is one answer, however much is typed.
    await answer("y\ny\ny\n")
    await answer("n\n", 2)
    await answer("y\n", 3)
    assert.deepEqual(await Promise.all(answers), [true, false, true])
    assert.deepEqual(shown().match(/│ command/g)?.length, 3)
  })

  it("drops what was typed before the question stood there", async () => {
    const { approve, answer, input, asked } = createTerminal()
    input.write("y\n")
    const asking = approve(shell("ls"))
    input.write("y\n")
    await asked()
    await turnsOfTheLoop(20)
    assert.strictEqual(await Promise.race([asking, Promise.resolve("still open")]), "still open")
    await answer("n\n")
    assert.isFalse(await asking)
  })

  it("leaves the streams as it found them", async () => {
    const { approve, answer, input, output } = createTerminal()
    const listeners = () =>
      [input, output].map((stream) => stream.eventNames().map((name) => [String(name), stream.listenerCount(name)]))
    const before = listeners()
    const controller = new AbortController()
    const asking = approve({ ...shell("ls"), signal: controller.signal })
    await answer("y\n")
    await asking
    assert.deepEqual(listeners(), before)
    assert.deepEqual(getEventListeners(controller.signal, "abort"), [])
    assert.isTrue(input.isPaused())
    // Whoever else reads goes on reading.
    const read: Array<string> = []
    input.on("data", (chunk: Buffer) => read.push(chunk.toString()))
    input.resume()
    const again = approve(shell("ls"))
    await answer("n\n", 2)
    assert.isFalse(await again)
    input.write("for the host")
    await setImmediate()
    assert.deepEqual(read.at(-1), "for the host")
    assert.isFalse(input.isPaused())
  })

  it("CS27, CS28: always holds for the same command in the same folder and run, and for nothing else", async () => {
    const { approve, answer, asked, shown } = createTerminal()
    const first = approve(shell("npm test"))
    await answer("a\n")
    assert.isTrue(await first)
    assert.isTrue(await approve(shell("npm test")))
    assert.include(shown(), "── allowed, as you answered for this run")
    const others: ReadonlyArray<CodingApprovalRequest> = [
      shell("npm test "),
      shell("npm test", { runId: "other" }),
      shell("npm test", {}),
      { action: { ...shell("npm test").action, paths: ["/srv/elsewhere"] } },
      { action: { ...shell("npm test").action, kind: "write" } }
    ]
    for (const [at, request] of others.entries()) {
      const asking = approve(request)
      await asked(at + 2)
      await answer("n\n", at + 2)
      assert.isFalse(await asking)
    }
  })

  it("CS27: neither a no nor a single yes is remembered, and outside a run always is no answer", async () => {
    const { approve, answer, shown } = createTerminal()
    for (const [at, [typed, metadata]] of [
      ["n\n", { runId: "r" }],
      ["y\n", { runId: "r" }],
      ["y\n", { runId: "r" }],
      ["a\n", {}]
    ].entries() as ArrayIterator<[number, [string, ExecutionAction["metadata"]]]>) {
      const asking = approve(shell("ls", metadata))
      await answer(typed, at + 1)
      assert.strictEqual(await asking, typed === "y\n")
    }
    assert.isTrue(shown().endsWith("Allow this? [y/N] "))
  })

  it("CS28: always for a file shows later changes of it, and asks again for what cannot be shown whole", async () => {
    const { approve, answer, shown } = createTerminal()
    const first = approve(change("one"))
    await answer("a\n")
    assert.isTrue(await first)
    assert.isTrue(await approve(change("two")))
    assert.include(shown(), "+ two")
    const long = approve(change("line\n".repeat(500)))
    await answer("n\n", 2)
    assert.isFalse(await long)
    const elsewhere = approve(change("one", "/srv/project/b.txt"))
    await answer("n\n", 3)
    assert.isFalse(await elsewhere)
    assert.include(shown(), "Not all of it is shown. Allow this? [y/N] ")
  })
})

describe("createTerminalApproval behind the policy", () => {
  let folder: string
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "prism-terminal-")))
    await writeFile(join(folder, "a.txt"), "one\n")
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it("CS14: the tools show what they would write, and a no changes nothing", async () => {
    const { approve, answer, shown } = createTerminal()
    const tools = createCodingTools(folder, {
      executionPolicy: createCodingApprovalPolicy({ roots: [folder], approve })
    })
    const call = (name: string, args: Record<string, string>) =>
      // These tools answer with Promises.
      tools
        .find((tool) => tool.name === name)
        ?.execute(args, { sessionId: "s", runId: "r", toolCallId: "c" }) as Promise<ToolResult>
    const edit = call("edit", { path: "a.txt", oldText: "one", newText: "two" })
    await answer("n\n")
    assert.isDefined((await edit).error)
    assert.strictEqual(readFileSync(join(folder, "a.txt"), "utf8"), "one\n")
    const write = call("write", { path: "b.txt", content: "new\n" })
    await answer("y\n", 2)
    assert.isUndefined((await write).error)
    assert.strictEqual(readFileSync(join(folder, "b.txt"), "utf8"), "new\n")
    assert.includeMembers(shown().split("\n"), [
      `│ path     ${folder}/a.txt`,
      "│ edit   - one",
      "│        + two",
      "│ content+ new"
    ])
  })
})
