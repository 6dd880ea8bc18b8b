import { link, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { ExecutionAction, ExecutionPolicy, JsonObject, ToolDefinition, ToolResult } from "@arnilo/prism-core"
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { createEditTool } from "../../src/agent/editTool.ts"
import { createReadTool } from "../../src/agent/readTool.ts"
import { createShellTool, type ShellToolOptions } from "../../src/agent/shellTool.ts"
import { createWriteTool } from "../../src/agent/writeTool.ts"
import { createCodingApprovalPolicy } from "../../src/security/CodingApprovalPolicy.ts"
import {
  createSandboxBashOperations,
  type SandboxAdapter,
  type SandboxExecRequest
} from "../../src/security/Sandbox.ts"

let base: string
let root: string

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "prism-policy-tools-")))
  root = await mkdtemp(join(base, "root-"))
})
afterEach(() => rm(base, { recursive: true, force: true }))

const call = async (tool: ToolDefinition, args: JsonObject, signal?: AbortSignal): Promise<ToolResult> =>
  (await tool.execute(args, { sessionId: "s", runId: "r", toolCallId: "c", signal })) as ToolResult
const text = ({ content }: ToolResult) => (content?.[0]?.type === "text" ? content[0].text : "")

/** An adapter that keeps what it was asked. */
const sandbox = (exec: SandboxAdapter["exec"]) => {
  const requests: Array<SandboxExecRequest> = []
  const operations = createSandboxBashOperations({
    exec: (request) => {
      requests.push(request)
      return exec(request)
    }
  })
  const run = (command: string, options: ShellToolOptions = {}, signal?: AbortSignal) =>
    call(createShellTool(root, { operations, ...options }), { command }, signal)
  return { requests, run }
}
const deaf: SandboxAdapter["exec"] = () => new Promise(() => undefined)

describe("a policy in the tools", () => {
  it("CS15: contains the directory of a shell, and leaves the paths of its command to the approval", async () => {
    const actions: Array<ExecutionAction> = []
    const executionPolicy = createCodingApprovalPolicy({
      roots: [root],
      approve: ({ action }) => {
        actions.push(action)
        return true
      }
    })
    const { requests, run } = sandbox(async () => ({ exitCode: 0 }))
    assert.isUndefined((await run("cat /etc/hosts ../x", { executionPolicy })).error)
    assert.deepEqual(
      actions.map(({ command, paths }) => [command, paths]),
      [["cat /etc/hosts ../x", [root]]]
    )
    const spawnHook: ShellToolOptions["spawnHook"] = (spawn) => ({ ...spawn, cwd: base })
    assert.strictEqual(
      (await run("pwd", { executionPolicy, spawnHook })).error?.message,
      `path outside trusted roots: ${base}`
    )
    assert.deepEqual([actions.length, requests.length], [1, 1])
  })

  it("CS16: sees no hard link", async () => {
    await writeFile(join(base, "outside"), "outside")
    await link(join(base, "outside"), join(root, "inside"))
    const tool = createReadTool(root, { executionPolicy: createCodingApprovalPolicy({ roots: [root] }) })
    assert.strictEqual(text(await call(tool, { path: "inside" })), "outside")
  })

  it("CS16: is followed by the first access at once, with nothing else waited for", async () => {
    await writeFile(join(root, "a"), "old")
    const late: Array<boolean> = []
    let turns = false
    const executionPolicy: ExecutionPolicy = {
      check: () => {
        turns = false
        setImmediate(() => {
          turns = true
        })
        return { allowed: true }
      }
    }
    const first = (): Promise<never> => {
      late.push(turns)
      return Promise.reject(new Error("seen"))
    }
    const missing = undefined as never
    const tools: ReadonlyArray<readonly [ToolDefinition, JsonObject]> = [
      [createShellTool(root, { executionPolicy, operations: { exec: first } }), { command: "pwd" }],
      [
        createReadTool(root, {
          executionPolicy,
          operations: { access: first, readFile: missing, readText: missing, statFile: missing }
        }),
        { path: "a" }
      ],
      [
        createWriteTool(root, { executionPolicy, operations: { mkdir: first, writeFile: first } }),
        { path: "a", content: "new" }
      ],
      [
        createEditTool(root, {
          executionPolicy,
          operations: { access: first, readFile: first, statFile: first, writeFile: first }
        }),
        { path: "a", edits: [{ oldText: "old", newText: "new" }] }
      ]
    ]
    for (const [tool, args] of tools) await call(tool, args)
    assert.deepEqual(late, [false, false, false, false])
    assert.strictEqual(await readFile(join(root, "a"), "utf8"), "old")
  })
})

