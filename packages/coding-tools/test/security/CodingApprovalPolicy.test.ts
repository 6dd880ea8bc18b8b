import { mkdir, mkdtemp, realpath, rm, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ApprovalGate, Execution, type ExecutionAction, requireExecution } from "@arnilo/prism-core"
import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { CodingApprovalRequest } from "../../src/security/approvalWait.ts"
import { createCodingTools } from "../../src/agent/codingTools.ts"
import { CodingApprovalPolicy, createCodingApprovalPolicy } from "../../src/security/CodingApprovalPolicy.ts"

let base: string
let root: string

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "prism-policy-")))
  root = join(base, "root")
  await mkdir(root)
})
afterEach(async () => {
  vi.useRealTimers()
  await rm(base, { recursive: true, force: true })
})

type Options = Parameters<typeof createCodingApprovalPolicy>[0]

const shell = (command: string, metadata: ExecutionAction["metadata"] = {}): ExecutionAction => ({
  kind: "shell",
  operation: "execute",
  paths: [root],
  command,
  metadata
})
const write = (path = join(root, "x")): ExecutionAction => ({ kind: "write", operation: "write", paths: [path] })

/** A policy whose prompt keeps what it was asked. */
const asking = (answer: (request: CodingApprovalRequest) => unknown = () => true, options: Partial<Options> = {}) => {
  const asked: Array<CodingApprovalRequest> = []
  const policy = createCodingApprovalPolicy({
    roots: [root],
    approve: (request) => {
      asked.push(request)
      return answer(request) as boolean
    },
    ...options
  })
  return { policy, asked }
}
/** An answer that is given when the test says so. */
const later = () => {
  let resolve: (answer: boolean) => void = () => undefined
  let reject: (error: Error) => void = () => undefined
  const promise = new Promise<boolean>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}

