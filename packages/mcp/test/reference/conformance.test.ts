import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"

const suite = join(
  dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/package.json")),
  "dist",
  "index.js"
)
const client = [
  process.execPath,
  "-C",
  "@arnilo/source",
  "--no-warnings",
  join(import.meta.dirname, "conformanceClient.ts")
]
const results = mkdtempSync(join(tmpdir(), "mcp-conformance-"))
afterAll(() => rmSync(results, { recursive: true }))

const run = async (args: ReadonlyArray<string>): Promise<{ readonly code: unknown; readonly printed: string }> => {
  const child = spawn(process.execPath, [suite, ...args], { stdio: ["ignore", "pipe", "pipe"] })
  let printed = ""
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => void (printed += String(chunk)))
  const [code] = (await once(child, "close")) as [unknown]
  return { code, printed }
}

const scenarios = ["initialize", "tools_call", "elicitation-sep1034-client-defaults", "sse-retry"]

describe("the conformance suite of the protocol, client side", () => {
  it.concurrent.each(scenarios)(
    "passes %s",
    async (scenario) => {
      const command = client.map((word) => `'${word}'`).join(" ")
      const { code, printed } = await run(["client", "--command", command, "--scenario", scenario, "-o", results])
      assert.include(printed, "OVERALL: PASSED", printed)
      assert.notInclude(printed, "FAILURE")
      assert.strictEqual(code, 0)
    },
    60_000
  )

  it("has no other scenario for a client but those of authorization, which is the host's", async () => {
    const { printed } = await run(["list"])
    const [, listed = ""] = printed.split("Client scenarios")
    const names = [...listed.matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name)
    assert.deepStrictEqual(
      names.filter((name) => !name?.startsWith("auth/")),
      scenarios
    )
  }, 30_000)
})
