/* oxlint-disable no-await-in-loop -- one after the other is the point: what runs at once disturbs each other */
/** What is timed or weighed: each work sets its subject up, checks the answer, and gives one measurement at a time. */
import { setTimeout as sleep } from "node:timers/promises"
import { median } from "./statistics.ts"
import { DELTA, type Execute, type Sessions, type Subject, TURN_DELTAS } from "./Subject.ts"

/** What one measurement came to, by name of the figure; its unit ends the name. */
export type Metrics = Readonly<Record<string, number>>
export type Measure = () => Promise<Metrics>

/** How long one timed batch should take, and for how long the code is run before the first. In milliseconds. */
export interface Pace {
  readonly batchMs: number
  readonly warmUpMs: number
}

/** `size` is what the work scales with. */
type Work = (subject: Subject, size: number, pace: Pace) => Promise<Measure>

const expect = (what: string, actual: unknown, expected: unknown): void => {
  if (actual !== expected) throw new Error(`${what}: expected ${String(expected)}, got ${String(actual)}`)
}

const collect = (): void => {
  if (globalThis.gc === undefined) throw new Error("start node with --expose-gc")
  globalThis.gc()
}

const heapKiB = (): number => {
  collect()
  return process.memoryUsage().heapUsed / 1024
}

/** Kept from the collector until the next call. */
const held: { value?: unknown } = {}
const hold = (value: unknown): void => {
  held.value = value
}

const timeMs = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Repeats until the code had time to be optimised. */
const warmUp = async (run: () => Promise<unknown>, { warmUpMs }: Pace): Promise<void> => {
  for (const start = performance.now(); performance.now() - start < warmUpMs;) await run()
}

/**
 * Time per call, in microseconds, of batches of about `batchMs`, of code that is warm. Each begins with an empty heap, so
 * that none pays for what another left.
 */
export const timed = async (run: () => Promise<unknown>, pace: Pace): Promise<Measure> => {
  const batch = async (times: number): Promise<number> => {
    const start = performance.now()
    for (let index = 0; index < times; index += 1) await run()
    return ((performance.now() - start) * 1000) / times
  }
  let times = 1
  await warmUp(async () => {
    times = Math.max(1, Math.round((pace.batchMs * 1000) / (await batch(times))))
  }, pace)
  return async () => {
    collect()
    return { us: await batch(times) }
  }
}

const text = async (run: () => Promise<string>, pace: Pace): Promise<Measure> => {
  expect("text", await run(), DELTA.repeat(TURN_DELTAS))
  return timed(run, pace)
}

const BATCH_CALLS = 64
const BATCH_CONCURRENCY = 8

/** The measured batch of sleeping calls fails when ever more or fewer than eight ran at once. */
const sleepingBatch = async (subject: Subject, sleepMs: number, pace: Pace): Promise<Measure> => {
  let active = 0
  let peak = 0
  let executed = 0
  const run = subject.toolBatch(BATCH_CALLS, BATCH_CONCURRENCY, async () => {
    active += 1
    peak = Math.max(peak, active)
    await sleep(sleepMs)
    active -= 1
    executed += 1
    return "ok"
  })
  const checkedRun = async () => {
    executed = 0
    peak = 0
    await run()
    expect("calls", executed, BATCH_CALLS)
    expect("calls at once", peak, BATCH_CONCURRENCY)
  }
  return timed(checkedRun, pace)
}

/** Runs once, counting the calls; then timed. */
const counted = async (
  calls: number,
  pace: Pace,
  set: (execute: Execute) => () => Promise<unknown>
): Promise<Measure> => {
  let executed = 0
  const run = set(({ path }) => {
    executed += 1
    return `ok ${String(path)}`
  })
  await run()
  expect("calls", executed, calls)
  return timed(run, pace)
}

