import { assert, describe, it } from "@effect/vitest"
import { toolCallFromArgumentsText } from "../../src/provider/toolArguments.ts"

const read = (text: string) => toolCallFromArgumentsText("c", "t", text)

const object = (letter: string, count: number) => `{"a":"${letter.repeat(count)}"}`

describe("toolCallFromArgumentsText", () => {
  it("D9: text that is no JSON object is a blocked call, not a thrown turn", () => {
    for (const text of [
      "[1]",
      "null",
      "1",
      '"{}"',
      "true",
      "{",
      '{"a":',
      "{} {}",
      "{'a':1}",
      "undefined",
      "[".repeat(200_000)
    ]) {
      assert.deepEqual(read(text), {
        type: "tool_call",
        id: "c",
        name: "t",
        arguments: {},
        argumentsError: { message: "Tool arguments are not a JSON object", code: "invalid_json_arguments" }
      })
    }
  })

  it("D9: text of more than 1,048,576 bytes is a blocked call", () => {
    const tooLong = [object("x", 1_048_576 - 7), object("é", (1_048_576 - 8) / 2 + 1), " ".repeat(1_048_577)]
    for (const text of tooLong) {
      assert.deepEqual(read(text).argumentsError, {
        message: "Tool arguments exceed 1048576 bytes",
        code: "tool_arguments_too_large"
      })
      assert.deepEqual(read(text).arguments, {})
    }
    assert.isUndefined(read(object("x", 1_048_576 - 8)).argumentsError)
    assert.isUndefined(read(object("é", (1_048_576 - 8) / 2)).argumentsError)
  })

  it("D9: the refusal does not repeat the text", () => {
    assert.notInclude(JSON.stringify(read('{"password": hunter2')), "hunter2")
  })

  it("D9: empty or blank text means no arguments", () => {
    for (const text of ["", " ", "\n\t "]) {
      assert.deepEqual(read(text), { type: "tool_call", id: "c", name: "t", arguments: {} })
    }
  })

  it("D9: a JSON object is taken as it is", () => {
    assert.deepEqual(read(' {"a":[1,{"b":null}]} '), {
      type: "tool_call",
      id: "c",
      name: "t",
      arguments: { a: [1, { b: null }] }
    })
  })
})
