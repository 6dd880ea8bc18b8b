/** The answer to one request: sends it, reads it piece by piece, and keeps the events that nobody has taken yet. */
import * as Channel from "effect/Channel"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { HttpClientError } from "effect/http/HttpClientError"
import type { HttpClientResponse } from "effect/http/HttpClientResponse"
import * as Pull from "effect/Pull"
import type * as Scope from "effect/Scope"
import { ProviderError } from "../../errors/ProviderError.ts"
import { OpenAICompatibleLimits } from "../../limits/OpenAICompatibleLimits.ts"
import type { CredentialValueSource } from "../../ports/Credentials.ts"
import type { Secrets } from "../../ports/Redaction.ts"
import { type Steps, waitFor } from "../../ports/Steps.ts"
import type { ProviderEvent } from "../../schema/ProviderEvent.ts"
import { resolveCredentialValue } from "../../security/Credentials.ts"
import { errorToErrorInfo, redactSecrets } from "../../security/Redactor.ts"
import { ChatReader } from "./fromStream.ts"
import { dropTornSecret, statusError, toErrorInfo, turnError } from "./mapErrors.ts"
import { type HeaderRecord, secretsOf, type Send, toHeaders } from "./sendRequest.ts"

const { bufferBytes, drainMs, errorTextBytes } = OpenAICompatibleLimits.table

/** What every request of a provider has in common. */
export interface AnswerOptions {
  /** Of the provider; begins every message of its own. */
  readonly id: string
  readonly url: string
  readonly apiKey: CredentialValueSource | undefined
  readonly headers: HeaderRecord
  readonly send: Send
}

/** The next bytes, or `undefined` behind the last. */
type Bytes = Effect.Effect<ReadonlyArray<Uint8Array> | undefined, HttpClientError>

/** `open` once, then `read` until it `isOver`; neither fails. Events are kept in order, with one terminal event at the end. */
export class Answer {
  readonly #options: AnswerOptions
  readonly #requestHeaders: HeaderRecord
  readonly #scope: Scope.Scope
  readonly #reader: ChatReader
  #secrets: Secrets = []
  #events: Array<ProviderEvent> = []
  #taken = 0
  #bytes: Bytes = Effect.undefined
  #contentType: string | undefined
  #hasFailed = false

  constructor(options: AnswerOptions, requestHeaders: HeaderRecord, scope: Scope.Scope) {
    this.#options = options
    this.#requestHeaders = requestHeaders
    this.#scope = scope
    this.#reader = new ChatReader({
      id: options.id,
      write: (event) => this.#events.push(event),
      redact: (text) => redactSecrets(text, this.#secrets)
    })
  }

  /** True when the last event is `done`. */
  get isDone(): boolean {
    return this.#reader.isDone
  }

  /** True when the last event, `done` or `error`, is there: nothing more is read. */
  get isOver(): boolean {
    return this.#reader.isDone || this.#hasFailed
  }

  get hasEvents(): boolean {
    return this.#taken < this.#events.length
  }

  take(): ProviderEvent | undefined {
    const event = this.#events[this.#taken]
    this.#taken += 1
    if (this.#taken >= this.#events.length) {
      this.#events = []
      this.#taken = 0
    }
    return event
  }

  /** Sends the request. What goes wrong becomes the `error` event. */
  *open(body: string): Steps<void> {
    try {
      yield* this.#open(body)
    } catch (error) {
      this.#fail(error)
    }
  }

  /** Reads the next piece of an answer that is not over. */
  *read(): Steps<void> {
    try {
      const pieces = yield* waitFor(this.#bytes)
      if (pieces === undefined) this.#reader.end(this.#contentType)
      else for (const piece of pieces) this.#reader.push(piece)
    } catch (error) {
      this.#fail(error)
    }
  }

  /** Reads on to the end of the body, for a short while. */
  drain(): Effect.Effect<unknown> {
    return Effect.repeat(this.#bytes, { until: (pieces) => pieces === undefined }).pipe(
      Effect.timeoutOption(drainMs.default),
      Effect.ignore
    )
  }

  *#open(body: string): Steps<void> {
    const { apiKey: source, headers: configured, id, send, url } = this.#options
    // As an Effect, so that an abort need not wait for a host that does not answer.
    const key = Effect.tryPromise({
      try: () => resolveCredentialValue(source, { name: "apiKey", provider: id }),
      catch: (error) => new ProviderError({ error: errorToErrorInfo(error), cause: error })
    })
    const apiKey = yield* waitFor(key)
    const headers = toHeaders(configured, this.#requestHeaders, apiKey)
    this.#secrets = secretsOf(apiKey, headers)
    const response = yield* waitFor(send({ url, body, headers }, this.#scope))
    const pull = yield* waitFor(Channel.toPullScoped(response.stream.channel, this.#scope))
    this.#bytes = Pull.catchDone(pull, () => Effect.undefined)
    if (response.status < 200 || response.status > 299) yield* this.#failOnStatus(response)
    const type = response.headers["content-type"] ?? "none"
    if (/json/i.test(type)) yield* this.#readDocument()
    else if (!/event-stream/i.test(type)) this.#contentType = type
  }

  *#failOnStatus({ headers, status }: HttpClientResponse): Steps<never> {
    const { bytes, isCut } = yield* this.#collect(errorTextBytes.default, true)
    const text = redactSecrets(unescaped(new TextDecoder().decode(bytes, { stream: true })), this.#secrets)
    const body = isCut ? dropTornSecret(text, this.#secrets) : text
    throw statusError(this.#options.id, status, body, headers, yield* waitFor(Clock.currentTimeMillis))
  }

  *#readDocument(): Steps<void> {
    const { bytes, isCut } = yield* this.#collect(bufferBytes.default, false)
    if (isCut) {
      throw turnError(
        "answer_too_large",
        `${this.#options.id} sent a document of more than ${bufferBytes.default} bytes`
      )
    }
    this.#reader.readDocument(bytes)
  }

  /** At most `limit` bytes of the body. With `lenient` a body that breaks off is cut instead of a failure. */
  *#collect(limit: number, lenient: boolean): Steps<{ readonly bytes: Uint8Array; readonly isCut: boolean }> {
    const bytes = new Uint8Array(limit)
    let size = 0
    let isCut = false
    try {
      for (;;) {
        const pieces = yield* waitFor(this.#bytes)
        if (pieces === undefined) break
        for (const piece of pieces) {
          if (size + piece.length > limit) {
            bytes.set(piece.subarray(0, limit - size), size)
            return { bytes, isCut: true }
          }
          bytes.set(piece, size)
          size += piece.length
        }
      }
    } catch (error) {
      if (!lenient) throw error
      isCut = true
    }
    return { bytes: bytes.subarray(0, size), isCut }
  }

  #fail(error: unknown): void {
    const usage = this.#reader.usage
    if (usage !== undefined) this.#events.push({ type: "usage", usage })
    this.#events.push({ type: "error", error: toErrorInfo(this.#options.id, error, this.#secrets) })
    this.#hasFailed = true
  }
}

/** A JSON text in the plainest spelling: an escaped secret would not be known as one. */
const unescaped = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return text
  }
}
