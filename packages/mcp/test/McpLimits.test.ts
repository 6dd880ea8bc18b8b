import { connectMcpTools, McpBridgeError } from "@arnilo/prism-mcp"
import { assert, describe, it } from "@effect/vitest"
import { attachPeer, tool } from "./fixtures/peer.ts"

const CAPS = {
  listCacheTtlMs: 86_400_000,
  callTimeoutMs: 1_800_000,
  maxResultBytes: 16_777_216,
  maxListPages: 100,
  maxTools: 5_000,
  maxCursorBytes: 16_384,
  maxToolNameBytes: 1_024,
  maxToolDescriptionBytes: 65_536,
  maxToolSchemaBytes: 1_048_576,
  maxTotalToolSchemaBytes: 16_777_216,
  maxJsonDepth: 128,
  maxJsonProperties: 100_000
}

const refusal = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => assert.fail("was not refused"),
    (error: unknown) => error
  )

describe("the limits of a bridge", () => {
  it.each(Object.entries(CAPS))("M1: %s out of range is refused before anything is started", async (name, cap) => {
    for (const value of [0, -1, 1.5, cap + 1, Number.NaN, "7"]) {
      // The command does not exist: starting it would fail in another way.
      const transport = { type: "stdio", command: "/nonexistent" } as const
      const error = await refusal(connectMcpTools({ serverId: "s", transport, [name]: value }))
      assert.instanceOf(error, McpBridgeError)
      assert.strictEqual(error.message, `${name} must be a positive safe integer <= ${cap}`)
    }
  })

  it("M1: every hard cap is accepted", async () => {
    const { bridge } = await attachPeer({ "tools/list": () => ({ tools: [tool("one")] }) }, CAPS)
    assert.deepStrictEqual(
      bridge.tools.map(({ name }) => name),
      ["mcp:s:one"]
    )
    await bridge.close()
  })

  it("M1: maxResponseBytes out of range is refused before anything is sent", async () => {
    const transport = {
      type: "streamable-http",
      url: "https://mcp.example.com/",
      allowedOrigins: ["https://mcp.example.com"],
      maxResponseBytes: 67_108_865,
      resolveHostname: () => assert.fail("was looked up")
    } as const
    const error = await refusal(connectMcpTools({ serverId: "s", transport }))
    assert.strictEqual((error as Error).message, "maxResponseBytes must be a positive safe integer <= 67108864")
  })
})
