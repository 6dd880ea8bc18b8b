/** The tools of one server as last listed. A listing that fails changes nothing. */
import type { ToolDefinition } from "@arnilo/prism-core"
import type { JsonSchemaValidator } from "@arnilo/prism-core/validation/json-schema"
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import { type AdmittedTool, admitTool, type McpToolAdmission } from "./admission.ts"
import type { Connection } from "./Connection.ts"
import type { McpBridgeError } from "./errors/McpBridgeError.ts"
import { McpBridgeClosedError } from "./errors/McpBridgeClosedError.ts"
import { McpToolNameCollisionError } from "./errors/McpToolNameCollisionError.ts"
import { toBridgeError } from "./toBridgeError.ts"
import { listAllMcpTools } from "./listTools.ts"
import { tell, toldError } from "./McpEvent.ts"
import type { McpLimitValues } from "./McpLimits.ts"
import type { McpBridgeOptions } from "./McpOptions.ts"
import type { RemoteTool } from "./Remote.ts"
import { formatMcpToolName } from "./toolNames.ts"

export interface ToolListOptions extends Pick<McpBridgeOptions, "serverId" | "onEvent" | "approvedDefinitions"> {
  readonly connection: Connection
  readonly limits: McpLimitValues
  readonly prefix: string
  readonly validator: Context.Service.Shape<typeof JsonSchemaValidator>
  /** A listing belongs to the bridge, not to whoever asked for it first. */
  readonly scope: Scope.Scope
  readonly makeTool: (name: string, tool: AdmittedTool) => ToolDefinition
}

export class ToolList {
  tools: ReadonlyArray<ToolDefinition> = []
  admissions: ReadonlyArray<McpToolAdmission> = []
  readonly #options: ToolListOptions
  /** Remote name → the hash that counts as approved: the host's, else that of the first listing. */
  readonly #approved: Map<string, string>
  #isChanged = true
  #freshUntil = 0
  #listing: Fiber.Fiber<void, McpBridgeError> | undefined

  constructor(options: ToolListOptions) {
    this.#options = options
    this.#approved = new Map(Object.entries(options.approvedDefinitions ?? {}))
  }

  /** The server says that its list is another; nothing is requested. */
  readonly markChanged = (): void => {
    this.#isChanged = true
  }

  /** Always lists; callers that come while a listing runs share it. */
  readonly refresh: Effect.Effect<void, McpBridgeError> = Effect.suspend(() => {
    if (this.#options.connection.isClosed) return Effect.fail(new McpBridgeClosedError())
    if (this.#listing !== undefined) return this.#awaitListing(this.#listing)
    return Effect.flatMap(Effect.forkIn(this.#list, this.#options.scope), (fiber) => {
      this.#listing = fiber
      fiber.addObserver(() => {
        this.#listing = undefined
      })
      return this.#awaitListing(fiber)
    })
  })

  /** Lists where the list is stale. Never fails: what fails is told, and the tools stay. */
  readonly refreshIfStale: Effect.Effect<void> = Effect.flatMap(Clock.currentTimeMillis, (now) => {
    if (!this.#isChanged && now < this.#freshUntil) return Effect.void
    return Effect.catch(this.refresh, (error) =>
      Effect.sync(() => {
        const { onEvent, serverId } = this.#options
        tell(onEvent, { type: "mcp_refresh_failed", serverId, error: toldError(error) })
      })
    )
  })

  #awaitListing(fiber: Fiber.Fiber<void, McpBridgeError>): Effect.Effect<void, McpBridgeError> {
    return Effect.flatMap(Fiber.await(fiber), (exit) =>
      Exit.hasInterrupts(exit) || (Exit.isFailure(exit) && this.#options.connection.isClosed)
        ? Effect.fail(new McpBridgeClosedError())
        : exit
    )
  }

  readonly #list: Effect.Effect<void, McpBridgeError> = Effect.suspend(() => {
    const { connection, limits } = this.#options
    // A change that is told from here on may or may not be in the answer.
    this.#isChanged = false
    const listing = Effect.gen({ self: this }, function* () {
      const listed = yield* connection.withLink((link) =>
        Effect.tryPromise({
          try: (signal) => listAllMcpTools(link.client, signal, limits),
          catch: (error) => toBridgeError(error, connection.lostReason(link))
        })
      )
      yield* Effect.try({ try: () => this.#take(listed), catch: (error) => toBridgeError(error) })
      this.#freshUntil = (yield* Clock.currentTimeMillis) + limits.listCacheTtlMs
    })
    return Effect.onExit(listing, (exit) =>
      Effect.sync(() => {
        if (Exit.isFailure(exit)) this.#isChanged = true
      })
    )
  })

  #take(listed: ReadonlyArray<RemoteTool>): void {
    const { limits, makeTool, prefix, validator } = this.#options
    const admissions: Array<McpToolAdmission> = []
    const tools = new Map<string, ToolDefinition | undefined>()
    for (const remote of listed) {
      const { admission, tool } = admitTool(remote, limits, validator)
      const judged = this.#compare(admission)
      admissions.push(judged)
      const name = formatMcpToolName(prefix, judged.remoteName)
      // A name that is refused itself is nobody's.
      if (judged.pointer === "/name" || judged.pointer === "") continue
      if (tools.has(name)) throw new McpToolNameCollisionError(name, judged.remoteName)
      tools.set(name, tool === undefined ? undefined : makeTool(name, tool))
    }
    const before = this.admissions
    this.tools = Object.freeze([...tools.values()].filter((tool) => tool !== undefined))
    this.admissions = Object.freeze(admissions)
    this.#approve(admissions)
    this.#tellChanges(before)
  }

  #compare(admission: McpToolAdmission): McpToolAdmission {
    const approvedHash = this.#approved.get(admission.remoteName)
    return approvedHash === undefined ||
      admission.definitionHash === undefined ||
      approvedHash === admission.definitionHash
      ? admission
      : { ...admission, approvedHash }
  }

  #approve(admissions: ReadonlyArray<McpToolAdmission>): void {
    for (const { definitionHash, remoteName } of admissions) {
      if (definitionHash !== undefined && !this.#approved.has(remoteName))
        this.#approved.set(remoteName, definitionHash)
    }
  }

  #tellChanges(before: ReadonlyArray<McpToolAdmission>): void {
    const { onEvent, serverId } = this.#options
    if (onEvent === undefined) return
    const known = new Set(before.map((admission) => JSON.stringify(admission)))
    for (const admission of this.admissions) {
      if (known.has(JSON.stringify(admission))) continue
      tell(onEvent, { type: "mcp_tool_admission", serverId, admission })
      const { approvedHash, definitionHash, remoteName } = admission
      if (approvedHash === undefined || definitionHash === undefined) continue
      tell(onEvent, { type: "mcp_tool_drift", serverId, remoteName, approvedHash, definitionHash })
    }
  }
}
