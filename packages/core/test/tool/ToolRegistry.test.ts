import { assert, describe, it } from "@effect/vitest"
import type { ToolDefinition } from "../../src/ports/ToolDefinition.ts"
import { createToolRegistry, filterTools, isToolAllowed } from "../../src/tool/ToolRegistry.ts"

const tool = (name: string, description = ""): ToolDefinition => ({
  name,
  description,
  execute: () => ({ toolCallId: "c", name })
})
const names = (tools: ReadonlyArray<ToolDefinition>) => tools.map(({ name }) => name)

const broken = (part: object) => () => createToolRegistry([{ ...tool("a"), ...part }])

describe("createToolRegistry", () => {
  it("T2: a duplicate is refused when the registry says so, also in the list it starts with", () => {
    assert.throws(() => createToolRegistry([tool("a"), tool("a")], { duplicate: "error" }), "Duplicate tool: a")
    const registry = createToolRegistry([tool("a", "first")], { duplicate: "error" })
    assert.throws(() => registry.register(tool("a", "second")), /^Duplicate tool: a$/)
    assert.strictEqual(registry.get("a")?.description, "first")
  })

  it("T3: a missing name throws from resolve and is undefined from get", () => {
    const registry = createToolRegistry([tool("a")])
    for (const name of ["b", "A", "", "constructor", "__proto__"]) {
      assert.throws(() => registry.resolve(name), new RegExp(`^Unknown tool: ${name}$`))
      assert.isUndefined(registry.get(name))
    }
  })

  it("T41: a deadline that no timer can keep is refused at registration", () => {
    for (const timeoutMs of [0, -1, 1.5, Number.NaN, Infinity, 2_147_483_648]) {
      const error = ((): unknown => {
        try {
          return createToolRegistry([{ ...tool("slow"), timeoutMs }])
        } catch (thrown) {
          return thrown
        }
      })()
      assert.instanceOf(error, RangeError)
      const message = "Tool slow: timeoutMs must be a positive safe integer at most 2147483647"
      assert.strictEqual(error.message, message)
    }
    for (const timeoutMs of [1, 2_147_483_647, undefined]) createToolRegistry([{ ...tool("slow"), timeoutMs }])
  })

  it("T3: what is no tool is refused at registration", () => {
    assert.throws(broken({ name: "" }), TypeError, "Tool name must be a non-empty string")
    assert.throws(broken({ name: 1 }), TypeError, "Tool name must be a non-empty string")
    assert.throws(broken({ execute: undefined }), TypeError, "Tool a: execute must be a function")
  })

  it("T1, T2: the list is in order of first registration, and a replacement keeps the place", () => {
    const registry = createToolRegistry([tool("b"), tool("a"), tool("2")])
    registry.register(tool("1"))
    registry.register(tool("b", "new"))
    assert.deepEqual(names(registry.list()), ["b", "a", "2", "1"])
    assert.strictEqual(registry.resolve("b").description, "new")
    assert.strictEqual(registry.list()[0]?.description, "new")
  })

  it("T1: a list that was handed out does not change the registry", () => {
    const registry = createToolRegistry([tool("a")])
    Array.prototype.push.call(registry.list(), tool("b"))
    assert.deepEqual(names(registry.list()), ["a"])
  })
})

describe("isToolAllowed", () => {
  it("T4: deny wins over allow", () => {
    assert.isFalse(isToolAllowed("a", { allow: ["a"], deny: ["a"] }))
    assert.isFalse(isToolAllowed("a", { deny: ["a"] }))
    assert.isFalse(isToolAllowed("a", [{ allow: ["a"] }, { deny: ["a"] }]))
  })

  it("T4: only exact names match", () => {
    assert.isFalse(isToolAllowed("read_file", { allow: ["read"] }))
    assert.isFalse(isToolAllowed("read", { allow: ["read_file", "READ", "re*", "read "] }))
    assert.isTrue(isToolAllowed("read", { deny: ["read_file", "READ", "re*"] }))
  })

  it("T5: every allow list that has entries must hold the name", () => {
    assert.isFalse(isToolAllowed("a", [{ allow: ["a", "b"] }, { allow: ["b"] }]))
    assert.isTrue(isToolAllowed("b", [{ allow: ["a", "b"] }, { allow: ["b"] }, { allow: [] }, {}]))
  })

  it("T4: a missing or empty allow list restricts nothing", () => {
    for (const filter of [undefined, {}, { allow: [] }, { allow: [], deny: [] }, [], [{}]]) {
      assert.isTrue(isToolAllowed("a", filter))
    }
  })
})

describe("filterTools", () => {
  const tools = [tool("c"), tool("a"), tool("b"), tool("a", "again")]

  it("T5: the order of the input is kept and no tool is added", () => {
    assert.deepEqual(names(filterTools(tools, { allow: ["a", "b", "x"] })), ["a", "b", "a"])
    assert.deepEqual(names(filterTools(tools, [{ allow: ["b", "c"] }, { deny: ["c"] }])), ["b"])
    assert.deepEqual(names(filterTools(tools)), ["c", "a", "b", "a"])
    assert.deepEqual(names(tools), ["c", "a", "b", "a"])
  })
})
