/* oxlint-disable no-await-in-loop -- one after the other is the point: what runs at once disturbs each other */
/** What is timed or weighed: each work sets its subject up, checks the answer, and gives one measurement at a time. */
import { setTimeout as sleep } from "node:timers/promises"
import { median } from "./statistics.ts"
import { DELTA, type Execute, type Subject, TURN_DELTAS } from "./Subject.ts"

/** What one measurement came to, by name of the figure; its unit ends the name. */
export type Metrics = Readonly<Record<string, number>>
export type Measure = () => Promise<Metrics>

/** `size` is what the work scales with; `batchMs` how long one timed batch should take. */
type Work = (subject: Subject, size: number, batchMs: number) => Promise<Measure>

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

const WARM_UP_MS = 400

/** Time per call, in microseconds, of batches of about `batchMs`, after the code had time to be optimised. */
const timed = async (run: () => Promise<unknown>, batchMs: number): Promise<Measure> => {
  const batch = async (times: number): Promise<number> => {
    const start = performance.now()
    for (let index = 0; index < times; index += 1) await run()
    return performance.now() - start
  }
  let times = 1
  let perCall = Number.POSITIVE_INFINITY
  for (const start = performance.now(); performance.now() - start < WARM_UP_MS;) {
    const ms = await batch(times)
    perCall = ms / times
    if (ms < batchMs / 2) times *= 2
  }
  times = Math.max(1, Math.round(batchMs / perCall))
  return async () => {
    collect()
    return { us: ((await batch(times)) * 1000) / times }
  }
}

const text = async (run: () => Promise<string>, batchMs: number): Promise<Measure> => {
  expect("text", await run(), DELTA.repeat(TURN_DELTAS))
  return timed(run, batchMs)
}

const BATCH_CALLS = 64
const BATCH_CONCURRENCY = 8

/** The measured batch of sleeping calls fails when ever more or fewer than eight ran at once. */
const sleepingBatch = async (subject: Subject, sleepMs: number, batchMs: number): Promise<Measure> => {
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
  return timed(checkedRun, batchMs)
}

/** Runs once, counting the calls; then timed. */
const counted = async (
  calls: number,
  batchMs: number,
  set: (execute: Execute) => () => Promise<unknown>
): Promise<Measure> => {
  let executed = 0
  const run = set(({ path }) => {
    executed += 1
    return `ok ${String(path)}`
  })
  await run()
  expect("calls", executed, calls)
  return timed(run, batchMs)
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

const manySessions = async (subject: Subject, count: number): Promise<Metrics> => {
  const sessions = subject.sessions()
  const open = async (prefix: string, amount: number): Promise<ReadonlyArray<unknown>> => {
    const opened: Array<unknown> = []
    for (let index = 0; index < amount; index += 1) {
      const session = sessions.create(`${prefix}-${index}`)
      await sessions.run(session, "Hi")
      opened.push(session)
    }
    return opened
  }
  await open("warm", 100)
  const before = heapKiB()
  const start = performance.now()
  const opened = await open("session", count)
  hold(opened)
  const us = ((performance.now() - start) * 1000) / count
  const KiB = (heapKiB() - before) / count
  const again = (session: unknown) => sessions.run(session, "Again")
  const oneByOne = async (from: number) => {
    for (const session of opened.slice(from, from + CONCURRENT)) await again(session)
  }
  await oneByOne(2 * CONCURRENT) // second turns are code that has not run yet
  collect()
  const alone = await timeMs(() => oneByOne(CONCURRENT))
  collect()
  const together = await timeMs(() => Promise.all(opened.slice(0, CONCURRENT).map(again)))
  return { us, KiB, togetherUs: (together * 1000) / CONCURRENT, timesAlone: together / alone }
}

/** Times of single calls in microseconds: so many, or what fits into the budget. */
const repeat = async (turn: () => Promise<unknown>, most: number, budgetMs: number): Promise<ReadonlyArray<number>> => {
  const times: Array<number> = []
  const start = performance.now()
  while (times.length < most && performance.now() - start < budgetMs) {
    times.push((await timeMs(turn)) * 1000)
  }
  return times
}

/** The median of single turns: a collection, or a neighbour's burst, in one of them does not count. */
const oneMoreTurn = async (subject: Subject, messages: number): Promise<Metrics> => {
  await repeat(subject.longSession(20), 500, 700)
  const turn = subject.longSession(messages)
  expect("messages sent", await turn(), messages + 1)
  await turn()
  collect()
  return { us: median(await repeat(turn, 25, 1000)) }
}

export const works = {
  textTurn: async (subject, _size, batchMs) => text(subject.textTurn(), batchMs),
  textStream: async (subject, _size, batchMs) => text(subject.textStream(), batchMs),
  toolRounds: async (subject, rounds, batchMs) =>
    counted(rounds, batchMs, (execute) => subject.toolRounds(rounds, execute)),
  toolBatch: async (subject, calls, batchMs) =>
    counted(calls, batchMs, (execute) => subject.toolBatch(calls, BATCH_CONCURRENCY, execute)),
  sleepingBatch,
  fanOut: async (subject, subscribers, batchMs) => {
    const run = subject.fanOut(5000, subscribers)
    expect("deltas", await run(), 5000 * subscribers)
    return timed(run, batchMs)
  },
  stalled: async (subject, deltas) => () => stalledHeap(subject, deltas),
  sessions: async (subject, count) => () => manySessions(subject, count),
  longSession: async (subject, messages) => () => oneMoreTurn(subject, messages)
} satisfies Record<string, Work>

export type WorkName = keyof typeof works
