/** The state of the connection to one server: the only place that knows whether there is one. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { McpAuthorizationError } from "./errors/McpAuthorizationError.ts"
import { McpBridgeClosedError } from "./errors/McpBridgeClosedError.ts"
import { McpBridgeError } from "./errors/McpBridgeError.ts"
import { type McpEventListener, tell } from "./McpEvent.ts"
import { McpFixedLimits } from "./McpLimits.ts"
import type { Client, Transport } from "./Remote.ts"
import { ProgressTokens } from "./ProgressTokens.ts"
import { httpStatusOf } from "./sdk.ts"
import { wellFormedAnswer } from "./wellFormedAnswer.ts"

/** One connected client. It never comes back once it is lost. */
export interface Link {
  readonly client: Client
  readonly transport: Transport
  /** Whether it ended before anybody watched it. */
  readonly isOver?: () => boolean
}

export interface ConnectionOptions {
  readonly serverId: string
  readonly onEvent: McpEventListener | undefined
  /** Opens another link. Absent: a connection that was handed in is never opened again. */
  readonly reopen: Effect.Effect<Link, McpBridgeError> | undefined
  /** Whether a call may reopen what was lost. */
  readonly reconnect: boolean
}

const { reconnectAttempts, reconnectBaseDelayMs, reconnectMaxDelayMs } = McpFixedLimits

export class Connection {
  #link: Link
  /** Why the link is over. */
  #lost: string | undefined
  #isClosed = false
  readonly #options: ConnectionOptions
  readonly #reopening = Semaphore.makeUnsafe(1)
  /** Requests that are under way, and replaced links that wait for theirs. */
  readonly #underWay = new Map<Link, number>()
  readonly #retired = new Set<Link>()
  /** Links that are still being closed, or opened. */
  readonly #closing = new Set<Promise<void>>()
  /** Fails when the connection is closed: whatever is being opened then is given up. */
  readonly #closed = Deferred.makeUnsafe<never, McpBridgeClosedError>()
  readonly progress = new ProgressTokens()
  /** How often a link was replaced. */
  reopened = 0
  /** Messages that a client could not use. */
  ignoredMessages = 0

