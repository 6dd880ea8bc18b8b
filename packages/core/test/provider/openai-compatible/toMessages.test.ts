import { assert, describe, it } from "@effect/vitest"
import type { ContentBlock } from "../../../src/schema/Content.ts"
import type { Message } from "../../../src/schema/Message.ts"
import { toMessages } from "../../../src/provider/openai-compatible/toMessages.ts"
import { model } from "./loopback.ts"

const seeing = { ...model, capabilities: { input: ["text", "image"] } }
const user = (...content: ReadonlyArray<ContentBlock>): Message => ({ role: "user", content })
const assistant = (...content: ReadonlyArray<ContentBlock>): Message => ({ role: "assistant", content })
const tool = (...content: ReadonlyArray<ContentBlock>): Message => ({ role: "tool", content })
const text = (value: string): ContentBlock => ({ type: "text", text: value })

/** The message that a text and this block become. */
const seen = (block: ContentBlock) => toMessages(seeing, [user(text("see"), block)])[0]

const image = (url: string) => ({ type: "image_url" as const, image_url: { url } })
const seenAs = (url: string) => ({
  role: "user" as const,
  content: [{ type: "text" as const, text: "see" }, image(url)]
})

/** What a model is sent of a result with these fields, and with these blocks behind it. */
const content = (fields: object, ...more: ReadonlyArray<ContentBlock>) =>
  toMessages(model, [tool({ type: "tool_result", toolCallId: "c", name: "n", ...fields }, ...more)])[0]?.content

const shownResult = (id: string, url: string): Message =>
  tool({ type: "tool_result", toolCallId: id, name: "n", result: id }, { type: "image", url })

