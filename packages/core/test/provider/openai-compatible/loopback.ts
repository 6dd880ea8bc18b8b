/** A real HTTP server on loopback for one test, and what the tests of this folder share. */
import { onTestFinished } from "@effect/vitest"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AIProvider, ProviderRequest } from "../../../src/ports/AIProvider.ts"
import type { ProviderEvent } from "../../../src/schema/ProviderEvent.ts"

export interface Received {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The body as parsed JSON. */
  readonly body: Record<string, unknown>
  /** Resolves when the socket of the request is closed, by whichever side. */
  readonly closed: Promise<void>
}

export interface Loopback {
  readonly baseUrl: string
  readonly received: ReadonlyArray<Received>
  /** Resolves with the next request that comes, or one that came unasked for. */
  readonly next: () => Promise<Received>
}

/** Starts a server that ends with the test. */
export const serve = async (answer: (received: Received) => void): Promise<Loopback> => {
  const received: Array<Received> = []
  const waiting: Array<(one: Received) => void> = []
  let asked = 0
  const server = createServer((request, response) => {
    const pieces: Array<Buffer> = []
    const closed = new Promise<void>((resolve) => request.socket.once("close", () => resolve()))
    request.on("data", (piece: Buffer) => pieces.push(piece))
    request.on("end", () => {
      const one = { request, response, body: JSON.parse(Buffer.concat(pieces).toString()), closed }
      received.push(one)
      waiting.shift()?.(one)
      answer(one)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  const next = (): Promise<Received> => {
    asked += 1
    const there = received[asked - 1]
    return there === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(there)
  }
  return { baseUrl: `http://127.0.0.1:${port}/v1`, received, next }
}

export const model = { provider: "openai-compatible", model: "test-model" }

/** A request of one user message. */
export const hello = (more: Partial<ProviderRequest> = {}): ProviderRequest => ({
  model,
  messages: [{ role: "user", content: [{ type: "text", text: "hello" }] }],
  ...more
})

/** A promise and what resolves it. */
export const latch = () => {
  const openers: Array<() => void> = []
  const opened = new Promise<void>((resolve) => openers.push(resolve))
  const open = (): void => openers.forEach((resolve) => resolve())
  return { opened, open }
}

/** The iterator of one turn; nothing has happened yet. */
export const start = (provider: AIProvider, request: ProviderRequest = hello()): AsyncIterator<ProviderEvent> =>
  provider.generate(request)[Symbol.asyncIterator]()

export const collect = async (
  provider: AIProvider,
  request: ProviderRequest = hello()
): Promise<ReadonlyArray<ProviderEvent>> => {
  const events: Array<ProviderEvent> = []
  for await (const event of provider.generate(request)) events.push(event)
  return events
}

/** The error of the last event. */
export const errorOf = (events: ReadonlyArray<ProviderEvent>) => {
  const last = events.at(-1)
  if (last?.type !== "error") throw new Error(`expected an error event, not ${JSON.stringify(last)}`)
  return last.error
}

/** One server-sent event. */
export const sse = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`
export const chunk = (delta: unknown, finish_reason?: string): string =>
  sse({ choices: [{ index: 0, delta, ...(finish_reason === undefined ? undefined : { finish_reason }) }] })
export const DONE = "data: [DONE]\n\n"

export const text = (value: string): ProviderEvent => ({
  type: "content_delta",
  content: { type: "text", text: value }
})

export const stream = (response: ServerResponse, status = 200): void => {
  response.writeHead(status, { "content-type": "text/event-stream" })
  response.flushHeaders()
}

/** A `fetch` that answers with these pieces of a body, as they are. */
export const fetchOf =
  (
    pieces: ReadonlyArray<string | Uint8Array>,
    headers: Record<string, string> = { "content-type": "text/event-stream" }
  ) =>
  (): Promise<Response> =>
    Promise.resolve(
      new Response(
        new ReadableStream({
          start(controller) {
            for (const piece of pieces) {
              controller.enqueue(typeof piece === "string" ? new TextEncoder().encode(piece) : piece)
            }
            controller.close()
          }
        }),
        { headers }
      )
    )
