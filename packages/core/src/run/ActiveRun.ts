/** One run while it lasts: what its stages share, and how it is stopped. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import type { Agent } from "../agent/Agent.ts"
import { readRetry } from "../agent/agentRetry.ts"
import type { EventHub } from "../broadcast/EventBroadcaster.ts"
import type { DispatchScope } from "../dispatch/DispatchScope.ts"
import { RunLimitError } from "../errors/RunLimitError.ts"
import type { AgentEvent } from "../events/AgentEvent.ts"
import type { RunLimitValues } from "../limits/RunLimits.ts"
import type { RunOptions } from "../ports/AgentPort.ts"
import type { AIProvider, ProviderRequestPolicy, RetryOptions } from "../ports/AIProvider.ts"
import type { SecretRedactor } from "../ports/Redaction.ts"
import type { Driver } from "../ports/Steps.ts"
import type { ToolRegistry } from "../ports/ToolDefinition.ts"
import type { Metadata } from "../schema/Json.ts"
import type { Message } from "../schema/Message.ts"
import type { ProviderEvent } from "../schema/ProviderEvent.ts"
import { redactAgentEvent, redactRunLedgerRecord } from "../security/Redactor.ts"
import { makeId } from "../store/ids.ts"
import { LedgerWriter } from "../store/RunLedger.ts"
import { isoTimestamp } from "../store/timestamps.ts"
import { closeIterator } from "../turn/readEvents.ts"
import { RunBudget } from "../turn/RunBudget.ts"
import type { TurnScope } from "../turn/TurnScope.ts"
import { UsageTotal } from "../turn/UsageTotal.ts"
import type { Transcript } from "./Transcript.ts"

/** The session that a run belongs to, as far as a run knows it. */
export interface RunHost {
  readonly agent: Agent
  readonly transcript: Transcript
  readonly hub: EventHub
  readonly metadata: Metadata | undefined
  /** The run that holds the session. One at a time. */
  active: ActiveRun | undefined
}

/** Why a run was stopped before its loop came to an end. */
export interface Stop {
  readonly status: "aborted" | "failed"
  readonly error: unknown
  readonly reason: unknown
}

/** Every run is the scope of its turns and of its calls. */
export class ActiveRun implements TurnScope, DispatchScope {
  readonly id: string
  readonly agent: Agent
  readonly transcript: Transcript
  readonly options: RunOptions
  readonly limits: RunLimitValues
  readonly metadata: Metadata
  readonly policies: ReadonlyArray<ProviderRequestPolicy>
  readonly retry: RetryOptions | undefined
  readonly redactor: SecretRedactor | undefined
  readonly budget: RunBudget
  readonly usage = new UsageTotal()
  readonly ledger: LedgerWriter | undefined
  readonly #hub: EventHub
  readonly #controller = new AbortController()
  readonly #onStop: (stop: Stop) => void
  #children: Set<Fiber.Fiber<unknown, unknown>> | undefined
  #timer: Fiber.Fiber<void> | undefined
  #provider: AIProvider | undefined
  /** The provider iterators that are being read; more than one only under a host's own loop. */
  #reading: AsyncIterator<ProviderEvent> | undefined
  #readingMore: Set<AsyncIterator<ProviderEvent>> | undefined
  mayHoldForeignNames = false
  /** Once true no event is told, nothing is stored and no step goes on. */
  stopped = false
  stopReason: unknown
  /** When the run was told to have started, in milliseconds since the epoch. */
  startedAt: number | undefined
  /** The run's own place on the branch: a checkout meanwhile does not move it. */
  leafId: string | undefined
  /** An entry is on its way to a store that takes its time. */
  appending: Promise<void> | undefined
  /** The last assistant message that was completed. */
  lastMessage: Message | undefined

  constructor(id: string, host: RunHost, options: RunOptions, limits: RunLimitValues, onStop: (stop: Stop) => void) {
    const { config } = host.agent
    this.id = id
    this.agent = host.agent
    this.transcript = host.transcript
    this.#hub = host.hub
    this.options = options
    this.limits = limits
    this.#onStop = onStop
    this.metadata = mergedMetadata(config.metadata, host.metadata, options.metadata)
    this.policies = policiesOf(config.providerRequestPolicies, options.providerRequestPolicies)
    this.retry = readRetry(config.retry, options.retry)
    this.redactor = options.redactor ?? config.redactor
    this.leafId = host.transcript.leafId
    this.budget = new RunBudget(limits)
    const ledger = options.runLedger ?? host.agent.ledger
    this.ledger = ledger === undefined ? undefined : new LedgerWriter(ledger, this.unstopped)
  }

