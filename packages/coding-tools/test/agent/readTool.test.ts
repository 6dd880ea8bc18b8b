import { execFile } from "node:child_process"
import { symlink } from "node:fs/promises"
import { getEventListeners } from "node:events"
import { homedir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import type { ExecutionAction, ExecutionPolicy } from "@arnilo/prism-core"
import { assert, describe, it } from "@effect/vitest"
import { createReadTool } from "../../src/agent/readTool.ts"
import type { ReadOperations, ReadTextResult } from "../../src/agent/ReadOperations.ts"
import { backend, call, image, makeDirectory, metadataOf, PNG, textOf } from "./readFixtures.ts"

const present = { access: async () => {}, detectImageMimeType: async () => null }
const page = (result: Partial<ReadTextResult>): Pick<ReadOperations, "readText"> => ({
  readText: async () => ({
    content: "",
    startLine: 1,
    outputLines: 1,
    hasMore: false,
    truncatedBy: null,
    firstLineExceedsLimit: false,
    scannedBytes: 0,
    ...result
  })
})

describe("createReadTool", () => {
  it("CT1: throws for a limit out of range", () => {
    const names = { maxLines: 100_000, maxBytes: 1_048_576, maxScanBytes: 1_073_741_824, maxImageBytes: 33_554_432 }
    for (const [name, cap] of Object.entries(names)) {
      for (const value of [0, -1, 1.5, NaN, Infinity, Number.MAX_SAFE_INTEGER + 1, cap + 1]) {
        assert.throws(
          () => createReadTool("/", { [name]: value }),
          `${name} must be a positive safe integer at most ${cap}`
        )
      }
      assert.strictEqual(createReadTool("/", { [name]: cap }).name, "read")
    }
  })
  it("CT4: throws for the removed autoResizeImages, whatever its value", () => {
    for (const value of [true, false, undefined]) {
      assert.throws(
        () => createReadTool("/", { autoResizeImages: value } as object),
        TypeError,
        'Read tool: "autoResizeImages" was removed in 0.1.5; use "transformImage" instead.'
      )
    }
  })
  it("CT5: takes path, offset and limit, and nothing else", () => {
    const { parameters, exclusive } = createReadTool("/")
    assert.strictEqual(parameters?.additionalProperties, false)
    assert.deepStrictEqual(parameters?.required, ["path"])
    assert.sameMembers(Object.keys(parameters?.properties as object), ["path", "offset", "limit"])
    assert.isUndefined(exclusive)
  })
})

describe("read: refusals", () => {
  const asked: Array<ExecutionAction> = []
  const policy: ExecutionPolicy = { check: (action) => (asked.push(action), { allowed: false, reason: "not today" }) }
  it("CT8, CT17, CT18, CT42: bad arguments reach neither policy nor backend", async () => {
    const { operations, calls } = backend({ ...present, ...page({}) })
    const tool = createReadTool("/", { operations, executionPolicy: policy })
    const required = "path is required and must be a non-empty string."
    const refused: ReadonlyArray<[unknown, string]> = [
      [{}, required],
      [{ path: "" }, required],
      [{ path: 1 }, required],
      [{ path: "a\0b" }, "path must not contain a NUL character."],
      [{ path: "file://elsewhere.example/a" }, "path is no local file URL: file://elsewhere.example/a"],
      [{ path: "a", offset: 0 }, "offset must be a positive safe integer at most 9007199254740991"],
      [{ path: "a", offset: "1" }, "offset must be a positive safe integer at most 9007199254740991"],
      [{ path: "a", limit: 1.5 }, "limit must be a positive safe integer at most 100000"],
      [{ path: "a", limit: 100_001 }, "limit must be a positive safe integer at most 100000"]
    ]
    for (const [args, message] of refused) {
      const result = await call(tool, args)
      assert.strictEqual(result.error?.message, message)
      assert.strictEqual(textOf(result), message)
    }
    assert.isDefined((await call(tool, null)).error)
    assert.deepStrictEqual([asked, calls], [[], []])
  })
  it("CT8, CT9, CT10, CT11: a denied read asks once and touches nothing", async () => {
    const { operations, calls } = backend({ ...present, ...page({}) })
    const { signal } = new AbortController()
    const tool = createReadTool("/base", { operations, executionPolicy: policy })
    const result = await call(tool, { path: "a", offset: 2, limit: 3 }, signal)
    assert.strictEqual(result.error?.message, "not today")
    assert.deepStrictEqual(calls, [])
    assert.deepStrictEqual(asked, [
      {
        kind: "read",
        operation: "read",
        paths: ["/base/a"],
        risk: "low",
        metadata: { offset: 2, limit: 3, sessionId: "session", runId: "run", signal }
      }
    ])
  })
  it("CT11, CT12: a policy without a reason, or one that throws, is a refusal", async () => {
    const deny = createReadTool("/", { executionPolicy: { check: () => ({ allowed: false }) } })
    assert.strictEqual((await call(deny, { path: "/etc/passwd" })).error?.message, "Execution denied for read:read")
    const check = () => {
      throw new Error("policy broke")
    }
    const broken = createReadTool("/", { executionPolicy: { check } })
    assert.strictEqual((await call(broken, { path: "/etc/passwd" })).error?.message, "policy broke")
  })
  it("CT19: only regular files are read, and a FIFO without a writer does not block", async () => {
    await using directory = await makeDirectory()
    await promisify(execFile)("mkfifo", [join(directory.path, "fifo")])
    const tool = createReadTool(directory.path)
    for (const path of [".", "fifo", "/dev/zero"]) {
      assert.include((await call(tool, { path })).error?.message, "not a regular file")
    }
  })
  it("CT43: what is not there is said with the system's code", async () => {
    assert.include((await call(createReadTool("/"), { path: "/no/such/file" })).error?.message, "ENOENT")
  })
  it("CT43: an abort comes first, then arguments, policy, access, the look at its type, and the reading", async () => {
    const order: Array<string> = []
    const { operations } = backend({
      access: async () => void order.push("access"),
      detectImageMimeType: async () => {
        order.push("sniff")
        return null
      },
      readText: async () => {
        order.push("read")
        return page({}).readText("", {} as never)
      }
    })
    const check = () => (order.push("policy"), { allowed: true })
    const tool = createReadTool("/", { operations, executionPolicy: { check } })
    assert.strictEqual((await call(tool, { path: 7 }, AbortSignal.abort())).error?.message, "Operation aborted")
    assert.isDefined((await call(tool, { path: 7 })).error)
    assert.deepStrictEqual(order, [])
    await call(tool, { path: "f" })
    assert.deepStrictEqual(order, ["policy", "access", "sniff", "read"])
  })
  it("CT82: a missing member of a backend is named, and the local file system is not read instead", async () => {
    await using directory = await makeDirectory()
    const path = await directory.write("f", "secret")
    const missing = async (members: Partial<ReadOperations>) =>
      textOf(await call(createReadTool("/", { operations: backend(members).operations }), { path }))
    assert.strictEqual(await missing({}), "ReadOperations.access is missing")
    assert.strictEqual(await missing({ access: present.access }), "ReadOperations.readText is missing")
    assert.strictEqual(await missing(image), "ReadOperations.statFile is missing")
    const statFile = async () => ({ size: 1 })
    assert.strictEqual(await missing({ ...image, statFile }), "ReadOperations.readFile is missing")
  })
  it("CT57: a backend that returns more than it was asked for is an error", async () => {
    const beyond = "ReadOperations.readText returned data beyond the requested bounds"
    const read = async (content: string, outputLines: number) => {
      const { operations } = backend({ ...present, ...page({ content, outputLines }) })
      return textOf(await call(createReadTool("/", { operations, maxBytes: 10, maxLines: 3 }), { path: "f", limit: 2 }))
    }
    for (const result of [await read("x".repeat(11), 1), await read("a\nb\nc", 2), await read("a", 3)]) {
      assert.strictEqual(result, beyond)
    }
    assert.strictEqual(await read("a\nb\n", 2), "a\nb\n")
  })
  it("CT58: an abort ends whatever is being waited for, and leaves no listener", async () => {
    const waiting = () => new Promise<never>(() => {})
    const aborted = async (members: Partial<ReadOperations>, options: object = {}, start = "") => {
      const controller = new AbortController()
      const abort = (name: string) => name === start && queueMicrotask(() => controller.abort())
      const { operations } = backend(members)
      const watched = new Proxy(operations, { get: (on, name) => (abort(String(name)), Reflect.get(on, name)) })
      if (start === "") controller.abort()
      const result = await call(
        createReadTool("/", { operations: watched, ...options }),
        { path: "f" },
        controller.signal
      )
      assert.deepStrictEqual(getEventListeners(controller.signal, "abort"), [])
      return result.error?.message
    }
    const statFile = async () => ({ size: 1 })
    const readFile = async () => PNG
    const results = [
      await aborted({}),
      await aborted({ access: waiting }, {}, "access"),
      await aborted({ ...present, readText: waiting }, {}, "readText"),
      await aborted({ ...image, statFile: waiting }, {}, "statFile"),
      await aborted({ ...image, statFile, readFile: waiting }, {}, "readFile"),
      await aborted(
        { ...image, statFile: async () => ({ size: 16 }), readFile },
        { transformImage: waiting },
        "readFile"
      )
    ]
    assert.deepStrictEqual(new Set(results), new Set(["Operation aborted"]))
  })
})

describe("read: paths", () => {
  it("CT15: relative paths, file URLs, a leading @ and odd spaces name one file", async () => {
    await using directory = await makeDirectory()
    const path = await directory.write("a b.txt", "here")
    const tool = createReadTool(directory.path)
    for (const spelling of ["a b.txt", path, pathToFileURL(path).href, "@a b.txt", "a\u00A0b.txt", "a\u3000b.txt"]) {
      assert.strictEqual(textOf(await call(tool, { path: spelling })), "here", spelling)
    }
    const paths: Array<unknown> = []
    const check = (action: ExecutionAction) => (paths.push(action.paths?.[0]), { allowed: false })
    await call(createReadTool("/", { executionPolicy: { check } }), { path: "~/x" })
    assert.deepStrictEqual(paths, [join(homedir(), "x")])
  })
  it("CT14, CT16: a look-alike name is found before the policy is asked, and only locally", async () => {
    await using directory = await makeDirectory()
    const seen: Array<unknown> = []
    const check = (action: ExecutionAction) => (seen.push(action.paths?.[0]), { allowed: true })
    const tool = createReadTool(directory.path, { executionPolicy: { check } })
    const names = {
      "at 1 PM.txt": "at 1\u202FPM.txt",
      "caf\u00E9": "cafe\u0301",
      "it's": "it\u2019s",
      "\u00E9's": "e\u0301\u2019s"
    }
    for (const [asked, name] of Object.entries(names)) {
      const path = await directory.write(name, name)
      assert.strictEqual(textOf(await call(tool, { path: asked })), name)
      assert.strictEqual(seen.pop(), path)
    }
    const { operations } = backend({
      ...present,
      readText: async (path: string) => ({ ...(await page({}).readText("", {} as never)), content: path })
    })
    const custom = createReadTool(directory.path, { operations })
    assert.strictEqual(textOf(await call(custom, { path: "it's" })), join(directory.path, "it's"))
  })
  it("CT13: the path that the policy puts in its place is the one that is read and named", async () => {
    await using directory = await makeDirectory()
    await directory.write("asked", "asked")
    const path = await directory.write("given", "x".repeat(20))
    const check = () => ({ allowed: true, modified: { paths: [path] } })
    const tool = createReadTool(directory.path, { executionPolicy: { check } })
    assert.strictEqual(textOf(await call(tool, { path: "asked" })), "x".repeat(20))
    const narrow = createReadTool(directory.path, { executionPolicy: { check }, maxBytes: 10 })
    assert.include(textOf(await call(narrow, { path: "asked" })), `sed -n '1p' ${path} |`)
    const none = { check: () => ({ allowed: true, modified: { paths: [] } }) }
    assert.isDefined((await call(createReadTool(directory.path, { executionPolicy: none }), { path: "asked" })).error)
  })
  it("CT19: links are followed", async () => {
    await using directory = await makeDirectory()
    await symlink(await directory.write("f", "there"), join(directory.path, "link"))
    assert.strictEqual(textOf(await call(createReadTool(directory.path), { path: "link" })), "there")
  })
})

describe("read: text", () => {
  it("CT48: an untruncated read to the end is the file, byte for byte", async () => {
    await using directory = await makeDirectory()
    const tool = createReadTool(directory.path)
    for (const content of ["", "\n", "a", "a\r\n", "\uFEFFa\nb\n\n"]) {
      await directory.write("f", content)
      const result = await call(tool, { path: "f" })
      assert.strictEqual(textOf(result), content)
      assert.isUndefined(result.error)
    }
  })
  it("CT48, CT49: footers say where to go on, and of how many lines where that is known", async () => {
    await using directory = await makeDirectory()
    await directory.write("f", "1\n2\n3\n4\n5")
    const shown = async (args: object, options: object = {}) =>
      textOf(await call(createReadTool(directory.path, options), { path: "f", ...args }))
    assert.strictEqual(await shown({ limit: 2 }), "1\n2\n\n[3 more lines in file. Use offset=3 to continue.]")
    assert.strictEqual(
      await shown({ offset: 2 }, { maxLines: 2 }),
      "2\n3\n\n[Showing lines 2-3 of 5. Use offset=4 to continue.]"
    )
    assert.strictEqual(
      await shown({}, { maxBytes: 5 }),
      "1\n2\n\n[Showing lines 1-2 (5B limit). Use offset=3 to continue.]"
    )
    await directory.write("f", "x\n".repeat(100_000))
    assert.strictEqual(await shown({ limit: 1 }), "x\n\n[Showing lines 1-1. Use offset=2 to continue.]")
  })
  it("CT49: a backend may know the total of a page that was cut by bytes", async () => {
    const { operations } = backend({
      ...present,
      ...page({ content: "a\n", hasMore: true, nextOffset: 2, truncatedBy: "bytes", totalLines: 9 })
    })
    const text = textOf(await call(createReadTool("/", { operations }), { path: "f" }))
    assert.strictEqual(text, "a\n\n[Showing lines 1-1 of 9 (50.0KB limit). Use offset=2 to continue.]")
  })
  it("CT47: a first line that is too long is not shown, and its path is quoted for a shell", async () => {
    await using directory = await makeDirectory()
    const path = await directory.write("it's long", `a\n${"x".repeat(51_201)}\nb`)
    const result = await call(createReadTool(directory.path), { path: "it's long", offset: 2 })
    const quoted = `'${path.replace("'", String.raw`'\''`)}'`
    assert.strictEqual(
      textOf(result),
      `[Line 2 exceeds 50.0KB limit. Use the shell tool: sed -n '2p' ${quoted} | head -c 51200]`
    )
    assert.deepInclude(metadataOf(result).truncation as object, {
      firstLineExceedsLimit: true,
      outputLines: 0,
      truncated: true
    })
  })
  it("CT50: an offset behind the end is an error", async () => {
    await using directory = await makeDirectory()
    await directory.write("f", "a\n")
    const result = await call(createReadTool(directory.path), { path: "f", offset: 3 })
    assert.strictEqual(result.error?.message, "Offset 3 is beyond end of file (2 lines total)")
  })
  it("CT52: metadata tells what was cut and scanned; bytes that are no UTF-8 show as U+FFFD", async () => {
    await using directory = await makeDirectory()
    await directory.write("f", Buffer.from("61ff0a62", "hex"))
    const result = await call(createReadTool(directory.path), { path: "f" })
    assert.strictEqual(textOf(result), "a\uFFFD\nb")
    assert.deepStrictEqual(result.metadata, {
      truncation: {
        content: "a\uFFFD\nb",
        truncated: false,
        truncatedBy: null,
        totalLines: 2,
        totalLinesKnown: true,
        totalBytes: 4,
        totalBytesKnown: true,
        outputLines: 2,
        outputBytes: 6,
        lastLinePartial: false,
        firstLineExceedsLimit: false,
        maxLines: 2_000,
        maxBytes: 51_200
      },
      scannedBytes: 4
    })
  })
})
