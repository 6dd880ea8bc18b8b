/** A session for tests that drive the clock: everything of it runs on the clock of the test. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import type { AgentEvent } from "../../src/events/AgentEvent.ts"
import { layerDefaults } from "../../src/layer.ts"
import type { ToolDefinition } from "../../src/ports/ToolDefinition.ts"
import { Provider } from "../../src/provider/Provider.ts"
import { AgentSession, type AgentSessionService, type AgentSettings } from "../../src/session/AgentSession.ts"
import { createScriptedProvider, type ScriptedProvider, type ScriptedTurn } from "../../src/testing/ScriptedProvider.ts"
import { Tools } from "../../src/tool/Tools.ts"
import { aMoment, model } from "../run/runs.ts"

interface ClockedSession {
  readonly session: AgentSessionService
  readonly provider: ScriptedProvider
  /** Everything the session has told so far. */
  readonly events: ReadonlyArray<AgentEvent>
}

/** A session over a model that says these turns, and what it tells from now on. */
export const clocked = (
  turns: ReadonlyArray<ScriptedTurn>,
  settings: Partial<AgentSettings> = {},
  tools: ReadonlyArray<ToolDefinition> = []
) =>
  Effect.gen(function* () {
    const context = yield* Effect.context()
    const provider = createScriptedProvider(turns, { runPromise: Effect.runPromiseWith(context) })
    const services = Layer.mergeAll(layerDefaults, Provider.layer(provider), Tools.layer(tools))
    const session = yield* AgentSession.make({ model, ...settings }).pipe(Effect.provide(services))
    const events: Array<AgentEvent> = []
    const told = yield* session.subscribe({ until: "closed" })
    yield* Effect.forkScoped(Stream.runForEach(told, (event) => Effect.sync(() => events.push(event))))
    return { session, provider, events } satisfies ClockedSession
  })

/** Lets everything run that waits neither for the clock nor for the test. */
export const settled = Effect.promise(aMoment)
