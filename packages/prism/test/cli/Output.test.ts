import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { Output, OutputError } from "../../src/cli/Output.ts"
import { Sink, systemError } from "./Sink.ts"

const megabyte = "x".repeat(1_048_576)

describe("Output", () => {
  it.effect("C1: fails once the reader has left, and tells that from a device that refuses", () =>
    Effect.gen(function* () {
      for (const [code, isClosed] of [
        ["EPIPE", true],
        ["ENOSPC", false]
      ] as const) {
        const sink = new Sink()
        const output = new Output(sink)
        sink.refusal = systemError(code)
        yield* Effect.ignore(output.write("lost"))
        const error = yield* Effect.flip(output.flush)
        assert.deepInclude(error, { isClosed, message: `Cannot write output: write ${code}` })
        assert.strictEqual(yield* Effect.flip(output.write("more")), error)
        assert.strictEqual(sink.text, "")
      }
    })
  )

  it.effect("C1: a stream that was destroyed is closed", () =>
    Effect.gen(function* () {
      const sink = new Sink()
      const output = new Output(sink)
      sink.destroy()
      const error = yield* Effect.flip(output.write("lost"))
      assert.instanceOf(error, OutputError)
      assert.isTrue(error.isClosed)
    })
  )

  it.effect("C1: a stream that failed before is refused for what it failed with", () =>
    Effect.gen(function* () {
      const sink = new Sink()
      sink.on("error", () => undefined)
      sink.destroy(systemError("ENOSPC"))
      yield* Effect.callback<void>((resume) => void sink.once("close", () => resume(Effect.void)))
      const error = yield* Effect.flip(new Output(sink).write("lost"))
      assert.deepInclude(error, { isClosed: false, message: "Cannot write output: write ENOSPC" })
    })
  )

  it.effect("holds up the writer while a megabyte waits for the reader, and not before", () =>
    Effect.gen(function* () {
      const sink = new Sink()
      const output = new Output(sink)
      sink.stall()
      yield* output.write("x".repeat(1_000_000))
      assert.isUndefined(output.room)
      const writing = yield* Effect.forkChild(output.write(megabyte), { startImmediately: true })
      assert.isUndefined(writing.pollUnsafe())
      assert.instanceOf(output.room, Promise)
      sink.resume()
      yield* Fiber.join(writing)
      assert.isUndefined(output.room)
      assert.strictEqual(sink.text.length, 2_048_576)
    })
  )

  it.effect("a writer that is held up goes on with the error when the reader leaves", () =>
    Effect.gen(function* () {
      const sink = new Sink()
      const output = new Output(sink)
      sink.stall()
      const writing = yield* Effect.forkChild(Effect.flip(output.write(megabyte)), { startImmediately: true })
      sink.destroy(systemError("EPIPE"))
      assert.isTrue((yield* Fiber.join(writing)).isClosed)
    })
  )

  it.effect("does not wait for room in a stream whose own buffer has some", () =>
    Effect.gen(function* () {
      const sink = new Sink({ highWaterMark: 4_000_000 })
      sink.stall()
      yield* new Output(sink).write(megabyte)
    })
  )

  it.effect("flush ends when the reader has everything", () =>
    Effect.gen(function* () {
      const sink = new Sink()
      const output = new Output(sink)
      sink.stall()
      yield* output.write("one")
      yield* output.write("two")
      const flushing = yield* Effect.forkChild(output.flush, { startImmediately: true })
      assert.isUndefined(flushing.pollUnsafe())
      sink.resume()
      yield* Fiber.join(flushing)
      assert.strictEqual(sink.text, "onetwo")
      output.release()
      assert.strictEqual(sink.listenerCount("error"), 0)
    })
  )
})
