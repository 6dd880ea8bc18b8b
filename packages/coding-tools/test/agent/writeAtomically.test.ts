import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { writeAtomically } from "../../src/agent/writeAtomically.ts"

let cwd: string
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "prism-atomic-"))
})
afterEach(() => rm(cwd, { recursive: true, force: true }))

const descriptors = async () => (await readdir("/proc/self/fd")).length

describe("writeAtomically", () => {
  it("CT62: an abort while it writes leaves the old file, no temporary one and no descriptor", async () => {
    const path = join(cwd, "a.txt")
    await writeFile(path, "old")
    const controller = new AbortController()
    const before = await descriptors()
    const writing = writeAtomically(path, "new".repeat(1_000_000), controller.signal)
    controller.abort()
    const message = await writing.then(
      () => "written",
      (error: Error) => error.message
    )
    assert.strictEqual(message, "Operation aborted")
    assert.strictEqual(await readFile(path, "utf8"), "old")
    assert.deepStrictEqual(await readdir(cwd), ["a.txt"])
    assert.strictEqual(await descriptors(), before)
  })

  it("CT62: a rename that fails leaves no temporary file and no descriptor", async () => {
    const path = join(cwd, "a.txt")
    const before = await descriptors()
    const writing = writeAtomically(path, "x".repeat(30_000_000))
    // Taken by a directory after it was looked at and before it is renamed over.
    while ((await readdir(cwd)).length === 0);
    await mkdir(path)
    assert.include(
      await writing.then(
        () => "written",
        (error: Error) => error.message
      ),
      "EISDIR"
    )
    assert.isTrue((await stat(path)).isDirectory())
    assert.deepStrictEqual(await readdir(cwd), ["a.txt"])
    assert.strictEqual(await descriptors(), before)
  })

  it("CT62: a reader sees the old content or the new one, never a part", async () => {
    const path = join(cwd, "a.txt")
    await writeFile(path, "a".repeat(2_000_000))
    const writing = writeAtomically(path, "b".repeat(2_000_000)).then(() => true)
    let isDone = false
    while (!isDone) {
      const content = await readFile(path, "utf8")
      assert.strictEqual(content.length, 2_000_000)
      assert.strictEqual(new Set([content[0], content.at(-1)]).size, 1)
      isDone = await Promise.race([writing, Promise.resolve(false)])
    }
    assert.strictEqual((await readFile(path, "utf8"))[0], "b")
  })
})
