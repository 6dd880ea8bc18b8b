import { McpBridgeError } from "@arnilo/prism-mcp"
import { createPrismMcpServer } from "@arnilo/prism-mcp/server"
import { assert, describe, it } from "@effect/vitest"

const ignore = (): void => undefined

describe("a tool to expose", () => {
  it.each<readonly [object, string]>([
    [{ description: 5 }, "tool t: description must be a string (got a number)"],
    [{ exclusive: "no" }, "tool t: exclusive must be true or false (got a string)"],
    ...[0, -1, 1.5, Number.NaN, "5", null].map(
      (timeoutMs) => [{ timeoutMs }, "tool t: timeoutMs must be a positive safe integer"] as const
    )
  ])("refuses a tool whose calls or list would fail: %o", (wrong, message) => {
    const tool = { name: "t", execute: ignore, ...wrong } as never
    assert.throws(() => createPrismMcpServer({ name: "n", version: "1", tools: [tool] }), McpBridgeError, message)
  })
})
