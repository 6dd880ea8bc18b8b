import { assert, describe, it } from "@effect/vitest"
import { StructuredOutputError } from "../../src/errors/StructuredOutputError.ts"
import { UnsupportedModalityError } from "../../src/errors/UnsupportedModalityError.ts"
import { assertModalities, assertStructuredOutput } from "../../src/provider/checkRequest.ts"
import type { ContentBlock } from "../../src/schema/Content.ts"
import type { Message } from "../../src/schema/Message.ts"
import type { ModelConfig } from "../../src/schema/Model.ts"

const model = (capabilities?: ModelConfig["capabilities"]): ModelConfig => ({ provider: "p", model: "m", capabilities })
const text: ContentBlock = { type: "text", text: "t" }
const media: ReadonlyArray<ContentBlock> = [
  { type: "image", url: "u" },
  { type: "audio", mediaType: "audio/wav" },
  { type: "file", mediaType: "text/plain" },
  { type: "document", mediaType: "application/pdf" }
]
const message = (role: Message["role"], ...content: ReadonlyArray<ContentBlock>): Message => ({ role, content })

const thrown = (run: () => void): unknown => {
  try {
    run()
  } catch (error) {
    return error
  }
  return "nothing"
}

describe("assertModalities", () => {
  it("D19: a media block that the declared input lacks is refused, in any message", () => {
    for (const block of media) {
      for (const role of ["user", "assistant", "tool", "system"] as const) {
        const messages = [message("user", text), message(role, text, block)]
        const error = thrown(() => assertModalities(model({ input: ["text"] }), messages))
        assert.instanceOf(error, UnsupportedModalityError)
        assert.strictEqual(error.name, "UnsupportedModalityError")
        assert.strictEqual(error.message, `Model p/m does not accept ${block.type} input`)
        assert.deepInclude(error, { modality: block.type, provider: "p", model: "m" })
      }
    }
    assert.instanceOf(
      thrown(() => assertModalities(model({ input: [] }), [message("user", ...media)])),
      Error
    )
    assert.instanceOf(
      thrown(() => assertModalities(model({ input: ["image"] }), [message("user", ...media)])),
      Error
    )
  })

  it("D19: what is declared passes, and other blocks are not media", () => {
    const other: ReadonlyArray<ContentBlock> = [
      text,
      { type: "thinking", text: "t" },
      { type: "tool_call", id: "c", name: "t", arguments: {} },
      { type: "tool_result", toolCallId: "c", name: "t" }
    ]
    assertModalities(model({ input: ["text", "image", "audio", "file", "document"] }), [message("user", ...media)])
    assertModalities(model({ input: [] }), [message("assistant", ...other), message("user")])
  })

  it("D19: no declaration means no check", () => {
    assertModalities(model(), [message("user", ...media)])
    assertModalities(model({ tools: true }), [message("user", ...media)])
  })
})

/** The code of the refusal; a host without types may hand over anything. */
const codeOf = (of: ModelConfig, name: unknown, schema: unknown): unknown => {
  const structuredOutput = { name, schema } as { name: string; schema: Record<string, never> }
  const error = thrown(() => assertStructuredOutput(of, { structuredOutput }))
  if (error === "nothing") return error
  assert.instanceOf(error, StructuredOutputError)
  assert.strictEqual(error.name, "StructuredOutputError")
  return error.code
}
const weighing = (bytes: number) => ({ d: "x".repeat(bytes - 8) })

describe("assertStructuredOutput", () => {
  const able = model({ structuredOutput: true })
  it("D20: a model that does not declare it is refused", () => {
    for (const of of [model(), model({}), model({ structuredOutput: false }), model({ output: ["json"] })]) {
      assert.strictEqual(codeOf(of, "n", {}), "unsupported_model")
    }
  })

  it("D20: a name that is empty or longer than 128 characters is refused", () => {
    for (const name of ["", " ", "n".repeat(129), undefined, 1])
      assert.strictEqual(codeOf(able, name, {}), "invalid_name")
    assert.strictEqual(codeOf(able, "n".repeat(128), {}), "nothing")
  })

  it("D20: a schema that is no JSON object is refused", () => {
    for (const schema of [undefined, null, true, [], "{}", { a: undefined }, JSON.parse('{"__proto__":1}')]) {
      assert.strictEqual(codeOf(able, "n", schema), "invalid_schema")
    }
  })

  it("D20: a schema of more than 65,536 bytes is refused, also one too deep to be written", () => {
    assert.strictEqual(codeOf(able, "n", weighing(65_537)), "schema_too_large")
    assert.strictEqual(codeOf(able, "n", { d: "é".repeat(32_765) }), "schema_too_large")
    let deep: object = {}
    for (let level = 0; level < 100_000; level++) deep = { a: deep }
    assert.strictEqual(codeOf(able, "n", deep), "schema_too_large")
    assert.strictEqual(codeOf(able, "n", weighing(65_536)), "nothing")
    assert.strictEqual(codeOf(able, "n", { d: "é".repeat(32_764) }), "nothing")
  })

  it("D20: without structured output nothing is asked of the model", () => {
    assertStructuredOutput(model(), undefined)
    assertStructuredOutput(model(), { sessionId: "s" })
    assertStructuredOutput(model({ structuredOutput: "json_schema" }), { structuredOutput: { name: "n", schema: {} } })
  })
})
