/** One `tools/call`: from arguments to a result that is always settled, and bounded. */
import type { JsonObject, ToolExecutionContext, ToolResult } from "@arnilo/prism-core"
import type { CompiledSchema } from "@arnilo/prism-core/validation/json-schema"
import * as Effect from "effect/Effect"
import type { AdmittedTool } from "./admission.ts"
import { boundText } from "./boundText.ts"
import { type Connection, isSessionGone, type Link } from "./Connection.ts"
import { mapMcpContentToBlocks } from "./content.ts"
import type { McpBridgeError } from "./errors/McpBridgeError.ts"
import { McpFixedLimits, type McpLimitValues } from "./McpLimits.ts"
import { measureJson } from "./measureJson.ts"
import { relayProgress } from "./relayProgress.ts"
import { asReceived, isConnectionClosed, isOversized, isTimeout } from "./sdk.ts"
import { toBridgeError } from "./toBridgeError.ts"

export interface CallScope {
  readonly serverId: string
  readonly connection: Connection
  readonly limits: McpLimitValues
  readonly onCallFailure: "close" | "cancel"
}

export interface ToolCall {
  /** As Prism calls it. */
  readonly name: string
  readonly tool: AdmittedTool
  readonly args: JsonObject
  readonly context: ToolExecutionContext
}

/** Why a call has no result of the server's. `ends` tells that the connection has to go, unless the host keeps it. */
class CallFailure extends Error {
  readonly ends: boolean

  constructor(message: string, ends = false) {
    super(message)
    this.ends = ends
  }
}

/**
 * Fails only with `McpBridgeClosedError` or another error of a connection that cannot be had; what goes wrong behind that
 * is a result with an error. Interruption cancels the request at the server.
 */
export const callTool = (scope: CallScope, call: ToolCall): Effect.Effect<ToolResult, McpBridgeError> =>
  scope.connection.withLink((link) =>
    Effect.matchEffect(request(scope, call, link), {
      onSuccess: (result) => Effect.sync(() => settle(scope, call, link, () => toResult(scope, call, result))),
      onFailure: (error) =>
        isSessionGone(link, error)
          ? Effect.fail(error)
          : Effect.sync(() =>
              settle(scope, call, link, () => {
                throw toFailure(scope, link, error)
              })
            )
    })
  )

const request = (
  { connection, limits }: CallScope,
  { args, context, tool }: ToolCall,
  { client }: Link
): Effect.Effect<unknown, McpBridgeError> =>
  Effect.suspend(() => {
    // Asked for only where somebody hears of it.
    const progressToken = context.progress === undefined ? undefined : connection.progress.open(relayProgress(context))
    const meta = progressToken === undefined ? undefined : { _meta: { progressToken } }
    const params = { name: tool.remoteName, arguments: args, ...meta }
    const sent = Effect.tryPromise({
      try: (signal) =>
        client.request({ method: "tools/call", params }, asReceived, { signal, timeout: limits.callTimeoutMs }),
      catch: (error) => toBridgeError(error)
    })
    if (progressToken === undefined) return sent
    return Effect.ensuring(
      sent,
      Effect.sync(() => connection.progress.close(progressToken))
    )
  })

const toFailure = ({ connection, limits }: CallScope, link: Link, error: McpBridgeError): CallFailure => {
  if (isTimeout(error.cause)) return new CallFailure(`MCP tool call timed out after ${limits.callTimeoutMs}ms`, true)
  const lost = isConnectionClosed(error.cause) ? connection.lostReason(link) : undefined
  return new CallFailure(lost ?? error.message, isOversized(error) || isOversized(error.cause))
}

/** A result whatever happens; ends the connection where that has to be. */
const settle = (scope: CallScope, call: ToolCall, link: Link, finish: () => ToolResult): ToolResult => {
  try {
    return finish()
  } catch (error) {
    const failure = error instanceof CallFailure ? error : new CallFailure(String(error))
    if (failure.ends && scope.onCallFailure === "close") scope.connection.drop(link, failure.message)
    return failed(scope, call, failure.message)
  }
}