describe("a sandbox in the shell tool", () => {
  it("CS33: is not called before the policy has allowed it, nor after a refusal", async () => {
    const order: Array<string> = []
    const policy = (allowed: boolean): ExecutionPolicy => ({
      check: async () => {
        order.push("policy")
        return { allowed, reason: "no" }
      }
    })
    const { requests, run } = sandbox(async ({ onData }) => {
      order.push("sandbox")
      onData?.(Buffer.from("ran"))
      return { exitCode: 0 }
    })
    assert.strictEqual((await run("id", { executionPolicy: policy(false) })).error?.message, "no")
    assert.deepEqual([order, requests], [["policy"], []])
    assert.strictEqual(text(await run("id", { executionPolicy: policy(true) })), "ran")
    assert.deepEqual(order, ["policy", "policy", "sandbox"])
    const ofPolicy = createCodingApprovalPolicy({ roots: [root] })
    assert.strictEqual((await run("id", { executionPolicy: ofPolicy })).error?.message, "approval required")
    assert.lengthOf(requests, 1)
  })

  it("CS32, CS34: has its output cut, and its timeout told, like any other backend", async () => {
    const { run } = sandbox(async ({ onData, timeout }) => {
      onData?.(Buffer.from("1\n2\n3\n"))
      throw new Error(`timeout:${timeout}`)
    })
    const result = await run("id", { maxLines: 1, timeout: 7 })
    assert.strictEqual(result.error?.message, "Command timed out after 7 seconds")
    assert.strictEqual(text(result), "3\n\n[Showing lines 3-3 of 3.]\n\n[Command timed out after 7 seconds]")
    const broken = sandbox(() => Promise.reject(new Error("no such image")))
    assert.strictEqual((await broken.run("id")).error?.message, "no such image")
  })

  it("CS35: is left within two seconds of an abort, a timeout or too much output, and keeps no more of it", async () => {
    const within = async (limitMs: number, settled: Promise<ToolResult>, message: string): Promise<ToolResult> => {
      const started = performance.now()
      const result = await settled
      assert.isBelow(performance.now() - started, limitMs)
      assert.strictEqual(result.error?.message, message)
      return result
    }
    const controller = new AbortController()
    const aborting = sandbox((request) => {
      controller.abort()
      return deaf(request)
    })
    let flood = (): void => undefined
    const flooding = sandbox((request) => {
      flood = () => request.onData?.(Buffer.alloc(60, "x"))
      flood()
      flood()
      return deaf(request)
    })
    const limits = { maxBytes: 100, maxTotalOutputBytes: 100 }
    const [, , flooded] = await Promise.all([
      within(2_000, aborting.run("id", {}, controller.signal), "Command aborted"),
      within(3_000, sandbox(deaf).run("id", { timeout: 1 }), "Command timed out after 1 seconds"),
      within(2_000, flooding.run("id", limits), "Command output exceeded 100B limit")
    ])
    assert.isTrue(flooding.requests[0]?.signal?.aborted)
    const shown = text(flooded)
    flood()
    assert.deepEqual([flooded.metadata?.["totalOutputBytes"], text(flooded)], [100, shown])
    assert.include(shown, "x".repeat(100))
    assert.notInclude(shown, "x".repeat(101))
  })
})
