import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { queuedFiles, withFileMutationQueue } from "../../src/agent/mutationQueue.ts"

let cwd: string
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "prism-queue-"))
  await mkdir(join(cwd, "real"))
  await symlink("real", join(cwd, "link"))
  await symlink("real/missing.txt", join(cwd, "dangling"))
})
afterEach(() => rm(cwd, { recursive: true, force: true }))

describe("withFileMutationQueue", () => {
  it("CT81: a failure, rejected or thrown, passes the turn on and leaves nothing in the queue", async () => {
    const path = join(cwd, "a")
    const failures = await Promise.allSettled([
      withFileMutationQueue(path, () => Promise.reject(new Error("first"))),
      withFileMutationQueue(path, () => {
        throw new Error("second")
      }),
      withFileMutationQueue(path, async () => "third")
    ])
    assert.deepStrictEqual(
      failures.map((settled) => (settled.status === "fulfilled" ? settled.value : settled.reason.message)),
      ["first", "second", "third"]
    )
    assert.strictEqual(queuedFiles(), 0)
  })

  it("CT80, CT81: changes of one file run one by one in order, whatever names the file", async () => {
    const spellings = ["real/new/a", "link/new/a", "real/../link/./new/a", "real/new/a"]
    const missing = ["dangling", "real/missing.txt", "link/missing.txt"]
    for (const names of [spellings, missing]) {
      const events: Array<string> = []
      await Promise.all(
        names.map((name, index) =>
          withFileMutationQueue(join(cwd, name), async () => {
            events.push(`begin ${index}`)
            await mkdir(join(cwd, "other"), { recursive: true })
            events.push(`end ${index}`)
          })
        )
      )
      assert.deepStrictEqual(
        events,
        names.flatMap((_, index) => [`begin ${index}`, `end ${index}`])
      )
    }
    assert.strictEqual(queuedFiles(), 0)
  })

  it("CT80: changes of different files do not wait for each other", async () => {
    let end = () => {}
    const first = withFileMutationQueue(join(cwd, "a"), () => new Promise<void>((resolve) => (end = resolve)))
    await withFileMutationQueue(join(cwd, "b"), async () => end())
    await first
    assert.strictEqual(queuedFiles(), 0)
  })
})
