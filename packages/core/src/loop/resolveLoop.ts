import type { AgentLoopOptions, AgentLoopStrategy } from "../ports/LoopStrategy.ts"
import { singleShotLoop } from "./singleShot.ts"

interface WithLoop {
  readonly loop?: AgentLoopStrategy | AgentLoopOptions | undefined
}

/** True for the options form: what has a `strategy`. */
export const isAgentLoopOptions = (loop: AgentLoopStrategy | AgentLoopOptions): loop is AgentLoopOptions =>
  "strategy" in loop

/** The run's loop, else the agent's, else single-shot. Throws for a strategy that is not known. */
export const resolveLoop = (runOptions: WithLoop, agentConfig: WithLoop): AgentLoopStrategy => {
  const loop = runOptions.loop ?? agentConfig.loop
  if (loop === undefined) return singleShotLoop
  if (typeof loop !== "object" || loop === null) throw notALoop()
  if (isAgentLoopOptions(loop)) {
    if (loop.strategy === "single-shot") return singleShotLoop
    if (loop.strategy === "generate-validate-revise") {
      throw new Error("Agent loop strategy generate-validate-revise is not available in this version")
    }
    throw new Error(`Unknown agent loop strategy: ${String((loop as { readonly strategy: unknown }).strategy)}`)
  }
  if (typeof loop.run !== "function") throw notALoop()
  return loop
}

const notALoop = (): TypeError => new TypeError("loop must be options with a strategy, or have a run function")
