import { assert, describe, it } from "@effect/vitest"
import { providerView, ProviderView } from "../../src/input/providerView.ts"
import type { ContentBlock } from "../../src/schema/Content.ts"
import type { Message } from "../../src/schema/Message.ts"

const call = (id: string): ContentBlock => ({ type: "tool_call", id, name: "probe", arguments: {} })
const result = (id: string, value = `value of ${id}`): ContentBlock => ({
  type: "tool_result",
  toolCallId: id,
  name: "probe",
  result: value
})
const text = (value: string): ContentBlock => ({ type: "text", text: value })
const delta: ContentBlock = { type: "tool_call_delta", index: 0, argumentsText: "{" }

const user = (...content: Array<ContentBlock>): Message => ({ role: "user", content })
const assistant = (...content: Array<ContentBlock>): Message => ({ role: "assistant", content })
const tool = (...content: Array<ContentBlock>): Message => ({ role: "tool", content })
const missing = (id: string): Message => ({
  role: "tool",
  content: [
    {
      type: "tool_result",
      toolCallId: id,
      name: "probe",
      error: {
        message: "Tool call interrupted: no result was recorded; effects unknown",
        code: "ERR_PRISM_TOOL_RESULT_MISSING"
      }
    }
  ]
})

/** A message as a broken or hostile store may give it. */
const broken = (value: unknown): Message => value as Message

describe("providerView", () => {
  it("S17: a call without a result is answered with the interrupted error, at the end and in the middle", () => {
    const hi = user(text("hi"))
    assert.deepEqual(providerView([assistant(call("a"))]), [assistant(call("a")), missing("a")])
    assert.deepEqual(providerView([assistant(call("a"), call("b")), tool(result("b")), hi, assistant(text("ok"))]), [
      assistant(call("a"), call("b")),
      missing("a"),
      tool(result("b")),
      hi,
      assistant(text("ok"))
    ])
  })

  it("S17: a result without a call and a second result for a call are set aside", () => {
    assert.deepEqual(providerView([tool(result("x")), user(text("hi")), tool(result("y"))]), [user(text("hi"))])
    assert.deepEqual(
      providerView([assistant(call("a")), tool(result("a", "first")), tool(result("a", "second")), user(text("hi"))]),
      [assistant(call("a")), tool(result("a", "first")), user(text("hi"))]
    )
  })

  it("S17: a result behind the next assistant message does not answer, one behind a user message does", () => {
    const late = [assistant(call("a")), assistant(text("next")), tool(result("a"))]
    assert.deepEqual(providerView(late), [assistant(call("a")), missing("a"), assistant(text("next"))])
    const steered = [assistant(call("a")), user(text("hurry")), tool(result("a"))]
    assert.deepEqual(providerView(steered), [assistant(call("a")), tool(result("a")), user(text("hurry"))])
  })

  it("S17: an id that a later turn uses again is answered per turn", () => {
    assert.deepEqual(providerView([assistant(call("a")), user(text("?")), assistant(call("a")), tool(result("a"))]), [
      assistant(call("a")),
      missing("a"),
      user(text("?")),
      assistant(call("a")),
      tool(result("a"))
    ])
  })

  it("T30: results are put in the order of their calls and keep the blocks behind them", () => {
    const one = tool(result("a"), text("more of a"))
    const two = tool(result("b"))
    const asked = assistant(text("both"), call("a"), call("b"))
    const view = providerView([asked, two, one])
    assert.deepEqual(view, [asked, one, two])
    assert.strictEqual(view[1], one)
  })

  it("T30: several results in one message become one message each", () => {
    assert.deepEqual(
      providerView([assistant(call("a"), call("b")), tool(result("b"), text("b2"), result("a"), text("a2"))]),
      [assistant(call("a"), call("b")), tool(result("a"), text("a2")), tool(result("b"), text("b2"))]
    )
  })

  it("S17: calls of one message that share an id take the results in order", () => {
    assert.deepEqual(providerView([assistant(call("a"), call("a")), tool(result("a", "1")), tool(result("a", "2"))]), [
      assistant(call("a"), call("a")),
      tool(result("a", "1")),
      tool(result("a", "2"))
    ])
    assert.deepEqual(providerView([assistant(call("a"), call("a")), tool(result("a", "1"))]), [
      assistant(call("a"), call("a")),
      tool(result("a", "1")),
      missing("a")
    ])
  })

  it("D8: fragments of calls never get out, and a message that had nothing else is dropped", () => {
    assert.deepEqual(providerView([assistant(text("hm"), delta), assistant(delta), user(text("hi"))]), [
      assistant(text("hm")),
      user(text("hi"))
    ])
    assert.deepEqual(providerView([assistant(call("a")), tool(result("a"), delta)]), [
      assistant(call("a")),
      tool(result("a"))
    ])
  })

  it("S17: calls outside an assistant message and results outside a tool message are set aside", () => {
    const log = [user(text("hi"), call("a"), result("b")), assistant(text("ok"), result("c")), user(result("d"))]
    assert.deepEqual(providerView(log), [user(text("hi")), assistant(text("ok"))])
  })

  it("S17: hostile shapes do not throw", () => {
    const empty = assistant()
    const odd = broken({ role: "user", content: "just text" })
    const log = [empty, odd, broken(null), broken(3), broken(undefined), broken({ role: "tool", content: "x" })]
    assert.deepEqual(providerView(log), [empty, odd])
    assert.deepEqual(providerView([assistant(call("a"), broken(null) as never), tool(), broken(null)]), [
      assistant(call("a")),
      missing("a")
    ])
    const proto = [assistant(call("__proto__"), call("constructor")), tool(result("constructor"))]
    assert.deepEqual(providerView(proto), [
      assistant(call("__proto__"), call("constructor")),
      missing("__proto__"),
      tool(result("constructor"))
    ])
  })

  it("S58: a log that needs no repair is returned itself, and the log is never changed", () => {
    const clean = [user(text("hi")), assistant(call("a"), call("b")), tool(result("a")), tool(result("b")), assistant()]
    assert.strictEqual(providerView(clean), clean)
    const none: Array<Message> = []
    assert.strictEqual(providerView(none), none)
    const flawed = [assistant(call("b"), delta), tool(result("x")), user(text("hi"), delta)]
    const before = structuredClone(flawed)
    providerView(flawed)
    assert.deepEqual(flawed, before)
  })
})

