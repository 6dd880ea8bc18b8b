/** What went wrong with a request → `ErrorInfo`, with the codes that the retry policy knows. Pure. */
import * as DateTime from "effect/DateTime"
import * as HttpClientError from "effect/http/HttpClientError"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import { OpenAICompatibleLimits } from "../../limits/OpenAICompatibleLimits.ts"
import { ProviderError } from "../../errors/ProviderError.ts"
import type { Secrets } from "../../ports/Redaction.ts"
import type { ErrorInfo } from "../../schema/ErrorInfo.ts"
import { errorToErrorInfo, redactSecrets } from "../../security/Redactor.ts"

const MAX_TEXT = OpenAICompatibleLimits.table.errorTextBytes.default

/** The failure of a turn, with a code of ours such as `incomplete_stream`. */
export const turnError = (code: string | number | undefined, message: string): ProviderError =>
  new ProviderError({ error: code === undefined ? { message } : { message, code } })

/** What a turn failed with, in the form of its `error` event: bounded, and without `secrets`. */
export const toErrorInfo = (id: string, error: unknown, secrets: Secrets): ErrorInfo => {
  const info =
    error instanceof ProviderError
      ? error.error
      : HttpClientError.isHttpClientError(error)
        ? transportError(id, error)
        : errorToErrorInfo(error, secrets)
  // Words are cut only after secrets were removed: half a secret would not be known as one.
  const redacted = redactSecrets(info, secrets)
  return { ...redacted, message: cutText(redacted.message, MAX_TEXT) }
}

/** A text that was cut off, without the beginning of a secret that it may end with. */
export const dropTornSecret = (text: string, secrets: Secrets): string => {
  const torn = secrets.map((secret = "") => {
    let length = Math.min(secret.length - 1, text.length)
    while (length > 0 && !text.endsWith(secret.slice(0, length))) length -= 1
    return Math.max(0, length)
  })
  return text.slice(0, text.length - Math.max(0, ...torn))
}

/** At most `maxBytes` of UTF-8, cut between characters. */
export const cutText = (text: string, maxBytes: number): string => {
  if (text.length * 3 <= maxBytes) return text
  const bytes = new TextEncoder().encode(text)
  return bytes.length <= maxBytes ? text : new TextDecoder().decode(bytes.subarray(0, maxBytes), { stream: true })
}

/** `<id> request failed: <status> <body>` with the numeric status as code. `now` is in milliseconds since the epoch. */
export const statusError = (
  id: string,
  status: number,
  body: string,
  headers: Readonly<Record<string, string | undefined>>,
  now: number
): ProviderError => {
  const delay = retryAfterMs(headers, now)
  const message = `${id} request failed: ${status} ${body}`.trimEnd()
  return new ProviderError({
    error: { message, code: status, ...(delay === undefined ? undefined : { retryAfterMs: delay }) }
  })
}

/** Seconds or an HTTP date (RFC 9110 §10.2.3), or the exact `retry-after-ms` of some servers. Never negative. */
export const retryAfterMs = (
  headers: Readonly<Record<string, string | undefined>>,
  now: number
): number | undefined => {
  const exact = readNumber(headers["retry-after-ms"])
  if (exact !== undefined) return Math.ceil(exact)
  const given = headers["retry-after"]?.trim() ?? ""
  const seconds = readNumber(given)
  if (seconds !== undefined) return Math.ceil(seconds * 1_000)
  // Every HTTP date starts with the name of a day; date parsers take much else, such as `1.5`.
  if (!/^[A-Za-z]{3}/.test(given)) return undefined
  const date = Option.getOrUndefined(DateTime.make(given))
  return date === undefined ? undefined : Math.max(0, DateTime.toEpochMillis(date) - now)
}

const readNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,12}(\.\d{1,12})?$/.test(text.trim()) ? Number(text) : undefined

/** An error that the server tells in its stream or in a document: an object, or just words. */
export const inBandError = (id: string, error: unknown): ProviderError => {
  const { code, message, type } = isRecord(error) ? error : { message: error }
  const told = typeof message === "string" && message !== "" ? message : JSON.stringify(error)
  return turnError(readCode(code) ?? readCode(type), `${id} stream failed: ${told}`)
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null

/** A status told as text counts as the number it is. */
const readCode = (code: unknown): string | number | undefined => {
  if (typeof code === "number" && Number.isFinite(code)) return code
  if (typeof code !== "string" || code === "") return undefined
  return /^[1-5]\d\d$/.test(code) ? Number(code) : code
}

/** What the runtimes' fetch implementations say, in the words of the retry policy. Other codes stay as they are. */
const socketCodes: ReadonlyMap<string, string> = new Map([
  ["UND_ERR_SOCKET", "ECONNRESET"],
  ["EPIPE", "ECONNRESET"],
  ["ConnectionClosed", "ECONNRESET"],
  ["ConnectionRefused", "ECONNREFUSED"],
  ["UND_ERR_CONNECT_TIMEOUT", "ETIMEDOUT"],
  ["UND_ERR_HEADERS_TIMEOUT", "ETIMEDOUT"],
  ["UND_ERR_BODY_TIMEOUT", "ETIMEDOUT"]
])

const transportError = (id: string, error: HttpClientError.HttpClientError): ErrorInfo => {
  if (Predicate.isTagged(error.reason, "EmptyBodyError")) {
    return { message: `${id} stream ended without a finish reason: there was no body`, code: "incomplete_stream" }
  }
  const { code, message } = innermost(error)
  if (error.response === undefined) return { message: `${id} request failed: ${message}`, ...(code && { code }) }
  // The answer had begun, so whatever ended it, the connection did not last.
  return { message: `${id} stream failed: ${message}`, code: code ?? "ECONNRESET" }
}

/** fetch wraps what happened, often twice. The last message says most; a code may stand at any level. */
const innermost = (error: Error): { readonly code: string | undefined; readonly message: string } => {
  let code: string | undefined
  let message = error.message
  let cause: unknown = error.cause
  // Causes may form a ring.
  for (let depth = 0; depth < 8 && isRecord(cause); depth += 1) {
    if (typeof cause["message"] === "string" && cause["message"] !== "") message = cause["message"]
    if (typeof cause["code"] === "string") code = socketCodes.get(cause["code"]) ?? cause["code"]
    cause = cause["cause"]
  }
  return code === undefined || message.includes(code) ? { code, message } : { code, message: `${message} (${code})` }
}