describe("toMessages", () => {
  it("P17.9: an image is refused unless the model declares image input", () => {
    const picture: ContentBlock = { type: "image", url: "https://example.test/a.png" }
    for (const refusing of [model, { ...model, capabilities: { input: ["text"] } }]) {
      assert.throws(
        () => toMessages(refusing, [user(picture)]),
        "Model openai-compatible/test-model does not accept image input"
      )
      assert.throws(
        () => toMessages(refusing, [tool({ type: "tool_result", toolCallId: "c", name: "n" }, picture)]),
        /image/
      )
    }
    assert.deepStrictEqual(toMessages(seeing, [user(picture)]), [
      { role: "user", content: [{ type: "image_url", image_url: { url: "https://example.test/a.png" } }] }
    ])
  })

  it("P17.9: audio, files and documents are refused, and so are images where they have no place", () => {
    const media: ReadonlyArray<ContentBlock> = [
      { type: "audio", mediaType: "audio/wav", data: "" },
      { type: "file", mediaType: "text/plain", data: "" },
      { type: "document", mediaType: "application/pdf", data: "" }
    ]
    for (const block of media) {
      const refusal = `does not accept ${block.type} input`
      assert.throws(() => toMessages(seeing, [user(text("a"), block)]), refusal)
      assert.throws(() => toMessages(seeing, [user({ type: "image", url: "u" }, block)]), refusal)
      assert.throws(
        () => toMessages(seeing, [tool({ type: "tool_result", toolCallId: "c", name: "n" }, block)]),
        refusal
      )
    }
    const picture: ContentBlock = { type: "image", url: "u" }
    assert.throws(() => toMessages(seeing, [assistant(picture)]), "does not accept image input")
    assert.throws(() => toMessages(seeing, [{ role: "system", content: [picture] }]), "does not accept image input")
  })

  it("P17.9: an image whose bytes or kind are unknown is refused", () => {
    assert.throws(() => toMessages(seeing, [user({ type: "image", resourceUri: "file:///a" })]), "needs data or a url")
    assert.throws(() => toMessages(seeing, [user({ type: "image", data: "AAAA" })]), "needs a mimeType")
  })

  it("P17.9: image data becomes a data URL, its kind taken from the bytes when it is not told", () => {
    assert.deepStrictEqual(
      seen({ type: "image", data: "AAAA", mimeType: "image/avif" }),
      seenAs("data:image/avif;base64,AAAA")
    )
    for (const [data, kind] of [
      ["iVBORw0KGgoAAA", "png"],
      ["/9j/4AAQ", "jpeg"],
      ["R0lGODlh", "gif"],
      ["UklGRiQA", "webp"]
    ] as const) {
      assert.deepStrictEqual(seen({ type: "image", data }), seenAs(`data:image/${kind};base64,${data}`))
    }
  })

  it("P17.9: an exchange keeps its order, its calls and its results; thinking and live fragments are dropped", () => {
    const wire = toMessages(model, [
      { role: "system", content: [text("a"), text("b")] },
      user(text("q1"), text("q2")),
      assistant(
        { type: "thinking", text: "hm" },
        text("well"),
        { type: "tool_call_delta", index: 0 },
        { type: "tool_call", id: "c1", name: "look", arguments: { at: [1, { b: null }] } },
        { type: "tool_call", id: "c2", name: "look", arguments: {}, argumentsError: { message: "cut" } }
      ),
      tool({ type: "tool_result", toolCallId: "c1", name: "look", result: { found: true } }),
      tool({ type: "tool_result", toolCallId: "c2", name: "look", error: { message: "cut", code: "invalid" } }),
      assistant(text("done"))
    ])
    assert.deepStrictEqual(wire, [
      { role: "system", content: "a\nb" },
      { role: "user", content: "q1\nq2" },
      {
        role: "assistant",
        content: "well",
        tool_calls: [
          { id: "c1", type: "function", function: { name: "look", arguments: '{"at":[1,{"b":null}]}' } },
          { id: "c2", type: "function", function: { name: "look", arguments: "{}" } }
        ]
      },
      { role: "tool", tool_call_id: "c1", content: '{"found":true}' },
      { role: "tool", tool_call_id: "c2", content: '{"message":"cut","code":"invalid"}' },
      { role: "assistant", content: "done" }
    ])
  })

  it("P17.9: calls without text have null content, and an assistant message that holds nothing is left out", () => {
    const wire = toMessages(model, [
      assistant({ type: "tool_call", id: "c", name: "look", arguments: {} }),
      assistant({ type: "thinking", text: "hm" }),
      assistant()
    ])
    assert.deepStrictEqual(wire, [
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c", type: "function", function: { name: "look", arguments: "{}" } }]
      }
    ])
  })

  it("P17.9: a result is the JSON of its value, else of its error, else null", () => {
    assert.strictEqual(content({ result: "text" }), '"text"')
    assert.strictEqual(content({ result: 0 }), "0")
    assert.strictEqual(content({ result: false, error: { message: "e" } }), "false")
    assert.strictEqual(content({ result: null, error: { message: "e" } }), '{"message":"e"}')
    assert.strictEqual(content({}), "null")
    assert.strictEqual(content({ result: () => 1 }), "null")
  })

  it("P17.9: the text that a tool shows the model reaches it, once", () => {
    assert.strictEqual(content({}, text("line 1"), text("line 2")), "line 1\nline 2")
    assert.strictEqual(content({ error: { message: "e" } }, text("why")), '{"message":"e"}\nwhy')
    assert.strictEqual(content({ result: { a: 1 } }, text('{"a":1}')), '{"a":1}')
    assert.strictEqual(content({ result: "same" }, text("same")), '"same"')
  })

  it("P17.9: images of results follow all results of the turn", () => {
    assert.deepStrictEqual(toMessages(seeing, [shownResult("a", "u1"), shownResult("b", "u2"), user(text("q"))]), [
      { role: "tool", tool_call_id: "a", content: '"a"' },
      { role: "tool", tool_call_id: "b", content: '"b"' },
      { role: "user", content: [image("u1"), image("u2")] },
      { role: "user", content: "q" }
    ])
    assert.deepStrictEqual(toMessages(seeing, [shownResult("a", "u1")]).at(-1), {
      role: "user",
      content: [image("u1")]
    })
  })
})