  constructor(link: Link, options: ConnectionOptions) {
    this.#link = link
    this.#options = options
    this.#watch(link)
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  get state(): "ready" | "lost" | "closed" {
    return this.#isClosed ? "closed" : this.#lost === undefined ? "ready" : "lost"
  }

  get link(): Link {
    return this.#link
  }

  /** Why a request on this link failed with it. */
  lostReason(link: Link): string | undefined {
    return this.#link === link ? this.#lost : "MCP connection was replaced"
  }

  /** A link that is alive, reopened if that is allowed. Fails at once where it is not. */
  readonly ready: Effect.Effect<Link, McpBridgeError> = Effect.suspend(() => {
    if (this.#isClosed) return Effect.fail(new McpBridgeClosedError())
    if (this.#lost === undefined) return Effect.succeed(this.#link)
    const { reconnect, reopen } = this.#options
    if (!reconnect || reopen === undefined) return Effect.fail(new McpBridgeError(this.#lost))
    return this.#replace(this.#link, this.#attempts(reopen))
  })

  /**
   * Runs a request on a link that is alive. Where the server refuses it because it has forgotten the session, it has not
   * run: it is sent again, once, in a new session.
   */
  withLink<A>(request: (link: Link) => Effect.Effect<A, McpBridgeError>): Effect.Effect<A, McpBridgeError> {
    return Effect.flatMap(this.ready, (link) =>
      Effect.catchIf(
        this.during(link, request(link)),
        (error) => isSessionGone(link, error),
        () => Effect.flatMap(this.renew(link), (fresh) => this.during(fresh, request(fresh)))
      )
    )
  }

  /** Another link in the place of one whose session the server has forgotten. Callers that wait for the same get the same. */
  renew(link: Link): Effect.Effect<Link, McpBridgeError> {
    const { reopen } = this.#options
    return reopen === undefined ? Effect.fail(new McpBridgeError("MCP session is gone")) : this.#replace(link, reopen)
  }

  /** A request on a link: a link that was replaced meanwhile lasts until its last request has settled. */
  during<A, E>(link: Link, request: Effect.Effect<A, E>): Effect.Effect<A, E> {
    return Effect.suspend(() => {
      this.#underWay.set(link, (this.#underWay.get(link) ?? 0) + 1)
      return Effect.ensuring(
        request,
        Effect.sync(() => this.#leave(link))
      )
    })
  }

  /** Ends a link after a call on it failed. Without `reconnect` the connection is closed then. */
  drop(link: Link, reason: string): void {
    if (this.#link !== link || this.#isClosed) return
    this.#lose(reason)
    if (!this.#options.reconnect || this.#options.reopen === undefined) this.#setClosed()
    this.#startClosing(link)
  }

  /** Idempotent, never fails; waits until nothing of any link is left. */
  readonly close: Effect.Effect<void> = Effect.promise(() => {
    this.#setClosed()
    for (const link of [this.#link, ...this.#retired]) this.#startClosing(link)
    return Promise.all(this.#closing).then(() => undefined)
  })

  #replace(old: Link, reopen: Effect.Effect<Link, McpBridgeError>): Effect.Effect<Link, McpBridgeError> {
    const replacing = Effect.suspend(() => {
      if (this.#isClosed) return Effect.fail(new McpBridgeClosedError())
      if (this.#link !== old) {
        // Whoever came first has replaced it already.
        return this.#lost === undefined ? Effect.succeed(this.#link) : Effect.fail(new McpBridgeError(this.#lost))
      }
      this.#tell("reconnecting", this.#lost)
      return Effect.flatMap(this.#untilClosed(reopen), (link) => this.#install(link))
    })
    return Semaphore.withPermit(this.#reopening, replacing)
  }

  /** Given up when the connection is closed, which waits until nothing of it is left. */
  #untilClosed(reopen: Effect.Effect<Link, McpBridgeError>): Effect.Effect<Link, McpBridgeError> {
    return Effect.suspend(() => {
      let settle: (() => void) | undefined
      const opening = new Promise<void>((resolve) => {
        settle = resolve
      })
      this.#closing.add(opening)
      return Effect.ensuring(
        Effect.raceFirst(reopen, Deferred.await(this.#closed)),
        Effect.sync(() => {
          this.#closing.delete(opening)
          settle?.()
        })
      )
    })
  }

  #install(link: Link): Effect.Effect<Link, McpBridgeError> {
    if (this.#isClosed) {
      this.#startClosing(link)
      return Effect.fail(new McpBridgeClosedError())
    }
    this.#retired.add(this.#link)
    if (!this.#underWay.has(this.#link)) this.#startClosing(this.#link)
    this.#link = link
    this.#lost = undefined
    this.reopened++
    this.#tell("ready")
    this.#watch(link)
    return Effect.succeed(link)
  }

  #leave(link: Link): void {
    const left = (this.#underWay.get(link) ?? 1) - 1
    if (left > 0) {
      this.#underWay.set(link, left)
      return
    }
    this.#underWay.delete(link)
    if (this.#retired.has(link)) this.#startClosing(link)
  }

  #attempts(reopen: Effect.Effect<Link, McpBridgeError>, attempt = 1): Effect.Effect<Link, McpBridgeError> {
    return Effect.catch(reopen, (error) => {
      if (this.#isClosed) return Effect.fail(new McpBridgeClosedError())
      // Nobody is asked to log in five times over.
      if (attempt >= reconnectAttempts.hardCap || error instanceof McpAuthorizationError) return Effect.fail(error)
      const delayMs = Math.min(reconnectBaseDelayMs.hardCap * 2 ** (attempt - 1), reconnectMaxDelayMs.hardCap)
      return Effect.andThen(Effect.sleep(delayMs), this.#attempts(reopen, attempt + 1))
    })
  }

  #watch(link: Link): void {
    const { client, transport } = link
    const { onmessage } = transport
    // A host that handed its client in goes on hearing of it.
    const { onclose, onerror } = client
    Object.assign(transport, {
      onmessage: (message: unknown, extra?: never) => {
        if (!this.progress.take(message)) onmessage?.(wellFormedAnswer(message) as never, extra)
      }
    })
    Object.assign(client, {
      onclose: () => {
        onclose?.()
        if (this.#link === link && this.#lost === undefined) this.#lose(endReasonOf(link))
      },
      onerror: (error: Error) => {
        onerror?.(error)
        this.ignoredMessages++
      }
    })
    if (link.isOver?.() === true) this.#lose(endReasonOf(link))
  }

  #lose(reason: string): void {
    this.#lost = reason
    this.#tell("lost", reason)
  }

  #setClosed(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#lost ??= "MCP bridge is closed"
    this.#tell("closed")
    Deferred.doneUnsafe(this.#closed, Effect.fail(new McpBridgeClosedError()))
  }

  #startClosing(link: Link): void {
    this.#retired.delete(link)
    const closing = closeLink(link).finally(() => this.#closing.delete(closing))
    this.#closing.add(closing)
  }

  #tell(state: "ready" | "lost" | "reconnecting" | "closed", reason?: string): void {
    const { onEvent, serverId } = this.#options
    tell(onEvent, { type: "mcp_connection", serverId, state, ...(reason !== undefined && { reason }) })
  }
}

/** The server refused a request because it knows nothing of its session. */
export const isSessionGone = ({ transport }: Link, error: McpBridgeError): boolean =>
  httpStatusOf(error.cause) === 404 && transport.sessionId !== undefined

/** A stdio transport of ours knows how its child ended. */
export const endReasonOf = ({ transport }: Pick<Link, "transport">): string => {
  const { endReason } = transport as { readonly endReason?: string }
  return endReason ?? "MCP connection was closed"
}

/** The client, then the transport. Never rejects: what is being given up owes nobody an answer. */
export const closeLink = async ({ client, transport }: Link): Promise<void> => {
  await client.close().catch(ignore)
  await transport.close().catch(ignore)
}

const ignore = (): void => undefined
