import { McpBridgeClosedError } from "@arnilo/prism-mcp"
import { dispatchToolCall, createSecretRedactor, createToolRegistry } from "@arnilo/prism-core"
import { createJsonSchemaToolArgumentValidator } from "@arnilo/prism-core/validation/json-schema"
import { assert, describe, it } from "@effect/vitest"
import { attachPeer, call, context, type Peer, silence, tool } from "./fixtures/peer.ts"

const text = (line: string) => ({ content: [{ type: "text", text: line }] })

const one = (answer: (params: any, message: any) => unknown, options = {}, definition = {}) =>
  attachPeer({ "tools/list": () => ({ tools: [tool("x", definition), tool("y")] }), "tools/call": answer }, options)

const cancelled = ({ received }: Peer) => received.filter(({ method }) => method === "notifications/cancelled")
const calls = ({ received }: Peer) => received.filter(({ method }) => method === "tools/call")

/** Until what the other side was sent has arrived. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

describe("a call", () => {
  it("M15: sends the remote name and the arguments", async () => {
    const { bridge, peer } = await one(() => text("ok"))
    await call(bridge, "x", { a: [1] })
    const [sent] = calls(peer)
    assert.strictEqual(sent?.params.name, "x")
    assert.deepStrictEqual(sent?.params.arguments, { a: [1] })
  })

  it("M15: permission and validation come before, in core's dispatch", async () => {
    const { bridge, peer } = await one(() => text("ok"), {}, { inputSchema: { type: "object", required: ["id"] } })
    const result = await dispatchToolCall({
      call: { type: "tool_call", id: "c", name: "mcp:s:x", arguments: {} },
      registry: createToolRegistry(bridge.tools),
      context: context(),
      validate: createJsonSchemaToolArgumentValidator()
    } as never)
    assert.include(result.error?.message ?? "", "id")
    assert.deepStrictEqual(calls(peer), [])
  })

  it("M16: gives content, structured content and where they come from", async () => {
    const { bridge } = await one(() => ({ ...text("é"), structuredContent: { n: 1 } }))
    assert.deepStrictEqual(await call(bridge, "x"), {
      name: "mcp:s:x",
      toolCallId: "call",
      content: [{ type: "text", text: "é" }],
      value: { n: 1 },
      metadata: { mcp: { serverId: "s", remoteName: "x", bytesUsed: 2, truncated: false } }
    })
  })

  it("M16: a legacy result is a value without content", async () => {
    const { bridge } = await one(() => ({ toolResult: [1] }))
    const { content, value } = await call(bridge, "x")
    assert.deepStrictEqual({ content, value }, { content: undefined, value: [1] })
  })

  it("M16: an error of the tool keeps its content", async () => {
    const { bridge } = await one(() => ({ ...text("no such file"), isError: true }))
    const { content, error } = await call(bridge, "x")
    assert.deepStrictEqual(error, { name: "McpToolError", code: "ERR_PRISM_MCP_TOOL", message: "no such file" })
    assert.deepStrictEqual(content, [{ type: "text", text: "no such file" }])
  })

  it("M16: an error of the protocol has neither content nor value", async () => {
    const { bridge } = await one(() => {
      throw new Error("boom")
    })
    const { content, error, value } = await call(bridge, "x")
    assert.include(error.message, "boom")
    assert.deepStrictEqual({ content, value }, { content: undefined, value: undefined })
  })

  it.each([null, 7, [], "text", {}, { content: {} }, { content: "text" }])("M16: %j is no result", async (raw) => {
    const { bridge } = await one(() => raw)
    const { content, error } = await call(bridge, "x")
    assert.strictEqual(error.code, "ERR_PRISM_MCP_TOOL")
    assert.isUndefined(content)
    // The connection is none the worse for it.
    assert.strictEqual(bridge.health.state, "ready")
  })

  it("M6: structured content that does not match its output schema is an error that names the place", async () => {
    const outputSchema = { type: "object", properties: { list: { type: "array", items: { type: "number" } } } }
    const { bridge } = await one(
      ({ arguments: args }) => ({ content: [], ...(args.value !== undefined && { structuredContent: args.value }) }),
      {},
      { outputSchema }
    )
    assert.deepStrictEqual((await call(bridge, "x", { value: { list: [1] } })).value, { list: [1] })
    const { error, value } = await call(bridge, "x", { value: { list: [1, "two"] } })
    assert.include(error.message, "does not match its output schema at #/list/1")
    assert.isUndefined(value)
    assert.include((await call(bridge, "x")).error.message, "returned no structured content")
  })

  it.each([
    ["bytes", { maxResultBytes: 100 }, text("secret".repeat(20)), /exceeds 100 bytes/],
    [
      "bytes of structured content",
      { maxResultBytes: 100 },
      { content: [], structuredContent: { a: "secret".repeat(20) } },
      /100 bytes/
    ],
    [
      "bytes of what is not mapped",
      { maxResultBytes: 100 },
      { ...text("secret"), _meta: { a: "x".repeat(100) } },
      /100 bytes/
    ],
    ["depth", { maxJsonDepth: 3 }, { ...text("secret"), structuredContent: [[[[1]]]] }, /exceeds 3 depth/],
    [
      "properties",
      { maxJsonProperties: 8 },
      { ...text("secret"), structuredContent: [1, 2, 3, 4] },
      /exceeds 8 properties/
    ],
    ["numbers", {}, { ...text("secret"), structuredContent: Number.NaN }, /not JSON at \/structuredContent/]
  ])(
    "M17, M18: too many %s: an error without a word of the result, and the bridge is closed",
    async (_, limits, raw, message) => {
      const { bridge, peer } = await one(() => raw, limits)
      const result = await call(bridge, "x")
      assert.match(result.error.message, message)
      assert.notInclude(JSON.stringify(result), "secret")
      assert.deepStrictEqual(Object.keys(result).toSorted(), ["error", "metadata", "name", "toolCallId"])
      assert.throws(() => bridge.tools, McpBridgeClosedError)
      assert.isTrue(peer.isClosed)
    }
  )

  it("M18: other calls in flight settle as errors", async () => {
    const { bridge } = await one(({ name }) => (name === "x" ? silence : text("z".repeat(200))), {
      maxResultBytes: 100
    })
    const waiting = call(bridge, "x")
    await call(bridge, "y")
    assert.include((await waiting).error.message, "exceeds 100 bytes")
  })

  it("M18: with onCallFailure cancel only that call ends, and the server is told", async () => {
    const { bridge, peer } = await one(
      ({ arguments: args, name }) =>
        name === "y" ? text("fine") : args.hang === true ? silence : text("z".repeat(200)),
      { maxResultBytes: 100, callTimeoutMs: 30, onCallFailure: "cancel" }
    )
    assert.include((await call(bridge, "x")).error.message, "100 bytes")
    assert.include((await call(bridge, "x", { hang: true })).error.message, "timed out after 30ms")
    await settle()
    assert.strictEqual(cancelled(peer)[0]?.params.requestId, calls(peer)[1]?.id)
    assert.isUndefined((await call(bridge, "y")).error)
    assert.strictEqual(bridge.health.state, "ready")
  })

  it("M19: a timeout is a bounded error and closes the bridge; progress does not put it off", async () => {
    const { bridge, peer } = await one(
      ({ _meta }) => {
        const timer = setInterval(() => {
          if (peer.isClosed) clearInterval(timer)
          else
            peer.send({
              jsonrpc: "2.0",
              method: "notifications/progress",
              params: { progressToken: _meta.progressToken, progress: 1 }
            })
        }, 5)
        return silence
      },
      { callTimeoutMs: 60 }
    )
    const start = performance.now()
    const { error } = await call(bridge, "x", {}, { progress: () => undefined })
    assert.include(error.message, "timed out after 60ms")
    assert.isBelow(performance.now() - start, 2_000)
    assert.isTrue(peer.isClosed)
    await call(bridge, "y").then(
      () => assert.fail("was not refused"),
      (refused: unknown) => assert.instanceOf(refused, McpBridgeClosedError)
    )
  })

  it("M20: an abort is an error at once, the server is told, and the bridge stays open", async () => {
    const { bridge, peer } = await one(({ name }) => (name === "x" ? silence : text("fine")))
    const stop = new AbortController()
    const waiting = call(bridge, "x", {}, { signal: stop.signal })
    await settle()
    stop.abort(new Error("private reason"))
    assert.include((await waiting).error.message, "aborted")
    await settle()
    assert.strictEqual(cancelled(peer)[0]?.params.requestId, calls(peer)[0]?.id)
    assert.notInclude(JSON.stringify(peer.received), "private reason")
    assert.isUndefined((await call(bridge, "y")).error)
  })

  it("M20: nothing is sent under a signal that is aborted already", async () => {
    const { bridge, peer } = await one(() => text("no"))
    const { error } = await call(bridge, "x", {}, { signal: AbortSignal.abort() })
    assert.include(error.message, "aborted")
    assert.deepStrictEqual(calls(peer), [])
  })

  it("M20: a call leaves no listener on the signal", async () => {
    const { bridge } = await one(() => text("ok"))
    const { signal } = new AbortController()
    let listeners = 0
    const { addEventListener, removeEventListener } = signal
    signal.addEventListener = (...args: [any, any]) => {
      listeners++
      addEventListener.apply(signal, args)
    }
    signal.removeEventListener = (...args: [any, any]) => {
      listeners--
      removeEventListener.apply(signal, args)
    }
    await call(bridge, "x", {}, { signal })
    assert.strictEqual(listeners, 0)
  })

  it("M21: the end of the server settles calls at once, and later ones fail fast", async () => {
    const { bridge, peer } = await one(() => silence)
    const waiting = call(bridge, "x")
    await settle()
    const start = performance.now()
    await peer.close()
    assert.include((await waiting).error.message, "closed")
    assert.include((await call(bridge, "x")).error.message, "closed")
    assert.isBelow(performance.now() - start, 1_000)
    assert.strictEqual(calls(peer).length, 1)
    assert.strictEqual(bridge.health.state, "lost")
    // What was listed stays readable.
    assert.strictEqual(bridge.tools.length, 2)
  })

  it("M22: answers to nobody and notifications of any kind touch no call", async () => {
    const pending = new Map<string, (result: unknown) => void>()
    const { bridge, peer } = await one(({ name }) => new Promise((resolve) => pending.set(name, resolve)))
    const [x, y] = [call(bridge, "x"), call(bridge, "y")]
    await settle()
    for (const id of [-1, 99, "x", 1.5]) peer.send({ jsonrpc: "2.0", id, result: text("lie") })
    for (const method of [
      "notifications/message",
      "notifications/unknown",
      "notifications/cancelled",
      "notifications/progress"
    ]) {
      peer.send({ jsonrpc: "2.0", method, params: { requestId: 99, progressToken: 99, progress: 1 } })
    }
    pending.get("x")?.(text("mine"))
    assert.strictEqual((await x).content[0].text, "mine")
    const [first] = calls(peer)
    peer.send({ jsonrpc: "2.0", id: first?.id, result: text("again") })
    pending.get("y")?.(text("other"))
    assert.strictEqual((await y).content[0].text, "other")
    assert.isAbove(bridge.health.ignored, 0)
  })

  it("M23: remote error text is bounded between code points", async () => {
    const { bridge } = await one(({ arguments: args }) => {
      if (args.protocol === true) throw new Error(`x${"😀".repeat(5_000)}`)
      return { ...text(`x${"😀".repeat(5_000)}`), isError: true }
    })
    for (const args of [{ protocol: true }, {}]) {
      const { message } = (await call(bridge, "x", args)).error
      assert.isAtMost(Buffer.byteLength(message), 8_192)
      assert.isAbove(Buffer.byteLength(message), 8_100)
      assert.notInclude(message, "\ufffd")
    }
  })

  it("M23: and never larger than a result may be", async () => {
    const { bridge } = await one(
      () => {
        throw new Error("x".repeat(500))
      },
      { maxResultBytes: 100 }
    )
    assert.strictEqual(Buffer.byteLength((await call(bridge, "x")).error.message), 100)
  })

  it("M31: what a server sends reaches events through core's redaction", async () => {
    const { bridge } = await one(({ arguments: args }) => {
      if (args.fail === true) throw new Error("token s3cret")
      return { ...text("token s3cret"), structuredContent: { token: "s3cret" } }
    })
    const events: Array<unknown> = []
    for (const args of [{}, { fail: true }]) {
      await dispatchToolCall({
        call: { type: "tool_call", id: "c", name: "mcp:s:x", arguments: args },
        registry: createToolRegistry(bridge.tools),
        context: context(),
        redactor: createSecretRedactor(["s3cret"]),
        emit: (event: unknown) => void events.push(event)
      } as never)
    }
    assert.isAbove(events.length, 2)
    assert.notInclude(JSON.stringify(events), "s3cret")
  })

  it("M15: progress of the server becomes progress of the call, coalesced while a listener is busy", async () => {
    const { bridge, peer } = await one(async ({ _meta }) => {
      for (let progress = 1; progress <= 50; progress++) {
        const params = { progressToken: _meta.progressToken, progress, total: 50, message: "m".repeat(9_000) }
        peer.send({ jsonrpc: "2.0", method: "notifications/progress", params })
      }
      await settle()
      return text("done")
    })
    const told: Array<any> = []
    let release = (): void => undefined
    await call(
      bridge,
      "x",
      {},
      {
        progress: (progress: unknown) => {
          told.push(progress)
          return new Promise<void>((resolve) => {
            release = resolve
          })
        }
      }
    )
    release()
    await settle()
    assert.deepStrictEqual(
      told.map(({ progress }) => progress),
      [1, 50]
    )
    assert.deepStrictEqual(Object.keys(told[0]), ["progress", "total", "message"])
    assert.strictEqual(told[0].message.length, 8_192)
  })

  it("M15: progress that comes together with the answer is not lost, and none comes after it", async () => {
    const { bridge, peer } = await one(({ _meta }, { id }) => {
      const note = (progress: unknown) =>
        peer.send({
          jsonrpc: "2.0",
          method: "notifications/progress",
          params: { progressToken: _meta.progressToken, progress, total: "many" }
        })
      for (const progress of [1, "two", undefined, 3]) note(progress)
      peer.send({ jsonrpc: "2.0", id, result: text("done") })
      setImmediate(() => note(4))
      return silence
    })
    const told: Array<unknown> = []
    await call(bridge, "x", {}, { progress: (note: unknown) => void told.push(note) })
    await settle()
    await settle()
    assert.deepStrictEqual(told, [{ progress: 1 }, { progress: 3 }])
  })

  it("M15: progress is asked for only where somebody hears of it", async () => {
    const { bridge, peer } = await one(() => text("done"))
    await call(bridge, "x")
    await call(bridge, "x", {}, { progress: () => undefined })
    assert.deepStrictEqual(
      calls(peer).map(({ params: { _meta: { progressToken } = {} } }) => typeof progressToken),
      ["undefined", "string"]
    )
  })

  it("M15: a listener of progress that fails does not fail the call", async () => {
    const { bridge, peer } = await one(({ _meta }) => {
      peer.send({
        jsonrpc: "2.0",
        method: "notifications/progress",
        params: { progressToken: _meta.progressToken, progress: 1 }
      })
      return text("done")
    })
    for (const progress of [() => Promise.reject(new Error("host")), () => assert.fail("host")]) {
      assert.isUndefined((await call(bridge, "x", {}, { progress })).error)
    }
  })
})