/** What a subscriber that never reads keeps, beyond what the same run keeps without it. */
const stalledHeap = async (subject: Subject, deltas: number): Promise<Metrics> => {
  const stalled = subject.stalled?.bind(subject)
  if (stalled === undefined) throw new Error("not offered")
  const kept = async (attach: boolean): Promise<number> => {
    hold(undefined)
    const run = stalled(deltas, 1024, attach)
    const before = heapKiB()
    hold(await run())
    return heapKiB() - before
  }
  await stalled(500, 1024, true)()
  const without = await kept(false)
  return { MiB: ((await kept(true)) - without) / 1024 }
}

const CONCURRENT = 1000

/** Sessions with one turn each, one after the other, as if so many users came by. */
const openSessions = async (sessions: Sessions, count: number): Promise<ReadonlyArray<unknown>> => {
  const opened: Array<unknown> = []
  for (let index = 0; index < count; index += 1) {
    const session = sessions.create(`session-${index}`)
    await sessions.run(session, "Hi")
    opened.push(session)
  }
  return opened
}

/** A second turn in each of a thousand sessions: one by one, and at once in the next thousand; over and over. */
const secondTurns = async (sessions: Sessions, opened: ReadonlyArray<unknown>) => {
  const again = (session: unknown) => sessions.run(session, "Again")
  const together: Array<number> = []
  const timesAlone: Array<number> = []
  for (let at = 0; at + 2 * CONCURRENT <= opened.length; at += 2 * CONCURRENT) {
    const some = opened.slice(at, at + CONCURRENT)
    const others = opened.slice(at + CONCURRENT, at + 2 * CONCURRENT)
    const aloneMs = await timeMs(async () => {
      for (const session of some) await again(session)
    })
    const togetherMs = await timeMs(() => Promise.all(others.map(again)))
    // The first of them is code that has not run yet.
    if (at === 0) continue
    together.push((togetherMs * 1000) / CONCURRENT)
    timesAlone.push(togetherMs / aloneMs)
  }
  return { togetherUs: median(together), timesAlone: median(timesAlone) }
}

/** The heap is weighed last: the collections it takes would slow down what is timed after them. */
const manySessions = async (subject: Subject, count: number): Promise<Metrics> => {
  const sessions = subject.sessions()
  await openSessions(sessions, count / 5)
  const ms = await timeMs(async () => hold(await openSessions(sessions, count)))
  const second = await secondTurns(sessions, held.value as ReadonlyArray<unknown>)
  hold(undefined)
  const before = heapKiB()
  hold(await openSessions(sessions, count))
  return { us: (ms * 1000) / count, KiB: (heapKiB() - before) / count, ...second }
}

/** The median of single turns: a collection, or a neighbour's burst, in one of them does not count. */
const oneMoreTurn = async (subject: Subject, messages: number): Promise<Metrics> => {
  const turn = subject.longSession(messages)
  expect("messages sent", await turn(), messages + 1)
  await turn()
  const times: Array<number> = []
  while (times.length < 11) times.push((await timeMs(turn)) * 1000)
  return { us: median(times) }
}

export const works = {
  textTurn: async (subject, _size, pace) => text(subject.textTurn(), pace),
  textStream: async (subject, _size, pace) => text(subject.textStream(), pace),
  toolRounds: async (subject, rounds, pace) => counted(rounds, pace, (execute) => subject.toolRounds(rounds, execute)),
  toolBatch: async (subject, calls, pace) =>
    counted(calls, pace, (execute) => subject.toolBatch(calls, BATCH_CONCURRENCY, execute)),
  sleepingBatch,
  fanOut: async (subject, subscribers, pace) => {
    const run = subject.fanOut(5000, subscribers)
    expect("deltas", await run(), 5000 * subscribers)
    return timed(run, pace)
  },
  stalled: async (subject, deltas) => () => stalledHeap(subject, deltas),
  sessions: async (subject, count) => () => manySessions(subject, count),
  longSession: async (subject, messages, pace) => {
    // A session of its own for every measurement, or it would grow; the code is warm from short ones.
    await warmUp(() => oneMoreTurn(subject, 20), pace)
    return () => oneMoreTurn(subject, messages)
  }
} satisfies Record<string, Work>

export type WorkName = keyof typeof works
