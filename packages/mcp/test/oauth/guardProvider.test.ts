import { McpAuthorizationError } from "@arnilo/prism-mcp"
import { assert, describe, it } from "@effect/vitest"
import { connect, withLogin } from "../fixtures/loginServers.ts"
import { rejection } from "../fixtures/rejection.ts"

describe("a provider", () => {
  it.each(
    (["state", "codeVerifier"] as const).flatMap((name) => ["", undefined, 7].map((value) => [name, value] as const))
  )("M30: whose %s gives no text ends the login: %o", (name, value) =>
    withLogin({}, async ({ countOf, person, transport }) => {
      Object.assign(person, { [name]: () => value })
      const error = await rejection(connect(transport()))
      assert.instanceOf(error, McpAuthorizationError)
      assert.strictEqual(error.message, `MCP authorization: oauth.provider.${name} failed`)
      assert.strictEqual((error.cause as Error).message, "it must give a string that is not empty")
      assert.strictEqual(countOf("/token"), 0)
    })
  )
})
