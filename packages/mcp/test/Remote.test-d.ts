import { Client as SdkClient, InMemoryTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import type { attachMcpToolBridge, Client, Transport } from "@arnilo/prism-mcp"
import { describe, expectTypeOf, it } from "vitest"

describe("the structural types", () => {
  it("are satisfied by the SDK's values", () => {
    expectTypeOf<SdkClient>().toExtend<Client>()
    expectTypeOf<InMemoryTransport>().toExtend<Transport>()
    expectTypeOf<StdioClientTransport>().toExtend<Transport>()
    expectTypeOf<StreamableHTTPClientTransport>().toExtend<Transport>()
    expectTypeOf<[SdkClient, InMemoryTransport, { serverId: string }]>().toExtend<
      Parameters<typeof attachMcpToolBridge>
    >()
  })
})
