/** Opens connections to one server, in the protocol that it speaks. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { closeLink, endReasonOf, type Link } from "./Connection.ts"
import { McpBridgeError } from "./errors/McpBridgeError.ts"
import { McpFixedLimits, type McpLimitValues } from "./McpLimits.ts"
import type { ServerRequests, Transport } from "./Remote.ts"
import {
  connectClient,
  followList,
  isConnectionClosed,
  isNegotiationOver,
  makeClient,
  versionWithoutHandshake
} from "./sdk.ts"
import { toBridgeError } from "./toBridgeError.ts"
import { createMcpTransport, type McpTransport } from "./transports/createMcpTransport.ts"

export const LIST_CHANGED = "notifications/tools/list_changed"

export interface LinkHooks {
  readonly onListChanged: () => void
  /** Of every transport that is about to be started. */
  readonly onTransport: (transport: Transport) => void
}

export interface LinkOpener {
  readonly open: Effect.Effect<Link, McpBridgeError>
  /** In a session of its own, whatever session the host took up; what the server lists is not known then. */
  readonly reopen: Effect.Effect<Link, McpBridgeError>
}

/** Each link closes what was started for it where it cannot be opened. */
export const makeLinkOpener = (
  config: McpTransport,
  requests: ServerRequests,
  limits: McpLimitValues,
  hooks: LinkHooks
): LinkOpener => {
  /** Of a server that took no handshake when a link was opened last. */
  let version: string | undefined
  const openIn = (transport: McpTransport): Effect.Effect<Link, McpBridgeError> =>
    Effect.suspend(() => openLink(transport, requests, limits, hooks, version)).pipe(
      Effect.catchDefect((defect) => Effect.fail(toBridgeError(defect)))
    )
  /** What was a server without a handshake may be another one, or none, the next time. */
  const openWithout = (transport: McpTransport): Effect.Effect<Link, McpBridgeError> =>
    Effect.tapError(openIn(transport), () =>
      Effect.sync(() => {
        version = undefined
      })
    )
  const open = (transport: McpTransport): Effect.Effect<Link, McpBridgeError> =>
    Effect.suspend(() => {
      if (version !== undefined) return openWithout(transport)
      return Effect.catch(openIn(transport), (error) => {
        version = versionWithoutHandshake(error.cause)
        return version === undefined ? Effect.fail(error) : openWithout(transport)
      })
    })
  return {
    open: open(config),
    reopen: Effect.tap(open(withoutSession(config)), () => Effect.sync(hooks.onListChanged))
  }
}

/** A child may end in the midst of what the SDK then tells in words of its own. */
const hasEnded = (transport: Transport): boolean =>
  (transport as { readonly endReason?: string }).endReason !== undefined

const withoutSession = (config: McpTransport): McpTransport => {
  if (config?.type !== "streamable-http") return config
  const { sessionId: _, ...rest } = config
  return rest
}

const openLink = (
  config: McpTransport,
  requests: ServerRequests,
  { callTimeoutMs }: McpLimitValues,
  { onListChanged, onTransport }: LinkHooks,
  version: string | undefined
): Effect.Effect<Link, McpBridgeError> => {
  const transport = createMcpTransport(config)
  onTransport(transport)
  const client = makeClient(requests, version)
  client.setNotificationHandler(LIST_CHANGED, onListChanged)
  let isOver = false
  const onclose = (): void => {
    isOver = true
  }
  Object.assign(client, { onclose })
  const link = { client, transport, isOver: () => isOver }
  const connect = Effect.tryPromise({
    try: async (signal) => {
      await connectClient(client, transport, { signal, timeout: callTimeoutMs })
      const timeout = Math.min(callTimeoutMs, McpFixedLimits.followMs.hardCap)
      if (version !== undefined) await followList(client, onListChanged, { signal, timeout })
    },
    catch: (error) =>
      isConnectionClosed(error) || (isNegotiationOver(error) && hasEnded(transport))
        ? new McpBridgeError(endReasonOf({ transport }), { cause: error })
        : toBridgeError(error)
  })
  const connected = Effect.onExit(connect, (exit) =>
    Exit.isSuccess(exit) ? Effect.void : Effect.promise(() => closeLink(link))
  )
  return Effect.as(connected, link)
}
