import { assert, describe, it } from "@effect/vitest"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import {
  drive,
  type Driver,
  drivePromise,
  fromSteps,
  interruptedBy,
  isPending,
  type Steps,
  unstoppable,
  waitFor
} from "../../src/ports/Steps.ts"
import { gate, rejection, settle, throwing, untyped } from "../dispatch/dispatching.ts"

class Down extends Data.TaggedError("Down")<{ readonly message: string }> {}

/** A driver that a test stops. */
const stoppable = () => {
  const driver = { ...unstoppable, stopped: false, stopReason: undefined as unknown }
  return {
    driver: driver satisfies Driver,
    stop: (reason: unknown) => {
      driver.stopped = true
      driver.stopReason = reason
    }
  }
}

/** Waits for each answer and keeps what it came to, or what was thrown. */
function* outcomes(log: Array<unknown>, ...answers: ReadonlyArray<unknown>): Steps<string> {
  for (const answer of answers) {
    try {
      log.push(yield* waitFor(answer))
    } catch (error) {
      log.push({ thrown: error })
    }
  }
  return "end"
}

function* guarded(log: Array<string>, answer: unknown): Steps<unknown> {
  try {
    const value = yield* waitFor(answer)
    log.push("resumed")
    return value
  } finally {
    log.push("closed")
  }
}

describe("isPending", () => {
  it("T16: thenables and Effects are pending; errors are values, tagged ones too", () => {
    assert.isTrue(isPending(Promise.resolve()))
    assert.isTrue(isPending({ then: () => undefined }))
    assert.isTrue(isPending(Effect.void))
    assert.isFalse(isPending(new Down({ message: "down" })))
    assert.isFalse(isPending(new Error("down")))
    assert.isFalse(isPending({ then: "later" }))
    for (const value of [undefined, null, 1, "text", {}, [], () => undefined]) assert.isFalse(isPending(value))
  })
})

describe("drive", () => {
  it("T29: a stopped driver starts nothing and throws its reason", () => {
    const { driver, stop } = stoppable()
    const log: Array<string> = []
    const reason = new Error("stop")
    stop(reason)
    assert.throws(() => drive(guarded(log, 1), driver), reason)
    assert.deepEqual(log, [])
  })

  it("steps that wait for nothing end at once, without a Promise", () => {
    assert.strictEqual(drive(outcomes([], 1, "two"), unstoppable), "end")
    assert.throws(() => drive(outcomesThatThrow(), unstoppable), "bad")
  })

  it("T16: what a Promise rejects with and what an Effect fails or dies with is thrown into the steps", async () => {
    const log: Array<unknown> = []
    const down = new Down({ message: "down" })
    const bug = new Error("bug")
    const answers = [Promise.reject(bug), Effect.fail(down), Effect.die(bug), Promise.reject(undefined)]
    assert.strictEqual(await drive(outcomes(log, ...answers), unstoppable), "end")
    assert.deepEqual(log, [{ thrown: bug }, { thrown: down }, { thrown: bug }, { thrown: undefined }])
  })

  it("T16: a thenable whose then throws has failed where it is waited for, instead of failing all steps", async () => {
    const log: Array<unknown> = []
    const error = new Error("no then")
    assert.strictEqual(await drive(outcomes(log, { then: throwing(error) }, "next"), unstoppable), "end")
    assert.deepEqual(log, [{ thrown: error }, "next"])
  })

  it("T16: a thenable that answers twice, or answers and then throws, is taken at its first word", async () => {
    const log: Array<unknown> = []
    const twice = {
      then: (resolve: (value: unknown) => void, reject: (error: unknown) => void) => {
        resolve("first")
        resolve("second")
        reject(new Error("third"))
        throw new Error("fourth")
      }
    }
    assert.strictEqual(await drive(outcomes(log, twice, "next"), unstoppable), "end")
    assert.deepEqual(log, ["first", "next"])
  })

  it("T16: a Promise whose own then was replaced by one that throws is waited for all the same", async () => {
    const log: Array<unknown> = []
    const promise = Object.assign(Promise.resolve("kept"), { then: throwing(new Error("replaced")) })
    assert.strictEqual(await drive(outcomes(log, promise), unstoppable), "end")
    assert.deepEqual(log, ["kept"])
  })

  it("T16: a Promise that cannot even be looked at is a failure of that one wait", async () => {
    const log: Array<unknown> = []
    const error = new Error("constructor")
    const promise = Object.defineProperty(Promise.resolve(1), "constructor", { get: throwing(error) })
    assert.strictEqual(await drive(outcomes(log, promise, "next"), unstoppable), "end")
    assert.deepEqual(log, [{ thrown: error }, "next"])
  })

  it("T16: a getter of then that throws is thrown into the steps", async () => {
    const log: Array<unknown> = []
    const error = new Error("getter")
    const answer = Object.defineProperty({}, "then", { get: throwing(error) })
    assert.strictEqual(drive(outcomes(log, answer), unstoppable), "end")
    assert.deepEqual(log, [{ thrown: error }])
  })

  it("T29: stopped while it waits, steps are closed and never resumed, and the Promise rejects with the reason", async () => {
    const { driver, stop } = stoppable()
    const log: Array<string> = []
    const answer = gate<number>()
    const driven = drivePromise(guarded(log, answer.promise), driver)
    const reason = new Error("stop")
    stop(reason)
    answer.resolve(1)
    assert.strictEqual(await rejection(driven), reason)
    assert.deepEqual(log, ["closed"])
  })

  it("T29: stopped while it waits for what rejects, the steps see nothing of the rejection", async () => {
    const { driver, stop } = stoppable()
    const log: Array<unknown> = []
    const answer = gate()
    const driven = drivePromise(outcomes(log, answer.promise), driver)
    stop("stopped")
    answer.reject(new Error("late"))
    assert.strictEqual(await rejection(driven), "stopped")
    assert.deepEqual(log, [])
  })

  it("T29: steps that stop their own driver go on until they wait", async () => {
    const { driver, stop } = stoppable()
    const log: Array<unknown> = []
    function* steps(): Steps<void> {
      stop("stopped")
      log.push("on")
      yield* waitFor(Promise.resolve())
      log.push("never")
    }
    assert.strictEqual(await rejection(drivePromise(steps(), driver)), "stopped")
    assert.deepEqual(log, ["on"])
  })
})

