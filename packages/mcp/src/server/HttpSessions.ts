/** Sessions of clients whose protocol has them: bounded in number, each its principal's own. */
import { type McpPrincipal, refusal } from "./httpGuard.ts"
import { type AnswerRequest, authInfoOf, isInitialize, type McpHandlers, serveSession } from "./sdk.ts"

interface Session {
  readonly principal: string
  readonly answer: AnswerRequest
  readonly close: () => Promise<void>
  usedAt: number
  /** Requests whose answers are not complete. */
  open: number
}

const SESSION_ID = "mcp-session-id"

export class HttpSessions {
  /** By id, the one that was used last at the end. */
  readonly #sessions = new Map<string, Session>()
  readonly #handlers: McpHandlers
  readonly #max: number
  readonly #idleMs: number
  #beginning = 0
  #isClosed = false

  constructor(handlers: McpHandlers, max: number, idleMs: number) {
    this.#handlers = handlers
    this.#max = max
    this.#idleMs = idleMs
  }

  /** `body` is nothing for a DELETE. To anybody else a session of somebody's is none. */
  async answer(request: Request, body: unknown, principal: McpPrincipal): Promise<Response> {
    const id = request.headers.get(SESSION_ID)
    if (id === null) {
      if (isInitialize(body)) return this.#begin(request, body, principal)
      return refusal(400, "Mcp-Session-Id header is required")
    }
    const session = this.#sessions.get(id)
    if (session === undefined || session.principal !== principal.id) return refusal(404, "Session not found", -32_001)
    this.#sessions.delete(id)
    this.#sessions.set(id, session)
    return this.#use(session, request, body, principal)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.allSettled(Array.from(this.#sessions.values(), (session) => session.close()))
  }

  async #begin(request: Request, body: unknown, principal: McpPrincipal): Promise<Response> {
    if (this.#isClosed || !this.#hasRoom()) {
      return refusal(503, `More than ${this.#max} sessions are open: try again later`)
    }
    this.#beginning += 1
    try {
      const id: string = crypto.randomUUID()
      const caller = { sessionId: `mcp-${id}`, metadata: undefined }
      let hasBegun = false
      const served = await serveSession(this.#handlers, caller, {
        id,
        onBegun: () => {
          hasBegun = true
          this.#sessions.set(id, session)
        },
        onEnded: () => void this.#sessions.delete(id)
      })
      const session: Session = { principal: principal.id, ...served, usedAt: Date.now(), open: 0 }
      const response = await this.#use(session, request, body, principal)
      // Who asks for no answer is not told the id.
      if (!hasBegun || !response.headers.has(SESSION_ID) || this.#isClosed) await session.close()
      return response
    } finally {
      this.#beginning -= 1
    }
  }

  async #use(session: Session, request: Request, body: unknown, { id, metadata }: McpPrincipal): Promise<Response> {
    session.open += 1
    const done = (): void => {
      session.open -= 1
      session.usedAt = Date.now()
    }
    try {
      return whenRead(await session.answer(request, body, authInfoOf(id, metadata)), done)
    } catch (error) {
      done()
      throw error
    }
  }

  /** Makes room by ending the session that has been idle longest, where that is long enough. */
  #hasRoom(): boolean {
    if (this.#sessions.size + this.#beginning < this.#max) return true
    const limit = Date.now() - this.#idleMs
    for (const [id, session] of this.#sessions) {
      if (session.open > 0 || session.usedAt > limit) continue
      this.#sessions.delete(id)
      void session.close().catch(() => undefined)
      return true
    }
    return false
  }
}

/** The same response; `done` is called when its body was read, was given up, or where there is none. */
const whenRead = (response: Response, done: () => void): Response => {
  if (response.body === null) {
    done()
    return response
  }
  const reader = response.body.getReader()
  let isDone = false
  const finish = (): void => {
    if (!isDone) done()
    isDone = true
  }
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    try {
      const piece = await reader.read()
      if (!piece.done) return controller.enqueue(piece.value)
      finish()
      controller.close()
    } catch (error) {
      finish()
      controller.error(error)
    }
  }
  const cancel = (reason: unknown): Promise<void> => {
    finish()
    return reader.cancel(reason)
  }
  // Read no further ahead than it is read.
  const body = new ReadableStream<Uint8Array>({ pull, cancel }, { highWaterMark: 0 })
  return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers })
}
