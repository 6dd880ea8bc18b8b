/** A provider for every server that speaks Chat Completions: its configuration, and the two ways to make one. */
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import type { AIProvider } from "../../ports/AIProvider.ts"
import type { CredentialValueSource } from "../../ports/Credentials.ts"
import type { Driver } from "../../ports/Steps.ts"
import { Provider } from "../Provider.ts"
import type { AnswerOptions } from "./Answer.ts"
import { ChatTurn } from "./ChatTurn.ts"
import { sendOver, sendOverFetch } from "./sendRequest.ts"

export interface OpenAICompatibleOptions {
  /** Names the provider in messages and is what `ModelConfig.provider` refers to; `openai-compatible` by default. */
  readonly id?: string | undefined
  /** Absolute `http` or `https` address without `/chat/completions`, such as `http://localhost:11434/v1`. */
  readonly baseUrl: string
  /** Asked once per request under the name `apiKey`; without a key no `authorization` is sent. Never told in events or errors. */
  readonly apiKey?: CredentialValueSource | undefined
  /** Sent with every request; those of `request.options.headers` win over them, those of the protocol over both. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** In place of the platform's `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined
}

/**
 * Streams Chat Completions. A request that cannot be put on the wire rejects and nothing is sent; every later failure is one
 * `error` event, with the HTTP status or the socket's code as `code` and the server's wish as `retryAfterMs`. Nothing is
 * retried here, and no redirect is followed. An abort of `request.signal` closes the connection at once and rejects with its reason;
 * leaving the iteration closes it too. Throws `TypeError` when an option is not what it must be.
 */
export const createOpenAICompatibleProvider = (options: OpenAICompatibleOptions): AIProvider => {
  const checked = checkOptions(options)
  return providerOf({ ...checked, send: sendOverFetch(options.fetch) }, Effect.runFork)
}

/**
 * The same as the provider of every model, over the host's `HttpClient` instead of `fetch`. A client other than fetch must not follow
 * redirects. Throws like `createOpenAICompatibleProvider`, when the layer is declared.
 */
export const layer = (
  options: Omit<OpenAICompatibleOptions, "fetch">
): Layer.Layer<Provider, never, HttpClient.HttpClient> => {
  const checked = checkOptions(options)
  return Layer.effect(
    Provider,
    Effect.gen(function* () {
      const client = yield* HttpClient.HttpClient
      const fork = Effect.runForkWith(yield* Effect.context())
      const provider = providerOf({ ...checked, send: sendOver(client) }, fork)
      return { resolve: () => provider }
    })
  )
}

const providerOf = (options: AnswerOptions, fork: Driver["fork"]): AIProvider => ({
  id: options.id,
  generate: (request) => new ChatTurn({ ...options, fork }, request)
})

const checkOptions = ({ apiKey, baseUrl, headers, id = "openai-compatible" }: OpenAICompatibleOptions) => {
  if (typeof id !== "string" || id.trim() === "")
    throw new TypeError(`id must be text that is not blank, not ${show(id)}`)
  return { id, url: `${checkBaseUrl(baseUrl)}/chat/completions`, apiKey, headers }
}

/** The address without slashes at its end. */
const checkBaseUrl = (baseUrl: string): string => {
  const url = parseUrl(baseUrl)
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new TypeError(`baseUrl must be an absolute http or https URL, not ${show(baseUrl)}`)
  }
  if (url.username !== "" || url.password !== "") {
    throw new TypeError(`baseUrl must not carry a user or password, not ${show(baseUrl)}`)
  }
  if (url.search !== "" || url.hash !== "") {
    throw new TypeError(`baseUrl must not carry a query or fragment, not ${show(baseUrl)}`)
  }
  return url.href.replace(/\/+$/, "")
}

const parseUrl = (text: string): URL | undefined => {
  try {
    return new URL(text)
  } catch {
    return undefined // not absolute, or no address at all
  }
}

/** Of an address only what can hold neither a password nor a key. */
const show = (value: unknown): string =>
  typeof value === "string" ? JSON.stringify(value.replace(/[?#].*/s, "").replaceAll(/[^/]*@/g, "")) : String(value)
