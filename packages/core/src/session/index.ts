/** The Effect-native session: runs are Effects, events are Streams. */
export { type AgentServices, AgentSession, type AgentSessionService, type AgentSettings } from "./AgentSession.ts"
