import {
  Client as SdkClient,
  type ClientCredentialsProvider,
  type CrossAppAccessProvider,
  InMemoryTransport,
  type OAuthClientProvider,
  type PrivateKeyJwtProvider,
  StreamableHTTPClientTransport
} from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import type { attachMcpToolBridge, Client, McpOAuthProvider, Transport } from "@arnilo/prism-mcp"
import { describe, expectTypeOf, it } from "vitest"

describe("the structural types", () => {
  it("are satisfied by the SDK's values", () => {
    expectTypeOf<SdkClient>().toExtend<Client>()
    expectTypeOf<InMemoryTransport>().toExtend<Transport>()
    expectTypeOf<StdioClientTransport>().toExtend<Transport>()
    expectTypeOf<StreamableHTTPClientTransport>().toExtend<Transport>()
    expectTypeOf<OAuthClientProvider>().toExtend<McpOAuthProvider>()
    expectTypeOf<ClientCredentialsProvider>().toExtend<McpOAuthProvider>()
    expectTypeOf<CrossAppAccessProvider>().toExtend<McpOAuthProvider>()
    expectTypeOf<PrivateKeyJwtProvider>().toExtend<McpOAuthProvider>()
    expectTypeOf<[SdkClient, InMemoryTransport, { serverId: string }]>().toExtend<
      Parameters<typeof attachMcpToolBridge>
    >()
  })
})
