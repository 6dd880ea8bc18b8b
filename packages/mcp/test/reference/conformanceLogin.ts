/** How the client of the conformance suite logs in: with the SDK's own providers where the scenario needs no person. */
import {
  ClientCredentialsProvider,
  CrossAppAccessProvider,
  PrivateKeyJwtProvider,
  requestJwtAuthorizationGrant
} from "@modelcontextprotocol/client"
import type { McpOAuth } from "@arnilo/prism-mcp"
import { LoginPerson } from "../fixtures/LoginPerson.ts"

/** The suite's own: it takes this URL for the client's metadata. */
const METADATA_URL = "https://conformance-test.local/client-metadata.json"

export const readLogin = (scenario: string, context = "{}"): Omit<McpOAuth, "allowedOrigins"> | undefined => {
  if (!scenario.startsWith("auth/")) return undefined
  const given = JSON.parse(context) as Readonly<Record<string, string>>
  const { client_id: clientId = "", client_secret: clientSecret = "" } = given
  switch (scenario) {
    case "auth/client-credentials-basic":
      return { provider: new ClientCredentialsProvider({ clientId, clientSecret }) }
    case "auth/client-credentials-jwt": {
      const { private_key_pem: privateKey = "", signing_algorithm: algorithm = "" } = given
      return { provider: new PrivateKeyJwtProvider({ clientId, privateKey, algorithm }) }
    }
    case "auth/cross-app-access-complete-flow":
      return { provider: new CrossAppAccessProvider({ clientId, clientSecret, assertion: exchangeAt(given) }) }
    default: {
      const person = new LoginPerson({
        clientMetadataUrl: METADATA_URL,
        client: clientId === "" ? undefined : { client_id: clientId, client_secret: clientSecret }
      })
      return {
        provider: person,
        authorizationCode: person.comeBack,
        // The suite serves metadata of the issuer `/oauth` at the root.
        allowIssuerMismatch: scenario === "auth/2025-03-26-oauth-metadata-backcompat"
      }
    }
  }
}

/** Trades the id token of the scenario's identity provider for a grant. */
const exchangeAt =
  (given: Readonly<Record<string, string>>): ConstructorParameters<typeof CrossAppAccessProvider>[0]["assertion"] =>
  async ({ authorizationServerUrl, fetchFn, resourceUrl, scope }) => {
    const { jwtAuthGrant } = await requestJwtAuthorizationGrant({
      tokenEndpoint: given["idp_token_endpoint"] ?? "",
      audience: authorizationServerUrl,
      resource: resourceUrl,
      idToken: given["idp_id_token"] ?? "",
      clientId: given["idp_client_id"] ?? "",
      ...(scope !== undefined && { scope }),
      ...(fetchFn !== undefined && { fetchFn })
    })
    return jwtAuthGrant
  }
