/** The limits of an agent, narrowed by those of a run. */
import * as Result from "effect/Result"
import type { LimitError } from "../errors/LimitError.ts"
import { isWithin } from "../limits/Limits.ts"
import { RunLimits, type RunLimitValues } from "../limits/RunLimits.ts"
import type { RunLimitsInput, RunOptions } from "../ports/AgentPort.ts"

export interface AgentLimits {
  readonly given: RunLimitsInput
  readonly values: RunLimitValues
}

/** The wording and class that the contract gives to a bad limit. */
const asTypeError = (error: LimitError): TypeError =>
  new TypeError(
    error.max === undefined
      ? `Unknown limit: ${error.limit}`
      : `${error.limit} must be a positive safe integer at most ${error.max}`
  )

/** Throws `TypeError`. A bad `maxToolRounds` is left to the run, which the contract has reject. */
export const readAgentLimits = (given: RunLimitsInput = {}): AgentLimits => {
  if (typeof given !== "object" || given === null) throw new TypeError("limits must be an object of limits")
  const { maxToolRounds: _, ...others } = given
  return { given, values: Result.getOrThrowWith(RunLimits.resolve(others), asTypeError) }
}

/** Throws `TypeError` for a value out of range or an unknown name. Several given: the smallest counts. */
export const readRunLimits = ({ given, values }: AgentLimits, run: RunOptions): RunLimitValues => {
  const { limits, maxToolRounds: topLevel } = run
  const ofAgent = readRounds(given.maxToolRounds)
  if (limits === undefined && topLevel === undefined) {
    return ofAgent === undefined ? values : { ...values, maxToolRounds: ofAgent }
  }
  const resolved = Result.getOrThrowWith(RunLimits.resolve(limits, { ...values, maxToolRounds: ofAgent }), asTypeError)
  if (topLevel === undefined) return resolved
  const bounded = ofAgent !== undefined || limits?.maxToolRounds !== undefined
  const rounds = readTopLevelRounds(topLevel)
  return { ...resolved, maxToolRounds: bounded ? Math.min(rounds, resolved.maxToolRounds) : rounds }
}

const readRounds = (value: number | undefined): number | undefined => {
  const { hardCap } = RunLimits.table.maxToolRounds
  if (value === undefined || isWithin(value, hardCap)) return value
  throw new TypeError(`maxToolRounds must be a positive safe integer at most ${hardCap}`)
}

/** The one place where 0 is allowed: no tool ever runs. */
const readTopLevelRounds = (value: number): number => (value === 0 ? 0 : (readRounds(value) ?? value))