const head = ({ serverId }: CallScope, { context, name, tool }: ToolCall, facts: object = {}) => ({
  name,
  toolCallId: context.toolCallId,
  metadata: { mcp: { serverId, remoteName: tool.remoteName, ...facts } }
})

/** The result of a call that came to nothing. */
export const failed = (scope: CallScope, call: ToolCall, message: string): ToolResult => ({
  ...head(scope, call),
  error: remoteError(scope, message)
})

/** The text is the server's as a rule: bounded here, redacted by core. */
const remoteError = ({ limits }: CallScope, message: string) => ({
  name: "McpToolError",
  code: "ERR_PRISM_MCP_TOOL",
  message: boundText(message, Math.min(McpFixedLimits.remoteTextBytes.hardCap, limits.maxResultBytes))
})

const toResult = (scope: CallScope, call: ToolCall, raw: unknown): ToolResult => {
  const { limits } = scope
  assertWithin(limits, call.name, raw)
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) throw malformed(call, "is no object")
  // Read with care: each member is checked before it is used.
  const { content, isError, structuredContent, toolResult } = raw as { readonly [key: string]: unknown }
  if (toolResult !== undefined && content === undefined) return { ...head(scope, call), value: toolResult }
  if (content !== undefined && !Array.isArray(content)) throw malformed(call, "has content that is no list")
  if (content === undefined && structuredContent === undefined) throw malformed(call, "has no content")
  const mapped = mapMcpContentToBlocks(content ?? [], limits)
  const result = {
    ...head(scope, call, { bytesUsed: mapped.bytesUsed, truncated: mapped.truncated }),
    content: mapped.content,
    ...(structuredContent !== undefined && { value: structuredContent })
  }
  if (isError === true) return { ...result, error: remoteError(scope, messageOf(mapped.content)) }
  assertMatches(call, call.tool.output, structuredContent)
  return result
}

/** The whole of it, before anything is mapped. */
const assertWithin = (
  { maxJsonDepth, maxJsonProperties, maxResultBytes }: McpLimitValues,
  name: string,
  raw: unknown
) => {
  const measured = measureJson(raw, {
    maxBytes: maxResultBytes,
    maxDepth: maxJsonDepth,
    maxProperties: maxJsonProperties
  })
  if (typeof measured === "number") return
  const bounds = { bytes: maxResultBytes, depth: maxJsonDepth, properties: maxJsonProperties }
  const { kind, pointer, reason } = measured
  throw new CallFailure(
    kind === "not-json"
      ? `MCP tool ${name} result is not JSON at ${pointer || "its root"}: ${reason}`
      : `MCP tool ${name} result exceeds ${bounds[kind]} ${kind}`,
    true
  )
}

const malformed = ({ name }: ToolCall, how: string): CallFailure => new CallFailure(`MCP tool ${name} result ${how}`)

/** Throws with the place where structured content does not match the output schema of its tool. */
const assertMatches = ({ name }: ToolCall, output: CompiledSchema | undefined, value: unknown): void => {
  if (output === undefined) return
  if (value === undefined) {
    throw new CallFailure(`MCP tool ${name} has an output schema but returned no structured content`)
  }
  const problem = output.problems(value)?.[0]
  if (problem === undefined) return
  throw new CallFailure(
    `MCP tool ${name} structured content does not match its output schema at ${pointerOf(problem.at)}: ${problem.message}`
  )
}

const pointerOf = (place: NonNullable<ReturnType<CompiledSchema["problems"]>>[number]["at"]): string => {
  const keys: Array<string> = []
  for (let cell = place; cell.parent !== undefined; cell = cell.parent) keys.push(String(cell.key))
  return `#${keys
    .toReversed()
    .map((key) => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("")}`
}

const messageOf = (content: NonNullable<ToolResult["content"]>): string => {
  const texts = content.flatMap((block) => (block.type === "text" ? [block.text] : []))
  return texts.join("\n") || "MCP tool reported an error"
}
