/** A session for hosts that live in Effect: runs are Effects, events are Streams, every part comes from a layer. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { makeAgent } from "../agent/Agent.ts"
import type { EventBroadcaster } from "../broadcast/EventBroadcaster.ts"
import type { ToolPool } from "../dispatch/ToolPool.ts"
import type { AgentRunError } from "../errors/AgentRunError.ts"
import type { AgentEvent } from "../events/AgentEvent.ts"
import type { AgentConfig, AgentSessionConfig, RunOptions, SubscribeOptions } from "../ports/AgentPort.ts"
import type { AgentInput } from "../ports/Input.ts"
import type { Provider } from "../provider/Provider.ts"
import type { AgentRunResult } from "../records/AgentRunResult.ts"
import type { SessionEntry } from "../records/SessionEntry.ts"
import type { SessionStore } from "../store/SessionStore.ts"
import type { Tools } from "../tool/Tools.ts"
import { openSession } from "./openSession.ts"
import type { Session } from "./Session.ts"

/** The services that a session is made of. `layerDefaults` has those that hosts rarely replace. */
export type AgentServices = Provider | Tools | SessionStore | EventBroadcaster | ToolPool

/** What is not a service. Permission, trust and ledger are references: absent unless provided. */
export type AgentSettings = Omit<
  AgentConfig,
  "provider" | "providerSource" | "tools" | "store" | "permission" | "runLedger"
>

export interface AgentSessionService {
  readonly id: string
  readonly leafId: Effect.Effect<string | undefined>
  /** Interruption aborts the run and waits until it has settled: its tools' finalizers have run then. */
  readonly run: (input: AgentInput, options?: RunOptions) => Effect.Effect<AgentRunResult, AgentRunError | TypeError>
  /** The events of one run, which starts with the stream and is aborted with it. Fails after the last event of a failed run. */
  readonly stream: (
    input: AgentInput,
    options?: RunOptions & SubscribeOptions
  ) => Stream.Stream<AgentEvent, AgentRunError | TypeError>
  /** Subscribed when the stream is first pulled. */
  readonly events: Stream.Stream<AgentEvent>
  /** Subscribed at once, so that no event between here and the first pull is missed; ends with its scope. */
  readonly subscribe: (options?: SubscribeOptions) => Effect.Effect<Stream.Stream<AgentEvent>, never, Scope.Scope>
  readonly abort: (reason?: unknown) => Effect.Effect<void>
  readonly entries: Effect.Effect<ReadonlyArray<SessionEntry>, unknown>
  readonly checkout: (leafId?: string) => Effect.Effect<void, unknown>
  readonly fork: (options?: { readonly leafId?: string }) => Effect.Effect<AgentSessionService>
  readonly clone: (options?: {
    readonly id?: string
    readonly leafId?: string
  }) => Effect.Effect<AgentSessionService, unknown>
}

export class AgentSession extends Context.Service<AgentSession, AgentSessionService>()(
  "@arnilo/prism-core/session/AgentSession"
) {
  /** A bad setting is a defect: it is the host's program that is wrong. */
  static readonly make = (
    settings: AgentSettings,
    config?: Omit<AgentSessionConfig, "store">
  ): Effect.Effect<AgentSessionService, never, AgentServices> =>
    Effect.map(Effect.context<AgentServices>(), (context) =>
      // The context's own type is lost here: the agent looks its services up by key.
      toService(openSession(makeAgent(settings, context as Context.Context<never>), config))
    )

  static readonly layer = (
    settings: AgentSettings,
    config?: Omit<AgentSessionConfig, "store">
  ): Layer.Layer<AgentSession, never, AgentServices> => Layer.effect(AgentSession, AgentSession.make(settings, config))
}

/** Closes the iterator with the stream, and waits for that: also when it is interrupted while nothing comes. */
const streamOf = <E = never>(open: () => AsyncIterableIterator<AgentEvent>): Stream.Stream<AgentEvent, E> =>
  Stream.unwrap(
    Effect.map(
      Effect.acquireRelease(Effect.sync(open), (events) => Effect.promise(() => Promise.resolve(events.return?.()))),
      (events) => {
        // Without `return`: the stream would call it and not wait for it while a `next()` is pending.
        const pulled = { [Symbol.asyncIterator]: () => ({ next: () => events.next() }) }
        // What the iterator rejects with is what its docstring names.
        return Stream.fromAsyncIterable(pulled, (error) => error as E)
      }
    )
  )

const toService = (session: Session): AgentSessionService => ({
  id: session.id,
  leafId: Effect.sync(() => session.leafId),
  run: (input, options) => session.run(input, options),
  stream: (input, options) => streamOf<AgentRunError | TypeError>(() => session.stream(input, options)),
  events: streamOf(() => session.subscribe()),
  subscribe: (options) =>
    Effect.map(
      Effect.acquireRelease(
        Effect.sync(() => session.subscribe(options)),
        (events) => Effect.sync(() => void events.return?.())
      ),
      (events) => streamOf(() => events)
    ),
  abort: (reason) => Effect.sync(() => session.abort(reason)),
  entries: Effect.suspend(() => session.entries()),
  checkout: (leafId) => session.checkout(leafId),
  fork: (options) => Effect.sync(() => toService(session.fork(options))),
  clone: (options) => Effect.map(session.clone(options), toService)
})