describe("createCodingApprovalPolicy", () => {
  it("CS1, CS2, CS3, CS4: what is refused is refused in this order, and nobody is asked", async () => {
    const outside = { ...shell("sudo id"), paths: [base] }
    const refusals: ReadonlyArray<readonly [Partial<Options>, ExecutionAction, string]> = [
      [{ roots: [], readOnly: true }, { kind: "read", operation: "read" }, "no trusted roots configured"],
      [{ readOnly: true }, outside, "read-only mode"],
      [{}, outside, `path outside trusted roots: ${base}`],
      [{}, { kind: "read", operation: "read", paths: [root, "/etc"] }, "path outside trusted roots: /etc"],
      [{}, { kind: "odd", operation: "x", paths: ["/etc"] }, "path outside trusted roots: /etc"],
      [{}, shell("sudo id"), "command matches default deny pattern"],
      [{ commandRules: [{ pattern: "id", action: "deny" }] }, shell("id"), "command denied by policy"],
      [{ commandRules: [{ pattern: "id", action: "deny", reason: "no id" }] }, shell("id"), "no id"]
    ]
    for (const commandAnalysis of ["rules", "shell"] as const) {
      for (const [options, action, reason] of refusals) {
        const { policy, asked } = asking(undefined, { ...options, commandAnalysis })
        assert.deepInclude(await policy.check(action), { allowed: false, reason })
        assert.deepEqual(asked, [])
      }
    }
  })

  it("CS3: matrix rows 11 and 12: a link that leads out is refused for every kind, before anybody is asked", async () => {
    await symlink(base, join(root, "out"))
    await symlink(join(base, "none"), join(root, "dangling"))
    const { policy, asked } = asking()
    for (const kind of ["read", "write", "edit", "shell"]) {
      for (const path of [join(root, "out"), join(root, "out", "new", "x"), join(root, "dangling")]) {
        const decision = await policy.check({ kind, operation: kind, paths: [path], command: "ls" })
        assert.include(decision, { allowed: false, reason: `path outside trusted roots: ${path}` })
      }
    }
    assert.deepEqual(asked, [])
  })

  it("CS5, CS6: what changes something needs approval, reading and unknown kinds do not", async () => {
    const policy = createCodingApprovalPolicy({ roots: [root] })
    for (const kind of ["shell", "write", "edit", "delete", "move"]) {
      const decision = await policy.check({ kind, operation: "x", paths: [root] })
      assert.include(decision, { allowed: false, reason: "approval required" }, kind)
    }
    for (const kind of ["read", "network"]) {
      assert.deepEqual(await policy.check({ kind, operation: "x" }), { allowed: true })
    }
    assert.include(await policy.check(shell("ls")), { allowed: false, reason: "approval required" })
  })

  it("CS9, CS17: an allow rule of the host's needs no approval, and a shell has its turn for itself", async () => {
    const { policy, asked } = asking(() => false, {
      commandRules: [
        { pattern: "git status", action: "allow" },
        { pattern: /^ls/, action: "allow" }
      ]
    })
    assert.deepEqual(await policy.check(shell("git status")), { allowed: true, exclusive: true })
    assert.deepEqual(await policy.check(shell("ls; id")), {
      allowed: false,
      reason: "approval denied",
      exclusive: true
    })
    assert.deepEqual(await policy.check(shell("pwd")), { allowed: false, reason: "approval denied", exclusive: true })
    assert.deepEqual(
      asked.map(({ action }) => action.command),
      ["ls; id", "pwd"]
    )
  })

  it("CS17: a parsed command line runs without a question when rules allow each program, and the decision lists them", async () => {
    const rule = { pattern: /^(?:ls|wc)(?: |$)/, action: "allow" } as const
    const { policy, asked } = asking(() => true, { commandAnalysis: "shell", commandRules: [rule] })
    const decision = await policy.check(shell("ls -a | wc -l; ls"))
    assert.include(decision, { allowed: true, exclusive: true })
    assert.deepEqual(
      decision.analysis?.programs.map(({ text, rule: decided }) => [text, decided]),
      [
        ["ls -a", rule],
        ["wc -l", rule],
        ["ls", rule]
      ]
    )
    assert.deepEqual(asked, [])
    assert.isTrue((await policy.check(shell("ls | sort"))).allowed)
    assert.strictEqual(asked[0]?.analysis?.reason, "no rule allows sort")
  })

  it("CS8: a path that moved outside while a person decided is refused", async () => {
    const link = join(root, "moving")
    await mkdir(join(root, "dir"))
    await symlink(join(root, "dir"), link)
    const { policy, asked } = asking(async () => {
      await rm(link)
      await symlink(base, link)
      return true
    })
    const path = join(link, "x")
    assert.deepEqual(await policy.check(write(path)), { allowed: false, reason: `path outside trusted roots: ${path}` })
    assert.lengthOf(asked, 1)
  })

  it("CS10: odd actions are refusals, and nothing throws", async () => {
    const { policy, asked } = asking()
    const trap = Object.defineProperty({ kind: "shell", operation: "x" }, "paths", {
      enumerable: true,
      get: () => {
        throw new Error("trap")
      }
    })
    const odd = [
      { ...shell("ls"), command: 7 },
      { ...shell("ls"), command: null },
      { ...shell("ls"), paths: "/etc" },
      { ...shell("ls"), paths: [7] },
      { ...shell("ls"), paths: [null] },
      { ...shell("ls"), paths: [root, undefined] },
      { ...shell("ls"), paths: [`${root}/\0`] },
      { ...shell("ls"), paths: [Object.create(null)] },
      trap,
      null
    ]
    // What the types forbid is what is tried here.
    for (const action of odd) assert.isFalse((await policy.check(action as unknown as ExecutionAction)).allowed)
    assert.deepEqual(asked, [])
  })

  it("CS10: options that make no sense throw where the policy is made", () => {
    const odd = [
      { roots: undefined },
      { commandAnalysis: "both" },
      { approvalCacheScope: "forever" },
      { commandRules: [{ pattern: 1, action: "allow" }] },
      { commandRules: [{ pattern: "x", action: "ask" }] },
      ...[0, -1, 1.5, Number.NaN, Infinity, 2_147_483_648].map((approvalTimeoutMs) => ({ approvalTimeoutMs }))
    ]
    for (const options of odd) {
      // Options from a host without types.
      assert.throws(() => createCodingApprovalPolicy({ roots: [root], ...options } as unknown as Options))
    }
    createCodingApprovalPolicy({ roots: [root], approvalTimeoutMs: 2_147_483_647 })
  })

  it("CS23, CS24: only true approves; anything else, a throw and a rejection refuse", async () => {
    const answers: ReadonlyArray<() => unknown> = [
      ...[false, undefined, null, 1, "true", {}, [true], { approved: true }].map((value) => () => value),
      () => Promise.resolve("yes"),
      () => Promise.reject(new Error("no")),
      () => {
        throw new Error("no")
      }
    ]
    for (const answer of answers) {
      const { policy, asked } = asking(answer)
      assert.deepEqual(await policy.check(write()), { allowed: false, reason: "approval denied" })
      assert.lengthOf(asked, 1)
    }
    for (const answer of [() => true, () => Promise.resolve(true)]) {
      assert.deepEqual(await asking(answer).policy.check(write()), { allowed: true })
    }
  })

  it("CS21, CS22, CS24, CS26: matrix row 14: an abort ends the wait and withdraws the question", async () => {
    const controller = new AbortController()
    const { policy, asked } = asking(() => new Promise(() => undefined))
    const decision = policy.check(shell("pwd", { signal: controller.signal }))
    await vi.waitFor(() => assert.lengthOf(asked, 1))
    assert.isFalse(asked[0]?.signal?.aborted)
    controller.abort()
    assert.deepEqual(await decision, { allowed: false, reason: "approval denied (aborted)", exclusive: true })
    assert.isTrue(asked[0]?.signal?.aborted)
    assert.include(await policy.check(shell("pwd", { signal: controller.signal })), {
      reason: "approval denied (aborted)"
    })
    assert.lengthOf(asked, 1)
  })

  it("CS21, CS24, CS25, CS26, CS28: a late answer changes nothing, is not cached, and its rejection is handled", async () => {
    const unhandled: Array<unknown> = []
    const note = (error: unknown): void => void unhandled.push(error)
    process.on("unhandledRejection", note)
    const answers = [later(), later()]
    const { policy, asked } = asking(() => answers[asked.length - 1]?.promise ?? true, {
      approvalTimeoutMs: 5,
      approvalCacheScope: "run"
    })
    for (const [at, answer] of answers.entries()) {
      assert.include(await policy.check(shell("pwd", { runId: "r" })), { reason: "approval denied (timed out)" })
      assert.isTrue(asked[at]?.signal?.aborted)
      if (at === 0) answer.resolve(true)
      else answer.reject(new Error("late"))
    }
    await new Promise((resolve) => void setImmediate(resolve))
    process.off("unhandledRejection", note)
    assert.deepEqual(unhandled, [])
    assert.isTrue((await policy.check(shell("pwd", { runId: "r" }))).allowed)
    assert.lengthOf(asked, 3)
  })

  it("CS25: an answer in time leaves neither a timer nor a listener", async () => {
    const listeners = { added: 0, removed: 0 }
    const signal = Object.assign(new AbortController().signal, {
      addEventListener: () => void (listeners.added += 1),
      removeEventListener: () => void (listeners.removed += 1)
    })
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length
    const before = timers()
    const { policy } = asking(() => Promise.resolve(true))
    assert.isTrue((await policy.check(shell("pwd", { signal }))).allowed)
    assert.strictEqual(timers(), before)
    assert.strictEqual(listeners.added, listeners.removed)
  })

  it("CS27, CS28: an answer holds for the same action of the same run or session, and for no other", async () => {
    for (const [scope, name] of [
      ["run", "runId"],
      ["session", "sessionId"]
    ] as const) {
      for (const answer of [true, false]) {
        const { policy, asked } = asking(() => answer, { approvalCacheScope: scope })
        const reasons = async (...actions: ReadonlyArray<ExecutionAction>) => {
          const all: Array<string | undefined> = []
          for (const action of actions) all.push((await policy.check(action)).reason)
          return all
        }
        const cached = answer ? undefined : "approval denied (cached)"
        const denied = answer ? undefined : "approval denied"
        const same = shell("pwd", { [name]: "a" })
        assert.deepEqual(await reasons(same, same), [denied, cached])
        assert.lengthOf(asked, 1)
        await reasons(shell("pwd", { [name]: "b" }), shell("id", { [name]: "a" }), { ...same, operation: "other" })
        assert.lengthOf(asked, 4)
        for (const id of [undefined, "", 7]) {
          await reasons(shell("pwd", { [name]: id }), shell("pwd", { [name]: id }))
        }
        assert.lengthOf(asked, 10)
      }
    }
    const { policy, asked } = asking()
    await policy.check(shell("pwd", { runId: "a", sessionId: "a" }))
    await policy.check(shell("pwd", { runId: "a", sessionId: "a" }))
    assert.lengthOf(asked, 2)
  })

  it("CS28: aborts and throws are not cached", async () => {
    const { policy, asked } = asking(
      () => {
        if (asked.length === 1) throw new Error("no terminal")
        return true
      },
      { approvalCacheScope: "run" }
    )
    const controller = new AbortController()
    controller.abort()
    await policy.check(shell("pwd", { runId: "r", signal: controller.signal }))
    assert.isFalse((await policy.check(shell("pwd", { runId: "r" }))).allowed)
    assert.isTrue((await policy.check(shell("pwd", { runId: "r" }))).allowed)
    assert.lengthOf(asked, 2)
  })

  it("CS29: a cached approval skips no other check", async () => {
    const { policy } = asking(() => true, { approvalCacheScope: "run" })
    const link = join(root, "link")
    await mkdir(join(root, "dir"))
    await symlink(join(root, "dir"), link)
    const action = { ...write(link), metadata: { runId: "r" } }
    assert.isTrue((await policy.check(action)).allowed)
    await rm(link)
    await symlink(base, link)
    assert.deepEqual(await policy.check(action), { allowed: false, reason: `path outside trusted roots: ${link}` })
  })

  it("CS7: a remembered answer asks nobody, without one the wait is as long as the host said", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    const answer = later()
    const { policy, asked } = asking(() => answer.promise, { approvalCacheScope: "run" })
    const late = policy.check(shell("pwd", { runId: "r" }))
    while (asked.length === 0) await new Promise((resolve) => void setImmediate(resolve))
    await vi.advanceTimersByTimeAsync(29_999)
    assert.isFalse(asked[0]?.signal?.aborted)
    await vi.advanceTimersByTimeAsync(1)
    assert.include(await late, { reason: "approval denied (timed out)" })
    answer.resolve(true)
    assert.isTrue((await policy.check(shell("pwd", { runId: "r" }))).allowed)
    assert.isTrue((await policy.check(shell("pwd", { runId: "r" }))).allowed)
    assert.lengthOf(asked, 2)
  })

  it("CS31: what was approved elsewhere counts for nothing here, and the policy of today decides", async () => {
    const gate = ApprovalGate.make({ prompt: () => true })
    const action = shell("pwd", { runId: "r" })
    const elsewhere = await Effect.runPromise(gate.ask({ title: "shell:execute", detail: "pwd" }))
    assert.isTrue(elsewhere.approved)
    const { policy, asked } = asking(() => false, { approvalCacheScope: "run" })
    assert.include(await policy.check(action), { reason: "approval denied" })
    assert.lengthOf(asked, 1)
    const earlier = asking(() => true, { approvalCacheScope: "run" })
    assert.isTrue((await earlier.policy.check(action)).allowed)
    const changes: ReadonlyArray<readonly [Partial<Options>, string]> = [
      [{ roots: [join(root, "narrower")] }, `path outside trusted roots: ${root}`],
      [{ readOnly: true }, "read-only mode"],
      [{ commandRules: [{ pattern: "pwd", action: "deny" }] }, "command denied by policy"],
      [{ approve: undefined }, "approval required"]
    ]
    for (const [options, reason] of changes) {
      const resumed = asking(() => true, { approvalCacheScope: "run", ...options })
      assert.include(await resumed.policy.check(action), { allowed: false, reason })
      assert.deepEqual(resumed.asked, [])
    }
  })

  it("CS10: a prompt can change nothing of what it approves", async () => {
    const { policy, asked } = asking(({ action }) => Object.isFrozen(action) && Object.isFrozen(action.paths))
    assert.isTrue((await policy.check(shell("pwd"))).allowed)
    assert.lengthOf(asked, 1)
  })
})

