/** A core session as a handle of Promises. */
import {
  type AgentEvent,
  type AgentInput,
  type AgentPort,
  type AgentRunResult,
  type AgentSessionConfig,
  type AgentSessionPort,
  type RunOptions,
  type Session,
  type SessionEntry,
  type SubscribeOptions,
  toPromise
} from "@arnilo/prism-core"
import * as Effect from "effect/Effect"

/** Opens a session of `agent`; the same as `agent.createSession(config)`. */
export const createAgentSession = ({
  agent,
  ...config
}: AgentSessionConfig & { readonly agent: AgentPort }): AgentSessionPort => agent.createSession(config)

/** Each method is one of the core session's, its effect run. */
export class SessionHandle implements AgentSessionPort {
  readonly #session: Session

  constructor(session: Session) {
    this.#session = session
  }

  get id(): string {
    return this.#session.id
  }

  get leafId(): string | undefined {
    return this.#session.leafId
  }

  run(input: AgentInput, options?: RunOptions): Promise<AgentRunResult> {
    return this.#session.runPromise(input, options)
  }

  prompt(input: string, options?: RunOptions): Promise<AgentRunResult> {
    return this.run(input, options)
  }

  stream(input: AgentInput, options?: RunOptions & SubscribeOptions): AsyncIterableIterator<AgentEvent> {
    return this.#session.stream(input, options)
  }

  subscribe(options?: SubscribeOptions): AsyncIterableIterator<AgentEvent> {
    return this.#session.subscribe(options)
  }

  abort(reason?: unknown): void {
    this.#session.abort(reason)
  }

  entries(): Promise<ReadonlyArray<SessionEntry>> {
    return toPromise(Effect.runPromiseExit, this.#session.entries())
  }

  checkout(leafId?: string): Promise<void> {
    return toPromise(Effect.runPromiseExit, this.#session.checkout(leafId))
  }

  fork(options?: { readonly leafId?: string | undefined }): AgentSessionPort {
    return new SessionHandle(this.#session.fork(options))
  }

  clone(options?: {
    readonly id?: string | undefined
    readonly leafId?: string | undefined
  }): Promise<AgentSessionPort> {
    const cloned = Effect.map(this.#session.clone(options), (session) => new SessionHandle(session))
    return toPromise(Effect.runPromiseExit, cloned)
  }
}
