/** A session of an agent, new or resumed. */
import type { Agent } from "../agent/Agent.ts"
import { assertPorts } from "../agent/assertPorts.ts"
import type { AgentSessionConfig } from "../ports/AgentPort.ts"
import { Transcript } from "../run/Transcript.ts"
import { makeId } from "../store/ids.ts"
import { sessionLog } from "../store/SessionStore.ts"
import { assertId } from "./assertId.ts"
import { keepShapes } from "./keepShapes.ts"
import { Session } from "./Session.ts"

/** Opens a session. With an `id` it resumes what the store has of it, at `leafId` or at the newest entry. */
export const openSession = (agent: Agent, config: AgentSessionConfig = {}): Session => {
  const { id, leafId, metadata, store } = config
  assertId("id", id)
  assertId("leafId", leafId)
  if (store !== undefined) assertPorts({ store })
  keepShapes()
  const kept = store ?? agent.store
  // Without a store there is nothing to resume.
  const isNew = id === undefined || kept === undefined
  return new Session(agent, new Transcript(id ?? makeId("session"), sessionLog(kept), leafId, isNew), metadata)
}
