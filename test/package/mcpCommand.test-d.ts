/** What `prism mcp` takes `@arnilo/prism-mcp` for, which it loads without depending on it. */
import type * as Mcp from "@arnilo/prism-mcp"
import { expectTypeOf, it } from "@effect/vitest"
import type { McpBridge, McpPackage } from "../../packages/prism/src/cli/mcp/McpPackage.ts"

it("has the functions that the command calls, and the bridge it looks at", () => {
  expectTypeOf<typeof Mcp>().toExtend<Omit<McpPackage, "connectMcpTools">>()
  expectTypeOf<typeof Mcp.connectMcpTools>().returns.resolves.toExtend<McpBridge>()
})
