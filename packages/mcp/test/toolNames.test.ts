import { connectMcpTools, defaultMcpNamePrefix, formatMcpToolName, McpToolNameCollisionError } from "@arnilo/prism-mcp"
import { createToolRegistry } from "@arnilo/prism-core"
import { assert, describe, it } from "@effect/vitest"
import { attachPeer, call, openPeer, tool } from "./fixtures/peer.ts"

const names = (bridge: { readonly tools: ReadonlyArray<{ readonly name: string }> }) =>
  bridge.tools.map(({ name }) => name)

describe("the names of remote tools", () => {
  it.each(["", "-x", ".x", "a:b", "a/b", "a b", "ä", "a\n", 7 as never])(
    "M2: server id %j is refused",
    async (serverId) => {
      const transport = { type: "stdio", command: "/nonexistent" } as const
      await connectMcpTools({ serverId, transport }).then(
        () => assert.fail("was not refused"),
        (error: Error) =>
          assert.strictEqual(
            error.message,
            "serverId must be a non-empty identifier (letters, digits, ., _, -; must not start with . or -)"
          )
      )
    }
  )

  it("M2: prefixes of ids that begin alike do not nest", () => {
    const [short, long] = ["a", "a.b-c_d"].map(defaultMcpNamePrefix)
    assert.deepStrictEqual([short, long], ["mcp:a:", "mcp:a.b-c_d:"])
    assert.isFalse(long?.startsWith(short ?? ""))
  })

  it("M8: are kept verbatim, however odd, where they deceive nobody", async () => {
    const odd = ["a b", "A/../b", "漢字", "mcp:other:x", "__proto__", "constructor"]
    const { bridge } = await attachPeer({ "tools/list": () => ({ tools: odd.map((name) => tool(name)) }) })
    assert.deepStrictEqual(
      names(bridge),
      odd.map((name) => `mcp:s:${name}`)
    )
  })

  it("M9: are the server's behind a prefix", async () => {
    assert.strictEqual(formatMcpToolName(defaultMcpNamePrefix("a.b"), "read/file x"), "mcp:a.b:read/file x")
    const { bridge } = await attachPeer({ "tools/list": () => ({ tools: [tool("shell")] }) }, { namePrefix: "my_" })
    assert.deepStrictEqual(names(bridge), ["my_shell"])
  })

  it("M9: two servers may have a tool of one name, and neither takes the place of the host's", async () => {
    const answers = {
      "tools/list": () => ({ tools: [tool("shell")] }),
      "tools/call": () => ({ content: [{ type: "text", text: "remote" }] })
    }
    const one = await attachPeer(answers, { serverId: "one" })
    const other = await attachPeer(answers, { serverId: "other" })
    const host = { name: "shell", execute: () => ({ toolCallId: "call", name: "shell", value: "host" }) }
    const registry = createToolRegistry([host, ...one.bridge.tools, ...other.bridge.tools], { duplicate: "error" })
    assert.deepStrictEqual(names({ tools: registry.list() }), ["shell", "mcp:one:shell", "mcp:other:shell"])
    assert.strictEqual(registry.get("shell"), host)
    await call(other.bridge, "shell")
    assert.notInclude(
      one.peer.received.map(({ method }) => method),
      "tools/call"
    )
  })

  it("M9: two tools of one name refuse the whole listing", async () => {
    const { client, peer, transport } = await openPeer({
      "tools/list": () => ({ tools: [tool("a"), tool("twice"), tool("twice", { inputSchema: "bad" })] })
    })
    const { attachMcpToolBridge } = await import("@arnilo/prism-mcp")
    await attachMcpToolBridge(client, transport, { serverId: "s" }).then(
      () => assert.fail("was not refused"),
      (error: unknown) => {
        assert.instanceOf(error, McpToolNameCollisionError)
        assert.strictEqual(error.prefixedName, "mcp:s:twice")
        assert.strictEqual(error.remoteName, "twice")
      }
    )
    assert.isTrue(peer.isClosed)
  })

  it.each(["", "a\u0000", "a\u001b[2J", "a\u0085", "a\u2028", "a\u2029", "a\u202e", "a\u2066"])(
    "M8: %j refuses that tool and no other",
    async (name) => {
      const { bridge } = await attachPeer({ "tools/list": () => ({ tools: [tool(name), tool("fine name: ü/漢")] }) })
      assert.deepStrictEqual(names(bridge), ["mcp:s:fine name: ü/漢"])
      assert.strictEqual(bridge.admissions[0]?.status, "refused")
      assert.strictEqual(bridge.admissions[0]?.pointer, "/name")
      assert.strictEqual(bridge.admissions[1]?.status, "ready")
    }
  )
})
