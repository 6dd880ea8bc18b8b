/** The tools of one MCP server, scoped to the connection. */
import type { JsonObject, ToolDefinition, ToolExecutionContext, ToolResult } from "@arnilo/prism-core"
import { JsonSchemaValidator } from "@arnilo/prism-core/validation/json-schema"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import type { AdmittedTool, McpToolAdmission } from "./admission.ts"
import { boundText } from "./boundText.ts"
import { toBridgeError } from "./toBridgeError.ts"
import { type CallScope, callTool, failed } from "./callTool.ts"
import { assertOneOf, checkField, checkFields, OBJECT } from "./checkFields.ts"
import { Connection, type Link } from "./Connection.ts"
import { McpBridgeClosedError } from "./errors/McpBridgeClosedError.ts"
import { McpBridgeError } from "./errors/McpBridgeError.ts"
import { tell, toldError } from "./McpEvent.ts"
import { McpFixedLimits, type McpLimitValues } from "./McpLimits.ts"
import { resolveMcpLimits } from "./resolveLimits.ts"
import { type ConnectMcpToolsOptions, ELICITATION_FIELDS, type McpBridgeOptions, OPTION_FIELDS } from "./McpOptions.ts"
import type { Client, Transport } from "./Remote.ts"
import { type LinkHooks, LIST_CHANGED, makeLinkOpener } from "./openLink.ts"
import { makeServerRequests } from "./serverRequests.ts"
import { ToolList } from "./ToolList.ts"
import { assertNamePrefix, assertServerId, defaultMcpNamePrefix } from "./toolNames.ts"

/** How a connection fares. */
export interface McpHealth {
  /** `lost`: gone; with `reconnect` the next call opens another. */
  readonly state: "ready" | "lost" | "closed"
  /** Lines on a child's stdout that were no messages, and messages that the client could not use. */
  readonly ignored: number
  /** How often the connection was opened again. */
  readonly reconnects: number
  /** As the server calls itself, each at most 256 bytes of its own words; nothing of it is verified. */
  readonly server?: { readonly name: string; readonly version: string; readonly protocolVersion: string }
  /** The last 4096 bytes of what a child wrote to stderr, where that is read: the server's own words. */
  readonly stderr?: string
}

export interface McpToolSet {
  /** As last listed. Throws `McpBridgeClosedError` once the connection is closed. */
  readonly tools: ReadonlyArray<ToolDefinition>
  /** One of every tool that the server listed, refused ones included; stays readable. */
  readonly admissions: ReadonlyArray<McpToolAdmission>
  readonly health: McpHealth
  /** Lists anew; where that fails the tools stay as they are. Callers at the same time share one listing. */
  readonly refresh: Effect.Effect<void, McpBridgeError>
  /** With `refresh: "next-turn"` lists anew where the list is stale. Never fails; what fails is told to `onEvent`. */
  readonly prepareTurn: Effect.Effect<void>
  /** Idempotent. Waits until nothing of the connection is left. */
  readonly close: Effect.Effect<void>
}

export class McpTools extends Context.Service<McpTools, McpToolSet>()("@arnilo/prism-mcp/McpTools") {
  /**
   * Opens a connection and lists its tools; closes it with the scope. Fails before anything starts for options that are
   * refused, and with the original error, everything closed, where connecting or listing fails. For several servers at
   * once, each in the same scope or another.
   */
  static readonly make = (options: ConnectMcpToolsOptions): Effect.Effect<McpToolSet, McpBridgeError, Scope.Scope> =>
    openWith(options, (settings, hooks) => {
      const requests = makeServerRequests(options, settings.validator)
      const { open, reopen } = makeLinkOpener(options.transport, requests, settings.limits, hooks)
      return Effect.map(open, (link) => ({ link, reopen }))
    })

