/** A web-standard handler for `node:http`. */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { McpHttpHandler } from "./createHttpEndpoint.ts"
import { incomingBody } from "./incomingBody.ts"

/**
 * For `createServer` of `node:http` or `node:https`. The request's signal aborts when its client leaves, by which a client
 * without a session cancels a call. Every path is passed on: mount it where it belongs.
 */
export const toNodeListener =
  (handler: McpHttpHandler): RequestListener =>
  (incoming, outgoing) =>
    void answer(handler, incoming, outgoing).catch(() => outgoing.destroy())

const answer = async (handler: McpHttpHandler, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
  const gone = new AbortController()
  outgoing.once("close", () => gone.abort())
  const request = toRequest(incoming, outgoing, gone.signal)
  if (request === undefined) return void outgoing.writeHead(400).end()
  const { body, headers, status } = await handler(request)
  // Nothing else would give up an answer whose client has left before there was one.
  if (gone.signal.aborted) return body?.cancel()
  outgoing.setHeaders(ofMessage(headers)).writeHead(status)
  if (body === null) return void outgoing.end()
  // Of an event stream the client learns at once, whenever its first event may come.
  outgoing.flushHeaders()
  await pipeline(Readable.fromWeb(body as never), outgoing)
}

/** Without what is about the connection: that is between `node:http` and the client, who may want it closed. */
const ofMessage = (headers: Headers): Headers => {
  if (!headers.has("connection")) return headers
  const rest = new Headers(headers)
  rest.delete("connection")
  return rest
}

/** Nothing where it is none of the web's. */
const toRequest = (incoming: IncomingMessage, outgoing: ServerResponse, signal: AbortSignal): Request | undefined => {
  const { headers, method = "GET", url = "/" } = incoming
  const href = `http://${headers.host ?? ""}${url}`
  if (!URL.canParse(href)) return undefined
  const sent = new Headers()
  for (const [name, values] of Object.entries(incoming.headersDistinct)) {
    for (const value of values ?? []) sent.append(name, value)
  }
  const body = method === "GET" || method === "HEAD" ? undefined : incomingBody(incoming)
  // Else what nobody reads of it would keep the connection from the next request.
  if (body !== undefined) outgoing.once("finish", body.discard)
  try {
    return new Request(href, {
      method,
      headers: sent,
      signal,
      ...(body !== undefined && { body: body.stream, duplex: "half" })
    })
  } catch {
    // A method or a URL that a `Request` does not take.
    return undefined
  }
}
