/** How a bridge is opened. */
import { type Fields, FLAG, JUDGED, METHOD, OBJECT, SIGNAL, TEXTS, withMethod } from "./checkFields.ts"
import type { McpEventListener } from "./McpEvent.ts"
import { type McpLimitOptions, McpLimits } from "./McpLimits.ts"
import type { McpElicitationOptions, McpSampling } from "./serverRequests.ts"
import type { McpTransport } from "./transports/createMcpTransport.ts"

/** What does not depend on the transport. Limits: see `docs/mcp.md`. */
export interface McpBridgeOptions extends McpLimitOptions {
  /** Letters, digits, `.`, `_` and `-`; names of tools begin with `mcp:<serverId>:`. */
  readonly serverId: string
  /** Instead of `mcp:<serverId>:`. */
  readonly namePrefix?: string | undefined
  /** After a timeout or an oversized result: close the connection, or end only that call. `close` unless set. */
  readonly onCallFailure?: "close" | "cancel" | undefined
  /** `next-turn`: a registry of `createMcpToolRegistry` lists again before a turn, where the list is stale. */
  readonly refresh?: "manual" | "next-turn" | undefined
  /** Definitions that a person has approved: remote name → `definitionHash` of its admission. */
  readonly approvedDefinitions?: Readonly<Record<string, string>> | undefined
  readonly onEvent?: McpEventListener | undefined
  /** Ends the opening of the bridge. Of no effect once it is open. */
  readonly signal?: AbortSignal | undefined
}

export interface ConnectMcpToolsOptions extends McpBridgeOptions {
  readonly transport: McpTransport
  /** Whether a call opens a new connection where the last one was lost. A call that may have run is never sent again. */
  readonly reconnect?: boolean | undefined
  /** Answers questions of the server. Absent: they are declined. */
  readonly elicitation?: McpElicitationOptions | undefined
  /** Generates for the server. Absent: it is told that this host does not. */
  readonly sampling?: McpSampling | undefined
}

const limitFields = Object.fromEntries(Object.keys(McpLimits).map((name) => [name, JUDGED]))

/** What a bridge may be opened with, attached or connected. */
export const OPTION_FIELDS: Fields<ConnectMcpToolsOptions> = {
  serverId: JUDGED,
  transport: JUDGED,
  namePrefix: JUDGED,
  onCallFailure: JUDGED,
  refresh: JUDGED,
  reconnect: FLAG,
  approvedDefinitions: TEXTS,
  elicitation: OBJECT,
  sampling: METHOD,
  onEvent: METHOD,
  signal: SIGNAL,
  // The entries are those of the table.
  ...(limitFields as Fields<McpLimitOptions>)
}

export const ELICITATION_FIELDS: Fields<McpElicitationOptions> = { approval: withMethod("ask"), answer: METHOD }
