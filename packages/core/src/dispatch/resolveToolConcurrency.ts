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
  return readConcurrency(loop.toolConcurrency)
}

/** The documented lenient reading of a number of calls at once. */
export const readConcurrency = (value: number | undefined): number =>
  value === undefined || !Number.isFinite(value) || value < 1 ? 1 : Math.floor(value)
