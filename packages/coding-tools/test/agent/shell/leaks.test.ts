import { randomBytes } from "node:crypto"
import { getEventListeners } from "node:events"
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { ToolResult } from "@arnilo/prism-core"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { createLocalBashOperations } from "../../../src/agent/BashOperations.ts"
import type { ShellToolOptions } from "../../../src/agent/shellTool.ts"
import { background, cwd, run } from "./runShell.ts"

const CALLS = 500
/** Calls at the same time: a timeout takes a second, and nobody waits for one alone. */
const WORKERS = 25

const MARK = `PRISM_LEAK_TEST=${randomBytes(8).toString("hex")}`
const temporary = mkdtempSync(join(tmpdir(), "shell-leaks-"))

afterAll(() => {
  for (const folder of [cwd, temporary]) rmSync(folder, { recursive: true, force: true })
})

const shellPath = "/bin/bash"
const options: ShellToolOptions = { shellPath, maxBytes: 1_000, maxTotalOutputBytes: 20_000 }
const { signal } = new AbortController()

/** Ends what a result names as left running. */
const killBackground = (result: ToolResult): void => {
  for (const { pid } of background(result)) process.kill(pid, "SIGKILL")
}

type Kind = readonly [end: string | undefined, call: () => Promise<string | undefined>]

/** Calls that end by themselves, and the message that they end with. */
const settling: ReadonlyArray<Kind> = [
  [undefined, async () => (await run("echo x", options, signal)).error?.message],
  [undefined, async () => (await run("echo err >&2; exit 3", options, signal)).error?.message],
  [
    undefined,
    async () => {
      const result = await run("cat big", options, signal)
      rmSync(result.metadata?.["fullOutputPath"] as string)
      return result.error?.message
    }
  ],
  [
    undefined,
    async () => {
      const result = await run("cat big; sleep 60 & (setsid sleep 60 &) ; echo hi", options, signal)
      assert.lengthOf(background(result), 2)
      killBackground(result)
      rmSync(result.metadata?.["fullOutputPath"] as string)
      return result.error?.message
    }
  ],
  [
    "Custom shell path not found: /no/sh",
    async () => (await run("true", { ...options, shellPath: "/no/sh" }, signal)).error?.message
  ]
]

/** Calls that are ended. To find all that they started takes most of the time of this test. */
const killed: ReadonlyArray<Kind> = [
  [
    "Command timed out after 1 seconds",
    async () => {
      const command = "cat big; sleep 60 & setsid sleep 60 & (trap '' TERM; sleep 60)"
      return (await run({ command, timeout: 1 }, options, signal)).error?.message
    }
  ],
  [
    "Command aborted",
    async () => {
      const controller = new AbortController()
      const local = createLocalBashOperations({ shellPath })
      const operations: ShellToolOptions["operations"] = {
        exec: (command, folder, given) =>
          local.exec(command, folder, {
            ...given,
            onData: (data) => {
              given.onData(data)
              controller.abort()
            }
          })
      }
      const result = await run("setsid sleep 60 & cat big; sleep 60", { ...options, operations }, controller.signal)
      assert.deepEqual(getEventListeners(controller.signal, "abort"), [])
      return result.error?.message
    }
  ],
  ["Command output exceeded 19.5KB limit", async () => (await run("sleep 60 & yes", options, signal)).error?.message],
  [
    "Command output spill failed",
    // No file system takes a name this long.
    async () => (await run("cat big; sleep 60", { ...options, tempFilePrefix: "x".repeat(300) }, signal)).error?.message
  ],
  [
    "listener broke",
    async () => {
      const onData = () => {
        throw new Error("listener broke")
      }
      const { exec } = createLocalBashOperations({ shellPath })
      return exec("setsid sleep 60 & echo x; sleep 60", cwd, { onData, signal, timeout: 60 }).then(
        () => "resolved",
        (error: Error) => error.message
      )
    }
  ]
]

const kinds = [...settling, ...settling, ...settling, ...killed]

/** Every living process that has the mark in its environment. */
const marked = (): ReadonlyArray<string> =>
  readdirSync("/proc").filter((name) => {
    try {
      const isAlive = !/\) [ZX] /.test(readFileSync(`/proc/${name}/stat`, "latin1"))
      return isAlive && readFileSync(`/proc/${name}/environ`, "latin1").includes(MARK)
    } catch {
      return false
    }
  })

/** What the process holds, apart from its timers. */
const held = () => ({
  descriptors: readdirSync("/proc/self/fd")
    .flatMap((name) => {
      try {
        return [readlinkSync(`/proc/self/fd/${name}`)]
      } catch {
        // The one that was listed with.
        return []
      }
    })
    .toSorted(),
  listeners: process.eventNames().map((name) => `${String(name)} ${process.listenerCount(name)}`),
  listening: getEventListeners(signal, "abort").length,
  files: readdirSync(temporary),
  marked: marked()
})

const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length

/** Runs the calls, so many at once. */
const runAll = async (calls: number): Promise<Map<string | undefined, number>> => {
  const ends = new Map<string | undefined, number>()
  let next = 0
  const work = async (): Promise<void> => {
    while (next < calls) {
      const [expected, call] = kinds[next++ % kinds.length] ?? assert.fail("no kind")
      const message = await call()
      assert.strictEqual(message, expected)
      ends.set(message, (ends.get(message) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: WORKERS }, work))
  return ends
}

describe("the shell tool", () => {
  it(
    "CT36, CT37, CT40: 500 calls of every kind leave no process, descriptor, listener, timer or file",
    { timeout: 60_000 },
    async () => {
      writeFileSync(join(cwd, "big"), "line\n".repeat(1_000))
      const [name = "", value] = MARK.split("=")
      const before = process.env["TMPDIR"]
      process.env[name] = value
      process.env["TMPDIR"] = temporary
      try {
        await runAll(kinds.length)
        const [start, ticking] = [held(), timers()]
        const ends = await runAll(CALLS)
        // A killed process is gone as soon as the system has come round to it.
        while (marked().length > 0) await new Promise((resolve) => void setImmediate(resolve))
        assert.deepEqual(held(), start)
        assert.deepEqual([start.files, start.listening, start.marked], [[], 0, []])
        // The test runner has one of its own now and then.
        assert.isAtMost(timers(), ticking + 1)
        assert.deepEqual([ends.get(undefined), ends.size], [(CALLS / kinds.length) * 12, 7])
      } finally {
        delete process.env[name]
        if (before === undefined) delete process.env["TMPDIR"]
        else process.env["TMPDIR"] = before
      }
    }
  )
})
