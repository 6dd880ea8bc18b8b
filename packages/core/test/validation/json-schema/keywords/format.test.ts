import { assert, describe, it } from "@effect/vitest"
import { accepts, draft04, draft07, explains, refuses, rejection } from "../verdicts.ts"

describe("format", () => {
  it("is asserted in every dialect", () => {
    for (const dialect of [{}, { $schema: draft04 }, { $schema: draft07 }]) {
      accepts({ ...dialect, format: "date" }, "2024-02-29")
      refuses({ ...dialect, format: "date" }, "2023-02-29", "2024-2-1", "")
    }
  })

  it("looks at texts, or at numbers, alone", () => {
    accepts({ format: "ipv4" }, "127.0.0.1", 5, null, [], {})
    refuses({ format: "ipv4" }, "127.0.0.256")
    accepts({ format: "int32" }, 2_147_483_647, "2147483648", null)
    refuses({ format: "int32" }, 2_147_483_648, 0.5)
    refuses({ type: "integer", format: "int32" }, -2_147_483_649)
  })

  it("J12: says nothing under a name that is not known", () => {
    accepts({ format: "colour" }, "anything", "", 1)
    accepts({ format: "toString" }, "anything")
    accepts({ type: "string", format: "__proto__" }, "anything")
  })

  it("says the format and what came", () => {
    explains({ format: "uuid" }, "x", ['must be a valid uuid, got "x"'])
    explains({ format: "email" }, "x".repeat(90), ["must be a valid email, got a string of 90 characters"])
  })

  it("J12: must be a string", () => {
    for (const bad of [1, null, {}, true]) assert.strictEqual(rejection({ format: bad }), "#/format: must be a string")
  })
})
