import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { ExecutionPolicy } from "@arnilo/prism-core"
import { assert, describe, it } from "@effect/vitest"
import { createAllTools, createCodingTools, createReadOnlyTools } from "../../src/agent/index.ts"

const context = { sessionId: "s", runId: "r", toolCallId: "c" }
const denying = (reason: string): ExecutionPolicy => ({ check: () => ({ allowed: false, reason }) })

describe("coding tools", () => {
  it("CT6, CT7: are four, of which the shell alone is exclusive", () => {
    for (const create of [createCodingTools, createAllTools]) {
      assert.deepStrictEqual(
        create("/").map(({ name, exclusive }) => [name, exclusive ?? false]),
        [
          ["shell", true],
          ["read", false],
          ["write", false],
          ["edit", false]
        ]
      )
    }
    assert.deepStrictEqual(
      createReadOnlyTools("/").map(({ name }) => name),
      ["read"]
    )
  })

  it("CT4: the removed option is refused wherever it stands", () => {
    const read = { autoResizeImages: undefined } as object
    assert.throws(() => createCodingTools("/", { read }), TypeError)
    assert.throws(() => createReadOnlyTools("/", { read }), TypeError)
  })

  it("CT8: share a policy, unless a tool has its own", async () => {
    const folder = await mkdtemp(join(tmpdir(), "prism-tools-"))
    try {
      await writeFile(join(folder, "a.txt"), "text")
      const [shell, read] = createCodingTools(folder, {
        executionPolicy: denying("shared"),
        read: { executionPolicy: denying("own") }
      })
      const messageOf = async (tool: typeof shell, args: { readonly [name: string]: string }) => {
        const answer: unknown = await tool?.execute(args, context)
        return (answer as { readonly error?: { readonly message: string } }).error?.message
      }
      assert.strictEqual(await messageOf(shell, { command: "true" }), "shared")
      assert.strictEqual(await messageOf(read, { path: "a.txt" }), "own")
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
