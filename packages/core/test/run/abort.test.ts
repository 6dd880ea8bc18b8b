/** An abort at every step of a run, from everywhere: what must hold is the same each time. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { AgentEvent } from "../../src/events/AgentEvent.ts"
import type { AgentSessionConfig } from "../../src/ports/AgentPort.ts"
import type { SessionEntry } from "../../src/records/SessionEntry.ts"
import type { Session } from "../../src/session/Session.ts"
import type { ScriptedProvider, ScriptedTurn } from "../../src/testing/ScriptedProvider.ts"
import { aMoment, assertAnswered, gate, run, scripted, text, withoutStrayRejections } from "./runs.ts"
import { type Notes, type Situation, situations, triggers } from "./situations.ts"

interface Aborted {
  readonly session: Session
  readonly provider: ScriptedProvider
  readonly notes: Notes
  readonly situation: Situation
  readonly events: ReadonlyArray<AgentEvent>
  readonly entriesBefore: ReadonlyArray<SessionEntry>
}

const assertSettled = async (
  { entriesBefore, events, notes, provider, session, situation }: Aborted,
  message: string
) => {
  // One end, last, and nothing of the run behind it.
  const types = events.map(({ type }) => type)
  assert.deepStrictEqual(
    types.filter((type) => type === "error" || type === "agent_finished"),
    ["error"]
  )
  assert.strictEqual(types.at(-1), "error")
  const last = events.at(-1)
  assert.strictEqual(last?.type === "error" ? last.error.message : "", message)
  assert.isUndefined(session.active)
  // Everything that was waited for has been told and let go.
  for (const signal of notes.signals.filter((one) => one !== undefined)) assert.isTrue(signal.aborted)
  assert.deepStrictEqual(notes.finalized.toSorted(), [...(situation.finalizes ?? [])].toSorted())
  assert.deepStrictEqual(notes.ran, situation.runs ?? [])
  assert.deepStrictEqual(
    [provider.requests.length, provider.open, provider.closed],
    [situation.requests, 0, situation.closes ?? 0]
  )
  // Nothing is appended afterwards.
  await aMoment()
  assert.deepStrictEqual(await Effect.runPromise(session.entries()), entriesBefore)
}

const assertReusable = async (session: Session, provider: ScriptedProvider) => {
  // A loop or tool that hangs would hang again: the run says which it does without.
  const next = run(session, "again", { loop: { strategy: "single-shot" }, maxToolRounds: 0 })
  await next
  assertAnswered(provider.requests.at(-1)?.messages ?? [])
}

describe("an abort", () => {
  for (const [where, situate] of Object.entries(situations)) {
    for (const [how, trigger] of Object.entries(triggers)) {
      it(`S13, S14, S15, S17, S19, S2, E2: ${where}, ${how}`, () =>
        withoutStrayRejections(async () => {
          const notes: Notes = { reached: gate(), signals: [], finalized: [], ran: [] }
          const situation = situate(notes)
          const config: AgentSessionConfig =
            situation.store === undefined ? {} : { id: "resumed", store: situation.store }
          const ends: ScriptedTurn = [text("again")]
          const { provider, session } = scripted(
            [...situation.turns.slice(0, situation.requests), ends],
            situation.config,
            config
          )
          const events: Array<AgentEvent> = []
          const watching = (async () => {
            for await (const event of session.subscribe({ until: "closed" })) events.push(event)
          })()
          const aborting = trigger(session, notes)
          await notes.reached.promise
          // A store that hangs is not asked: nothing is on the branch then.
          const entriesBefore = where.includes("store") ? [] : await Effect.runPromise(session.entries())
          const message = await aborting
          await aMoment()
          await assertSettled({ session, provider, notes, situation, events, entriesBefore }, message)
          await assertReusable(session, provider)
          void watching
        }))
    }
  }
})
