import { assert, describe, it } from "@effect/vitest"
import { ProviderError } from "../../../src/errors/ProviderError.ts"
import type { ToolCallContent } from "../../../src/schema/Content.ts"
import type { JsonObject } from "../../../src/schema/Json.ts"
import { TurnCollector } from "../../../src/provider/collectTurn.ts"
import { ToolCallAssembler } from "../../../src/provider/openai-compatible/ToolCallAssembler.ts"
import type { WireToolCall } from "../../../src/provider/openai-compatible/wire.ts"

const assemble = (fragments: ReadonlyArray<WireToolCall>, cutBy?: string) => {
  const assembler = new ToolCallAssembler("test")
  const deltas = fragments.map((fragment) => assembler.accept(fragment))
  return { deltas, calls: assembler.finish(cutBy) }
}

const part = (index: unknown, id?: unknown, name?: string, args?: unknown): WireToolCall => ({
  index,
  id,
  function: { name, arguments: args }
})

const call = (id: string, name: string, args: JsonObject): ToolCallContent => ({
  type: "tool_call",
  id,
  name,
  arguments: args
})

const blocked = (id: string, name: string, message: string): ToolCallContent => ({
  ...call(id, name, {}),
  argumentsError: { message, code: "invalid_json_arguments" }
})

const failureOf = (run: () => unknown) => {
  try {
    run()
  } catch (error) {
    if (error instanceof ProviderError) return error.error
    throw error
  }
  throw new Error("expected a failure")
}

const incomplete = (index: number) => ({
  message: `Incomplete tool call delta at index ${index}`,
  code: "incomplete_delta"
})

const large = (bytes: number) => [part(0, "x", "a", '"'), part(0, undefined, undefined, "é".repeat((bytes - 1) / 2))]

const many = (count: number) => Array.from({ length: count }, (_, index) => part(undefined, `c${index}`, "a", "{}"))

