import { assert, describe, it } from "@effect/vitest"
import { localReadOperations } from "../../src/agent/ReadOperations.ts"
import { createReadTool } from "../../src/agent/readTool.ts"
import { call, makeDirectory, textOf } from "./readFixtures.ts"

describe("localReadOperations", () => {
  it("CT20: never yields more than the cap, also of a file that has no size", async () => {
    await using directory = await makeDirectory()
    const path = await directory.write("f", "x".repeat(10))
    const refused = await localReadOperations.readFile(path, { maxBytes: 9 }).catch(String)
    assert.include(refused, "File is 10B, exceeds 9B limit.")
    assert.strictEqual((await localReadOperations.readFile(path, { maxBytes: 10 })).toString(), "x".repeat(10))
    const grows = await localReadOperations.readFile("/proc/self/status", { maxBytes: 100 }).catch(String)
    assert.include(grows, "exceeds 100B limit.")
    assert.include((await localReadOperations.readFile("/proc/self/status", { maxBytes: 100_000 })).toString(), "Pid:")
  })
  it("CT20: a text file that says it has no size is read to its end", async () => {
    assert.include(textOf(await call(createReadTool("/"), { path: "/proc/self/status" })), "Pid:")
  })
})
