import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { PermissionDecision, PermissionRequest } from "../../../src/ports/Policies.ts"
import { createStaticPermissionPolicy } from "../../../src/security/Permission.ts"
import { callOf, dispatched, throwing, tool, untyped } from "../dispatching.ts"

const ran: Array<string> = []
const tools = [tool("write", () => ran.push("write"))]
const decided = (answer: unknown) =>
  dispatched(callOf("write"), { tools, permission: { check: () => untyped<PermissionDecision>(answer) } })

describe("authorize", () => {
  it("T7, T12: a denial blocks with the default message unless the decision gives a reason", async () => {
    for (const reason of [undefined, "", 7, null]) {
      const { result, events } = await decided({ allowed: false, reason })
      assert.deepEqual(result.error, { message: "Permission denied for tool:write:execute" })
      assert.deepInclude(events[0], { type: "tool_execution_blocked", reason: "permission_denied" })
    }
    assert.deepEqual((await decided({ allowed: false, reason: "not today" })).result.error, { message: "not today" })
    assert.deepEqual(ran, [])
  })

  it("T11: a policy that throws, rejects or fails denies", async () => {
    const failures = [throwing(new Error("down")), () => Promise.reject(new Error("down")), () => Effect.fail("down")]
    for (const check of failures) {
      const { result, events } = await dispatched(callOf("write"), { tools, permission: { check } })
      assert.deepInclude(events[0], { type: "tool_execution_blocked", reason: "permission_denied" })
      assert.strictEqual(result.error?.message, "down")
    }
    assert.deepEqual(ran, [])
  })

  it("T11: a policy that answers with anything but a decision denies", async () => {
    for (const answer of [undefined, null, true, "yes", {}, { allowed: 1 }, { allowed: "true" }]) {
      const { events } = await decided(answer)
      assert.deepInclude(events[0], { type: "tool_execution_blocked", reason: "permission_denied" })
    }
    assert.deepEqual(ran, [])
  })

  it("T11: the question names the tool, with the metadata of the context", async () => {
    const asked: Array<PermissionRequest> = []
    const metadata = { user: "u1" }
    const { types } = await dispatched(callOf("write"), {
      tools: [tool("write")],
      context: { metadata },
      permission: { check: (request) => (asked.push(request), { allowed: true }) }
    })
    assert.deepEqual(asked, [{ kind: "tool", action: "execute", target: "write", metadata }])
    assert.deepEqual(types, ["tool_execution_started", "tool_execution_finished"])
  })

  it("T11: the key of a static policy is tool:<name>:execute", async () => {
    const permission = createStaticPermissionPolicy({ deny: ["tool:write:execute"] })
    const { result } = await dispatched(callOf("write"), { tools, permission })
    assert.strictEqual(result.error?.message, "Permission denied: tool:write:execute")
    assert.deepEqual(ran, [])
  })
})
