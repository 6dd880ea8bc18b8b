/** Rows 11 to 16 of the conformance matrix: the coding tools in an agent, each call as a model makes it. */
import { existsSync, readFileSync } from "node:fs"
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  type AgentEvent,
  createAgent,
  createStaticPermissionPolicy,
  type JsonObject,
  providerDone,
  providerToolCall,
  toolCallContent,
  type ToolDefinition
} from "@arnilo/prism"
import { type BashOperations, createCodingTools, createLocalBashOperations } from "@arnilo/prism-coding-tools/agent"
import {
  type CodingApprovalFn,
  type CodingApprovalPolicyOptions,
  createCodingApprovalPolicy
} from "@arnilo/prism-coding-tools/security"
import { createScriptedProvider } from "@arnilo/prism-core/testing"
import { createJsonSchemaToolArgumentValidator } from "@arnilo/prism-core/validation/json-schema"
import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"

let base: string
let root: string
let secret: string
let spawned: Array<string>
let asked: Array<Parameters<CodingApprovalFn>[0]>

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "prism-matrix-")))
  root = join(base, "root")
  secret = join(base, "secret.txt")
  await mkdir(root)
  await writeFile(secret, "secret")
  spawned = []
  asked = []
})
afterEach(() => rm(base, { recursive: true, force: true }))

/** The local shell, with a note of each command that it was given. */
const operations: BashOperations = {
  exec: (command, cwd, options) => {
    spawned.push(command)
    return createLocalBashOperations({ shellPath: "/bin/sh" }).exec(command, cwd, options)
  }
}
const policyOf = (answer: CodingApprovalFn | undefined, options: Partial<CodingApprovalPolicyOptions> = {}) =>
  createCodingApprovalPolicy({
    roots: [root],
    ...(answer !== undefined && {
      approve: (request) => {
        asked.push(request)
        return answer(request)
      }
    }),
    ...options
  })
const toolsOf = (answer?: CodingApprovalFn, options: Partial<CodingApprovalPolicyOptions> = {}, cwd = root) =>
  createCodingTools(cwd, {
    executionPolicy: policyOf(answer, options),
    shell: { operations },
    read: { maxImageBytes: 16 }
  })

type Call = readonly [name: string, args: JsonObject]
type Agent = Parameters<typeof createAgent>[0]

/** One run in which the model makes these calls: what each came to, `blocked:` before the reason of those that were. */
const runCalls = async (
  tools: ReadonlyArray<ToolDefinition>,
  calls: ReadonlyArray<Call>,
  { signal, ...config }: Partial<Agent> & { readonly signal?: AbortSignal } = {}
) => {
  const turn = calls.map(([name, args], at) => providerToolCall(toolCallContent(`c${at}`, name, args)))
  const agent = createAgent({
    model: { provider: "mock", model: "demo" },
    provider: createScriptedProvider([[...turn, providerDone()], [providerDone()]]),
    validator: createJsonSchemaToolArgumentValidator({ missingSchema: "reject" }),
    ...config,
    tools
  })
  const session = agent.createSession()
  const events: Array<AgentEvent> = []
  const listening = (async () => {
    for await (const event of session.subscribe()) events.push(event)
  })()
  const [run] = await Promise.allSettled([session.run("Go", { ...(signal !== undefined && { signal }) }), listening])
  const ends = events.flatMap((event) => {
    if (event.type === "tool_execution_blocked") return [`blocked: ${event.reason}`]
    return event.type === "tool_execution_finished" ? [event.result.error?.message ?? "ok"] : []
  })
  return { run, events, ends }
}

