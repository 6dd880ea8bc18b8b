/** A session of an agent: one branch, one run at a time, any number of subscribers. Composes; decides little. */
import * as Effect from "effect/Effect"
import type { Agent } from "../agent/Agent.ts"
import type { EventHub } from "../broadcast/EventBroadcaster.ts"
import { AgentRunError } from "../errors/AgentRunError.ts"
import type { AgentEvent } from "../events/AgentEvent.ts"
import type { RunOptions, SubscribeOptions } from "../ports/AgentPort.ts"
import type { AgentInput } from "../ports/Input.ts"
import { fromSteps, type Steps, waitFor } from "../ports/Steps.ts"
import type { AgentRunResult } from "../records/AgentRunResult.ts"
import type { SessionEntry } from "../records/SessionEntry.ts"
import type { ActiveRun, RunHost } from "../run/ActiveRun.ts"
import type { RunOutcome } from "../run/concludeRun.ts"
import { startRun } from "../run/startRun.ts"
import { Transcript } from "../run/Transcript.ts"
import type { Metadata } from "../schema/Json.ts"
import { redactAgentEvent } from "../security/Redactor.ts"
import { readBranchSteps } from "../store/branches.ts"
import { cloneBranch } from "../store/cloneBranch.ts"
import { copyEntries } from "../store/copyEntry.ts"
import { makeId } from "../store/ids.ts"
import { assertId } from "./assertId.ts"
import { RunStream } from "./RunStream.ts"

export class Session implements RunHost {
  readonly agent: Agent
  readonly transcript: Transcript
  readonly metadata: Metadata | undefined
  active: ActiveRun | undefined
  #hub: EventHub | undefined

  constructor(agent: Agent, transcript: Transcript, metadata: Metadata | undefined) {
    this.agent = agent
    this.transcript = transcript
    this.metadata = metadata
  }

  get id(): string {
    return this.transcript.sessionId
  }

  /** Where the next entry goes. Of a resumed session it is known once something was read or run. */
  get leafId(): string | undefined {
    return this.transcript.leafId
  }

  get hub(): EventHub {
    return (this.#hub ??= this.agent.broadcaster.open(this.id))
  }

  /**
   * One run. Fails with `AgentRunError` when it failed or was aborted, or another one is active, and with `TypeError` for a
   * limit or input that is not valid. Interruption aborts the run and waits until it has settled.
   */
  run(input: AgentInput, options: RunOptions = {}): Effect.Effect<AgentRunResult, AgentRunError | TypeError> {
    return Effect.callback((resume) => {
      let onSettled = (outcome: RunOutcome): void => resume(toEffect(outcome))
      let run: ActiveRun
      try {
        run = this.start(input, options, (outcome) => onSettled(outcome))
      } catch (error) {
        return resume(Effect.fail(asRunError(error)))
      }
      return Effect.callback<void>((settled) => {
        if (this.active !== run) return settled(Effect.void)
        onSettled = () => settled(Effect.void)
        run.abort(new Error("Agent run interrupted"))
      })
    })
  }

  /** `run` for hosts of Promises: a fiber that does nothing but wait would cost a short run a tenth of its time. */
  runPromise(input: AgentInput, options: RunOptions = {}): Promise<AgentRunResult> {
    // @effect-diagnostics-next-line newPromise:off
    return new Promise((resolve, reject) => {
      try {
        this.start(input, options, (outcome) => (outcome instanceof AgentRunError ? reject(outcome) : resolve(outcome)))
      } catch (error) {
        reject(asRunError(error))
      }
    })
  }

  /** Subscribed before its run starts, which is at the first `next()`. */
  stream(input: AgentInput, options: RunOptions & SubscribeOptions = {}): AsyncIterableIterator<AgentEvent> {
    return new RunStream(this, input, options)
  }

  /** Live from this call on. Throws `TypeError` for an unknown word in the options. */
  subscribe(options?: SubscribeOptions): AsyncIterableIterator<AgentEvent> {
    return this.hub.subscribe(options)
  }

  /** Aborts the active run, if there is one. */
  abort(reason?: unknown): void {
    this.active?.abort(reason)
  }

  /** Begins a run, or throws: `AgentRunError` while another one is active, `TypeError` for a bad option or input. */
  start(input: AgentInput, options: RunOptions, onSettled: (outcome: RunOutcome) => void, runId?: string): ActiveRun {
    if (this.active !== undefined) throw this.#refuseSecondRun(runId ?? makeId("run"), options)
    return startRun(this, input, options, onSettled, runId)
  }

  /** Copies of the branch's entries, root first. */
  entries(): Effect.Effect<ReadonlyArray<SessionEntry>, unknown> {
    return fromSteps(() => this.#entries())
  }

  /** Stands on another entry, or on the newest one. An unknown one fails and changes nothing; an active run stays where it is. */
  checkout(leafId?: string): Effect.Effect<void, unknown> {
    return fromSteps(() => this.transcript.moveTo(leafId))
  }

  /** Another handle of this session, at the same or another leaf. Nothing is copied; the two advance independently. */
  fork(options: { readonly leafId?: string | undefined } = {}): Session {
    return new Session(this.agent, this.transcript.fork(options.leafId), this.metadata)
  }

  /** The branch as a session of its own, with new ids. This session does not change. */
  clone(
    options: { readonly id?: string | undefined; readonly leafId?: string | undefined } = {}
  ): Effect.Effect<Session, unknown> {
    const { id = makeId("session"), leafId } = options
    return fromSteps(() => this.#clone(id, leafId))
  }

  *#entries(): Steps<ReadonlyArray<SessionEntry>> {
    return copyEntries(yield* this.transcript.branch(this.leafId))
  }

  *#clone(id: string, leafId = this.leafId): Steps<Session> {
    assertId("id", id)
    if (id === this.id) throw new TypeError("id must be that of another session")
    const { log } = this.transcript
    if ((yield* readBranchSteps(log, { sessionId: id })).length > 0) throw new Error(`Session already exists: ${id}`)
    const branch = cloneBranch(yield* this.transcript.branch(leafId), { sessionId: id })
    for (const entry of branch) {
      const { parentId } = entry
      yield* waitFor(log.append(entry, parentId === undefined ? {} : { expectedParentId: parentId }))
    }
    return new Session(this.agent, new Transcript(id, log, branch.at(-1)?.id, branch.length === 0), this.metadata)
  }

  #refuseSecondRun(runId: string, options: RunOptions): AgentRunError {
    const error = { message: "Agent session already has an active run", code: "ERR_PRISM_SESSION_BUSY" }
    const redactor = options.redactor ?? this.agent.config.redactor
    this.hub.publish(redactAgentEvent({ type: "error", sessionId: this.id, runId, error }, redactor))
    const result = { sessionId: this.id, runId, status: "failed" as const, text: "", content: [], error }
    return new AgentRunError({ result })
  }
}

const toEffect = (outcome: RunOutcome): Effect.Effect<AgentRunResult, AgentRunError> =>
  outcome instanceof AgentRunError ? Effect.fail(outcome) : Effect.succeed(outcome)

const asRunError = (error: unknown): AgentRunError | TypeError =>
  error instanceof AgentRunError || error instanceof TypeError ? error : new TypeError(String(error))