function* outcomesThatThrow(): Steps<unknown> {
  return yield* waitFor(throwing(new Error("bad"))())
}

describe("drivePromise", () => {
  it("T16: what steps throw at once is a rejection", async () => {
    assert.propertyVal(await rejection(drivePromise(outcomesThatThrow(), unstoppable)), "message", "bad")
  })
})

describe("interruptedBy", () => {
  it("T20: an abort interrupts the Effect that is waited for, which has failed with the signal's reason", async () => {
    const controller = new AbortController()
    const log: Array<unknown> = []
    let finalized = false
    const endless = Effect.never.pipe(Effect.onInterrupt(() => Effect.sync(() => void (finalized = true))))
    const driven = drivePromise(outcomes(log, endless), interruptedBy(controller.signal))
    const reason = new Error("enough")
    controller.abort(reason)
    assert.strictEqual(await driven, "end")
    assert.isTrue(finalized)
    assert.deepEqual(log, [{ thrown: reason }])
  })

  it("T20: a Promise that is waited for is not given up by an abort", async () => {
    const controller = new AbortController()
    const log: Array<unknown> = []
    const answer = gate<string>()
    const driven = drivePromise(outcomes(log, answer.promise), interruptedBy(controller.signal))
    controller.abort()
    answer.resolve("late")
    assert.strictEqual(await driven, "end")
    assert.deepEqual(log, ["late"])
  })

  it("T20: an Effect that interrupts itself has failed with an error, and without a signal nobody interrupts", async () => {
    const log: Array<unknown> = []
    await drivePromise(outcomes(log, Effect.interrupt), interruptedBy(undefined))
    assert.nestedProperty(log, "[0].thrown.message")
  })
})

describe("fromSteps", () => {
  it.effect("T35: a thenable whose then throws fails the steps where they wait", () =>
    Effect.gen(function* () {
      const log: Array<unknown> = []
      const error = new Error("no then")
      assert.strictEqual(yield* fromSteps(() => outcomes(log, { then: throwing(error) }, "next")), "end")
      assert.deepEqual(log, [{ thrown: error }, "next"])
    })
  )

  it.effect("T35: a host's Effect that interrupts itself is a failure for the steps, not the end of the fiber", () =>
    Effect.gen(function* () {
      const log: Array<unknown> = []
      assert.strictEqual(yield* fromSteps(() => outcomes(log, Effect.interrupt, "next")), "end")
      assert.nestedProperty(log, "[0].thrown.message")
      assert.strictEqual(log[1], "next")
    })
  )

  it.effect(
    "T20: interruption interrupts what is waited for and runs the finally blocks of the steps, and no more",
    () =>
      Effect.gen(function* () {
        const log: Array<string> = []
        const endless = Effect.never.pipe(Effect.onInterrupt(() => Effect.sync(() => void log.push("interrupted"))))
        const fiber = yield* Effect.forkChild(
          fromSteps(() => guarded(log, endless)),
          { startImmediately: true }
        )
        yield* Fiber.interrupt(fiber)
        assert.deepEqual(log, ["interrupted", "closed"])
        const waiting = yield* Effect.forkChild(
          fromSteps(() => guarded(log, new Promise(() => undefined))),
          { startImmediately: true }
        )
        yield* Fiber.interrupt(waiting)
        assert.deepEqual(log, ["interrupted", "closed", "closed"])
      })
  )

  it.effect("T35: what steps throw is the failure, values and errors come back in order, on the caller's clock", () =>
    Effect.gen(function* () {
      const log: Array<unknown> = []
      const fiber = yield* Effect.forkChild(
        fromSteps(() => outcomes(log, 1, Promise.resolve(2), Effect.as(Effect.sleep(1000), 3)))
      )
      yield* TestClock.adjust(999)
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* Fiber.join(fiber), "end")
      assert.deepEqual(log, [1, 2, 3])
      const failed = yield* Effect.exit(fromSteps(outcomesThatThrow))
      assert.isTrue(Exit.isFailure(failed))
      assert.propertyVal(yield* Effect.flip(fromSteps(outcomesThatThrow)), "message", "bad")
    })
  )

  it("steps that wait for nothing are an Effect that is run at once", () => {
    const exit = Effect.runSyncExit(fromSteps(() => outcomes([], 1)))
    assert.deepEqual(exit, Exit.succeed("end"))
  })

  it("T16: what is no Effect at all is a failure of that wait", async () => {
    const log: Array<unknown> = []
    const fake = untyped<Effect.Effect<void>>({ "~effect/Effect": {} })
    assert.strictEqual(await drive(outcomes(log, fake, "next"), unstoppable), "end")
    await settle()
    assert.nestedProperty(log, "[0].thrown")
    assert.strictEqual(log[1], "next")
  })
})
