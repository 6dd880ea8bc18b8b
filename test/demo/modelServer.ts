/** A model that needs no key: a loopback HTTP server that speaks Chat Completions. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** A message as it comes over the wire. */
export interface WireMessage {
  readonly role: string
  readonly content?: string | null
  readonly tool_call_id?: string
  readonly tool_calls?: ReadonlyArray<{ readonly id: string; readonly function: { readonly name: string } }>
}
interface Call {
  readonly name: string
  readonly arguments: Record<string, unknown>
}
/** What the model does next. */
export interface Turn {
  readonly text: string
  readonly calls: ReadonlyArray<Call>
}

export interface ModelServer {
  readonly baseUrl: string
  /** Requests so far. */
  readonly requests: number
  readonly close: () => Promise<void>
}

const readBody = async (request: IncomingMessage): Promise<{ readonly messages: ReadonlyArray<WireMessage> }> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString("utf8"))
}

/** The turn as a server would stream it: text in words, calls in fragments by index, usage, `[DONE]`. */
const stream = (response: ServerResponse, turn: Turn, requestNumber: number, promptTokens: number): void => {
  const send = (delta: object, finish: string | null = null): void => {
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`)
  }
  response.writeHead(200, { "content-type": "text/event-stream" })
  for (const word of turn.text.split(/(?<= )/)) send({ content: word })
  for (const [index, call] of turn.calls.entries()) {
    const id = `call_${requestNumber}_${index}`
    send({ tool_calls: [{ index, id, type: "function", function: { name: call.name, arguments: "" } }] })
    for (const piece of JSON.stringify(call.arguments).match(/.{1,12}/gs) ?? []) {
      send({ tool_calls: [{ index, function: { arguments: piece } }] })
    }
  }
  send({}, turn.calls.length === 0 ? "stop" : "tool_calls")
  const completion = Math.ceil(turn.text.length / 4) + turn.calls.length * 12
  const usage = { prompt_tokens: promptTokens, completion_tokens: completion, total_tokens: promptTokens + completion }
  response.end(`data: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n`)
}

/** Each request is answered with what `plan` makes of its messages. */
export const startModelServer = async (plan: (messages: ReadonlyArray<WireMessage>) => Turn): Promise<ModelServer> => {
  let requests = 0
  const server = createServer((request, response) => {
    void (async () => {
      requests += 1
      const body = await readBody(request)
      stream(response, plan(body.messages), requests, Math.ceil(JSON.stringify(body.messages).length / 4))
    })().catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    get requests() {
      return requests
    },
    close: () => new Promise((closed) => server.close(() => closed()))
  }
}
