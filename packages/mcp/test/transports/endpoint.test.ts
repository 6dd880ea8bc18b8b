import { createMcpTransport } from "@arnilo/prism-mcp"
import { assert, describe, it } from "@effect/vitest"

const URL_OK = "https://mcp.example.com/mcp"
const ORIGIN = "https://mcp.example.com"

const refusal = (config: object): Error => {
  try {
    createMcpTransport({ type: "streamable-http", url: URL_OK, allowedOrigins: [ORIGIN], ...config } as never)
  } catch (error) {
    return error as Error
  }
  return assert.fail(`was not refused: ${JSON.stringify(config)}`)
}

describe("createMcpTransport over HTTP", () => {
  it.each([
    [{ allowedOrigins: [] }],
    [{ allowedOrigins: undefined }],
    [{ allowedOrigins: "https://mcp.example.com" }],
    [{ allowedOrigins: Array.from({ length: 65 }, (_, at) => `https://a${at}.example.com`) }],
    [{ allowedOrigins: [ORIGIN, "https://mcp.example.com/"] }],
    [{ allowedOrigins: ["https://mcp.example.com/path"] }],
    [{ allowedOrigins: ["https://*.example.com"] }],
    [{ allowedOrigins: ["https://u:p@mcp.example.com"] }],
    [{ allowedOrigins: ["https://mcp.example.com:443"] }],
    [{ allowedOrigins: ["http://mcp.example.com"] }],
    [{ allowedOrigins: ["http://127.0.0.1:8080"] }],
    [{ allowedOrigins: ["null"] }],
    [{ allowedOrigins: [7] }]
  ])("M26: refuses origins that are not exact: %j", (config) => {
    const { message, name } = refusal(config)
    assert.strictEqual(name, "McpBridgeError")
    assert.match(message, /^allowedOrigins must /)
  })

  it.each([
    ["https://other.example.com/", "MCP HTTP origin https://other.example.com is not allow-listed"],
    ["https://mcp.example.com:8443/", "MCP HTTP origin https://mcp.example.com:8443 is not allow-listed"],
    ["nonsense", "Invalid MCP HTTP URL: nonsense"],
    ["https://u:p@mcp.example.com/", "MCP HTTP URL must not hold credentials"],
    ["https://mcp.example.com/#a", "MCP HTTP URL must not have a fragment"],
    ["https://mcp.example.com/#", "MCP HTTP URL must not have a fragment"],
    ["http://mcp.example.com/", "MCP HTTP URL must use https: (got http:)"],
    ["ftp://mcp.example.com/", "MCP HTTP URL must use https: (got ftp:)"]
  ])("M26: refuses %s", (url, message) => {
    assert.strictEqual(refusal({ url }).message, message)
  })

  it("M26: takes what is allow-listed, and sends nothing yet", () => {
    const resolveHostname = () => assert.fail("was looked up")
    createMcpTransport({
      type: "streamable-http",
      url: URL_OK,
      allowedOrigins: ["https://a.example.com", ORIGIN],
      resolveHostname
    })
  })

  it("M27: refuses plain HTTP but to loopback, and there but where it is allowed", () => {
    const loopback = { url: "http://127.0.0.1:1/", allowedOrigins: ["http://127.0.0.1:1"] }
    assert.match(refusal(loopback).message, /allowedOrigins/)
    assert.match(refusal({ url: "http://127.0.0.1:1/" }).message, /must use https:/)
    assert.match(
      refusal({ url: "http://10.0.0.1/", allowedOrigins: ["http://10.0.0.1"], allowLoopbackHttp: true }).message,
      /allowedOrigins/
    )
    for (const host of ["127.0.0.1", "localhost", "[::1]", "127.9.9.9"]) {
      createMcpTransport({
        type: "streamable-http",
        url: `http://${host}:1/`,
        allowedOrigins: [`http://${host}:1`],
        allowLoopbackHttp: true
      })
    }
  })

  it.each([
    "localhost",
    "a.localhost",
    "localhost.",
    "printer.local",
    "metadata.google.internal",
    "metadata",
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.1",
    "0x7f.1",
    "2130706433",
    "169.254.169.254",
    "172.31.0.1",
    "192.168.0.1",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "[::]",
    "[::1]",
    "[fe80::1]",
    "[fc00::1]",
    "[fd12::1]",
    "[ff02::1]",
    "[::ffff:10.0.0.1]",
    "[::ffff:127.0.0.1]",
    "[64:ff9b::a00:1]",
    "[2002:a00:1::]",
    "[2001:db8::1]"
  ])("M28: %s is not public", (host) => {
    const url = `https://${host}/`
    assert.strictEqual(refusal({ url, allowedOrigins: [new URL(url).origin] }).message, "MCP HTTP URL is not public")
  })

  it("M28: public addresses and names are", () => {
    for (const host of ["8.8.8.8", "[2606:4700::1111]", "mcp.example.com", "100.128.0.1", "172.32.0.1"]) {
      createMcpTransport({ type: "streamable-http", url: `https://${host}/`, allowedOrigins: [`https://${host}`] })
    }
  })

  it("M29: refuses a Host header, and tells no header that is malformed", () => {
    assert.match(refusal({ requestInit: { headers: { HOST: "evil.test" } } }).message, /Host header/)
    const { message } = refusal({ requestInit: { headers: { authorization: "Bearer s3cret\nx: y" } } })
    assert.match(message, /invalid name or value/)
    assert.notInclude(message, "s3cret")
  })
})
