import { assert, describe, it } from "@effect/vitest"
import { isSessionAppendConflict, SessionAppendConflictError } from "../../src/errors/SessionAppendConflictError.ts"

describe("SessionAppendConflictError", () => {
  it("P9: an error is no conflict by its text or name, only by its code", () => {
    const named = Object.assign(new Error("session_append_conflict"), { name: "SessionAppendConflictError" })
    for (const other of [named, undefined, null, "session_append_conflict", { code: "other" }]) {
      assert.isFalse(isSessionAppendConflict(other))
    }
    assert.isTrue(isSessionAppendConflict({ code: "session_append_conflict" }))
    assert.isTrue(isSessionAppendConflict(new SessionAppendConflictError({ expectedParentId: "e1" })))
  })

  it("P9, P11: carries code and conflict", () => {
    const error = new SessionAppendConflictError({ expectedParentId: "e1", currentLeafId: "e9" })
    assert.instanceOf(error, Error)
    assert.strictEqual(error.name, "SessionAppendConflictError")
    assert.strictEqual(error.code, "session_append_conflict")
    assert.deepEqual(error.conflict, { code: "session_append_conflict", expectedParentId: "e1", currentLeafId: "e9" })
    assert.include(error.message, "e1")
    const repeat = new SessionAppendConflictError({ idempotencyDuplicate: true })
    assert.deepEqual(repeat.conflict, { code: "session_append_conflict", idempotencyDuplicate: true })
  })
})
