import { McpAuthorizationError } from "@arnilo/prism-mcp"
import { assert, describe, it, vi } from "@effect/vitest"
import { connect, type LoginServersOptions, json, withLogin } from "../fixtures/loginServers.ts"
import { rejection } from "../fixtures/rejection.ts"

describe("a refresh that comes to nothing", () => {
  it.each([
    ["what the provider throws", { fails: true }, "oauth.provider.addClientAuthentication failed"],
    ["no tokens", { body: { access_token: "new" } }, "the login was refused (access_denied)"],
    ["a wrong expiry", { body: { access_token: "a", token_type: "b", expires_in: "s3cret" } }, "the login was refused"]
  ])("M30: prints nothing of a refresh that comes to nothing, and asks nobody in vain: %s", async (_, how, message) => {
    const warn = vi.spyOn(console, "warn")
    const { body, fails = false } = how as { body?: object; fails?: boolean }
    const authorize: LoginServersOptions["authorize"] = ({ path }, response) =>
      path === "/token" ? json(response, 200, body) : false
    await withLogin({ authorize }, async ({ person, transport }) => {
      person.client = { client_id: "known" }
      person.kept = { access_token: "old", token_type: "Bearer", refresh_token: "first" }
      const addClientAuthentication = () => Promise.reject(new Error("no key"))
      if (fails) Object.assign(person, { addClientAuthentication })
      const authorizationCode = () => Promise.resolve(new URLSearchParams({ error: "access_denied", state: "state-0" }))
      const error = await rejection(connect(transport({ authorizationCode })))
      assert.instanceOf(error, McpAuthorizationError)
      assert.include(error.message, message)
      assert.lengthOf(person.visited, fails ? 0 : 1)
    })
    assert.lengthOf(warn.mock.calls, 0)
    warn.mockRestore()
  })

  it("M30: prints nothing where it is given up before a refresh", async () => {
    const warn = vi.spyOn(console, "warn")
    const stop = new AbortController()
    const reason = new Error("stop")
    await withLogin({}, async ({ countOf, person, transport }) => {
      person.client = { client_id: "known" }
      person.kept = { access_token: "old", token_type: "Bearer", refresh_token: "first" }
      const addClientAuthentication = () => {
        stop.abort(reason)
        return new Promise<never>(() => undefined)
      }
      Object.assign(person, { addClientAuthentication })
      assert.strictEqual(await rejection(connect(transport(), { signal: stop.signal })), reason)
      await new Promise((resolve) => setTimeout(resolve))
      assert.strictEqual(countOf("/token"), 0)
      assert.lengthOf(person.visited, 0)
    })
    assert.lengthOf(warn.mock.calls, 0)
    warn.mockRestore()
  })
})
