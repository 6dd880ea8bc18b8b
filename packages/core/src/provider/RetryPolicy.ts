/** Which failure of a provider turn is tried again, and when. */
import * as Result from "effect/Result"
import { RetryLimits } from "../limits/ProviderLimits.ts"
import type { RetryContext, RetryDecision, RetryOptions, RetryPolicy } from "../ports/AIProvider.ts"
import type { ErrorInfo } from "../schema/ErrorInfo.ts"
import { errorToErrorInfo } from "../security/Redactor.ts"

const transientCodes: ReadonlySet<string> = new Set([
  "ETIMEDOUT",
  "ECONNRESET",
  "ECONNREFUSED",
  "EAI_AGAIN",
  "ENOTFOUND",
  "timeout",
  "rate_limit",
  "overloaded",
  "temporarily_unavailable",
  "408",
  "409",
  "425",
  "429",
  "500",
  "502",
  "503",
  "504"
])
const transientMessage = /timeout|temporar|rate limit|overload|unavailable/i

/** Bounds of a retry; the delays are in milliseconds. */
export interface RetryBounds {
  readonly maxAttempts: number
  readonly baseDelayMs: number
  readonly maxDelayMs: number
}

/**
 * The bounds that the options come to. Throws `LimitError` when one is out of range. A delay of 0 means not to wait.
 */
export const resolveRetryBounds = (options: RetryOptions = {}): RetryBounds => {
  const { maxAttempts, baseDelayMs, maxDelayMs } = options
  const limits = RetryLimits.resolve({
    maxAttempts,
    baseDelayMs: baseDelayMs === 0 ? undefined : baseDelayMs,
    maxDelayMs: maxDelayMs === 0 ? undefined : maxDelayMs
  })
  if (Result.isFailure(limits)) throw limits.failure
  return {
    maxAttempts: limits.success.maxAttempts,
    baseDelayMs: baseDelayMs === 0 ? 0 : limits.success.baseDelayMs,
    maxDelayMs: maxDelayMs === 0 ? 0 : limits.success.maxDelayMs
  }
}

/**
 * Whether the default policy tries again, and after how many milliseconds: `baseDelayMs` doubled after every attempt,
 * or what the error's `retryAfterMs` asks for, never more than `maxDelayMs`. Only transient failures are tried again,
 * and `maxAttempts` counts the first attempt.
 */
export const decideRetry = (
  context: Pick<RetryContext, "attempt" | "error">,
  options: RetryOptions = {}
): RetryDecision => {
  const { maxAttempts, baseDelayMs, maxDelayMs } = resolveRetryBounds(options)
  const failure = readFailure(context.error)
  if (context.attempt >= maxAttempts || !isTransient(failure, options.transientCodes)) return { retry: false }
  const wanted = failure.retryAfterMs ?? baseDelayMs * 2 ** (context.attempt - 1)
  return { retry: true, delayMs: Math.min(wanted, maxDelayMs) }
}

/** The default policy as a value. Throws `LimitError` at once when a bound is out of range. */
export const createRetryPolicy = (options: RetryOptions = {}): RetryPolicy => {
  resolveRetryBounds(options)
  return { decide: (context) => decideRetry(context, options) }
}

interface Failure extends ErrorInfo {
  readonly isAbort: boolean
}

const readFailure = (error: unknown): Failure => {
  const info = errorToErrorInfo(error)
  return { ...info, isAbort: isAbortError(error) || /abort/i.test(info.message) }
}

const isAbortError = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "name" in error && error.name === "AbortError"

const isTransient = (failure: Failure, extraCodes: RetryOptions["transientCodes"] = []): boolean => {
  if (failure.isAbort) return false
  const code = failure.code === undefined ? undefined : String(failure.code)
  return (
    (code !== undefined && (transientCodes.has(code) || extraCodes.some((extra) => String(extra) === code))) ||
    transientMessage.test(failure.message)
  )
}
