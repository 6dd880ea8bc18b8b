/** The retries of an agent, under those of a run. */
import type { RetryOptions } from "../ports/AIProvider.ts"
import { resolveRetryBounds } from "../provider/RetryPolicy.ts"

/**
 * A run's `false` disables; else its options are laid over the agent's. Absent when nothing is to be retried. Throws
 * `TypeError` for a bound that is out of range.
 */
export const readRetry = (
  ofAgent: false | RetryOptions | undefined,
  ofRun?: false | RetryOptions
): RetryOptions | undefined => {
  if (ofRun === false || (ofRun === undefined && (ofAgent === undefined || ofAgent === false))) return undefined
  const retry: RetryOptions = { ...(ofAgent === false ? undefined : ofAgent), ...ofRun }
  try {
    resolveRetryBounds(retry)
  } catch (error) {
    throw new TypeError(`retry.${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
  return retry
}