describe("CodingApprovalPolicy.layer", () => {
  it.effect("CS3, CS9: is the execution policy of whatever runs below", () =>
    Effect.gen(function* () {
      const policy = yield* Execution
      assert.strictEqual((yield* requireExecution(policy, write())).kind, "write")
      const refused = yield* Effect.flip(requireExecution(policy, write("/etc/x")))
      assert.strictEqual(refused.message, "path outside trusted roots: /etc/x")
      const [shellTool] = createCodingTools(root, { executionPolicy: policy })
      const context = { sessionId: "s", runId: "r", toolCallId: "c" }
      const denied = yield* Effect.promise(async () => shellTool?.execute({ command: "sudo id" }, context))
      assert.nestedInclude(denied, { "error.message": "command matches default deny pattern" })
    }).pipe(Effect.provide(CodingApprovalPolicy.layer({ roots: [root], approve: () => true })))
  )

  it.effect("provides nothing to what does not run below it, and dies of options that make no sense", () =>
    Effect.gen(function* () {
      assert.isUndefined(yield* Execution)
      const built = Effect.provide(Effect.void, CodingApprovalPolicy.layer({ roots: [root], approvalTimeoutMs: 0 }))
      assert.include(String(yield* Effect.exit(built)), "approvalTimeoutMs")
    })
  )
})
