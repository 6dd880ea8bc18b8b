import { assert, describe, it } from "@effect/vitest"
import { createSkillRegistry, resolveActiveSkills, runSkills } from "../../src/input/skills.ts"
import type { ToolDefinition } from "../../src/ports/ToolDefinition.ts"

const tool = (name: string): ToolDefinition => ({ name, execute: (_, { toolCallId }) => ({ toolCallId, name }) })
const one = { name: "one" }
const two = { name: "two", toolNames: ["read", "write"] }
const three = { name: "three", instructions: "three" }
const tools = [tool("read"), tool("write")]

describe("createSkillRegistry", () => {
  it("X11: refuses a duplicate only if told to, and an unknown name", () => {
    assert.throws(() => createSkillRegistry([one, one], { duplicate: "error" }), "Duplicate skill: one")
    assert.throws(() => createSkillRegistry([one]).resolve("toString"), "Unknown skill: toString")
    const registry = createSkillRegistry([one, three])
    const other = { name: "one", description: "other" }
    registry.register(other)
    assert.deepEqual(registry.list(), [other, three])
    assert.strictEqual(registry.get("one"), other)
    assert.isUndefined(registry.get("two"))
  })
})

describe("resolveActiveSkills", () => {
  const registry = createSkillRegistry([one, two, three])

  it("X14, S48: an unknown skill and one whose tool is not active are refused", () => {
    assert.throws(() => resolveActiveSkills({ registry, names: ["one", "four"] }), "Unknown skill: four")
    assert.throws(
      () => resolveActiveSkills({ registry, names: ["two"], tools: [tool("read")] }),
      "Skill two requires inactive tool: write"
    )
    assert.throws(() => resolveActiveSkills({ registry, names: ["two"] }), "Skill two requires inactive tool: read")
  })

  it("X14: keeps the requested order, and activates nothing that is not requested", () => {
    assert.deepEqual(resolveActiveSkills({ registry, names: ["three", "one"] }), [three, one])
    assert.deepEqual(resolveActiveSkills({ registry, names: ["two"], tools }), [two])
    assert.deepEqual(resolveActiveSkills({ registry, names: ["two"], tools: { get: (name) => tool(name) } }), [two])
    assert.deepEqual(resolveActiveSkills({ registry, tools }), [])
  })
})

describe("runSkills", () => {
  const registry = createSkillRegistry([one, two, three])

  it("S48: refuses an unknown name and an inactive tool, whatever is configured", () => {
    for (const configured of [registry, [one, two], undefined]) {
      assert.throws(() => runSkills({ configured, activeSkills: ["four"], tools }), "Unknown skill: four")
    }
    const refused = "Skill two requires inactive tool: read"
    assert.throws(() => runSkills({ configured: [two], tools: [] }), refused)
    assert.throws(() => runSkills({ configured: registry, activateAllSkills: true, tools: [] }), refused)
    assert.throws(() => runSkills({ configured: [], skills: [two], tools: [] }), refused)
  })

  it("S48: a list is active as a whole, a registry only what is selected", () => {
    assert.deepEqual(runSkills({ configured: [one, three], tools }), [one, three])
    assert.deepEqual(runSkills({ configured: registry, tools }), [])
    assert.deepEqual(runSkills({ configured: registry, activeSkills: ["three", "one"], tools }), [three, one])
    assert.deepEqual(runSkills({ configured: registry, activateAllSkills: true, tools }), [one, two, three])
    assert.deepEqual(runSkills({ configured: undefined, tools }), [])
  })

  it("S48: the list of a run replaces what is configured", () => {
    assert.deepEqual(runSkills({ configured: [one], skills: [three], tools }), [three])
    assert.deepEqual(runSkills({ configured: registry, skills: [], tools }), [])
  })
})
