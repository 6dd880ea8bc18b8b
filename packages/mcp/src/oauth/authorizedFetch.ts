/** `fetch` to an endpoint with the tokens of a login, and with a login where the server asks for one. */
import { McpAuthorizationError } from "../errors/McpAuthorizationError.ts"
import { McpFixedLimits } from "../McpLimits.ts"
import { readChallenge } from "./sdk.ts"
import type { PinnedFetch } from "../transports/pinnedFetch.ts"
import type { Authorizer } from "./Authorizer.ts"

const { oauthAttempts } = McpFixedLimits

const never = new AbortController().signal

/** Sends a request again where it was refused with 401, or with 403 for its scope, and nowhere else: it did not run. */
export const makeAuthorizedFetch = (http: PinnedFetch, authorizer: Authorizer): PinnedFetch => {
  const send = async (target: string | URL, init: RequestInit, logins: number): Promise<Response> => {
    const signal = init.signal ?? never
    const token = await authorizer.token(signal)
    const answer = await http.fetch(target, withToken(init, token))
    const challenge = readChallenge(answer)
    if (challenge === undefined || !mayLogIn(init)) return withoutToken(answer, token)
    await answer.body?.cancel()
    const { status } = challenge
    if (logins >= oauthAttempts.hardCap || (logins > 0 && status === 401)) {
      const after = logins === 1 ? "a login" : `${logins} logins`
      throw new McpAuthorizationError(`MCP server refuses the request after ${after} (status ${status})`)
    }
    // Of a stream that nobody may be waiting for, no person is asked.
    await authorizer.renew(challenge, token, { signal, mayAsk: init.method === "POST" })
    return send(target, init, logins + 1)
  }
  const close = async (): Promise<void> => {
    await authorizer.close()
    await http.close()
  }
  return { fetch: (target, init = {}) => send(target, init, 0), close }
}

/** Of a refusal, whose words become an error's: some servers repeat what they were sent, and no redactor knows the token. */
const withoutToken = async (answer: Response, token: string | undefined): Promise<Response> => {
  if (answer.ok || token === undefined || answer.body === null) return answer
  const { headers, status, statusText } = answer
  return new Response((await answer.text()).replaceAll(token, "[REDACTED]"), { headers, status, statusText })
}

const withToken = (init: RequestInit, token: string | undefined): RequestInit => {
  if (token === undefined) return init
  const headers = new Headers(init.headers)
  try {
    headers.set("authorization", `Bearer ${token}`)
  } catch {
    // The engine's message repeats the value.
    throw new McpAuthorizationError("MCP authorization: the access token does not fit into a header")
  }
  return { ...init, headers }
}

/** What ends a session or a call asks nobody: it would wait for the login that it is to end. */
const mayLogIn = ({ body, method }: RequestInit): boolean => method !== "DELETE" && !isCancellation(body)

const isCancellation = (body: RequestInit["body"]): boolean =>
  typeof body === "string" && (JSON.parse(body) as { readonly method?: unknown }).method === "notifications/cancelled"
