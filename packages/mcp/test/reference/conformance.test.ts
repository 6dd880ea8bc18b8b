import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { type AddressInfo, createServer, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { text } from "node:stream/consumers"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type ConformanceTask, runScenario } from "./conformanceClient.ts"

const suite = join(
  dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/package.json")),
  "dist",
  "index.js"
)
const results = mkdtempSync(join(tmpdir(), "mcp-conformance-"))

/** The suite starts a program for each scenario: a small one, which has the scenario run here. */
const relayed = createServer({ allowHalfOpen: true }, (socket) => void answer(socket))
const answer = async (socket: Socket): Promise<void> => {
  const task = JSON.parse(await text(socket)) as ConformanceTask
  await runScenario(task).then(
    () => socket.end("done"),
    (error: unknown) => socket.end(`${task.scenario}: ${String(error)}`)
  )
}
beforeAll(async () => {
  await once(relayed.listen(0, "127.0.0.1"), "listening")
})
afterAll(() => {
  relayed.close()
  rmSync(results, { recursive: true })
})

const run = async (...args: ReadonlyArray<string>): Promise<{ readonly code: unknown; readonly printed: string }> => {
  const child = spawn(process.execPath, [suite, ...args], { stdio: ["ignore", "pipe", "pipe"] })
  let printed = ""
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => void (printed += String(chunk)))
  const [code] = (await once(child, "close")) as [unknown]
  return { code, printed }
}

const runClient = (...args: ReadonlyArray<string>) => {
  const { port } = relayed.address() as AddressInfo
  const command = [process.execPath, join(import.meta.dirname, "relay.mjs"), String(port)]
  return run("client", "--command", command.map((word) => `'${word}'`).join(" "), "-o", results, ...args)
}

const scenarios = [
  "initialize",
  "tools_call",
  "elicitation-sep1034-client-defaults",
  "sse-retry",
  "auth/metadata-default",
  "auth/metadata-var1",
  "auth/metadata-var2",
  "auth/metadata-var3",
  "auth/basic-cimd",
  "auth/scope-from-www-authenticate",
  "auth/scope-from-scopes-supported",
  "auth/scope-omitted-when-undefined",
  "auth/scope-step-up",
  "auth/scope-retry-limit",
  "auth/token-endpoint-auth-basic",
  "auth/token-endpoint-auth-post",
  "auth/token-endpoint-auth-none",
  "auth/pre-registration",
  "auth/2025-03-26-oauth-metadata-backcompat",
  "auth/2025-03-26-oauth-endpoint-fallback",
  "auth/resource-mismatch",
  "auth/offline-access-scope",
  "auth/offline-access-not-supported",
  "auth/client-credentials-jwt",
  "auth/client-credentials-basic",
  "auth/cross-app-access-complete-flow"
]

describe("the conformance suite of the protocol, client side", () => {
  it.concurrent.each(scenarios)(
    "passes %s",
    async (scenario) => {
      const { code, printed } = await runClient("--scenario", scenario)
      assert.include(printed, "OVERALL: PASSED", printed)
      assert.notInclude(printed, "FAILURE")
      assert.strictEqual(code, 0)
    },
    60_000
  )

  it("has no other scenario for a client", async () => {
    const { printed } = await run("list")
    const [, listed = ""] = printed.split("Client scenarios")
    const names = [...listed.matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name)
    assert.deepStrictEqual(names, scenarios)
  }, 30_000)
})
