import { assert, describe, it } from "@effect/vitest"
import { ProviderError } from "../../../src/errors/ProviderError.ts"
import { ChatReader } from "../../../src/provider/openai-compatible/fromStream.ts"
import type { ProviderEvent } from "../../../src/schema/ProviderEvent.ts"
import { chunk, DONE, sse, text } from "./loopback.ts"

const encoder = new TextEncoder()

const readerOf = () => {
  const events: Array<ProviderEvent> = []
  const reader = new ChatReader({
    id: "test",
    write: (event) => events.push(event),
    redact: (words) => words.replaceAll("secret", "[REDACTED]")
  })
  return { events, reader }
}

/** The events of a stream in these pieces, and what it failed with. */
const read = (...pieces: ReadonlyArray<string | Uint8Array>) => {
  const { events, reader } = readerOf()
  const error = failureOf(() => {
    for (const piece of pieces) reader.push(typeof piece === "string" ? encoder.encode(piece) : piece)
    reader.end()
  })
  return { events, error, usage: reader.usage }
}

const readDocument = (value: unknown) => {
  const { events, reader } = readerOf()
  const error = failureOf(() =>
    reader.readDocument(encoder.encode(typeof value === "string" ? value : JSON.stringify(value)))
  )
  return { events, error }
}

const failureOf = (run: () => void) => {
  try {
    run()
  } catch (error) {
    if (error instanceof ProviderError) return error.error
    throw error
  }
  return undefined
}

const stop = chunk({}, "stop")
const done: ProviderEvent = { type: "done" }

const thinking = (words: string): ProviderEvent => ({
  type: "content_delta",
  content: { type: "thinking", text: words }
})

const usageOf = (usage: unknown) => read(chunk({}, "stop"), sse({ choices: [], usage }), DONE).events

const counted = (completion_tokens: number) => sse({ choices: [], usage: { completion_tokens } })

const answer = (finish_reason: string | null) => ({
  object: "chat.completion",
  choices: [
    {
      index: 0,
      message: {
        role: "assistant",
        content: "a",
        tool_calls: [{ id: "c", type: "function", function: { name: "n", arguments: "{}" } }]
      },
      finish_reason
    }
  ],
  usage: { total_tokens: 1 }
})

const incomplete = (missing: string) => ({
  message: `test stream ended without ${missing}`,
  code: "incomplete_stream"
})