describe("ToolCallAssembler", () => {
  it("D10, P17.7: a call without id or name fails the turn", () => {
    assert.deepStrictEqual(
      failureOf(() => assemble([part(0, undefined, "a", "{}")])),
      incomplete(0)
    )
    assert.deepStrictEqual(
      failureOf(() => assemble([part(0, "x", "a"), part(3, "y", undefined, "{}")])),
      incomplete(3)
    )
    assert.deepStrictEqual(
      failureOf(() => assemble([part(0, "", "a", "{}")])),
      incomplete(0)
    )
    assert.deepStrictEqual(
      failureOf(() => assemble([part(0, "x", " ", "{}")])),
      incomplete(0)
    )
    assert.deepStrictEqual(
      failureOf(() => assemble([part(0, 7, "a", "{}")])),
      incomplete(0)
    )
  })

  it("P17.6: argument text beyond 262,144 bytes in one call fails the turn", () => {
    assert.strictEqual(assemble(large(262_143)).calls.length, 1)
    assert.deepStrictEqual(
      failureOf(() => assemble(large(262_145))),
      {
        message: "test sent tool arguments of more than 262144 bytes",
        code: "tool_arguments_too_large"
      }
    )
  })

  it("P17.6: more than 256 calls in one turn fail it", () => {
    assert.strictEqual(assemble(many(256)).calls.length, 256)
    assert.strictEqual(failureOf(() => assemble(many(257))).code, "too_many_tool_calls")
  })

  it("D9, P17.7: what is no JSON object is a blocked call; blank text is no arguments", () => {
    const { calls } = assemble([
      part(0, "a", "n", "[1]"),
      part(1, "b", "n", '{"a":'),
      part(2, "c", "n", " \n"),
      part(3, "d", "n"),
      part(4, "e", "n", "nonsense")
    ])
    const message = "Tool arguments are not a JSON object"
    assert.deepStrictEqual(calls, [
      blocked("a", "n", message),
      blocked("b", "n", message),
      call("c", "n", {}),
      call("d", "n", {}),
      blocked("e", "n", message)
    ])
  })

  it("D9: the call that a limit cut off is blocked even if its text parses; the others are not", () => {
    const fragments = [part(0, "a", "n", "{}"), part(1, "b", "n", '{"rm":"/tmp"}')]
    for (const reason of ["length", "content_filter"]) {
      assert.deepStrictEqual(assemble(fragments, reason).calls, [
        call("a", "n", {}),
        blocked("b", "n", `Tool arguments were cut off: the answer ended with finish reason ${reason}`)
      ])
    }
  })

  it("D9: the call that was written last is the one cut off, whatever its index", () => {
    const { calls } = assemble(
      [part(0, "a", "n", "{"), part(1, "b", "n", "{}"), part(0, undefined, undefined, "}")],
      "length"
    )
    assert.deepStrictEqual(
      calls.map((one) => [one.id, one.argumentsError?.code]),
      [
        ["a", "invalid_json_arguments"],
        ["b", undefined]
      ]
    )
  })

  it("D8, P17.7: interleaved fragments are told as they come and assembled by index, in its order", () => {
    const { calls, deltas } = assemble([
      part(2, "b", "second", ""),
      part(0, "a", "first", '{"x"'),
      part(2, undefined, undefined, '{"y":2'),
      part(0, "", "", ":1}"),
      part(2, null, undefined, "}")
    ])
    assert.deepStrictEqual(deltas, [
      { type: "tool_call_delta", index: 2, id: "b", name: "second", argumentsText: "" },
      { type: "tool_call_delta", index: 0, id: "a", name: "first", argumentsText: '{"x"' },
      { type: "tool_call_delta", index: 2, argumentsText: '{"y":2' },
      { type: "tool_call_delta", index: 0, argumentsText: ":1}" },
      { type: "tool_call_delta", index: 2, argumentsText: "}" }
    ])
    assert.deepStrictEqual(calls, [call("a", "first", { x: 1 }), call("b", "second", { y: 2 })])
  })

  it("D8: the last id and name of an index win", () => {
    const { calls } = assemble([part(0, "a", "one", '{"x"'), part(0, "b", "two", ":1}"), part(0, "c", "two", "")])
    assert.deepStrictEqual(calls, [call("c", "two", { x: 1 })])
  })

  it("P17.7: without a usable index a new id opens a call and no id goes on with the last", () => {
    for (const index of [undefined, null, -1, 0.5, "0", 1e9]) {
      const { calls, deltas } = assemble([
        part(index, "a", "n", '{"x":'),
        part(index, undefined, undefined, "1}"),
        part(index, "b", "n", '{"y":'),
        part(index, "a", "", " "),
        part(index, "b", undefined, "2}")
      ])
      assert.deepStrictEqual(calls, [call("a", "n", { x: 1 }), call("b", "n", { y: 2 })])
      assert.deepStrictEqual(
        deltas.map((delta) => (delta.type === "tool_call_delta" ? delta.index : -1)),
        [0, 0, 1, 0, 1]
      )
    }
  })

  it("D10: a fragment without index and id that names another tool does not merge into the last call", () => {
    assert.strictEqual(
      failureOf(() => assemble([part(undefined, "a", "read"), part(undefined, undefined, "delete", "{}")])).code,
      "incomplete_delta"
    )
  })

  it("P17.7: calls without arguments that have the same index and name stay apart", () => {
    const { calls } = assemble([
      part(0, "a", "n", ""),
      part(0, "b", "n", ""),
      part(0, "c", "n", '{"x":1}'),
      part(0, "d", "n", '{"x":2}')
    ])
    assert.deepStrictEqual(calls, [
      call("a", "n", {}),
      call("b", "n", {}),
      call("c", "n", { x: 1 }),
      call("d", "n", { x: 2 })
    ])
  })

  it("P17.7: whole calls that all have the same index stay apart", () => {
    const { calls, deltas } = assemble([
      part(0, "a", "n", '{"x":1}'),
      part(0, "b", "n", '{"x":2}'),
      part(0, undefined, undefined, " "),
      part(0, "c", "m", ""),
      part(0, "d", "o", "")
    ])
    assert.deepStrictEqual(calls, [
      call("a", "n", { x: 1 }),
      call("b", "n", { x: 2 }),
      call("c", "m", {}),
      call("d", "o", {})
    ])
    assert.deepStrictEqual(
      deltas.map((delta) => (delta.type === "tool_call_delta" ? delta.index : -1)),
      [0, 1, 1, 2, 3]
    )
  })

  it("P17.7: a server that changes the id from fragment to fragment makes one call, in time linear in its text", () => {
    const pieces = Array.from({ length: 60_000 }, (_, index) =>
      part(0, `id${index}`, "n", index === 0 ? '{"a":"' : "x")
    )
    const { calls } = assemble([...pieces, part(0, "last", "n", '"}')])
    assert.strictEqual(calls.length, 1)
    assert.strictEqual(calls[0]?.id, "last")
    assert.deepStrictEqual(calls[0]?.arguments, { a: "x".repeat(59_999) })
  })

  it("P17.7: calls with the same id are made tellable apart", () => {
    const { calls } = assemble([
      part(0, "call", "n", '{"x":1}'),
      part(1, "call", "n", '{"x":2}'),
      part(2, "call__2", "n", "{}"),
      part(3, "call", "n", "{}")
    ])
    assert.deepStrictEqual(
      calls.map((one) => one.id),
      ["call", "call__2", "call__2__2", "call__3"]
    )
  })

  it("P17.7: arguments that come as an object, and calls without the function around them, are read", () => {
    const { calls } = assemble([
      part(0, "a", "n", { x: [1] }),
      part(1, "b", "n", {}),
      part(1, undefined, undefined, '{"y":1}'),
      { id: "c", name: "n", arguments: '{"z":1}' },
      part(3, "d", "n", [1])
    ])
    assert.deepStrictEqual(calls, [
      call("a", "n", { x: [1] }),
      call("b", "n", { y: 1 }),
      call("c", "n", { z: 1 }),
      blocked("d", "n", "Tool arguments are not a JSON object")
    ])
  })

  it("D11: the turn that collects deltas and calls has every call once, as it was handed over", () => {
    const { calls, deltas } = assemble(
      [
        part(0, "a", "n", '{"x":1}'),
        part(0, "b", "n", '{"x":2}'),
        part(1, "b", "n", '{"x":3}'),
        part(undefined, "c", "n", "{}"),
        part(7, "d", "n", "{}")
      ],
      "length"
    )
    const collector = new TurnCollector()
    for (const delta of deltas) collector.accept(delta)
    for (const one of calls) collector.accept({ type: "tool_call", call: one })
    collector.finishCalls()
    assert.deepStrictEqual(collector.result().calls, calls)
    assert.deepStrictEqual(
      calls.map(({ id }) => id),
      ["a", "b", "b__2", "c", "d"]
    )
  })

  it("D2, D9: hostile argument keys stay data", () => {
    const { calls } = assemble([part(0, "a", "n", '{"__proto__":{"polluted":true}}')])
    assert.strictEqual(Object.getPrototypeOf(calls[0]?.arguments), Object.prototype)
    assert.notProperty({}, "polluted")
  })
})
