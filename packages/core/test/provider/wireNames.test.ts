import { assert, describe, it } from "@effect/vitest"
import { toWireRequest, wireNamesOf } from "../../src/provider/wireNames.ts"
import type { ProviderRequest } from "../../src/ports/AIProvider.ts"
import type { Message } from "../../src/schema/Message.ts"
import { model, tool } from "../run/runs.ts"

const requestOf = (tools: ReadonlyArray<string>, messages: ReadonlyArray<Message> = []): ProviderRequest => ({
  model,
  messages,
  tools: tools.map((name) => tool(name))
})
const asked = (name: string): Message => ({
  role: "assistant",
  content: [{ type: "tool_call", id: "c", name, arguments: {} }]
})
const answered = (name: string): Message => ({
  role: "tool",
  content: [{ type: "tool_result", toolCallId: "c", name }]
})
const wireOf = (request: ProviderRequest, name: string) => wireNamesOf(request, true)?.toWire.get(name)

describe("wireNamesOf", () => {
  it("leaves legal names alone", () => {
    assert.isUndefined(wireNamesOf(requestOf(["read", "A-b_9", "x".repeat(64)], [asked("read")]), true))
    assert.isUndefined(wireOf(requestOf(["read", "mcp:fs:read"]), "read"))
  })

  it("maps illegal, long and empty names to legal ones of at most 64 characters, and back", () => {
    const names = ["mcp:fs:read", "x".repeat(65), "", "größe", "a b", "read.file", "😀"]
    const mapped = wireNamesOf(requestOf(names), false)
    for (const name of names) {
      const wire = mapped?.toWire.get(name) ?? ""
      assert.match(wire, /^[A-Za-z0-9_-]{1,64}$/)
      assert.strictEqual(mapped?.fromWire.get(wire), name)
    }
    assert.match(mapped?.toWire.get("mcp:fs:read") ?? "", /^mcp_fs_read_[0-9a-z]{11}$/)
  })

  it("says the same for a name in every request, whatever else is in it", () => {
    const alone = wireOf(requestOf(["mcp:fs:read"]), "mcp:fs:read")
    assert.strictEqual(wireOf(requestOf(["other", "b:c", "mcp:fs:read"], [asked("z:z")]), "mcp:fs:read"), alone)
  })

  it("keeps names apart that look alike, or begin alike beyond 64 characters", () => {
    const names = ["a:b", "a.b", "a/b", `${"x".repeat(70)}1`, `${"x".repeat(70)}2`]
    const mapped = wireNamesOf(requestOf(names), false)
    assert.strictEqual(new Set(mapped?.toWire.values()).size, names.length)
  })

  it("gives way to a legal name that is taken already", () => {
    const taken = wireOf(requestOf(["mcp:a"]), "mcp:a") ?? ""
    const other = wireOf(requestOf(["mcp:a", taken]), "mcp:a")
    assert.notStrictEqual(other, taken)
    assert.match(other ?? "", /^[A-Za-z0-9_-]{1,64}$/)
  })

  it("looks for names in the transcript only where there may be some", () => {
    const request = requestOf(["read"], [asked("old:tool"), answered("old:tool")])
    assert.isUndefined(wireNamesOf(request, false))
    assert.isDefined(wireNamesOf(request, true)?.toWire.get("old:tool"))
  })
})

describe("toWireRequest", () => {
  it("renames tools, calls and results, and nothing else", () => {
    const said: Message = { role: "user", content: [{ type: "text", text: "call mcp:a please" }] }
    const request = requestOf(["mcp:a", "read"], [said, asked("mcp:a"), answered("mcp:a"), asked("read")])
    const names = wireNamesOf(request, true)
    if (names === undefined) throw new Error("a name is illegal")
    const wire = names.toWire.get("mcp:a") ?? ""
    const sent = toWireRequest(request, names)
    assert.deepStrictEqual(
      sent.tools?.map(({ name }) => name),
      [wire, "read"]
    )
    assert.deepStrictEqual(sent.messages, [said, asked(wire), answered(wire), asked("read")])
    assert.deepStrictEqual(request.messages[1], asked("mcp:a"))
  })
})