const said = (content: string): string => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`

/** An event of so many bytes of data, filled with the letter. */
const sized = (bytes: number, letter: string): string => {
  const empty = encoder.encode(JSON.stringify({ choices: [{ delta: { content: "" } }] })).length
  return said(letter.repeat((bytes - empty) / encoder.encode(letter).length))
}

describe("ChatReader", () => {
  it("P17.5: a stream without a finish reason, or without [DONE], is never done", () => {
    assert.deepStrictEqual(read(chunk({ content: "a" }), DONE), {
      events: [text("a")],
      error: incomplete("a finish reason"),
      usage: undefined
    })
    assert.deepStrictEqual(read(chunk({ content: "a" }), stop), {
      events: [text("a")],
      error: incomplete("[DONE]"),
      usage: undefined
    })
    assert.deepStrictEqual(read().error, incomplete("a finish reason"))
    assert.deepStrictEqual(read("<html>no stream</html>").error, incomplete("a finish reason"))
  })

  it("P17.5: a stream that is cut at any byte before its end is never done", () => {
    const whole = encoder.encode(chunk({ content: "aé😀" }) + stop + DONE)
    const lastByteThatMatters = whole.length - "\n\n".length
    for (let end = 0; end < lastByteThatMatters; end += 1) {
      const { error, events } = read(whole.subarray(0, end))
      assert.strictEqual(error?.code, "incomplete_stream", `cut at ${end}`)
      assert.notDeepInclude(events, done)
    }
    assert.deepStrictEqual(read(whole.subarray(0, lastByteThatMatters)).events, [text("aé😀"), done])
  })

  it("P17.5: nothing after [DONE] is read", () => {
    const { error, events } = read(
      chunk({ content: "a" }),
      stop + DONE + chunk({ content: "b" }) + DONE,
      "data: {nonsense\n\n"
    )
    assert.deepStrictEqual({ error, events }, { error: undefined, events: [text("a"), done] })
  })

  it("P17.5: a finish reason of error fails the turn", () => {
    assert.deepStrictEqual(read(chunk({}, "error"), DONE).error, {
      message: "test stream failed: finish reason error",
      code: "error"
    })
  })

  it("P17.4, P17.5: an error inside the stream fails the turn with its message and code", () => {
    const failure = (value: unknown) => read(sse(value), stop, DONE).error
    assert.deepStrictEqual(failure({ error: { message: "busy", code: "429", type: "x" } }), {
      message: "test stream failed: busy",
      code: 429
    })
    assert.deepStrictEqual(failure({ error: { message: "busy", code: null, type: "overloaded" } }), {
      message: "test stream failed: busy",
      code: "overloaded"
    })
    assert.deepStrictEqual(failure({ error: "words" }), { message: "test stream failed: words" })
    assert.deepStrictEqual(failure({ error: { odd: 1 } }), { message: 'test stream failed: {"odd":1}' })
    assert.deepStrictEqual(failure({ choices: [{ error: { message: "cut", code: 502 } }] }), {
      message: "test stream failed: cut",
      code: 502
    })
    assert.deepStrictEqual(failure({ object: "error", message: "old", code: 400 }), {
      message: "test stream failed: old",
      code: 400
    })
    assert.deepStrictEqual(read('event: error\ndata: {"message":"named"}\n\n').error, {
      message: "test stream failed: named"
    })
    assert.isUndefined(failure({ error: null, choices: [] }))
  })

  it("P17.5: malformed JSON and malformed chunks fail the turn and quote a piece of it, without secrets", () => {
    assert.deepStrictEqual(read("data: {secret\n\n").error, {
      message: "test sent malformed JSON: {[REDACTED]",
      code: "malformed_chunk"
    })
    const long = read(`data: ${"x".repeat(1_000)}\n\n`).error
    assert.strictEqual(long?.message, `test sent malformed JSON: ${"x".repeat(300)}`)
    for (const value of [
      1,
      null,
      [],
      "text",
      { choices: 1 },
      { choices: [1] },
      { choices: [{ delta: { content: 1 } }] }
    ]) {
      assert.strictEqual(read(sse(value)).error?.code, "malformed_chunk", JSON.stringify(value))
    }
  })

  it("P17.6: an event of more than 262,144 bytes fails the turn, in one line or many", () => {
    const tooLarge = { message: "test sent an event of more than 262144 bytes", code: "event_too_large" }
    assert.isUndefined(read(sized(262_144, "x"), stop, DONE).error)
    assert.deepStrictEqual(read(sized(262_145, "x"), stop, DONE).error, tooLarge)
    assert.deepStrictEqual(read(sized(262_146, "é"), stop, DONE).error, tooLarge)
    assert.deepStrictEqual(read(`${`data: ${"x".repeat(90_000)}\n`.repeat(3)}\n`).error, tooLarge)
  })

  it("P17.6: an event that never ends fails the turn after 524,288 bytes, whatever it is made of", () => {
    for (const start of ["data: ", "data: x\ndata: ", ": ", "event: "]) {
      const { events, reader } = readerOf()
      const piece = encoder.encode("x".repeat(1_024))
      reader.push(encoder.encode(start))
      for (let fed = 0; fed < 511; fed += 1) reader.push(piece)
      assert.deepStrictEqual(
        failureOf(() => {
          reader.push(piece)
          reader.push(piece)
        }),
        { message: "test sent an event of more than 524288 bytes", code: "event_too_large" }
      )
      assert.deepStrictEqual(events, [])
    }
  })

  it("P17.6: malformed UTF-8 fails the turn", () => {
    for (const bytes of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf0, 0x82, 0x82, 0xac]]) {
      const { error, events } = read(
        'data: {"choices":[{"delta":{"content":"',
        new Uint8Array(bytes),
        '"}}]}\n\n',
        stop,
        DONE
      )
      assert.deepStrictEqual(error, { message: "test sent malformed UTF-8", code: "malformed_utf8" })
      assert.deepStrictEqual(events, [])
    }
  })

  it("P17.6: line ends, comments, other fields and data in several lines are read as the standard says", () => {
    const event =
      '\uFEFF: hello\nid: 1\nretry: 10\nevent: chunk\ndata: {"choices":\ndata:[{"delta":{"content":"a"}}]}\n\n'
    const rest = `: energy {"joules":1}\n\n${stop}${DONE}`
    for (const end of ["\n", "\r\n", "\r"]) {
      const all = (event + rest).replaceAll("\n", end)
      assert.deepStrictEqual(read(all), { events: [text("a"), done], error: undefined, usage: undefined })
      assert.deepStrictEqual(read(...all.split("")).events, [text("a"), done])
    }
  })

  it("P17.6: a stream in pieces of one byte, or cut anywhere, is the same stream", () => {
    const bytes = encoder.encode(chunk({ content: "é€😀" }) + chunk({ content: "\u2028" }) + stop + DONE)
    const events = [text("é€😀"), text("\u2028"), done]
    assert.deepStrictEqual(read(...Array.from(bytes, (byte) => new Uint8Array([byte]))).events, events)
    for (let at = 0; at <= bytes.length; at += 1) {
      assert.deepStrictEqual(read(bytes.subarray(0, at), bytes.subarray(at)).events, events, `cut at ${at}`)
    }
  })

  it("P17.7: calls come after the stream, before usage and done; deltas as they arrive", () => {
    const { error, events } = read(
      chunk({
        content: null,
        tool_calls: [{ index: 0, id: "a", type: "function", function: { name: "n", arguments: "" } }]
      }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: '{"x":1}' } }] }),
      chunk({ content: "after" }),
      chunk({}, "tool_calls"),
      sse({ choices: [], usage: { prompt_tokens: 3 } }),
      DONE
    )
    assert.isUndefined(error)
    assert.deepStrictEqual(events, [
      { type: "tool_call_delta", index: 0, id: "a", name: "n", argumentsText: "" },
      { type: "tool_call_delta", index: 0, argumentsText: '{"x":1}' },
      text("after"),
      { type: "tool_call", call: { type: "tool_call", id: "a", name: "n", arguments: { x: 1 } } },
      { type: "usage", usage: { inputTokens: 3 } },
      { type: "done", usage: { inputTokens: 3 } }
    ])
  })

  it("D10, P17.7: an incomplete call fails the turn and hands over no call at all", () => {
    const { error, events } = read(
      chunk(
        {
          tool_calls: [
            { index: 0, id: "a", function: { name: "n", arguments: "{}" } },
            { index: 1, id: "b" }
          ]
        },
        "tool_calls"
      ),
      DONE
    )
    assert.strictEqual(error?.code, "incomplete_delta")
    assert.deepStrictEqual(
      events.map(({ type }) => type),
      ["tool_call_delta", "tool_call_delta"]
    )
  })

  it("D9: finish reasons length and content_filter block the call that was being written", () => {
    for (const reason of ["length", "content_filter"]) {
      const { events } = read(
        chunk({ tool_calls: [{ index: 0, id: "a", function: { name: "n", arguments: "{}" } }] }, reason),
        DONE
      )
      const last = events.at(-2)
      assert.strictEqual(last?.type === "tool_call" ? last.call.argumentsError?.code : "", "invalid_json_arguments")
    }
  })

  it("D10: the older form of a single function call fails the turn instead of being lost", () => {
    const { error } = read(chunk({ function_call: { name: "n", arguments: "{}" } }, "function_call"), DONE)
    assert.strictEqual(error?.code, "incomplete_delta")
  })

  it("P17.7: what a call was cut off in is not known before the end, so a broken stream hands over no call", () => {
    const { error, events } = read(
      chunk({ tool_calls: [{ index: 0, id: "a", function: { name: "n", arguments: "{}" } }] })
    )
    assert.strictEqual(error?.code, "incomplete_stream")
    assert.strictEqual(events.length, 1)
  })

  it("P17.8: what is not reported stays absent, and what is no count is not reported", () => {
    const all = {
      prompt_tokens: 10,
      completion_tokens: 0,
      total_tokens: 10,
      prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 }
    }
    const usage = { inputTokens: 10, outputTokens: 0, totalTokens: 10, cacheReadTokens: 4, cacheWriteTokens: 2 }
    assert.deepStrictEqual(usageOf(all), [
      { type: "usage", usage },
      { type: "done", usage }
    ])
    assert.deepStrictEqual(usageOf({ prompt_tokens: 1, prompt_tokens_details: null }).at(-1), {
      type: "done",
      usage: { inputTokens: 1 }
    })
    assert.deepStrictEqual(usageOf({ prompt_tokens: "1", completion_tokens: -1, total_tokens: null }).at(-1), {
      type: "done",
      usage: {}
    })
    assert.deepStrictEqual(usageOf(null), [done])
  })

  it("P17.8: usage that is reported with every chunk is told once, as it was last", () => {
    assert.deepStrictEqual(read(counted(1), counted(2), stop, counted(3), DONE).events, [
      { type: "usage", usage: { outputTokens: 3 } },
      { type: "done", usage: { outputTokens: 3 } }
    ])
  })

  it("P17.7: text, thoughts and refusals are told in order; empty ones, roles and other choices are not", () => {
    const { events } = read(
      chunk({ role: "assistant", content: "" }),
      chunk({ reasoning: "a", reasoning_content: "a" }),
      chunk({ reasoning: "b", content: null }),
      chunk({ reasoning_content: "c", content: "d" }),
      chunk({ content: [{ type: "text", text: "e" }, { type: "image_url" }, { type: "text", text: "f" }, null] }),
      chunk({ refusal: "g" }),
      sse({ choices: [{ index: 1, delta: { content: "other" } }] }),
      sse({
        choices: [{ delta: { content: "no index" }, finish_reason: null, extra: { unknown: true } }],
        unknown: []
      }),
      sse({ choices: [{ index: 0, delta: null }] }),
      sse({}),
      stop,
      DONE
    )
    assert.deepStrictEqual(events, [
      thinking("a"),
      thinking("b"),
      thinking("c"),
      text("d"),
      text("ef"),
      text("g"),
      text("no index"),
      done
    ])
  })

  it("P17.5: a whole answer in one document is done with a finish reason, else it failed", () => {
    assert.strictEqual(readDocument(answer(null)).error?.code, "incomplete_stream")
    assert.strictEqual(readDocument("{").error?.code, "malformed_chunk")
    assert.strictEqual(readDocument("").error?.code, "malformed_chunk")
    assert.deepStrictEqual(readDocument({ error: { message: "no", code: 400 } }).error, {
      message: "test stream failed: no",
      code: 400
    })
    const { error, events } = readDocument(answer("tool_calls"))
    assert.isUndefined(error)
    assert.deepStrictEqual(events, [
      text("a"),
      { type: "tool_call_delta", index: 0, id: "c", name: "n", argumentsText: "{}" },
      { type: "tool_call", call: { type: "tool_call", id: "c", name: "n", arguments: {} } },
      { type: "usage", usage: { totalTokens: 1 } },
      { type: "done", usage: { totalTokens: 1 } }
    ])
  })
})