/** Small random numbers from a seed, the same on every machine. */
const randomOf = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Logs of mostly regular exchanges, cut, doubled and mixed up, with few ids so that they clash. */
const randomLog = (random: (below: number) => number, length: number): Array<Message> => {
  const log: Array<Message> = []
  const ids = ["a", "b", "c", "d"]
  const id = () => ids[random(ids.length)] ?? "a"
  while (log.length < length) {
    const kind = random(12)
    if (kind < 5) {
      const asked = Array.from({ length: 1 + random(3) }, id)
      log.push(assistant(...(random(3) === 0 ? [text("t")] : []), ...asked.map(call)))
      const answered = random(4) === 0 ? asked.slice(random(asked.length)) : asked
      if (random(5) === 0) answered.reverse()
      for (const [at, each] of answered.entries()) {
        if (random(10) === 0) log.push(random(2) === 0 ? user(text("!")) : { role: "system", content: [text("s")] })
        log.push(tool(result(each, `${log.length}.${at}`), ...(random(4) === 0 ? [text("extra")] : [])))
      }
    } else if (kind < 7) log.push(user(text(`u${log.length}`)))
    else if (kind === 7) log.push(assistant(text(`a${log.length}`)))
    else if (kind === 8) log.push(tool(result(id(), `stray ${log.length}`)))
    else if (kind === 9) log.push(tool(result(id(), `x ${log.length}`), result(id(), `y ${log.length}`)))
    else if (kind === 10) log.push(random(2) === 0 ? assistant(delta) : user(text("u"), delta, call(id())))
    else log.push([assistant(), tool(), broken(null), broken({ role: "assistant", content: "x" })][random(4)] ?? tool())
  }
  return log
}

const blocks = (message: Message, type: ContentBlock["type"]): Array<ContentBlock> =>
  Array.isArray(message.content) ? message.content.filter((block) => block.type === type) : []