  /** Over a client that is connected already and belongs to the scope from now on. It is never connected again. */
  static readonly attach = (
    client: Client,
    transport: Transport,
    options: McpBridgeOptions
  ): Effect.Effect<McpToolSet, McpBridgeError, Scope.Scope> =>
    openWith(options, (_, { onListChanged, onTransport }) =>
      Effect.sync(() => {
        onTransport(transport)
        client.setNotificationHandler(LIST_CHANGED, onListChanged)
        return { link: { client, transport }, reopen: undefined }
      })
    )

  static readonly layer = (options: ConnectMcpToolsOptions): Layer.Layer<McpTools, McpBridgeError> =>
    Layer.effect(McpTools, McpTools.make(options))
}

interface Settings {
  readonly limits: McpLimitValues
  readonly prefix: string
  readonly validator: Context.Service.Shape<typeof JsonSchemaValidator>
}

interface Opened {
  readonly link: Link
  readonly reopen: Effect.Effect<Link, McpBridgeError> | undefined
}

const openWith = (
  options: McpBridgeOptions & { readonly reconnect?: boolean | undefined },
  open: (settings: Settings, hooks: LinkHooks) => Effect.Effect<Opened, McpBridgeError>
): Effect.Effect<McpToolSet, McpBridgeError, Scope.Scope> =>
  Effect.flatMap(readSettings(options), (settings) => {
    let transport: Transport | undefined
    const onTransport = (started: Transport): void => {
      transport = started
    }
    return Effect.tapError(openScoped(options, settings, open, onTransport), (error) =>
      Effect.sync(() => {
        // The configuration was refused: there was no server to fail.
        if (transport === undefined) return
        const { onEvent, serverId } = options
        tell(onEvent, { type: "mcp_open_failed", serverId, error: toldError(error), ...saidAside(transport) })
      })
    )
  })

const openScoped = (
  options: McpBridgeOptions & { readonly reconnect?: boolean | undefined },
  settings: Settings,
  open: (settings: Settings, hooks: LinkHooks) => Effect.Effect<Opened, McpBridgeError>,
  onTransport: LinkHooks["onTransport"]
): Effect.Effect<McpToolSet, McpBridgeError, Scope.Scope> =>
  Effect.gen(function* () {
    const { onEvent, serverId } = options
    const hooks = { onListChanged: (): void => undefined }
    const connection = yield* Effect.acquireRelease(
      Effect.map(
        open(settings, { onListChanged: () => hooks.onListChanged(), onTransport }),
        ({ link, reopen }) => new Connection(link, { serverId, onEvent, reopen, reconnect: options.reconnect ?? false })
      ),
      (opened) => opened.close,
      { interruptible: true }
    )
    const scope: CallScope = {
      serverId,
      connection,
      limits: settings.limits,
      onCallFailure: options.onCallFailure ?? "close"
    }
    const list = new ToolList({
      ...settings,
      ...options,
      connection,
      // Its own scope ends before the connection does.
      scope: yield* Effect.scope,
      makeTool: (name, tool) => toToolDefinition(scope, name, tool)
    })
    hooks.onListChanged = list.markChanged
    yield* list.refresh
    tell(onEvent, { type: "mcp_connection", serverId, state: "ready" })
    return toolSetOf(connection, list, options.refresh ?? "manual")
  })

const readSettings = (options: McpBridgeOptions): Effect.Effect<Settings, McpBridgeError> =>
  Effect.gen(function* () {
    const limits = yield* Effect.try({ try: () => checkOptions(options), catch: (error) => toBridgeError(error) })
    const { maxJsonDepth, maxJsonProperties, maxToolSchemaBytes } = limits
    const layer = JsonSchemaValidator.layer({
      maxDepth: maxJsonDepth,
      maxProperties: maxJsonProperties,
      maxArrayLength: maxJsonProperties,
      maxStringLength: MAX_STRING,
      maxSchemaBytes: maxToolSchemaBytes,
      maxSchemaDepth: maxJsonDepth,
      maxSchemaProperties: maxJsonProperties,
      maxSchemaKeywords: maxJsonProperties
    })
    // It holds nothing that a scope would have to free.
    const validator = yield* Effect.provide(JsonSchemaValidator, layer)
    return { limits, prefix: options.namePrefix ?? defaultMcpNamePrefix(options.serverId), validator }
  })

