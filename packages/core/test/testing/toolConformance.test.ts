import { assert, describe, it } from "@effect/vitest"
import type { ToolDefinition, ToolFilter, ToolRegistry } from "../../src/ports/ToolDefinition.ts"
import type { ToolResult } from "../../src/schema/ToolResult.ts"
import { createSecretRedactor } from "../../src/security/Redactor.ts"
import {
  assertToolBlocked,
  assertToolDispatchConforms,
  dispatchAndCollect,
  type ToolConformanceOptions
} from "../../src/testing/toolConformance.ts"
import { createToolRegistry } from "../../src/tool/ToolRegistry.ts"
import { answering, callOf, rejection, throwing, tool, untyped } from "../dispatch/dispatching.ts"

const read = tool("read", (args) => args.path)
/** What the suite says of a tool, or `conforms`. */
const verdict = async (options: Partial<ToolConformanceOptions>, registry = createToolRegistry()) => {
  const error = await rejection(
    assertToolDispatchConforms(registry, { tool: read, validArgs: { path: "a" }, ...options })
  )
  if (error === "resolved with undefined") return "conforms"
  assert.strictEqual(Object.getPrototypeOf(error), Error.prototype)
  return untyped<Error>(error).message
}

describe("assertToolDispatchConforms", () => {
  it("T39: a tool that fails, or reports an error, deviates", async () => {
    const failing: ToolDefinition = { name: "read", execute: throwing(new Error("bad")) }
    assert.strictEqual(
      await verdict({ tool: failing }),
      "success: expected started … finished, saw tool_execution_started, tool_execution_error"
    )
    const reporting = answering("read", { error: { message: "no such file" } })
    assert.strictEqual(await verdict({ tool: reporting }), "success: the tool failed with no such file")
  })

  it("T39: a registry that lets unknown names, or a filter or policy that lets nothing pass, deviates", async () => {
    const eager: ToolRegistry = { register: () => undefined, get: () => read, resolve: () => read, list: () => [read] }
    const registered = createToolRegistry()
    const deaf: ToolRegistry = { ...registered, get: (name) => (name === "read" ? undefined : registered.get(name)) }
    assert.strictEqual(await verdict({}, deaf), "expected the call to be blocked for tool_denied, not unknown_tool")
    assert.strictEqual(
      await verdict({ filter: { deny: ["read"] } }),
      "expected the call to be blocked for invalid_arguments, not tool_denied"
    )
    assert.strictEqual(
      await verdict({ permission: { check: () => ({ allowed: false }) } }),
      "expected the call to be blocked for validation_failed, not permission_denied"
    )
    const asked: Array<string> = []
    const counting = { ...eager, get: (name: string) => (asked.push(name), asked.length > 3 ? undefined : read) }
    assert.include(await verdict({}, counting), "expected the call to be blocked for tool_denied")
    assert.deepEqual(asked.slice(0, 2), ["read-unknown", "read-unknown-unknown"])
  })

  it("T39: unknown, denied, no object, no permission, not valid, success: each is probed, in this order", async () => {
    const probes = ["tool_denied", "invalid_arguments", "permission_denied", "validation_failed"]
    const lost = async (at: number) => {
      let lookups = 0
      const registry = createToolRegistry()
      return verdict({}, { ...registry, get: (name) => ((lookups += 1) === at ? undefined : registry.get(name)) })
    }
    // The first lookup finds a name that nobody has, the second is the probe of it.
    const verdicts = await Promise.all(probes.map((_, at) => lost(at + 3)))
    assert.deepEqual(
      verdicts,
      probes.map((reason) => `expected the call to be blocked for ${reason}, not unknown_tool`)
    )
    assert.include(await lost(7), "success: expected started")
    assert.strictEqual(await lost(8), "conforms")
  })

  it("T39: arguments that the validator refuses deviate at the last probe", async () => {
    assert.include(
      await verdict({ validate: () => "never" }),
      "success: expected started … finished, saw tool_execution_blocked"
    )
  })

  it("T39: a registry that refuses the tool is a deviation of its own", async () => {
    const strict = createToolRegistry([read], { duplicate: "error" })
    assert.strictEqual(await verdict({}, strict), "Duplicate tool: read")
  })

  it("T39: it registers the tool and probes in the documented order; the tool runs once, at the end", async () => {
    const registry = createToolRegistry()
    const order: Array<unknown> = []
    const probed = tool("read", (args) => order.push(args))
    assert.strictEqual(
      await verdict(
        {
          tool: probed,
          permission: { check: ({ target }) => (order.push(`permission ${target}`), { allowed: true }) },
          validate: () => void order.push("validate"),
          filter: { allow: ["read"] },
          secrets: ["sk-1"]
        },
        registry
      ),
      "conforms"
    )
    assert.strictEqual(registry.get("read"), probed)
    // The refusing permission and validator are the suite's own.
    assert.deepEqual(order, ["permission read", "permission read", "validate", { path: "a" }])
  })
})

describe("assertToolBlocked", () => {
  const registry = createToolRegistry([read])

  it("T40: a call that runs, or is blocked for another reason, is an Error", async () => {
    const ran = await rejection(assertToolBlocked({ call: callOf("read"), registry }, "tool_denied"))
    assert.propertyVal(
      ran,
      "message",
      "tool_denied: expected one tool_execution_blocked event, saw tool_execution_started, tool_execution_finished"
    )
    const other = await rejection(assertToolBlocked({ call: callOf("gone"), registry }, "tool_denied"))
    assert.propertyVal(other, "message", "expected the call to be blocked for tool_denied, not unknown_tool")
  })

  it("T40: a call that is blocked for the reason passes", async () => {
    const filter: ToolFilter = { deny: ["read"] }
    assert.isUndefined(await assertToolBlocked({ call: callOf("gone"), registry }, "unknown_tool"))
    assert.isUndefined(await assertToolBlocked({ call: callOf("read"), registry, filter }, "tool_denied"))
  })
})

describe("dispatchAndCollect", () => {
  it("T40: the default context is of session conformance, run r and the call's own id", async () => {
    const registry = createToolRegistry([
      tool("read", (_, { runId, sessionId, toolCallId }) => ({ runId, sessionId, toolCallId }))
    ])
    const { result, events } = await dispatchAndCollect({ call: callOf("read", {}, "c1"), registry })
    const expected: ToolResult = {
      toolCallId: "c1",
      name: "read",
      value: { sessionId: "conformance", runId: "r", toolCallId: "c1" }
    }
    assert.deepEqual(result, expected)
    assert.deepEqual(
      events.map(({ type }) => type),
      ["tool_execution_started", "tool_execution_finished"]
    )
  })

  it("T40: a context of the probe's own is used, and every event is collected, redacted", async () => {
    const registry = createToolRegistry([
      tool("read", (_, context) => (void context.progress?.("sk-1"), context.sessionId))
    ])
    const { result, events } = await dispatchAndCollect({
      call: callOf("read"),
      registry,
      context: { sessionId: "own", runId: "own", toolCallId: "c" },
      redactor: createSecretRedactor(["sk-1"])
    })
    assert.strictEqual(result.value, "own")
    assert.lengthOf(events, 3)
    assert.deepInclude(events[1], { progress: "[REDACTED]", sessionId: "own" })
  })
})
