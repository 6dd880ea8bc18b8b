import type { AgentLoopOptions, AgentLoopStrategy } from "../ports/LoopStrategy.ts"

interface WithLoop {
  readonly loop?: AgentLoopStrategy | AgentLoopOptions | undefined
}

/**
 * Calls of one turn at once. The run's `loop` wins over the agent's, and only the single-shot options count. Read leniently,
 * as documented: a fraction is floored; what is missing, not finite or below 1 is 1.
 */
export const resolveToolConcurrency = (runOptions: WithLoop, agentConfig: WithLoop): number => {
  const loop = runOptions.loop ?? agentConfig.loop
  if (loop === undefined || !("strategy" in loop) || loop.strategy !== "single-shot") return 1
  const { toolConcurrency } = loop
  if (toolConcurrency === undefined || !Number.isFinite(toolConcurrency) || toolConcurrency < 1) return 1
  return Math.floor(toolConcurrency)
}