/** Fails unless every call has exactly one result directly after its message and nothing else is a result. */
const assertAccepted = (view: ReadonlyArray<Message>): void => {
  for (let at = 0; at < view.length;) {
    const message = view[at++] as Message
    assert.notStrictEqual(message.role, "tool")
    assert.deepEqual(blocks(message, "tool_result"), [])
    assert.deepEqual(blocks(message, "tool_call_delta"), [])
    if (message.role !== "assistant") assert.deepEqual(blocks(message, "tool_call"), [])
    for (const asked of blocks(message, "tool_call")) {
      const answer = view[at++]
      assert.strictEqual(answer?.role, "tool")
      const ids = blocks(answer as Message, "tool_result").map((block) => "toolCallId" in block && block.toolCallId)
      assert.deepEqual(ids, ["id" in asked && asked.id])
      assert.deepEqual(blocks(answer as Message, "tool_call_delta"), [])
    }
  }
}

describe("random logs", () => {
  it("S17: every call of a view has exactly one result directly after its message, and a view is its own view", () => {
    for (let seed = 1; seed <= 2000; seed++) {
      const log = randomLog(randomOf(seed), 14)
      const view = providerView(log)
      assertAccepted(view)
      assert.strictEqual(providerView(view), view)
    }
  })

  it("S17: a recorded result is left out only for want of a call", () => {
    for (let seed = 1; seed <= 500; seed++) {
      const random = randomOf(seed)
      const ids = Array.from({ length: 1 + random(5) }, (_, at) => `c${at}`)
      const recorded = ids.filter(() => random(3) > 0)
      const shuffled = recorded.toSorted(() => random(3) - 1)
      const view = providerView([
        assistant(...ids.map(call)),
        user(text("hi")),
        ...shuffled.map((id) => tool(result(id)))
      ])
      const expected = ids.map((id) => (recorded.includes(id) ? tool(result(id)) : missing(id)))
      assert.deepEqual(view, [assistant(...ids.map(call)), ...expected, user(text("hi"))])
    }
  })

  it("S58: the incremental view equals the pure one at every prefix", () => {
    for (let seed = 1; seed <= 1000; seed++) {
      const log = randomLog(randomOf(seed), 14)
      const view = new ProviderView()
      const history: Array<Message> = []
      for (const message of log) {
        history.push(message)
        assert.deepEqual(view.messages(history), providerView(history))
      }
    }
  })

  it("S58: the incremental view equals the pure one when the log is cut, changed or asked for now and then", () => {
    for (let seed = 1; seed <= 1000; seed++) {
      const random = randomOf(seed)
      const log = randomLog(random, 16)
      const view = new ProviderView()
      let history: Array<Message> = []
      for (const message of log) {
        history.push(message)
        const change = random(8)
        if (change === 0) history.length = random(history.length + 1)
        if (change === 1) history[history.length - 1] = user(text(`changed ${random(1000)}`))
        if (change === 2) history = history.slice()
        if (change < 6) assert.deepEqual(view.messages(history), providerView(history))
      }
    }
  })
})

describe("ProviderView", () => {
  it("S58: returns the history itself while nothing has to be repaired, and again once a result came", () => {
    const view = new ProviderView()
    const history: Array<Message> = [user(text("hi"))]
    assert.strictEqual(view.messages(history), history)
    history.push(assistant(call("a")))
    assert.deepEqual(view.messages(history), [user(text("hi")), assistant(call("a")), missing("a")])
    history.push(tool(result("a")))
    assert.strictEqual(view.messages(history), history)
    history.push(user(text("bye")))
    assert.strictEqual(view.messages(history), history)
  })

  it("S58: a message that was folded in is not looked at again", () => {
    const history: Array<Message> = []
    let reads = 0
    const counted = (role: Message["role"], content: ReadonlyArray<ContentBlock>): Message => ({
      role,
      get content() {
        reads += 1
        return content
      }
    })
    const view = new ProviderView()
    for (let at = 0; at < 100; at++) {
      history.push(counted("user", [text("hi")]), counted("assistant", [call("a")]))
      if (at % 2 === 0) history.push(counted("tool", [result("a")]))
      view.messages(history)
    }
    reads = 0
    history.push(counted("user", [text("hi")]), counted("assistant", [text("ok")]))
    view.messages(history)
    assert.isAtMost(reads, 30)
  })

  it("S26: another log in place of the first one is looked at anew", () => {
    const view = new ProviderView()
    view.messages([assistant(call("a")), assistant(text("x")), user(text("y"))])
    const other = [user(text("1")), user(text("2")), user(text("3")), user(text("4"))]
    assert.strictEqual(view.messages(other), other)
  })
})