/** The validator's own cap; the bound of a result is `maxResultBytes`. */
const MAX_STRING = 8_388_608

const checkOptions = (options: McpBridgeOptions & Pick<ConnectMcpToolsOptions, "elicitation">): McpLimitValues => {
  checkField("MCP options", options, OBJECT)
  const { elicitation, namePrefix, onCallFailure, refresh, serverId } = options
  checkFields("", options, OPTION_FIELDS)
  if (elicitation !== undefined) {
    checkFields("elicitation", elicitation, ELICITATION_FIELDS)
    checkField("elicitation.approval", elicitation.approval, ELICITATION_FIELDS.approval)
  }
  assertServerId(serverId)
  if (namePrefix !== undefined) assertNamePrefix(namePrefix)
  assertOneOf("onCallFailure", onCallFailure, ["close", "cancel"])
  assertOneOf("refresh", refresh, ["manual", "next-turn"])
  return resolveMcpLimits(options)
}

const toToolDefinition = (scope: CallScope, name: string, tool: AdmittedTool): ToolDefinition => ({
  name,
  ...(tool.description !== undefined && { description: tool.description }),
  parameters: tool.parameters,
  execute: (args, context) => execute(scope, name, tool, args, context)
})

const execute = async (
  scope: CallScope,
  name: string,
  tool: AdmittedTool,
  args: JsonObject,
  context: ToolExecutionContext
): Promise<ToolResult> => {
  if (scope.connection.isClosed) throw new McpBridgeClosedError()
  const call = { name, tool, args, context }
  const { signal } = context
  if (signal?.aborted === true) return failed(scope, call, ABORTED)
  const exit = await Effect.runPromiseExit(callTool(scope, call), signal === undefined ? undefined : { signal })
  if (Exit.isSuccess(exit)) return exit.value
  if (Cause.hasInterruptsOnly(exit.cause)) return failed(scope, call, ABORTED)
  const error = toBridgeError(Cause.squash(exit.cause))
  if (error instanceof McpBridgeClosedError) throw error
  return failed(scope, call, error.message)
}

const ABORTED = "MCP tool call was aborted"

const toolSetOf = (connection: Connection, list: ToolList, refresh: "manual" | "next-turn"): McpToolSet => ({
  get tools() {
    if (connection.isClosed) throw new McpBridgeClosedError()
    return list.tools
  },
  get admissions() {
    return list.admissions
  },
  get health() {
    const { client, transport } = connection.link
    const { ignored, stderr } = saidAside(transport)
    const server = serverOf(client)
    return {
      state: connection.state,
      ignored: connection.ignoredMessages + ignored,
      reconnects: connection.reopened,
      ...(server !== undefined && { server }),
      ...(stderr !== undefined && { stderr })
    }
  },
  refresh: list.refresh,
  prepareTurn: refresh === "next-turn" ? list.refreshIfStale : Effect.void,
  close: connection.close
})

/** What a child wrote besides messages. */
const saidAside = (transport: Transport | undefined): { readonly ignored: number; readonly stderr?: string } => {
  const { ignoredLines = 0, stderr } = Object(transport) as { readonly ignoredLines?: number; readonly stderr?: string }
  return { ignored: ignoredLines, ...(stderr !== undefined && { stderr }) }
}

const boundedName = (text = ""): string => boundText(text, McpFixedLimits.serverNameBytes.hardCap)

const serverOf = (client: Client): McpHealth["server"] => {
  const named = client.getServerVersion?.()
  if (named === undefined) return undefined
  return {
    name: boundedName(named.name),
    version: boundedName(named.version),
    protocolVersion: boundedName(client.getNegotiatedProtocolVersion?.())
  }
}