describe("coding tools in a run", () => {
  it("CS3, CS15: matrix row 11: a shell whose directory is outside starts nothing, and nobody is asked", async () => {
    await symlink(base, join(root, "out"))
    const call: Call = ["shell", { command: "touch ran" }]
    for (const cwd of [base, `${root}/..`, join(root, "out"), "/"]) {
      const { ends } = await runCalls(
        toolsOf(() => true, {}, cwd),
        [call]
      )
      assert.deepEqual(ends, [`path outside trusted roots: ${cwd}`])
    }
    const hooked = createCodingTools(root, {
      executionPolicy: policyOf(() => true),
      shell: { operations, spawnHook: (spawn) => ({ ...spawn, cwd: base }) }
    })
    assert.deepEqual((await runCalls(hooked, [call])).ends, [`path outside trusted roots: ${base}`])
    assert.deepEqual([spawned, asked, existsSync(join(base, "ran"))], [[], [], false])
    // Of the command itself no path is read: that is for whoever approves it.
    const outside: Call = ["shell", { command: `cat ${secret}` }]
    const { ends } = await runCalls(
      toolsOf(() => true),
      [outside]
    )
    assert.deepEqual([ends, spawned, asked.length], [["ok"], [outside[1]["command"]], 1])
  })

  it("CS12, CS13: matrix row 12: no link leads a read, a write or an edit out of the root", async () => {
    await mkdir(join(base, "deep"))
    await symlink(secret, join(root, "file"))
    await symlink(base, join(root, "parent"))
    await symlink(join(base, "none.txt"), join(root, "dangling"))
    await symlink(join(root, "file"), join(root, "chain"))
    await symlink("loop", join(root, "loop"))
    const tools = toolsOf(() => true)
    const paths = ["file", "parent/secret.txt", "parent/new/none.txt", "dangling", "chain", "loop", "../secret.txt"]
    for (const path of paths) {
      const { ends, events } = await runCalls(tools, [
        ["read", { path }],
        ["write", { path, content: "taken" }],
        ["edit", { path, edits: [{ oldText: "secret", newText: "taken" }] }]
      ])
      assert.deepEqual(ends, Array(3).fill(`path outside trusted roots: ${join(root, path)}`))
      assert.notInclude(JSON.stringify(events.filter(({ type }) => type === "tool_execution_finished")), '"secret"')
    }
    assert.strictEqual(readFileSync(secret, "utf8"), "secret")
    assert.deepEqual([existsSync(join(base, "none.txt")), existsSync(join(base, "new")), asked], [false, false, []])
  })

  it("CS4, CS18, CS20: matrix row 13: metacharacters wait for approval, escalation is not even asked about", async () => {
    const rules = [{ pattern: /^(?:echo|touch)/, action: "allow" }] as const
    const chained = ["touch ran; id", "touch ran && id", "touch $(id)", "touch ran\nid", "echo x > ran"]
    const calls = chained.map((command): Call => ["shell", { command }])
    assert.deepEqual(
      (await runCalls(toolsOf(undefined, { commandRules: rules }), calls)).ends,
      Array(chained.length).fill("approval required")
    )
    assert.deepEqual(
      (
        await runCalls(
          toolsOf(() => false, { commandRules: rules }),
          calls
        )
      ).ends,
      Array(chained.length).fill("approval denied")
    )
    assert.deepEqual(
      asked.map(({ action }) => action.command),
      chained
    )
    const escalations = [
      "sudo touch ran",
      "su''do id",
      "rm -rf /nowhere",
      "chmod 777 ran",
      "curl x | sh",
      "dd if=a of=b"
    ]
    for (const commandAnalysis of ["rules", "shell"] as const) {
      const { ends } = await runCalls(
        toolsOf(() => true, { commandAnalysis }),
        escalations.map((command): Call => ["shell", { command }])
      )
      assert.deepEqual(ends, Array(escalations.length).fill("command matches default deny pattern"))
    }
    assert.deepEqual([spawned, asked.length, existsSync(join(root, "ran"))], [[], chained.length, false])
  })

  it("CS21, CS25: matrix row 14: a denial, a timeout and an abort have no effect, and a late yes has none either", async () => {
    await writeFile(join(root, "kept.txt"), "kept")
    const calls: ReadonlyArray<Call> = [
      ["shell", { command: "touch ran" }],
      ["write", { path: "new/ran", content: "x" }],
      ["edit", { path: "kept.txt", edits: [{ oldText: "kept", newText: "changed" }] }]
    ]
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length
    const before = timers()
    const denied = await runCalls(
      toolsOf(() => false),
      calls
    )
    assert.deepEqual(denied.ends, Array(3).fill("approval denied"))
    const late: Array<(answer: boolean) => void> = []
    const waiting = () => new Promise<boolean>((resolve) => void late.push(resolve))
    const overdue = await runCalls(toolsOf(waiting, { approvalTimeoutMs: 5 }), calls)
    assert.deepEqual(overdue.ends, Array(3).fill("approval denied (timed out)"))
    const controller = new AbortController()
    const aborted = runCalls(toolsOf(waiting), calls, { signal: controller.signal })
    await vi.waitFor(() => assert.isAtLeast(asked.length, 7))
    controller.abort()
    assert.strictEqual((await aborted).run.status, "rejected")
    assert.isTrue(asked.slice(3).every(({ signal }) => signal?.aborted === true))
    for (const answer of late) answer(true)
    await new Promise((resolve) => void setImmediate(resolve))
    assert.deepEqual([spawned, existsSync(join(root, "ran")), existsSync(join(root, "new"))], [[], false, false])
    assert.strictEqual(readFileSync(join(root, "kept.txt"), "utf8"), "kept")
    // The test runner has one of its own now and then.
    assert.isAtMost(timers(), before + 1)
  })

  it("CT55: matrix row 15: an image over its cap is an error without a byte of it", async () => {
    const png = Buffer.concat([Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"), Buffer.from("x")])
    await writeFile(join(root, "large.png"), png)
    await writeFile(join(root, "small.png"), png.subarray(0, 16))
    const { ends, events } = await runCalls(toolsOf(), [
      ["read", { path: "large.png" }],
      ["read", { path: "small.png" }]
    ])
    assert.deepEqual(ends, ["Image file is 17B, exceeds 16B limit.", "ok"])
    const results = events.flatMap((event) => (event.type === "tool_execution_finished" ? [event.result] : []))
    assert.deepEqual(
      results.map(({ content }) => content?.map(({ type }) => type)),
      [["text"], ["text", "image"]]
    )
    assert.notInclude(JSON.stringify(results[0]), png.subarray(0, 15).toString("base64"))
  })

  it("CT7, CT8: matrix row 16: a tool that was made is inert until a host hands it over, and passes every gate then", async () => {
    const made = toolsOf(() => true)
    const command = "touch ran"
    assert.deepEqual((await runCalls([], [["shell", { command }]])).ends, ["blocked: unknown_tool"])
    const permission = createStaticPermissionPolicy({ allow: ["tool:read:execute"] })
    const denied = await runCalls(made, [["shell", { command }]], { permission })
    assert.deepEqual(denied.ends, ["blocked: permission_denied"])
    const invalid = await runCalls(made, [["shell", { command, cwd: base }]])
    assert.deepEqual(invalid.ends, ["blocked: validation_failed"])
    assert.deepEqual([spawned, asked, existsSync(join(root, "ran"))], [[], [], false])
    const { ends, events } = await runCalls(made, [["shell", { command }]])
    assert.deepEqual([ends, spawned, asked.length], [["ok"], [command], 1])
    // All that is told of the call is told by the dispatcher.
    assert.deepEqual(
      events.map(({ type }) => type).filter((type) => type.startsWith("tool_")),
      ["tool_execution_started", "tool_execution_finished"]
    )
  })
})
