import { connectMcpTools } from "@arnilo/prism-mcp"
import { assert, describe, it } from "@effect/vitest"
import { attachPeer, call, tool } from "./fixtures/peer.ts"
import { stdioServer } from "./fixtures/stdio.ts"

describe("connectMcpTools", () => {
  it("M15: smoke", async () => {
    const { bridge } = await attachPeer({
      "tools/list": () => ({ tools: [tool("echo")] }),
      "tools/call": ({ arguments: args }) => ({ content: [{ type: "text", text: args.text }] })
    })
    console.log(bridge.admissions, await call(bridge, "echo", { text: "hi" }))
    await bridge.close()
    const t = Date.now()
    const other = await connectMcpTools({ serverId: "x", transport: stdioServer() })
    console.log(Date.now() - t, other.admissions, await call(other, "echo", { text: "hi" }), other.health)
    await other.close()
    console.log(Date.now() - t)
    assert.throws(() => other.tools)
  })
})
