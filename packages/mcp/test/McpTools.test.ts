import { McpBridgeClosedError, McpTools } from "@arnilo/prism-mcp"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, Scope } from "effect"
import { call } from "./fixtures/peer.ts"
import { isAlive, stdioServer } from "./fixtures/stdio.ts"

const server = (serverId: string) => ({ serverId, transport: stdioServer("family") })

describe("McpTools", () => {
  it.live("M4: is a layer; what it opened ends with its scope", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(McpTools.layer(server("s")), scope)
      const set = yield* Effect.provide(McpTools, context)
      const result = yield* Effect.promise(() => call({ tools: set.tools } as never, "echo"))
      const { pid } = JSON.parse(result.content[0].text)
      assert.isTrue(isAlive(pid))
      yield* Scope.close(scope, Exit.void)
      assert.isFalse(isAlive(pid))
      assert.throws(() => set.tools, McpBridgeClosedError)
      assert.instanceOf(yield* Effect.flip(set.refresh), McpBridgeClosedError)
    })
  )

  it.live("M9: several servers live in one scope, each with its own names", () =>
    Effect.gen(function* () {
      const sets = yield* Effect.all([McpTools.make(server("one")), McpTools.make(server("two"))], { concurrency: 2 })
      assert.deepStrictEqual(
        sets.map(({ tools }) => tools[0]?.name),
        ["mcp:one:echo", "mcp:two:echo"]
      )
    }).pipe(Effect.scoped)
  )

  it.live("M5: interruption on the way leaves no server behind", () =>
    Effect.gen(function* () {
      const mute = McpTools.make({ serverId: "s", transport: stdioServer("mute") })
      const before = process.listenerCount("exit")
      assert.isTrue(
        Exit.hasInterrupts(
          yield* Effect.exit(
            Effect.interruptible(
              Effect.timeoutOrElse(Effect.scoped(mute), {
                duration: 150,
                orElse: () => Effect.interrupt
              })
            )
          )
        )
      )
      assert.strictEqual(process.listenerCount("exit"), before)
    })
  )
})
