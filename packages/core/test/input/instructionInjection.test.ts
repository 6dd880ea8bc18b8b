import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { resolveInstructionInjectors, runInstructionInjectors } from "../../src/input/instructionInjection.ts"
import type { InstructionInjection, InstructionInjector, InstructionInjectorContext } from "../../src/ports/Input.ts"

const contextOf = (turn: number, signal = new AbortController().signal): InstructionInjectorContext => ({
  sessionId: "s",
  runId: "r",
  turn,
  signal,
  metadata: {},
  input: "hi",
  history: []
})
const injector = (name: string, injection: InstructionInjection | undefined): InstructionInjector => ({
  name,
  apply: () => injection
})
const texts = async (injection: InstructionInjection | undefined, turn: number) =>
  (await runInstructionInjectors([injector("i", injection)], contextOf(turn))).instructions

describe("runInstructionInjectors", () => {
  it("X16: what does not apply to the turn adds nothing", async () => {
    assert.deepEqual(await texts({ when: "first_turn", instructions: "x" }, 2), [])
    assert.deepEqual(await texts({ when: "on_input", instructions: "x", predicate: () => false }, 1), [])
    assert.deepEqual(await texts({ when: "sometimes" as never, instructions: "x" }, 1), [])
    assert.deepEqual(await texts({ when: "every_turn", instructions: "" }, 1), [])
    assert.deepEqual(await texts(undefined, 1), [])
  })

  it("X16: first_turn applies on turn 1, every_turn always, on_input if its predicate is absent or true", async () => {
    assert.deepEqual(await texts({ when: "first_turn", instructions: "x" }, 1), ["x"])
    assert.deepEqual(await texts({ when: "every_turn", instructions: "x", predicate: () => false }, 7), ["x"])
    assert.deepEqual(await texts({ when: "on_input", instructions: "x" }, 7), ["x"])
    const onHi: InstructionInjection = { when: "on_input", instructions: "x", predicate: ({ input }) => input === "hi" }
    assert.deepEqual(await texts(onHi, 3), ["x"])
  })

  it("X16: only text and context blocks count, in the order of the injectors", async () => {
    const granting = { when: "every_turn", contextBlocks: [{ content: "c" }], tools: ["rm"], permission: true } as const
    const injectors: ReadonlyArray<InstructionInjector> = [
      injector("a", granting),
      { name: "b", apply: () => Promise.resolve({ when: "every_turn", instructions: "b" } as const) },
      {
        name: "c",
        apply: () =>
          Effect.succeed({ when: "every_turn", instructions: "c", contextBlocks: [{ content: "d" }] } as const)
      }
    ]
    assert.deepEqual(await runInstructionInjectors(injectors, contextOf(1)), {
      instructions: ["b", "c"],
      contextBlocks: [{ content: "c" }, { content: "d" }]
    })
  })

  it("S14: no injector is asked after an abort, and what one throws rejects", async () => {
    let asked = 0
    const counting: InstructionInjector = { name: "n", apply: () => void (asked += 1) }
    const aborted = contextOf(1, AbortSignal.abort(new Error("stopped")))
    assert.strictEqual(await runInstructionInjectors([counting], aborted).catch((e: Error) => e.message), "stopped")
    assert.strictEqual(asked, 0)
    const failing: InstructionInjector = {
      name: "f",
      apply: () => {
        throw new Error("broken")
      }
    }
    assert.strictEqual(await runInstructionInjectors([failing], contextOf(1)).catch((e: Error) => e.message), "broken")
  })
})

describe("resolveInstructionInjectors", () => {
  it("X16: refuses an unknown name", () => {
    const unknown = "Unknown instruction injector: x"
    assert.throws(() => resolveInstructionInjectors({ names: ["x"] }), unknown)
    assert.throws(() => resolveInstructionInjectors({ names: ["x"], registry: new Map() }), unknown)
  })

  it("X7, X16: gives the configured ones, then the named ones, and nothing of a registry that is not named", () => {
    const a = injector("a", undefined)
    const b = injector("b", undefined)
    const c = injector("c", undefined)
    const registry = new Map([a, b, c].map((each) => [each.name, each]))
    assert.deepEqual(resolveInstructionInjectors({ configured: [c], registry, names: ["b", "a"] }), [c, b, a])
    assert.deepEqual(resolveInstructionInjectors({ registry }), [])
  })
})
