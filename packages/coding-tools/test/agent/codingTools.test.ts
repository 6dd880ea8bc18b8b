import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { ExecutionPolicy, JsonObject, ToolResult } from "@arnilo/prism-core"
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

  it("CT83: without a policy the limits keep nobody out of anywhere", async () => {
    const folder = await mkdtemp(join(tmpdir(), "prism-tools-"))
    try {
      await mkdir(join(folder, "cwd"))
      await writeFile(join(folder, "outside.txt"), "outside")
      const tools = createCodingTools(join(folder, "cwd"), {
        shell: { maxTotalOutputBytes: 100, maxBytes: 100 },
        read: { maxBytes: 100 },
        write: { maxInputBytes: 10 },
        edit: { maxFileBytes: 10 }
      })
      const path = "../outside.txt"
      const run = async (name: string, args: JsonObject) => {
        const tool = tools.find((each) => each.name === name) ?? assert.fail(name)
        const { content, error } = (await tool.execute(args, context)) as ToolResult
        return error?.message ?? (content?.[0]?.type === "text" ? content[0].text : "")
      }
      assert.strictEqual(await run("read", { path }), "outside")
      assert.include(await run("write", { path, content: "written" }), "Successfully wrote 7 bytes")
      assert.include(
        await run("edit", { path, edits: [{ oldText: "written", newText: "edited" }] }),
        "replaced 1 block"
      )
      assert.strictEqual(
        await run("shell", { command: `cat ${path}; false` }),
        "edited\n\n[Command exited with code 1]"
      )
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  it("CT81: a pending approval keeps no other writer of the file waiting", async () => {
    const folder = await mkdtemp(join(tmpdir(), "prism-tools-"))
    try {
      let allow = (): void => undefined
      const asked = new Promise<void>((resolve) => (allow = resolve))
      const waiting: ExecutionPolicy = { check: () => asked.then(() => ({ allowed: true })) }
      const [, , slow] = createCodingTools(folder, { executionPolicy: waiting })
      const [, , quick] = createCodingTools(folder)
      const first = slow?.execute({ path: "a.txt", content: "first asked" }, context)
      await quick?.execute({ path: "a.txt", content: "second" }, context)
      assert.strictEqual(await readFile(join(folder, "a.txt"), "utf8"), "second")
      allow()
      await first
      assert.strictEqual(await readFile(join(folder, "a.txt"), "utf8"), "first asked")
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
