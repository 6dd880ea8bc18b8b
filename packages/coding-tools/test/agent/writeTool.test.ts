import { execFileSync } from "node:child_process"
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import type { ExecutionAction, JsonObject, ToolResult } from "@arnilo/prism-core"
import { createWriteTool, type WriteToolOptions } from "../../src/agent/writeTool.ts"

let cwd: string
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "prism-write-"))
})
afterEach(() => rm(cwd, { recursive: true, force: true }))

const call = (args: object, options?: WriteToolOptions, signal?: AbortSignal): Promise<ToolResult> =>
  createWriteTool(cwd, options).execute(args as JsonObject, {
    sessionId: "s",
    runId: "r",
    toolCallId: "t",
    signal
  }) as Promise<ToolResult>

const refused = async (result: Promise<ToolResult>): Promise<string> => {
  const { error, content } = await result
  assert.deepStrictEqual(content, [{ type: "text", text: error?.message ?? "" }])
  return error!.message
}

const allow = (seen: Array<ExecutionAction>) => ({
  executionPolicy: {
    check: (action: ExecutionAction) => {
      seen.push(action)
      return { allowed: true }
    }
  }
})

describe("createWriteTool", () => {
  it("CT1: refuses limits out of range where the tool is made", () => {
    for (const maxInputBytes of [0, -1, 1.5, Number.NaN, 67_108_865]) {
      assert.throws(
        () => createWriteTool(cwd, { maxInputBytes }),
        RangeError,
        "maxInputBytes must be a positive safe integer at most 67108864"
      )
    }
  })

  it("CT5: has a closed schema of path and content", () => {
    const { parameters, exclusive } = createWriteTool(cwd)
    assert.strictEqual(parameters?.["additionalProperties"], false)
    assert.deepStrictEqual(Object.keys(parameters?.["properties"] as object), ["path", "content"])
    assert.isUndefined(exclusive)
  })

  it("CT17, CT18, CT59, CT60: refuses bad arguments without asking the policy or making a directory", async () => {
    const seen: Array<ExecutionAction> = []
    const options = { ...allow(seen), maxInputBytes: 4 }
    const path = "new/a.txt"
    assert.strictEqual(
      await refused(call({ content: "" }, options)),
      "path is required and must be a non-empty string."
    )
    assert.include(await refused(call({ path: "a\0", content: "" }, options)), "NUL")
    assert.strictEqual(await refused(call({ path }, options)), "content is required and must be a string.")
    assert.strictEqual(
      await refused(call({ path, content: "\u00E9\u00E9a" }, options)),
      "Write input is 5 bytes, exceeds 4 byte limit."
    )
    assert.deepStrictEqual(seen, [])
    assert.deepStrictEqual(await readdir(cwd), [])
    assert.isUndefined((await call({ path, content: "\u00E9\u00E9" }, options)).error)
  })

  it("CT8, CT9, CT10, CT11, CT12: asks with path, bytes and identity; a refusal changes nothing", async () => {
    const seen: Array<ExecutionAction> = []
    const { signal } = new AbortController()
    await call({ path: "a.txt", content: "\u00E9" }, allow(seen), signal)
    assert.deepStrictEqual(seen, [
      {
        kind: "write",
        operation: "write",
        paths: [join(cwd, "a.txt")],
        risk: "medium",
        metadata: { bytes: 2, sessionId: "s", runId: "r", signal }
      }
    ])
    const denied = (reason?: string) => ({ executionPolicy: { check: () => ({ allowed: false, reason }) } })
    const args = { path: "b/c.txt", content: "x" }
    assert.strictEqual(await refused(call(args, denied("no"))), "no")
    assert.strictEqual(await refused(call(args, denied())), "Execution denied for write:write")
    const broken = { executionPolicy: { check: () => Promise.reject(new Error("broken")) } }
    assert.strictEqual(await refused(call(args, broken)), "broken")
    assert.deepStrictEqual(await readdir(cwd), ["a.txt"])
  })

  it("CT13: writes where the policy says, and names that path", async () => {
    const path = join(cwd, "b.txt")
    const executionPolicy = { check: () => ({ allowed: true, modified: { paths: [path] } }) }
    const result = await call({ path: "a.txt", content: "x" }, { executionPolicy })
    assert.deepStrictEqual(result.metadata, { bytes: 1, lines: 1, path })
    assert.deepStrictEqual(await readdir(cwd), ["b.txt"])
  })

  it("CT19: leaves a directory and a FIFO in place, without waiting for a reader", async () => {
    await mkdir(join(cwd, "dir"))
    execFileSync("mkfifo", [join(cwd, "fifo")])
    assert.include(await refused(call({ path: "dir", content: "x" })), "not a regular file")
    assert.include(await refused(call({ path: "fifo", content: "x" })), "not a regular file")
    assert.isTrue((await stat(join(cwd, "fifo"))).isFIFO())
    assert.deepStrictEqual((await readdir(cwd)).toSorted(), ["dir", "fifo"])
  })

  it("CT61: creates directories and counts bytes and lines", async () => {
    const path = join(cwd, "a/b/c.txt")
    for (const [content, bytes, lines] of [
      ["", 0, 0],
      ["\u00E9", 2, 1],
      ["a\n", 2, 2],
      ["a\nb", 3, 2]
    ] as const) {
      const result = await call({ path: "a/b/c.txt", content })
      assert.deepStrictEqual(result, {
        toolCallId: "t",
        name: "write",
        content: [{ type: "text", text: `Successfully wrote ${bytes} bytes (${lines} lines) to ${path}` }],
        metadata: { bytes, lines, path }
      })
      assert.strictEqual(await readFile(path, "utf8"), content)
    }
  })

  it("CT62: keeps permission bits, gives new files those of the umask, and leaves nothing beside", async () => {
    await writeFile(join(cwd, "old.sh"), "old")
    await chmod(join(cwd, "old.sh"), 0o751)
    await call({ path: "old.sh", content: "new" })
    await call({ path: "new.txt", content: "new" })
    assert.strictEqual((await stat(join(cwd, "old.sh"))).mode & 0o7777, 0o751)
    assert.strictEqual((await stat(join(cwd, "new.txt"))).mode & 0o7777, 0o666 & ~process.umask())
    assert.deepStrictEqual((await readdir(cwd)).toSorted(), ["new.txt", "old.sh"])
  })

  it("CT62: writes through links, those to nothing included, and the links stay", async () => {
    await mkdir(join(cwd, "real"))
    await writeFile(join(cwd, "real/a.txt"), "old")
    await symlink("real/a.txt", join(cwd, "a"))
    await symlink("a", join(cwd, "b"))
    await symlink("real/missing.txt", join(cwd, "c"))
    await symlink("loop", join(cwd, "loop"))
    await call({ path: "b", content: "new" })
    await call({ path: "c", content: "made" })
    assert.include(await refused(call({ path: "loop", content: "x" })), "ELOOP")
    assert.strictEqual(await readFile(join(cwd, "real/a.txt"), "utf8"), "new")
    assert.strictEqual(await readFile(join(cwd, "real/missing.txt"), "utf8"), "made")
    for (const link of ["a", "b", "c", "loop"]) assert.isTrue((await lstat(join(cwd, link))).isSymbolicLink())
    assert.deepStrictEqual((await readdir(join(cwd, "real"))).toSorted(), ["a.txt", "missing.txt"])
  })

  it("CT63: an abort before the call or while the policy thinks leaves the file unchanged", async () => {
    await writeFile(join(cwd, "a.txt"), "old")
    assert.strictEqual(
      await refused(call({ path: "a.txt", content: "new" }, {}, AbortSignal.abort())),
      "Operation aborted"
    )
    const controller = new AbortController()
    const check = () => {
      controller.abort()
      return { allowed: true }
    }
    const args = { path: "d/a.txt", content: "new" }
    assert.strictEqual(
      await refused(call(args, { executionPolicy: { check } }, controller.signal)),
      "Operation aborted"
    )
    assert.strictEqual(await readFile(join(cwd, "a.txt"), "utf8"), "old")
    assert.deepStrictEqual(await readdir(cwd), ["a.txt"])
  })

  it("CT63: a write that completed succeeds, whatever is aborted then; one that heeds the abort is aborted", async () => {
    for (const heeds of [true, false]) {
      const controller = new AbortController()
      const operations = {
        mkdir: async () => {},
        writeFile: async () => {
          controller.abort()
          if (heeds) controller.signal.throwIfAborted()
        }
      }
      const { error } = await call({ path: "a.txt", content: "" }, { operations }, controller.signal)
      assert.strictEqual(error?.message, heeds ? "Operation aborted" : undefined)
    }
  })

  it("CT82: names a missing operation and never takes the local one; others see their limits", async () => {
    assert.strictEqual(
      await refused(call({ path: "a/b", content: "" }, { operations: { writeFile: async () => {} } as never })),
      "WriteOperations.mkdir is missing"
    )
    const calls: Array<unknown> = []
    const operations = {
      mkdir: async (...args: Array<unknown>) => void calls.push(args),
      writeFile: async (...args: Array<unknown>) => void calls.push(args)
    }
    await call({ path: "a/b", content: "x" }, { operations, maxInputBytes: 9 })
    assert.deepStrictEqual(calls, [
      [join(cwd, "a"), {}],
      [join(cwd, "a/b"), "x", { maxBytes: 9 }]
    ])
    assert.deepStrictEqual(await readdir(cwd), [])
  })
})
