/** The bridge as hosts of Promises hold it. */
import { toPromise, type ToolDefinition } from "@arnilo/prism-core"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { SIGNAL } from "./checkFields.ts"
import type { McpBridgeError } from "./errors/McpBridgeError.ts"
import { originalError } from "./toBridgeError.ts"
import type { McpToolAdmission } from "./admission.ts"
import { type McpHealth, type McpToolSet, McpTools } from "./McpTools.ts"
import type { ConnectMcpToolsOptions, McpBridgeOptions } from "./McpOptions.ts"
import type { Client, Transport } from "./Remote.ts"

export interface McpToolBridge {
  /** As last listed. Throws `McpBridgeClosedError` once the bridge is closed. */
  readonly tools: readonly ToolDefinition[]
  /** One of every tool that the server listed, refused ones included. */
  readonly admissions: readonly McpToolAdmission[]
  readonly health: McpHealth
  /** Lists anew. Rejects, with the tools as they were, where that fails. */
  refresh(): Promise<void>
  /** With `refresh: "next-turn"` lists anew where the list is stale; a registry of `createMcpToolRegistry` calls it. */
  prepareTurn(): Promise<void>
  /** Idempotent, never rejects. Waits until nothing of the connection is left. */
  close(): Promise<void>
}

/**
 * Opens a connection, lists its tools, and answers with a bridge that the caller closes. Rejects before anything starts
 * for options that are refused, with the signal's reason for an abort, and with the original error where connecting or
 * listing fails; nothing is left open then.
 */
export const connectMcpTools = (options: ConnectMcpToolsOptions): Promise<McpToolBridge> =>
  open(McpTools.make(options), options?.signal)

/** The same over a client that is connected already; the bridge closes it. */
export const attachMcpToolBridge = (
  client: Client,
  transport: Transport,
  options: McpBridgeOptions
): Promise<McpToolBridge> => open(McpTools.attach(client, transport, options), options?.signal)

const open = async (
  make: Effect.Effect<McpToolSet, McpBridgeError, Scope.Scope>,
  given: AbortSignal | undefined
): Promise<McpToolBridge> => {
  // What is none is refused with the other options.
  const signal = SIGNAL.is(given) ? given : undefined
  signal?.throwIfAborted()
  const scope = Scope.makeUnsafe()
  const close = (): Promise<void> => Effect.runPromise(Scope.close(scope, Exit.void))
  try {
    const set = await toPromise(
      (effect) => Effect.runPromiseExit(effect, signal === undefined ? undefined : { signal }),
      Scope.provide(make, scope)
    )
    signal?.throwIfAborted()
    return new Bridge(set, close)
  } catch (error) {
    await close()
    throw signal?.aborted === true ? signal.reason : originalError(error)
  }
}

class Bridge implements McpToolBridge {
  readonly #set: McpToolSet
  readonly #close: () => Promise<void>
  #closing: Promise<void> | undefined

  constructor(set: McpToolSet, close: () => Promise<void>) {
    this.#set = set
    this.#close = close
  }

  get tools(): readonly ToolDefinition[] {
    return this.#set.tools
  }

  get admissions(): readonly McpToolAdmission[] {
    return this.#set.admissions
  }

  get health(): McpHealth {
    return this.#set.health
  }

  refresh(): Promise<void> {
    return toPromise(Effect.runPromiseExit, this.#set.refresh).catch((error: unknown) => {
      throw originalError(error)
    })
  }

  prepareTurn(): Promise<void> {
    return Effect.runPromise(this.#set.prepareTurn)
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }
}
