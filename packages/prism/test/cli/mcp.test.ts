import { afterAll, assert, describe, it } from "@effect/vitest"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PassThrough, Readable } from "node:stream"
import { runCli } from "../../src/cli/index.ts"
import { writeMcpServer } from "./mcpServer.ts"
import { Sink } from "./Sink.ts"

const folder = mkdtempSync(join(tmpdir(), "prism-mcp-cli-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const options = writeMcpServer(folder)
writeFileSync(join(folder, "mcp.json"), JSON.stringify(options))
writeFileSync(join(folder, "mcp.mjs"), `export default ${JSON.stringify(options)}`)
const noisyTransport = { ...options.transport, env: { NOISY: "1" } }
writeFileSync(join(folder, "noisy.json"), JSON.stringify({ ...options, transport: noisyTransport }))
const stuckTransport = { ...options.transport, env: { STUCK: "1" } }
writeFileSync(join(folder, "stuck.json"), JSON.stringify({ ...options, transport: stuckTransport }))
writeFileSync(join(folder, "misspelt.json"), JSON.stringify({ ...options, onCallFaliure: "cancel" }))
writeFileSync(join(folder, "nested.json"), JSON.stringify({ ...options, transport: { ...options.transport, evn: {} } }))
writeFileSync(join(folder, "kind.json"), JSON.stringify({ ...options, onEvent: "print" }))
writeFileSync(join(folder, "signal.json"), JSON.stringify({ ...options, signal: {} }))
writeFileSync(join(folder, "wrong.json"), JSON.stringify({ ...options, serverId: "a:b" }))
writeFileSync(join(folder, "list.json"), "[]")
writeFileSync(join(folder, "broken.json"), "{")
writeFileSync(join(folder, "endless.mjs"), "await new Promise(() => undefined)")
const dying = 'process.stderr.write("boom \\u001b[2J \\u009b31m \\u202e"); process.exitCode = 7'
const dyingTransport = { type: "stdio", command: process.execPath, args: ["-e", dying] }
writeFileSync(join(folder, "dying.json"), JSON.stringify({ serverId: "d", transport: dyingTransport }))

const refusing = `process.stderr.write("no licence\\n"); console.log("hello"); process.stdin.once("data", () =>
  console.log('{"jsonrpc":"2.0","id":0,"error":{"code":-32603,"message":"not today"}}'))`
const refusingTransport = { type: "stdio", command: process.execPath, args: ["-e", refusing] }
writeFileSync(join(folder, "refusing.json"), JSON.stringify({ serverId: "r", transport: refusingTransport }))
writeFileSync(join(folder, "several.json"), JSON.stringify({ mcpServers: { r: { command: "r" } } }))

const mcp = async (
  args: ReadonlyArray<string>,
  { input = "", signal }: { input?: string; signal?: AbortSignal } = {}
) => {
  const [stdout, stderr] = [new Sink(), new Sink()]
  const stdin = Readable.from([Buffer.from(input)])
  const code = await runCli(["mcp", ...args], { stdin, stdout, stderr, cwd: folder, signal })
  return { code, stdout: stdout.text, stderr: stderr.text }
}

/** The server of the last command does not live. */
const assertGone = (): void => {
  assert.throws(() => process.kill(Number(readFileSync(join(folder, "pid"), "utf8")), 0), "ESRCH")
}

describe("prism mcp list", () => {
  it.each(["mcp.json", "mcp.mjs"])("shows which tools can be used, and why others cannot: %s", async (config) => {
    const { code, stderr, stdout } = await mcp(["list", config])
    assert.strictEqual(code, 0)
    const [head, add, remote, ...others] = stdout.split("\n")
    assert.strictEqual(head, "NAME          STATUS   DESCRIPTION OR REASON")
    assert.strictEqual(add, "mcp:s:add     ready    Adds\\u{1b}[31m two numbers\\u{202e}")
    assert.match(remote ?? "", /^mcp:s:remote {2}refused {2}\/inputSchema\/properties\/x\/\$ref: /)
    assert.deepStrictEqual(others, [
      "mcp:s:fail    ready",
      "mcp:s:hang    ready",
      "mcp:s:odd     ready    \\u{9b}31m\\u{7f}",
      ""
    ])
    assert.match(stderr, /^4 of 5 tools can be used; connected and listed in \d+ ms\n$/)
    assertGone()
  })

  it("prints one JSON document where that is asked for", async () => {
    const listed = JSON.parse((await mcp(["list", "mcp.json", "--json"])).stdout)
    assert.deepStrictEqual(
      listed.map(({ name, status }: { name: string; status: string }) => [name, status]),
      [
        ["mcp:s:add", "ready"],
        ["mcp:s:remote", "refused"],
        ["mcp:s:fail", "ready"],
        ["mcp:s:hang", "ready"],
        ["mcp:s:odd", "ready"]
      ]
    )
    assert.strictEqual(listed[1].pointer, "/inputSchema/properties/x/$ref")
    assert.deepStrictEqual(listed[0].parameters.required, ["a"])
  })
})

describe("prism mcp call", () => {
  it("calls a tool by either name, with arguments from the command line or stdin", async () => {
    for (const [args, input] of [
      [["mcp:s:add", '{"a":1,"b":2}'], ""],
      [["add", "-"], '{"a":1,"b":2}']
    ] as const) {
      const { code, stderr, stdout } = await mcp(["call", "mcp.json", ...args], { input })
      assert.strictEqual(code, 0)
      assert.strictEqual(stdout, 'sum\\u{1b}[2J 3\n[image image/png, 4 characters of base64]\n{\n  "sum": 3\n}\n')
      assert.match(stderr, /^progress \{"progress":1,"total":2\}\ncalled in \d+ ms\n$/)
    }
    const { stdout } = await mcp(["call", "mcp.json", "add", '{"a":1}', "--json"])
    assert.deepInclude(JSON.parse(stdout), { name: "mcp:s:add", value: { sum: 1 } })
  })

  it("sends nothing that the tool's schema refuses", async () => {
    const { code, stderr, stdout } = await mcp(["call", "mcp.json", "add", '{"b":"x","c":1}'])
    assert.deepStrictEqual([code, stdout], [1, ""])
    assert.include(stderr, 'The arguments do not match: must have the property "a"')
    assert.include(stderr, "b: must be a number")
  })

  it("exits with 1 where the tool fails, is refused or is none", async () => {
    const failed = await mcp(["call", "mcp.json", "fail"])
    assert.deepStrictEqual([failed.code, failed.stdout], [1, "out of\\u{7} paper\n"])
    assert.match(
      failed.stderr,
      /^called in \d+ ms\nThe server's stderr ends with:\n {2}tray\\u\{1b\}\[31m\n {2}3\nout of\\u\{7\} paper\n$/
    )
    const refused = await mcp(["call", "mcp.json", "remote"])
    assert.strictEqual(refused.code, 1)
    assert.include(refused.stderr, "The tool remote is refused: ")
    assert.deepInclude(await mcp(["call", "mcp.json", "none"]), { code: 1, stderr: "The server lists no tool none\n" })
  })

  it("gives up after the time that is granted, and at once on a signal; the server is gone then", async () => {
    const late = await mcp(["call", "mcp.json", "hang", "--timeout", "2000"])
    assert.strictEqual(late.code, 1)
    assert.include(late.stderr, "timed out after 2000ms")
    assertGone()
    for (const [reason, code] of [
      ["SIGINT", 130],
      ["SIGTERM", 143]
    ] as const) {
      const controller = new AbortController()
      const running = mcp(["call", "mcp.json", "hang"], { signal: controller.signal })
      setTimeout(() => controller.abort(reason), 300)
      assert.strictEqual((await running).code, code)
      assertGone()
    }
  }, 20_000)
})

describe("a server that cannot be used", () => {
  it("is told of with what it wrote beside its answer", async () => {
    const { code, stderr } = await mcp(["check", "refusing.json"])
    assert.strictEqual(code, 1)
    assert.strictEqual(
      stderr,
      "Lines of its stdout that were no messages: 1\nThe server's stderr ends with:\n  no licence\nMCP server r: not today\n"
    )
  })
})

describe("a terminal", () => {
  it("gets no control characters from a server that fails to start", async () => {
    const { code, stderr } = await mcp(["list", "dying.json"])
    assert.strictEqual(code, 1)
    assert.strictEqual(
      stderr,
      "MCP server d: MCP server exited with code 7; stderr: boom \\u{1b}[2J \\u{9b}31m \\u{202e}\n"
    )
  })

  it("gets none in JSON, which says the same", async () => {
    const { stdout } = await mcp(["call", "mcp.json", "odd", "--json"])
    assert.notMatch(stdout, /(?!\n)[\p{Cc}\p{Cf}]/u)
    assert.strictEqual(JSON.parse(stdout).content[0].text, "\u001b[2J \u009b31m \u202e \u{e0001}")
    assert.notMatch((await mcp(["list", "mcp.json", "--json"])).stdout, /(?!\n)[\p{Cc}\p{Cf}]/u)
  })
})

describe("a signal", () => {
  it.each([
    ["arguments that nobody types", ["call", "mcp.json", "add", "-"]],
    ["a config that does not load", ["list", "endless.mjs"]],
    ["a server that lists once and no more", ["check", "stuck.json"]]
  ])("ends the wait for %s", async (_, args) => {
    const controller = new AbortController()
    setTimeout(() => controller.abort("SIGINT"), 500)
    const stdin = new PassThrough()
    const [stdout, stderr] = [new Sink(), new Sink()]
    const code = await runCli(["mcp", ...args], { stdin, stdout, stderr, cwd: folder, signal: controller.signal })
    assert.deepStrictEqual([code, stdout.text, stderr.text], [130, "", "Aborted\n"])
    if (args[0] !== "list") assertGone()
  })
})

describe("prism mcp check", () => {
  it("exits with 1 where a tool is refused, and says what took how long", async () => {
    const { code, stdout } = await mcp(["check", "mcp.json"])
    assert.strictEqual(code, 1)
    assert.match(
      stdout,
      /^server {16}small\\u\{1b\}\[1m 1\.2\nprotocol {14}\d{4}-\d\d-\d\d\nconnected and listed {2}\d+ ms\nlisted again {10}\d+ ms\ntools {17}5\nignored messages {6}0\n/
    )
    assert.match(stdout, /\nrefused: mcp:s:remote: \/inputSchema\/properties\/x\/\$ref: .*\n$/)
    const facts = JSON.parse((await mcp(["check", "mcp.json", "--json"])).stdout)
    assert.deepInclude(facts, { tools: 5, ignoredMessages: 0 })
    assert.deepInclude(facts.server, { name: "small\u001b[1m", version: "1.2" })
  })

  it("shows the end of what the server wrote to stderr where something is wrong", async () => {
    const { code, stderr } = await mcp(["check", "noisy.json"])
    assert.deepStrictEqual([code, stderr], [1, "The server's stderr ends with:\n  no licence\\u{1b}[31m\n  found\n"])
    assert.notInclude((await mcp(["list", "noisy.json"])).stderr, "licence")
  })
})

describe("a wrong prism mcp", () => {
  const USAGE = "Usage: prism mcp list|call|check <config> [flags]\nRun prism mcp --help for more.\n"
  const refused = async (args: ReadonlyArray<string>, code: number, message: string) => {
    const ended = await mcp(args)
    assert.deepStrictEqual(ended, { code, stdout: "", stderr: code === 2 ? `${message}\n\n${USAGE}` : `${message}\n` })
  }

  it("is refused with what is missing or wrong", async () => {
    await refused([], 2, 'Missing subcommand for "prism mcp"')
    await refused(["bogus"], 2, 'Unknown subcommand "bogus" for "prism mcp"')
    await refused(["list"], 2, "Missing required argument: config")
    await refused(["list", "none.json"], 2, "MCP config not found: none.json")
    await refused(["list", "mcp.json", "--timeout", "0"], 2, "Invalid value for --timeout: 0")
    await refused(["list", "mcp.json", "--bogus"], 2, "Unknown flag: --bogus")
    await refused(["call", "mcp.json", "add", "[1]"], 2, "The arguments must be a JSON object")
    const several = "it describes several servers; name one: { serverId, transport: { type, … } }"
    await refused(["list", "several.json"], 1, `MCP config several.json: ${several}`)
    await refused(["list", "list.json"], 1, "MCP config list.json: the file must be an object")
    const { code, stderr } = await mcp(["list", "wrong.json"])
    assert.strictEqual(code, 1)
    assert.include(stderr, "MCP config wrong.json: serverId must be")
    const misspelt = (where: string, name: string, meant: string) =>
      `${where} must not have the property "${name}"; did you mean "${meant}"?`
    const option = misspelt("MCP options", "onCallFaliure", "onCallFailure")
    await refused(["list", "misspelt.json"], 1, `MCP config misspelt.json: ${option}`)
    await refused(["list", "nested.json"], 1, `MCP config nested.json: ${misspelt("transport", "evn", "env")}`)
    await refused(["list", "kind.json"], 1, "MCP config kind.json: onEvent must be a function (got a string)")
    const signal = "signal must not be set: the command has its own"
    await refused(["list", "signal.json"], 1, `MCP config signal.json: ${signal}`)
    assert.include((await mcp(["list", "broken.json"])).stderr, "MCP config broken.json: ")
  })
})
