import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { JsonObject } from "@arnilo/prism-core"
import { connectMcpTools } from "@arnilo/prism-mcp"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { filesystemOnStdio, orphans } from "./servers.ts"

const folder = realpathSync(mkdtempSync(join(tmpdir(), "mcp-files-")))
afterAll(() => rmSync(folder, { recursive: true }))
const path = (name: string): string => join(folder, name)

describe("the reference server for files", () => {
  it("calls every tool, and is told no by the server outside of its folder", async () => {
    writeFileSync(path("a.txt"), "one\ntwo\n")
    writeFileSync(path("dot.png"), Buffer.from("iVBORw0KGgo=", "base64"))
    const calls: ReadonlyArray<readonly [name: string, args: JsonObject, part: string]> = [
      ["list_allowed_directories", {}, folder],
      ["create_directory", { path: path("sub") }, "Successfully created"],
      ["write_file", { path: path("sub/b.txt"), content: "three\n" }, "Successfully wrote"],
      ["edit_file", { path: path("a.txt"), edits: [{ oldText: "two", newText: "2" }] }, "+2"],
      ["read_file", { path: path("a.txt") }, "one\\n2"],
      ["read_text_file", { path: path("a.txt"), head: 1 }, "one"],
      ["read_media_file", { path: path("dot.png") }, "image/png"],
      ["read_multiple_files", { paths: [path("a.txt"), path("sub/b.txt")] }, "three"],
      ["list_directory", { path: folder }, "[DIR] sub"],
      ["list_directory_with_sizes", { path: folder }, "a.txt"],
      ["directory_tree", { path: folder }, "b.txt"],
      ["search_files", { path: folder, pattern: "**/*.txt" }, "sub/b.txt"],
      ["get_file_info", { path: path("a.txt") }, "isFile: true"],
      ["move_file", { source: path("a.txt"), destination: path("c.txt") }, "Successfully moved"]
    ]
    const bridge = await connectMcpTools({ serverId: "files", transport: filesystemOnStdio(folder) })
    const call = (name: string, args: JsonObject): Promise<any> => {
      const tool = bridge.tools.find((candidate) => candidate.name === `mcp:files:${name}`)
      return tool?.execute(args, { sessionId: "s", runId: "r", toolCallId: "c" }) as Promise<any>
    }
    try {
      assert.isTrue(bridge.admissions.every(({ status }) => status === "ready"))
      assert.sameMembers(
        bridge.tools.map(({ name }) => name.replace("mcp:files:", "")),
        calls.map(([name]) => name)
      )
      for (const [name, args, part] of calls) {
        // oxlint-disable-next-line no-await-in-loop -- each builds on the one before
        const result = await call(name, args)
        assert.isUndefined(result.error, `${name}: ${JSON.stringify(result.error)}`)
        assert.include(JSON.stringify(result), part, name)
      }
      assert.strictEqual(readFileSync(path("c.txt"), "utf8"), "one\n2\n")
      const refused = await call("read_text_file", { path: "/etc/passwd" })
      assert.include(refused.error.message, "Access denied")
      const texts = await Promise.all(Array.from({ length: 24 }, () => call("read_text_file", { path: path("c.txt") })))
      assert.isTrue(texts.every(({ content }) => content[0].text === "one\n2\n"))
    } finally {
      await bridge.close()
    }
    assert.deepStrictEqual(orphans(), [])
  }, 30_000)
})