  get runId(): string {
    return this.id
  }
  get sessionId(): string {
    return this.transcript.sessionId
  }
  get signal(): AbortSignal {
    return this.#controller.signal
  }
  get registry(): ToolRegistry {
    return this.agent.registry
  }
  get provider(): AIProvider {
    if (this.#provider === undefined) throw new Error("The provider of the run is not resolved yet")
    return this.#provider
  }
  set provider(provider: AIProvider) {
    this.#provider = provider
  }
  get middleware() {
    return this.agent.config.middleware
  }
  get permission() {
    return this.agent.permission
  }
  get validate() {
    return this.options.validate ?? this.agent.config.validator
  }
  get ownership() {
    return this.options.ownership ?? this.agent.config.ownership
  }
  get idempotencyKey(): string | undefined {
    return this.options.idempotencyKey ?? this.agent.config.idempotencyKey
  }
  get toolTimeoutMs(): number | undefined {
    return this.limits.toolTimeoutMs
  }
  readonly filter = undefined
  readonly secrets = undefined
  readonly progress = undefined

  /** For what must be written even though the run is over. */
  get unstopped(): Driver {
    return { stopped: false, stopReason: undefined, fork: this.agent.fork }
  }

  now(): number {
    return this.agent.now()
  }

  /** Starts a fiber that ends with the run. */
  fork<A, E>(effect: Effect.Effect<A, E>): Fiber.Fiber<A, E> {
    // A call that stopped the run itself may still hand over an Effect: it does not begin.
    const fiber = this.agent.fork(this.stopped ? Effect.interrupt : effect)
    if (fiber.pollUnsafe() !== undefined) return fiber
    const children = (this.#children ??= new Set())
    children.add(fiber)
    fiber.addObserver(() => children.delete(fiber))
    // It has begun at once, and what it did first was to stop the run.
    if (this.stopped) fiber.interruptUnsafe()
    return fiber
  }

  startReading(iterator: AsyncIterator<ProviderEvent>): void {
    if (this.#reading === undefined) this.#reading = iterator
    else (this.#readingMore ??= new Set()).add(iterator)
  }

  endReading(iterator: AsyncIterator<ProviderEvent>): void {
    if (this.#reading === iterator) this.#reading = undefined
    else this.#readingMore?.delete(iterator)
  }

  /** False while no subscriber and no ledger would see an event. */
  get isObserved(): boolean {
    return this.#hub.isObserved !== false || this.ledger !== undefined
  }

  emit(event: AgentEvent): void | Promise<void> {
    if (this.stopped) return
    const safe = this.redacted(event)
    const written = this.record(safe)
    if (written === undefined) this.#hub.publish(safe)
    else return written.then(() => this.#hub.publish(safe))
  }

  /** What subscribers and ledger may see of an event. Never throws. */
  redacted(event: AgentEvent): AgentEvent {
    return this.redactor === undefined ? event : redactAgentEvent(event, this.redactor)
  }

  /** Writes the ledger's row of a redacted event; also when the run is stopped. */
  record(safe: AgentEvent): void | Promise<void> {
    return this.ledger?.write((ledger) =>
      ledger.appendEvent(
        redactRunLedgerRecord(
          {
            ...this.ownership,
            id: makeId("event"),
            sessionId: this.sessionId,
            runId: this.id,
            type: safe.type,
            timestamp: isoTimestamp(this.now()),
            event: safe,
            redacted: this.redactor !== undefined
          },
          this.redactor
        )
      )
    )
  }

  /** Ends the run as aborted. The first stop counts. */
  abort(reason: unknown): void {
    this.#stop({ status: "aborted", error: isError(reason) ? reason : new Error("Agent run aborted"), reason })
  }

  /** Fails the run when its time is up, if it has a bound. */
  startClock(): void {
    const { maxWallMs } = this.limits
    if (maxWallMs === undefined) return
    this.#timer = this.agent.fork(Effect.sleep(maxWallMs))
    this.#timer.addObserver((exit) => {
      const error = new RunLimitError({ limit: "maxWallMs", max: maxWallMs })
      if (Exit.isSuccess(exit)) this.#stop({ status: "failed", error, reason: error })
    })
  }

  /**
   * Lets go of everything that still runs. A run that succeeded aborts its signal only if something is left to hear of it.
   */
  close(reason: unknown, hasSucceeded: boolean): void {
    if (this.stopped) return
    this.stopped = true
    this.stopReason = reason
    this.#timer?.interruptUnsafe()
    const isReading = this.#reading !== undefined || (this.#readingMore !== undefined && this.#readingMore.size > 0)
    if (hasSucceeded && !isReading && this.children.length === 0) return
    this.#controller.abort(reason)
    for (const child of this.children) child.interruptUnsafe()
    if (this.#reading !== undefined) closeIterator(this.#reading)
    for (const iterator of this.#readingMore ?? []) closeIterator(iterator)
  }

  /** The fibers that have not ended yet. */
  get children(): ReadonlyArray<Fiber.Fiber<unknown, unknown>> {
    return this.#children === undefined || this.#children.size === 0 ? nobody : [...this.#children]
  }

  /** Tells the terminal event, which is redacted and recorded already, and ends the subscriptions of the run. */
  finish(safe: AgentEvent): void {
    this.#hub.publish(safe)
    this.#hub.endRun()
  }

  /** Whoever is told closes the run. */
  #stop(stop: Stop): void {
    if (!this.stopped) this.#onStop(stop)
  }
}

/** A proxy may refuse to say what it is. */
const isError = (value: unknown): value is Error => {
  try {
    return value instanceof Error
  } catch {
    return false
  }
}

type Policies = RunOptions["providerRequestPolicies"]

const policiesOf = (agent: Policies, run: Policies): ReadonlyArray<ProviderRequestPolicy> =>
  agent === undefined && run === undefined ? nobody : [...listOf(agent), ...listOf(run)]

const listOf = <A>(one: A | ReadonlyArray<A> | undefined): ReadonlyArray<A> =>
  one === undefined ? [] : Array.isArray(one) ? one : [one as A]

const none: Metadata = {}
const nobody: ReadonlyArray<never> = []

/** Spread, not assigned: a key such as `__proto__` stays a key. */
const mergedMetadata = (agent?: Metadata, session?: Metadata, run?: Metadata): Metadata =>
  agent === undefined && session === undefined && run === undefined ? none : { ...agent, ...session, ...run }
