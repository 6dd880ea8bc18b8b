/** An agent for hosts of Promises. */
import { type AgentConfig, type AgentPort, makeAgent, openSession } from "@arnilo/prism-core"
import { SessionHandle } from "./createAgentSession.ts"

/** Reads the config once and does nothing else: no run, no request, no file. Throws `TypeError` for a bad field. */
export const createAgent = (config: AgentConfig): AgentPort => {
  const agent = makeAgent(config)
  return { config, createSession: (session) => new SessionHandle(openSession(agent, session)) }
}
