/** One open connection to a server, and what a command does with it. */
import type * as Effect from "effect/Effect"
import type { CliRuntime } from "../CliRuntime.ts"
import type { Output } from "../Output.ts"
import type { McpInvocation } from "./McpInvocation.ts"
import type { McpBridge, McpPackage } from "./McpPackage.ts"
import type { McpConfig } from "./readMcpConfig.ts"

export interface McpSession {
  readonly invocation: McpInvocation
  readonly runtime: CliRuntime
  readonly config: McpConfig
  readonly mcp: McpPackage
  readonly bridge: McpBridge
  /** How long it took to connect and list, in milliseconds. */
  readonly openedMs: number
  readonly stdout: Output
  /** Writes a line for whoever watches, on stderr. */
  readonly say: (line: string) => Effect.Effect<void>
}
