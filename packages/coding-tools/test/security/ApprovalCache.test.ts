import type { ExecutionAction } from "@arnilo/prism-core"
import { assert, describe, it } from "@effect/vitest"
import { createApprovalCache } from "../../src/security/ApprovalCache.ts"

const action = (command: string): ExecutionAction => ({
  kind: "shell",
  operation: "execute",
  paths: ["/secret"],
  command,
  metadata: { runId: "r" }
})

describe("createApprovalCache", () => {
  it("CS30: the 1,001st decision drops the first, and a hit does not make one younger", () => {
    const cache = createApprovalCache("run")
    for (let at = 0; at < 1_000; at += 1) cache.set(`${at}`, true)
    assert.isTrue(cache.get("0"))
    cache.set("999", false)
    assert.isTrue(cache.get("0"))
    cache.set("1000", true)
    assert.isUndefined(cache.get("0"))
    assert.isTrue(cache.get("1"))
    assert.isFalse(cache.get("999"))
  })

  it("CS27, CS30: a key is a digest of scope, identity and action, and holds nothing of them", () => {
    const cache = createApprovalCache("run")
    assert.strictEqual(cache.keyOf(action("ls")), "202df2fe0a3efc3de704fd2ebeefb745ce99a00b5edda8856051e88019c766e4")
    assert.notStrictEqual(cache.keyOf(action("ls")), cache.keyOf(action("ls ")))
    assert.isUndefined(createApprovalCache("none").keyOf(action("ls")))
    assert.isUndefined(createApprovalCache("session").keyOf(action("ls")))
  })
})
