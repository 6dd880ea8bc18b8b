import { connectMcpTools, createMcpToolRegistry, createMcpTransport, McpBridgeError } from "@arnilo/prism-mcp"
import { assert, describe, it } from "@effect/vitest"
import { attachPeer, tool } from "./fixtures/peer.ts"
import { rejection } from "./fixtures/rejection.ts"

const https = { type: "streamable-http", url: "https://a.test/mcp", allowedOrigins: ["https://a.test"] }
const stdio = { type: "stdio", command: "/nonexistent" }

/** The command does not exist: starting it would fail in another way. */
const refusal = async (options: object): Promise<string> => {
  const error = await rejection(connectMcpTools({ serverId: "s", transport: stdio, ...options } as never))
  assert.instanceOf(error, McpBridgeError)
  return error.message
}

const transportRefusal = (transport: object): Promise<string> => refusal({ transport })

describe("the options of a bridge", () => {
  it("none that is unknown is passed over; the one that may be meant is named", async () => {
    assert.strictEqual(
      await refusal({ onCallFaliure: "cancel" }),
      'MCP options must not have the property "onCallFaliure"; did you mean "onCallFailure"?'
    )
    assert.strictEqual(
      await transportRefusal({ ...stdio, arg: ["-v"] }),
      'transport must not have the property "arg"; did you mean "args"?'
    )
    assert.strictEqual(
      await transportRefusal({ ...stdio, shell: true }),
      'transport must not have the property "shell"; it may have type, command, args, env, cwd, stderr'
    )
    assert.match(
      await transportRefusal({ ...https, command: "node" }),
      /^transport must not have the property "command"/
    )
    for (const name of ["__proto__", "constructor"]) {
      const transport = JSON.parse(`{"type":"stdio","command":"x","${name}":{}}`)
      assert.include(await transportRefusal(transport), `transport ${name}: forbidden property`)
    }
  })

  it("each is of its kind, and no value is repeated", async () => {
    const cases: ReadonlyArray<readonly [object, string]> = [
      [{ reconnect: "no" }, "reconnect must be true or false (got a string)"],
      [{ onEvent: {} }, "onEvent must be a function (got an object)"],
      [{ sampling: true }, "sampling must be a function (got a boolean)"],
      [{ elicitation: [] }, "elicitation must be an object (got a list)"],
      [{ approvedDefinitions: { echo: 1 } }, "approvedDefinitions.echo must be a string (got a number)"],
      [
        { approvedDefinitions: new Map([["echo", "hash"]]) },
        "approvedDefinitions must be a plain object (got an object)"
      ],
      [{ signal: {} }, "signal must be an AbortSignal (got an object)"],
      [{ elicitation: {} }, "elicitation.approval must be an object with the method ask (got undefined)"],
      [
        { elicitation: { approval: () => true } },
        "elicitation.approval must be an object with the method ask (got a function)"
      ],
      [
        { elicitation: { approval: { ask: () => true }, anser: () => ({}) } },
        'elicitation must not have the property "anser"; did you mean "answer"?'
      ],
      [
        { transport: { ...https, requestInit: { header: {} } } },
        'transport.requestInit must not have the property "header"; did you mean "headers"?'
      ],
      [
        { transport: { ...https, requestInit: { redirect: "follow" } } },
        'transport.requestInit must not have the property "redirect"; it may have headers'
      ],
      [{ transport: { type: "http" } }, 'Unknown MCP transport type: http; it may be "stdio" or "streamable-http"'],
      [
        { transport: { ...https, allowedOrigins: ["http://127.0.0.1:1"] } },
        "allowedOrigins must hold exact https: origins (got http://127.0.0.1:1); http: on this machine takes allowLoopbackHttp: true"
      ],
      [{ onCallFailure: 5 }, 'onCallFailure must be "close" or "cancel" (got a number)'],
      [{ refresh: "never" }, 'refresh must be "manual" or "next-turn" (got never)'],
      [{ transport: { ...stdio, env: "TOKEN=x" } }, "transport.env must be a plain object (got a string)"],
      [{ transport: { ...stdio, env: { TOKEN: ["x"] } } }, "transport.env.TOKEN must be a string (got a list)"],
      [{ transport: { ...stdio, cwd: null } }, "transport.cwd must be a string (got null)"],
      [
        { transport: { ...stdio, stderr: "log" } },
        'transport.stderr must be "inherit" or "pipe" or "ignore" or "overlapped" (got log)'
      ],
      [
        { transport: { ...https, allowLoopbackHttp: "false" } },
        "transport.allowLoopbackHttp must be true or false (got a string)"
      ],
      [{ transport: { ...https, requestInit: "x" } }, "transport.requestInit must be an object (got a string)"],
      [{ transport: { ...https, sessionId: 1 } }, "transport.sessionId must be a string (got a number)"],
      [{ transport: { ...https, resolveHostname: {} } }, "transport.resolveHostname must be a function (got an object)"]
    ]
    for (const [options, message] of cases) assert.strictEqual(await refusal(options), message)
  })

  it("are needed, also by a registry", async () => {
    const error = await rejection(connectMcpTools(undefined as never))
    assert.strictEqual(error.message, "MCP options must be an object (got undefined)")
    assert.throws(() => createMcpToolRegistry(undefined as never), "MCP options must be an object (got undefined)")
    assert.throws(() => createMcpToolRegistry({ bridge: [] } as never), 'did you mean "bridges"?')
    assert.throws(() => createMcpToolRegistry({} as never), "bridges must be a list of bridges")
  })

  it("those that are known are taken, and what is undefined is absent", async () => {
    const options = {
      reconnect: false,
      onEvent: () => undefined,
      sampling: () => ({}),
      elicitation: { approval: { ask: () => assert.fail("was asked") } },
      approvedDefinitions: { one: "hash" },
      onCallFailure: "cancel",
      refresh: "manual",
      namePrefix: undefined,
      signal: new AbortController().signal
    } as const
    const { bridge } = await attachPeer({ "tools/list": () => ({ tools: [tool("one")] }) }, options)
    await bridge.close()
    const env = { A: "b" }
    createMcpTransport({ type: "stdio", command: "x", args: [], env, cwd: "/", stderr: "inherit" })
    createMcpTransport({ type: "stdio", command: "x", env: process.env as Record<string, string> })
    const resolveHostname = () => Promise.resolve([])
    const more = {
      allowLoopbackHttp: false,
      requestInit: { headers: {} },
      resolveHostname,
      sessionId: "s",
      oauth: undefined
    }
    createMcpTransport({ ...https, ...more, maxResponseBytes: 1_000 } as never)
  })
})
