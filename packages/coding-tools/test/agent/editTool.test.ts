import { execFileSync } from "node:child_process"
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import type { ExecutionAction, ToolResult } from "@arnilo/prism-core"
import { createEditTool, type EditToolOptions } from "../../src/agent/editTool.ts"
import { localEditOperations } from "../../src/agent/EditOperations.ts"

let cwd: string
let file: string
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "prism-edit-"))
  file = join(cwd, "a.txt")
  await writeFile(file, "one\ntwo\nthree\n")
})
afterEach(() => rm(cwd, { recursive: true, force: true }))

const call = (args: object, options?: EditToolOptions, signal?: AbortSignal): Promise<ToolResult> =>
  createEditTool(cwd, options).execute(
    { path: "a.txt", ...args },
    {
      sessionId: "s",
      runId: "r",
      toolCallId: "t",
      signal
    }
  ) as Promise<ToolResult>

const refused = async (result: Promise<ToolResult>): Promise<string> => {
  const { error, content } = await result
  assert.deepStrictEqual(content, [{ type: "text", text: error?.message ?? "" }])
  return error!.message
}

const two = { edits: [{ oldText: "two", newText: "2" }] }

describe("createEditTool", () => {
  it("CT1, CT5: refuses limits out of range; the schema is closed at both levels", () => {
    assert.throws(
      () => createEditTool(cwd, { maxEdits: 1_001 }),
      "maxEdits must be a positive safe integer at most 1000"
    )
    assert.throws(() => createEditTool(cwd, { maxInputBytes: 0 }), "maxInputBytes must be")
    assert.throws(() => createEditTool(cwd, { maxFileBytes: 67_108_865 }), "maxFileBytes must be")
    const { parameters } = createEditTool(cwd)
    assert.strictEqual(parameters?.["additionalProperties"], false)
    assert.include(JSON.stringify(parameters?.["properties"]), '"additionalProperties":false')
  })

  it("CT65: refuses bad lists before the policy and the file are asked", async () => {
    let asked = 0
    const check = () => {
      asked++
      return { allowed: true }
    }
    const options = { executionPolicy: { check }, maxEdits: 2, maxInputBytes: 60 }
    const [item] = two.edits
    assert.strictEqual(await refused(call({ edits: [] }, options)), "edits must contain at least one replacement.")
    assert.strictEqual(await refused(call({}, options)), "edits must contain at least one replacement.")
    assert.strictEqual(
      await refused(call({ edits: [item, item, item] }, options)),
      "edits contains 3 replacements, exceeds 2 limit."
    )
    for (const bad of [null, "x", { oldText: "a" }, { oldText: 1, newText: "" }]) {
      assert.strictEqual(
        await refused(call({ edits: [item, bad] }, options)),
        "edits[1] must have string oldText and newText."
      )
    }
    assert.strictEqual(
      await refused(call({ edits: [{ oldText: "\u00E9".repeat(30), newText: "x" }] }, options)),
      "edit input is 61 bytes, exceeds 60 byte limit."
    )
    assert.include(await refused(call({ edits: `[${" ".repeat(60)}` }, options)), "edit input is 61 bytes")
    assert.include(await refused(call({ edits: "[" }, options)), "edits must be a list")
    assert.strictEqual(asked, 0)
  })

  it("CT64: takes the JSON text of a list, and texts beside it as the last edit", async () => {
    const result = await call({ edits: JSON.stringify(two.edits), oldText: "one", newText: "1" })
    assert.deepStrictEqual(result.content, [{ type: "text", text: "Successfully replaced 2 block(s) in a.txt." }])
    assert.strictEqual(await readFile(file, "utf8"), "1\n2\nthree\n")
  })

  it("CT9, CT11: asks with path and number of edits; a refusal leaves the file", async () => {
    const seen: Array<ExecutionAction> = []
    const check = (action: ExecutionAction) => {
      seen.push(action)
      return { allowed: false, reason: "no" }
    }
    assert.strictEqual(await refused(call(two, { executionPolicy: { check } })), "no")
    const metadata = { editCount: 1, sessionId: "s", runId: "r", signal: undefined }
    assert.deepStrictEqual(seen, [{ kind: "edit", operation: "edit", paths: [file], risk: "medium", metadata }])
    assert.strictEqual(await readFile(file, "utf8"), "one\ntwo\nthree\n")
  })

  it("CT13: edits the file that the policy names, and confirms the caller's spelling", async () => {
    const path = join(cwd, "b.txt")
    await writeFile(path, "two")
    const executionPolicy = { check: () => ({ allowed: true, modified: { paths: [path] } }) }
    const result = await call({ path: "./a.txt", ...two }, { executionPolicy })
    assert.deepStrictEqual(result.content, [{ type: "text", text: "Successfully replaced 1 block(s) in ./a.txt." }])
    assert.strictEqual(result.metadata?.["path"], path)
    assert.strictEqual(await readFile(path, "utf8"), "2")
    assert.strictEqual(await readFile(file, "utf8"), "one\ntwo\nthree\n")
  })

  it("CT66: names the code of what cannot be edited, and the size of what is too large", async () => {
    assert.strictEqual(await refused(call({ path: "none", ...two })), "Could not edit file: none. Error code: ENOENT.")
    assert.strictEqual(
      await refused(call(two, { maxFileBytes: 13 })),
      "Edit target is 14 bytes, exceeds 13 byte limit."
    )
    const operations = { ...localEditOperations, statFile: async () => ({ size: 1 }) }
    assert.strictEqual(
      await refused(call(two, { operations, maxFileBytes: 3 })),
      "Edit target is 4 bytes, exceeds 3 byte limit."
    )
    assert.isUndefined((await call(two, { maxFileBytes: 14 })).error)
  })

  it("CT19: refuses a directory and a FIFO without waiting for a writer", async () => {
    await mkdir(join(cwd, "dir"))
    execFileSync("mkfifo", [join(cwd, "fifo")])
    assert.include(await refused(call({ path: "dir", ...two })), "not a regular file")
    assert.include(await refused(call({ path: "fifo", ...two })), "not a regular file")
  })

  it("CT76: returns the patch, the diff and the first changed line", async () => {
    await writeFile(file, Array.from({ length: 30 }, (_, index) => `line ${index + 1}\r\n`).join(""))
    const { metadata } = await call({
      edits: [
        { oldText: "line 25\n", newText: "" },
        { oldText: "line 10\n", newText: "ten\n10\n" }
      ]
    })
    const context = (from: number, to: number, sign = " ") =>
      Array.from({ length: to - from + 1 }, (_, index) => `${sign}line ${from + index}\r\n`).join("")
    assert.strictEqual(
      metadata!["patch"],
      `--- a.txt\n+++ a.txt\n@@ -6,9 +6,10 @@\n${context(6, 9)}-line 10\r\n+ten\r\n+10\r\n${context(11, 14)}` +
        `@@ -21,9 +22,8 @@\n${context(21, 24)}-line 25\r\n${context(26, 29)}`
    )
    assert.strictEqual(metadata!["firstChangedLine"], 10)
    assert.include(metadata!["diff"] as string, "  9 line 9\n-10 line 10\n+10 ten\n+11 10\n 12 line 11\n")
    assert.include(metadata!["diff"] as string, "\n    ...\n 22 line 21\n")
  })

  it("CT78, CT68: what fails leaves bytes and time of the file, and nothing beside it", async () => {
    await writeFile(join(cwd, "bad.txt"), Buffer.from([0x74, 0x77, 0x6f, 0xff]))
    const before = [await stat(file, { bigint: true }), await stat(join(cwd, "bad.txt"), { bigint: true })]
    assert.include(
      await refused(call({ edits: [...two.edits, { oldText: "x", newText: "y" }] })),
      "Could not find edits[1]"
    )
    assert.include(await refused(call({ path: "bad.txt", ...two })), "not valid UTF-8")
    assert.strictEqual(await refused(call(two, {}, AbortSignal.abort())), "Operation aborted")
    const failing = { ...localEditOperations, writeFile: () => Promise.reject(new Error("disk full")) }
    assert.strictEqual(await refused(call(two, { operations: failing })), "disk full")
    const after = [await stat(file, { bigint: true }), await stat(join(cwd, "bad.txt"), { bigint: true })]
    assert.deepStrictEqual(
      after.map(({ mtimeNs, ino }) => [mtimeNs, ino]),
      before.map(({ mtimeNs, ino }) => [mtimeNs, ino])
    )
    assert.deepStrictEqual((await readdir(cwd)).toSorted(), ["a.txt", "bad.txt"])
  })

  it("CT78: an abort at any operation before the write is heeded", async () => {
    for (const stage of ["access", "statFile", "readFile"] as const) {
      const controller = new AbortController()
      const operations = {
        ...localEditOperations,
        [stage]: (path: string, options: never) => {
          controller.abort()
          return localEditOperations[stage](path, options)
        }
      }
      assert.strictEqual(await refused(call(two, { operations }, controller.signal)), "Operation aborted")
    }
    assert.strictEqual(await readFile(file, "utf8"), "one\ntwo\nthree\n")
  })

  it("CT62, CT76: keeps permission bits and writes through a link", async () => {
    await chmod(file, 0o640)
    await symlink("a.txt", join(cwd, "link"))
    assert.isUndefined((await call({ path: "link", ...two })).error)
    assert.isTrue((await lstat(join(cwd, "link"))).isSymbolicLink())
    assert.strictEqual((await stat(file)).mode & 0o7777, 0o640)
    assert.strictEqual(await readFile(file, "utf8"), "one\n2\nthree\n")
  })

  it("CT80: edits of one file at the same time all arrive", async () => {
    await symlink(cwd, join(cwd, "self"))
    const lines = Array.from({ length: 20 }, (_, index) => `<${index}>`)
    await writeFile(file, lines.join("\n"))
    const results = await Promise.all(
      lines.map((oldText, index) =>
        call({ path: index % 2 === 0 ? "a.txt" : "self/a.txt", edits: [{ oldText, newText: `(${index})` }] })
      )
    )
    assert.deepStrictEqual(
      results.map(({ error }) => error).filter((error) => error !== undefined),
      []
    )
    assert.strictEqual(await readFile(file, "utf8"), lines.map((_, index) => `(${index})`).join("\n"))
  })

  it("CT82: names a missing operation and never takes the local one", async () => {
    const { statFile: _, ...operations } = localEditOperations
    assert.strictEqual(
      await refused(call(two, { operations: operations as never })),
      "EditOperations.statFile is missing"
    )
    assert.strictEqual(await readFile(file, "utf8"), "one\ntwo\nthree\n")
  })
})
