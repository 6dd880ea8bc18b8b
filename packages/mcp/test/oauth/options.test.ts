import { createMcpTransport, McpBridgeError, type McpStreamableHttpTransport } from "@arnilo/prism-mcp"
import { assert, describe, it } from "@effect/vitest"
import { LoginPerson } from "../fixtures/LoginPerson.ts"

const ORIGIN = "https://mcp.example.com"
const LOGIN = "https://login.example.com"
const provider = new LoginPerson()

const create = (oauth: unknown, extra: Partial<McpStreamableHttpTransport> = {}) =>
  createMcpTransport({
    type: "streamable-http",
    url: `${ORIGIN}/mcp`,
    allowedOrigins: [ORIGIN],
    oauth: oauth as NonNullable<McpStreamableHttpTransport["oauth"]>,
    ...extra
  })

const without = (name: string): LoginPerson => Object.assign(new LoginPerson(), { [name]: undefined })

describe("the option oauth", () => {
  it.each<readonly [unknown, string]>([
    [null, "transport.oauth must be an object (got null)"],
    ["s3cret", "transport.oauth must be an object (got a string)"],
    [{ allowedOrigins: [LOGIN] }, "transport.oauth.provider must be an object (got undefined)"],
    [{ provider: "s3cret", allowedOrigins: [LOGIN] }, "transport.oauth.provider must be an object (got a string)"],
    [{ provider, allowedOrigin: [LOGIN] }, 'transport.oauth must not have the property "allowedOrigin"; did you mean'],
    ...["clientInformation", "tokens", "saveTokens", "redirectToAuthorization", "saveCodeVerifier", "codeVerifier"].map(
      (name) =>
        [
          { provider: without(name), allowedOrigins: [LOGIN] },
          `transport.oauth.provider.${name} must be a function (got undefined)`
        ] as const
    ),
    [
      { provider: without("clientMetadata"), allowedOrigins: [LOGIN] },
      "transport.oauth.provider.clientMetadata must be an object (got undefined)"
    ],
    [{ provider, allowedOrigins: [] }, "oauth.allowedOrigins must be a list of 1 to 64 origins"],
    [{ provider }, "oauth.allowedOrigins must be a list of 1 to 64 origins"],
    [
      { provider, allowedOrigins: Array.from({ length: 65 }, () => LOGIN) },
      "oauth.allowedOrigins must be a list of 1 to 64 origins"
    ],
    [
      { provider, allowedOrigins: [`${LOGIN}/`] },
      `oauth.allowedOrigins must hold exact https: origins (got ${LOGIN}/)`
    ],
    [
      { provider, allowedOrigins: ["http://localhost:1"] },
      "oauth.allowedOrigins must hold exact https: origins (got http://localhost:1)"
    ],
    [
      { provider, allowedOrigins: [LOGIN], authorizationCode: "s3cret" },
      "transport.oauth.authorizationCode must be a function (got a string)"
    ],
    [
      { provider, allowedOrigins: [LOGIN], allowIssuerMismatch: "no" },
      "transport.oauth.allowIssuerMismatch must be true or false (got a string)"
    ]
  ])("M26: is refused as %o", (oauth, message) => {
    assert.throws(() => create(oauth), McpBridgeError, message)
  })

  it("M30: is refused beside a token of the host's", () => {
    const headers = { Authorization: "Bearer s3cret" }
    assert.throws(
      () => create({ provider, allowedOrigins: [LOGIN] }, { requestInit: { headers } }),
      McpBridgeError,
      "requestInit.headers must not hold authorization where oauth is given"
    )
  })

  it("M30: is taken as it should be", async () => {
    await create({ provider, allowedOrigins: [LOGIN] }).close()
  })
})
