import { existsSync, readFileSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import type { ExecutionAction, ExecutionPolicy } from "@arnilo/prism-core"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { type BashOperations } from "../../src/agent/BashOperations.ts"
import { getShellConfig } from "../../src/process/getShellConfig.ts"
import { createShellTool, type ShellToolOptions } from "../../src/agent/shellTool.ts"
import { cwd, run, spills, text } from "./shell/runShell.ts"

afterAll(() => rmSync(cwd, { recursive: true, force: true }))

const recording = (exec: BashOperations["exec"]) => {
  const calls: Array<[command: string, cwd: string, env: NodeJS.ProcessEnv | undefined]> = []
  const operations: BashOperations = {
    exec: (command, dir, options) => {
      calls.push([command, dir, options.env])
      return exec(command, dir, options)
    }
  }
  return { calls, operations }
}
const succeed: BashOperations["exec"] = () => Promise.resolve({ exitCode: 0 })
const asking = (decide: (action: ExecutionAction) => ReturnType<ExecutionPolicy["check"]>) => {
  const actions: Array<ExecutionAction> = []
  const policy: ExecutionPolicy = {
    check: (action) => {
      actions.push(action)
      return decide(action)
    }
  }
  return { actions, policy }
}

describe("createShellTool", () => {
  it("CT1, CT2, CT3: refuses limits and prefixes where the tool is made", () => {
    for (const maxLines of [0, -1, 1.5, Number.NaN, Infinity, 100_001]) {
      assert.throws(() => createShellTool(cwd, { maxLines }), "maxLines must be a positive safe integer at most 100000")
    }
    assert.throws(
      () => createShellTool(cwd, { timeout: 3_601 }),
      "timeout must be a positive safe integer at most 3600"
    )
    assert.throws(() => createShellTool(cwd, { maxBytes: 10, maxTotalOutputBytes: 9 }), /must be at least maxBytes/)
    for (const tempFilePrefix of ["", "a/b", "../x", "ä"]) {
      assert.throws(() => createShellTool(cwd, { tempFilePrefix }), /tempFilePrefix may contain only letters, numbers/)
    }
  })

  it("CT5, CT6: is exclusive and takes a command and a timeout, nothing else", () => {
    const { name, exclusive, parameters } = createShellTool(cwd)
    assert.deepEqual([name, exclusive, parameters?.["additionalProperties"]], ["shell", true, false])
    assert.deepEqual(Object.keys(parameters?.["properties"] as object), ["command", "timeout"])
  })

  it("CT8, CT21, CT22: bad arguments reach neither policy nor shell", async () => {
    const { calls, operations } = recording(succeed)
    const { actions, policy } = asking(() => ({ allowed: true }))
    for (const command of ["", 7, null]) {
      const result = await run({ command }, { operations, executionPolicy: policy })
      assert.strictEqual(result.error?.message, "command is required and must be a non-empty string.")
      assert.strictEqual(text(result), "Error: command is required and must be a non-empty string.")
    }
    const nul = await run({ command: "echo a\0b" }, { operations, executionPolicy: policy })
    assert.strictEqual(nul.error?.message, "command must not contain a NUL character.")
    for (const timeout of [0, -1, 0.5, 3_601]) {
      const result = await run({ command: "true", timeout }, { operations, executionPolicy: policy })
      assert.strictEqual(result.error?.message, "timeout must be a positive safe integer at most 3600")
    }
    assert.deepEqual([calls, actions], [[], []])
    await run({ command: "true", timeout: "soon" }, { operations, executionPolicy: policy, timeout: 7 })
    assert.strictEqual(actions[0]?.metadata?.["timeout"], 7)
  })

  it("CT11, CT12: a refusal and a policy that throws run nothing and leave no file", async () => {
    const { calls, operations } = recording(succeed)
    const decisions: ReadonlyArray<[() => { allowed: boolean; reason?: string }, string]> = [
      [() => ({ allowed: false, reason: "not today" }), "not today"],
      [() => ({ allowed: false }), "Execution denied for shell:execute"],
      [
        () => {
          throw new Error("policy broke")
        },
        "policy broke"
      ]
    ]
    for (const [decide, message] of decisions) {
      const { policy } = asking(decide)
      const result = await run("true", { operations, executionPolicy: policy, tempFilePrefix: "ct11" })
      assert.deepEqual([result.error?.message, text(result)], [message, message])
    }
    assert.deepEqual([calls, spills("ct11")], [[], []])
  })

  it("CT9, CT10, CT14, CT23: the policy sees what runs: prefixed, hooked, with session, run, signal", async () => {
    const { calls, operations } = recording(succeed)
    const { actions, policy } = asking(() => ({ allowed: true }))
    const { signal } = new AbortController()
    const options: ShellToolOptions = {
      operations,
      executionPolicy: policy,
      commandPrefix: "set -e",
      spawnHook: ({ command, env }) => ({
        command: `${command}; date`,
        cwd: "/elsewhere",
        env: { ...env, PAGER: "less" }
      })
    }
    await run({ command: "true", timeout: 900 }, options, signal)
    assert.deepEqual(actions, [
      {
        kind: "shell",
        operation: "execute",
        paths: ["/elsewhere"],
        command: "set -e\ntrue; date",
        risk: "high",
        metadata: { timeout: 900, sessionId: "s", runId: "r", signal }
      }
    ])
    assert.deepEqual(calls[0]?.slice(0, 2), ["set -e\ntrue; date", "/elsewhere"])
    assert.deepEqual([calls[0]?.[2]?.["PAGER"], calls[0]?.[2]?.["GIT_TERMINAL_PROMPT"]], ["less", "0"])
  })

  it("CT13: runs the command that the policy put in place, without the prefix", async () => {
    const { policy } = asking(() => ({ allowed: true, modified: { command: "echo instead" } }))
    assert.strictEqual(
      text(await run("echo given", { executionPolicy: policy, commandPrefix: "echo pre" })),
      "instead\n"
    )
  })

  it("CT25: a hook that throws, or returns no command, runs nothing", async () => {
    const { calls, operations } = recording(succeed)
    const throwing = () => {
      throw new Error("hook broke")
    }
    assert.strictEqual((await run("true", { operations, spawnHook: throwing })).error?.message, "hook broke")
    const odd = (() => Promise.resolve({})) as never
    assert.match((await run("true", { operations, spawnHook: odd })).error?.message ?? "", /spawnHook must return/)
    assert.deepEqual(calls, [])
  })

  it("CT24: names a missing shell and a missing directory", async () => {
    assert.strictEqual(
      (await run("true", { shellPath: "/no/sh" })).error?.message,
      "Custom shell path not found: /no/sh"
    )
    const lost = join(cwd, "lost")
    const spawnHook: ShellToolOptions["spawnHook"] = (spawn) => ({ ...spawn, cwd: lost })
    assert.match(
      (await run("true", { spawnHook })).error?.message ?? "",
      new RegExp(`^Working directory does not exist: ${lost}`)
    )
  })

  it("CT24: takes the shell of the user where it exists, then bash, then sh", () => {
    const before = process.env["SHELL"]
    const chosen = (shell: string | undefined): string => {
      if (shell === undefined) delete process.env["SHELL"]
      else process.env["SHELL"] = shell
      return getShellConfig().shell
    }
    try {
      const fallback = existsSync("/bin/bash") ? "/bin/bash" : "sh"
      assert.deepEqual(["/bin/sh", "/no/zsh", "", undefined].map(chosen), ["/bin/sh", fallback, fallback, fallback])
      assert.deepEqual(getShellConfig("/bin/sh"), { shell: "/bin/sh", args: ["-c"] })
    } finally {
      if (before === undefined) delete process.env["SHELL"]
      else process.env["SHELL"] = before
    }
  })

  it("CT26, CT27, CT30, CT83: an exit code is no error and stands behind the output", async () => {
    const result = await run("echo out; echo err >&2; exit 3")
    assert.strictEqual(text(result), "out\nerr\n\n\n[Command exited with code 3]")
    assert.isUndefined(result.error)
    const { truncation, ...metadata } = result.metadata ?? {}
    assert.deepEqual(metadata, {
      exitCode: 3,
      totalOutputBytes: 8,
      outputLimitExceeded: false,
      outputStorageFailed: false
    })
    assert.strictEqual((truncation as { totalLines: number }).totalLines, 2)
    assert.strictEqual(text(await run("true")), "(no output)")
  })

  it("CT29: a call that is aborted before its start, or while it is approved, runs nothing", async () => {
    const { calls, operations } = recording(succeed)
    const early = await run("true", { operations }, AbortSignal.abort())
    const controller = new AbortController()
    const { policy } = asking(() => {
      controller.abort()
      return { allowed: true }
    })
    const late = await run("true", { operations, executionPolicy: policy }, controller.signal)
    for (const result of [early, late]) {
      assert.deepEqual([result.error?.message, text(result)], ["Command aborted", "[Command aborted]"])
      assert.deepEqual([result.metadata?.["exitCode"], result.metadata?.["outputLimitExceeded"]], [null, false])
    }
    assert.deepEqual(calls, [])
  })

  it("CT32, CT33, CT34, CT35, CT36: cut output shows its end and names the file that holds all of it", async () => {
    const result = await run("umask 777; seq 10; exit 1", { maxLines: 3, tempFilePrefix: "ct33" })
    const path = result.metadata?.["fullOutputPath"] as string
    assert.match(path, /ct33-[0-9a-f]{32}\.log$/)
    assert.strictEqual(
      text(result),
      `8\n9\n10\n\n[Showing lines 8-10 of 10. Full output: ${path}]\n\n[Command exited with code 1]`
    )
    assert.strictEqual(readFileSync(path, "utf8"), "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n")
    assert.strictEqual(statSync(path).mode & 0o777, 0o600)
    rmSync(path)
    await run("seq 3", { maxLines: 3, tempFilePrefix: "ct33" })
    assert.deepEqual(spills("ct33"), [])
  })

  it("CT30, CT33: a cut by bytes and a cut of the last line say so, and of how much", async () => {
    const options = { maxBytes: 10, tempFilePrefix: "ct33b" }
    const lines = await run("printf '12345\\n6789\\nabcd\\n'", options)
    const path = lines.metadata?.["fullOutputPath"] as string
    assert.strictEqual(text(lines), `6789\nabcd\n\n[Showing lines 2-3 of 3 (10B limit). Full output: ${path}]`)
    rmSync(path)
    const partial = await run("echo first; printf '%02000d' 7", options)
    const spilled = partial.metadata?.["fullOutputPath"] as string
    assert.strictEqual(
      text(partial),
      `0000000007\n\n[Showing last 10B of line 2 (line is 2.0KB). Full output: ${spilled}]`
    )
    rmSync(spilled)
    const failed = await run("echo first; printf '%02000d' 7; sleep 60", { ...options, timeout: 1 })
    assert.include(text(failed), "\n\n[Showing last 10B of line 2 (line is 2.0KB).]\n\n[Command timed out")
    assert.notProperty(failed.metadata, "fullOutputPath")
    assert.deepEqual(spills("ct33b"), [])
  })

  it("CT36, CT41, CT82: a backend that throws, rejects, or lacks exec is an error, and its output's file goes", async () => {
    const flood: BashOperations["exec"] = (_command, _cwd, { onData }) => {
      onData(Buffer.from("partial\n".repeat(100)))
      throw new Error("broke")
    }
    const thrown = await run("x", { operations: { exec: flood }, maxLines: 2, tempFilePrefix: "ct41" })
    assert.strictEqual(thrown.error?.message, "broke")
    assert.strictEqual(text(thrown), "partial\npartial\n\n[Showing lines 99-100 of 100.]\n\n[broke]")
    const late = await run("x", { operations: { exec: () => Promise.reject(new Error("timeout:5")) }, timeout: 9 })
    assert.strictEqual(late.error?.message, "Command timed out after 9 seconds")
    const missing = await run("echo leaked > leaked", { operations: {} as never })
    assert.strictEqual(missing.error?.message, "BashOperations.exec is missing")
    assert.deepEqual([spills("ct41"), existsSync(join(cwd, "leaked"))], [[], false])
  })

  it("CT29, CT39, CT41: a backend that ignores the signal is left within two seconds, its late output dropped", async () => {
    let deliver = (_data: Buffer): void => {}
    const controller = new AbortController()
    const exec: BashOperations["exec"] = (_command, _cwd, { onData }) => {
      deliver = onData
      onData(Buffer.from("early"))
      controller.abort()
      return new Promise(() => {})
    }
    const started = performance.now()
    const result = await run("x", { operations: { exec } }, controller.signal)
    assert.isBelow(performance.now() - started, 2_000)
    deliver(Buffer.from("late"))
    assert.strictEqual(text(result), "early\n\n[Command aborted]")
  })

  it("CT29: of several bad ends the gravest is told: overflow, storage, timeout, abort, then all others", async () => {
    const end = async (problems: ReadonlySet<string>): Promise<string | undefined> => {
      const controller = new AbortController()
      const exec: BashOperations["exec"] = async (_command, _cwd, { onData, signal }) => {
        const bytes = problems.has("overflow") ? 101 : problems.has("storage") ? 60 : 1
        onData(Buffer.alloc(bytes, "x"))
        assert.strictEqual(signal?.aborted, bytes > 1)
        if (problems.has("abort")) controller.abort()
        throw new Error(problems.has("timeout") ? "timeout:1" : "broke")
      }
      const options = {
        operations: { exec },
        maxBytes: 50,
        maxTotalOutputBytes: 100,
        // No file system takes a name this long.
        ...(problems.has("storage") && { tempFilePrefix: "x".repeat(300) })
      }
      const result = await run("x", options, controller.signal)
      if (problems.has("overflow")) assert.strictEqual(result.metadata?.["totalOutputBytes"], 100)
      return result.error?.message
    }
    const order = ["overflow", "storage", "timeout", "abort", "other"]
    const ends = await Promise.all(order.map((_, from) => end(new Set(order.slice(from)))))
    assert.deepEqual(ends, [
      "Command output exceeded 100B limit",
      "Command output spill failed",
      "Command timed out after 600 seconds",
      "Command aborted",
      "broke"
    ])
  })
})
