import { assert, describe, it } from "@effect/vitest"
import { secretsOf, toHeaders } from "../../../src/provider/openai-compatible/sendRequest.ts"

describe("secretsOf", () => {
  it("P17.4: knows the key as it was given and as it is sent, however short it is", () => {
    assert.includeMembers([...secretsOf("abc\n", toHeaders(undefined, undefined, "abc\n"))], ["abc\n", "abc"])
  })

  it("P17.4: knows what the host's headers carry, with and without its scheme, but no short words", () => {
    const configured = { Authorization: "Basic dXNlcjpwYXNz", Cookie: "id=12345678", "x-team": "a-team-of-ours" }
    const requested = { "X-Api-Key": "0123456789", "x-token-kind": "on", "proxy-authorization": "Basic short" }
    const secrets = secretsOf(undefined, toHeaders(configured, requested, undefined))
    assert.sameMembers(
      [...new Set(secrets.filter((secret) => secret !== undefined))],
      ["Basic dXNlcjpwYXNz", "dXNlcjpwYXNz", "id=12345678", "0123456789", "Basic short"]
    )
  })

  it("P17.4: knows a key also as it stands within a JSON text", () => {
    assert.include(secretsOf('a"b\\c', toHeaders({}, {}, undefined)), 'a\\"b\\\\c')
  })
})
