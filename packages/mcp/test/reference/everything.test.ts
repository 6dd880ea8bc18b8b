import { ApprovalGate, type JsonObject } from "@arnilo/prism-core"
import { connectMcpTools, type ConnectMcpToolsOptions, type McpToolBridge } from "@arnilo/prism-mcp"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { everythingOnHttp, everythingOnStdio, type HttpServer, listeners, orphans } from "./servers.ts"

/** Children that are started and ended; more with `PRISM_MCP_CONNECTIONS`, a multiple of 4. */
const CONNECTIONS = Number(process.env["PRISM_MCP_CONNECTIONS"] ?? 24)

const options: Omit<ConnectMcpToolsOptions, "transport"> = {
  serverId: "ev",
  elicitation: {
    approval: ApprovalGate.make({ prompt: () => true }),
    answer: () => ({ name: "Ada", check: true })
  },
  sampling: () => ({ role: "assistant", content: { type: "text", text: "sampled" }, model: "none" })
}

/** Arguments where a call without any would be refused or take long, and a part of the result. */
const calls: Readonly<Record<string, readonly [args: JsonObject, part: string]>> = {
  echo: [{ message: "hi" }, "Echo: hi"],
  "get-annotated-message": [{ messageType: "error", includeImage: true }, '"mimeType":"image/png"'],
  "get-env": [{}, "PATH"],
  "get-resource-links": [{ count: 2 }, "Resource link"],
  "get-resource-reference": [{ resourceType: "Blob", resourceId: 2 }, '"type":"file"'],
  "get-structured-content": [{ location: "Chicago" }, '"value":{"temperature"'],
  "get-sum": [{ a: 1, b: 2 }, "is 3"],
  "get-tiny-image": [{}, '"mimeType":"image/png"'],
  "gzip-file-as-resource": [
    { name: "a.gz", data: "data:text/plain;base64,aGVsbG8=", outputType: "resource" },
    "application/gzip"
  ],
  "toggle-simulated-logging": [{}, "simulated"],
  "toggle-subscriber-updates": [{}, "simulated"],
  "trigger-long-running-operation": [{ duration: 0.3, steps: 3 }, "completed"],
  "trigger-elicitation-request": [{}, "Ada"],
  "trigger-sampling-request": [{ prompt: "x" }, "sampled"],
  "simulate-research-query": [{ topic: "x" }, "requires task augmentation"]
}

const call = async (bridge: McpToolBridge, name: string, args: JsonObject, extra: object = {}): Promise<any> => {
  const tool = bridge.tools.find((candidate) => candidate.name === `mcp:ev:${name}`)
  return tool?.execute(args, { sessionId: "s", runId: "r", toolCallId: "c", ...extra })
}

const warnings: Array<Error> = []
const warn = (warning: Error): void => void warnings.push(warning)
beforeAll(() => void process.on("warning", warn))
afterAll(() => {
  process.off("warning", warn)
  assert.deepStrictEqual(warnings, [])
})

const journey = (transport: () => ConnectMcpToolsOptions["transport"]) => {
  it("calls every tool", async () => {
    const bridge = await connectMcpTools({ ...options, transport: transport() })
    try {
      assert.deepStrictEqual(
        bridge.admissions.filter(({ status }) => status !== "ready"),
        []
      )
      assert.deepStrictEqual(
        bridge.tools.map(({ name }) => name.replace("mcp:ev:", "")).toSorted(),
        Object.keys(calls).toSorted()
      )
      for (const [name, [args, part]] of Object.entries(calls)) {
        // oxlint-disable-next-line no-await-in-loop -- some change what the server does next
        const result = await call(bridge, name, args)
        assert.include(JSON.stringify(result), part)
        assert.strictEqual(result.error === undefined, name !== "simulate-research-query", name)
      }
      assert.include(bridge.health, { state: "ready", ignored: 0, reconnects: 0 })
    } finally {
      await bridge.close()
    }
  }, 30_000)

  it("tells all progress, cancels one call of 24 and answers the others", async () => {
    const bridge = await connectMcpTools({ ...options, transport: transport() })
    try {
      const progress: Array<unknown> = []
      await call(
        bridge,
        "trigger-long-running-operation",
        { duration: 0.2, steps: 4 },
        {
          progress: (told: unknown) => void progress.push(told)
        }
      )
      assert.deepStrictEqual(
        progress,
        [1, 2, 3, 4].map((step) => ({ progress: step, total: 4 }))
      )
      const controller = new AbortController()
      const cancelled = call(bridge, "trigger-long-running-operation", { duration: 60 }, { signal: controller.signal })
      const sums = Array.from({ length: 23 }, (_, index) => call(bridge, "get-sum", { a: index, b: 1 }))
      const results = await Promise.all(sums)
      assert.deepStrictEqual(
        results.map(({ content }) => content[0].text),
        sums.map((_, index) => `The sum of ${index} and 1 is ${index + 1}.`)
      )
      controller.abort()
      assert.isDefined((await cancelled).error)
      assert.include(JSON.stringify(await call(bridge, "echo", { message: "still here" })), "still here")
    } finally {
      await bridge.close()
    }
  }, 30_000)
}

const connectAndClose = async (times: number, atOnce: number, transport: ConnectMcpToolsOptions["transport"]) => {
  const before = listeners()
  for (let done = 0; done < times; done += atOnce) {
    // oxlint-disable-next-line no-await-in-loop -- so many at once and no more
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        const bridge = await connectMcpTools({ ...options, transport })
        await bridge.close()
      })
    )
  }
  assert.deepStrictEqual(listeners(), before)
}

describe("the reference server for everything, on stdio", () => {
  journey(everythingOnStdio)

  it("leaves nothing behind, however often it is opened", async () => {
    await connectAndClose(CONNECTIONS, 4, everythingOnStdio())
    assert.deepStrictEqual(orphans(), [])
  }, 600_000)
})

describe("the reference server for everything, on HTTP", () => {
  let server: HttpServer
  beforeAll(async () => {
    server = await everythingOnHttp()
  }, 30_000)
  afterAll(() => server.stop())

  journey(() => server.transport)

  it("leaves nothing behind, however often it is opened", () => connectAndClose(200, 4, server.transport), 120_000)
})
