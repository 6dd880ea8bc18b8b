import { execFileSync } from "node:child_process"
import { once } from "node:events"
import { lstat, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import type { ToolResult } from "@arnilo/prism-core"
import { assert, describe, it } from "@effect/vitest"
import { createEditTool } from "../../src/agent/editTool.ts"
import { localEditOperations } from "../../src/agent/EditOperations.ts"
import { createReadTool } from "../../src/agent/readTool.ts"
import { createWriteTool } from "../../src/agent/writeTool.ts"

const context = { sessionId: "s", runId: "r", toolCallId: "c" }

describe("what is no regular file", () => {
  it("CT19: is refused by every tool without blocking, and stays what it is", async () => {
    const folder = await mkdtemp(join(tmpdir(), "prism-irregular-"))
    const server = createServer().listen(join(folder, "socket"))
    try {
      await once(server, "listening")
      await mkdir(join(folder, "directory"))
      execFileSync("mkfifo", [join(folder, "fifo")])
      const before = await readdir(folder)
      const edits = [{ oldText: "x", newText: "y" }]
      const reading = [
        [createReadTool(folder), {}],
        [createEditTool(folder), { edits }]
      ] as const
      const own = [...reading, [createWriteTool(folder), { content: "x" }]] as const
      // The devices are those of the machine: a tool that was wrong about them must not replace them.
      for (const [calls, paths] of [
        [own, ["directory", "fifo", "socket"]],
        [reading, ["/dev/null", "/dev/zero"]]
      ] as const) {
        for (const path of paths) {
          const { mode } = await lstat(resolve(folder, path))
          for (const [tool, args] of calls) {
            const { error } = (await tool.execute({ path, ...args }, context)) as ToolResult
            assert.include(error?.message, "not a regular file", `${tool.name} ${path}`)
          }
          assert.strictEqual((await lstat(resolve(folder, path))).mode, mode)
        }
      }
      assert.deepEqual(await readdir(folder), before)
    } finally {
      server.close()
      await rm(folder, { recursive: true, force: true })
    }
  })

  it("CT20: a file that grew since it was measured yields one byte more than the cap", async () => {
    const folder = await mkdtemp(join(tmpdir(), "prism-grown-"))
    try {
      const path = join(folder, "a")
      await writeFile(path, "x".repeat(100))
      assert.lengthOf(await localEditOperations.readFile(path, { maxBytes: 10 }), 11)
      assert.lengthOf(await localEditOperations.readFile(path, { maxBytes: 100 }), 100)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
