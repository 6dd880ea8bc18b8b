/** One `POST /chat/completions` over an HttpClient, up to the head of the answer. */
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Headers from "effect/http/Headers"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpClient from "effect/http/HttpClient"
import type { HttpClientError } from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type { HttpClientResponse } from "effect/http/HttpClientResponse"
import * as Scope from "effect/Scope"
import type { Secrets } from "../../ports/Redaction.ts"

/** A request as it leaves. */
interface Outgoing {
  readonly url: string
  /** JSON text. */
  readonly body: string
  readonly headers: Headers.Headers
}

/** Sends it; closing the scope aborts the request and its answer at any moment. */
export type Send = (outgoing: Outgoing, scope: Scope.Scope) => Effect.Effect<HttpClientResponse, HttpClientError>

/** Over a client of the host's. No redirect is followed, no trace header leaves. */
export const sendOver =
  (client: HttpClient.HttpClient): Send =>
  ({ body, headers, url }, scope) =>
    HttpClient.withScope(client)
      .execute(HttpClientRequest.post(url, { headers, body: HttpBody.raw(body, { contentType: "application/json" }) }))
      .pipe(
        Effect.provideService(FetchHttpClient.RequestInit, { redirect: "error" }),
        Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
        Scope.provide(scope)
      )

const sendOverPlatform: Send = (outgoing, scope) =>
  HttpClient.HttpClient.use((client) => sendOver(client)(outgoing, scope)).pipe(Effect.provide(FetchHttpClient.layer))

/** Over `fetch`, that of the platform unless one is given. */
export const sendOverFetch = (fetch: typeof globalThis.fetch | undefined): Send => {
  if (fetch === undefined) return sendOverPlatform
  // Hosts' own fetch functions expect the address as text.
  const given: typeof globalThis.fetch = (input, init) => fetch(input instanceof URL ? input.href : input, init)
  return (outgoing, scope) => Effect.provideService(sendOverPlatform(outgoing, scope), FetchHttpClient.Fetch, given)
}

/** Header names and values; names know no case. */
export type HeaderRecord = Readonly<Record<string, string>> | undefined

/** Those of the host, the later ones winning, under those that the adapter owns. A blank key is none. */
export const toHeaders = (
  configured: HeaderRecord,
  requested: HeaderRecord,
  apiKey: string | undefined
): Headers.Headers =>
  Headers.merge(Headers.merge(Headers.fromInput(configured), Headers.fromInput(requested)), ownHeaders(apiKey))

const ownHeaders = (apiKey: string | undefined): Headers.Headers =>
  Headers.fromInput({
    "content-type": "application/json",
    accept: "text/event-stream",
    // A key read from a file often ends in a line end, which no header may hold.
    ...(apiKey === undefined || apiKey.trim() === "" ? undefined : { authorization: `Bearer ${apiKey.trim()}` })
  })

/** The key, and what hosts put into headers as one. Short header values are left: removing them would garble every text. */
export const secretsOf = (apiKey: string | undefined, headers: Headers.Headers): Secrets => {
  const values = Object.entries(headers).flatMap(([name, value]) =>
    /auth|key|token|secret|cookie/.test(name) ? [value, value.replace(/^\S+\s+/, "")] : []
  )
  const secrets = [apiKey, apiKey?.trim(), ...values.filter((value) => value.length >= 8)]
  // Also as they stand within a JSON text.
  return [...secrets, ...secrets.map((secret) => secret && JSON.stringify(secret).slice(1, -1))]
}
