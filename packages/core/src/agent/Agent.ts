/** What a host declares, read once: the plain record that every run of the agent works from. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Fiber from "effect/Fiber"
import { EventBroadcaster } from "../broadcast/EventBroadcaster.ts"
import { ToolPool } from "../dispatch/ToolPool.ts"
import type { AgentConfig } from "../ports/AgentPort.ts"
import type { ProviderResolver } from "../ports/AIProvider.ts"
import type { ToolPoolPort } from "../ports/LoopStrategy.ts"
import type { PermissionPolicy } from "../ports/Policies.ts"
import type { RunLedgerPort } from "../ports/RunLedgerPort.ts"
import type { SessionStorePort } from "../ports/SessionStorePort.ts"
import type { ToolRegistry } from "../ports/ToolDefinition.ts"
import { Provider } from "../provider/Provider.ts"
import { Permission } from "../security/Permission.ts"
import { RunLedger } from "../store/RunLedger.ts"
import { SessionStore } from "../store/SessionStore.ts"
import { createToolRegistry } from "../tool/ToolRegistry.ts"
import { Tools } from "../tool/Tools.ts"
import { type AgentLimits, readAgentLimits } from "./agentLimits.ts"
import { assertPorts } from "./assertPorts.ts"
import { readRetry } from "./agentRetry.ts"

export interface Agent {
  readonly config: AgentConfig
  readonly limits: AgentLimits
  readonly registry: ToolRegistry
  /** The service's resolver; `config.provider` and the resolvers of run and config come before it. */
  readonly resolveProvider: ProviderResolver | undefined
  /** Absent: each session keeps its entries in memory, for itself. */
  readonly store: SessionStorePort | undefined
  readonly permission: PermissionPolicy | undefined
  readonly ledger: RunLedgerPort | undefined
  readonly broadcaster: EventBroadcaster["Service"]
  readonly toolPool: ToolPoolPort
  /** Starts a fiber with the services and the clock of the host. */
  readonly fork: <A, E>(effect: Effect.Effect<A, E>) => Fiber.Fiber<A, E>
  /** Milliseconds since the epoch, by the host's clock. */
  readonly now: () => number
}

/** The services an agent may take from its host's context. What `config` names itself wins. */
export const makeAgent = (config: AgentConfig, context: Context.Context<never> = Context.empty()): Agent => {
  if (typeof config?.model?.provider !== "string" || typeof config.model.model !== "string") {
    throw new TypeError("model must name a provider and a model")
  }
  assertPorts(config)
  readRetry(config.retry)
  const clock = Context.get(context, Clock.Clock)
  const from = <Id, Service>(key: Context.Key<Id, Service>): Service | undefined =>
    Option.getOrUndefined(Context.getOption(context, key))
  return {
    config,
    limits: readAgentLimits(config.limits),
    registry: readTools(config.tools) ?? from(Tools) ?? createToolRegistry(),
    resolveProvider: from(Provider)?.resolve,
    store: config.store ?? from(SessionStore),
    permission: config.permission ?? Context.get(context, Permission),
    ledger: config.runLedger ?? Context.get(context, RunLedger),
    broadcaster: from(EventBroadcaster) ?? EventBroadcaster.live,
    toolPool: from(ToolPool) ?? ToolPool.live,
    fork: Effect.runForkWith(context),
    now: () => clock.currentTimeMillisUnsafe()
  }
}

const readTools = (tools: AgentConfig["tools"]): ToolRegistry | undefined =>
  tools === undefined || "list" in tools ? tools : createToolRegistry(tools)
