/** What is timed or weighed: each work sets its subject up, checks the answer, and gives one measurement at a time. */
import { spawn } from "node:child_process"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { median } from "./statistics.ts"
import { DELTA, type Execute, type Subject, type SubjectName, TURN_DELTAS } from "./Subject.ts"

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
let held: unknown
const hold = (value: unknown): void => {
  held = value
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
    // One call after the other is what is timed.
    // oxlint-disable-next-line no-await-in-loop
    for (let index = 0; index < times; index += 1) await run()
    return performance.now() - start
  }
  let times = 1
  let perCall = Number.POSITIVE_INFINITY
  for (const start = performance.now(); performance.now() - start < WARM_UP_MS;) {
    // oxlint-disable-next-line no-await-in-loop
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
  const { stalled } = subject
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
      // oxlint-disable-next-line no-await-in-loop
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
  const alone = await timeMs(async () => {
    // oxlint-disable-next-line no-await-in-loop
    for (const session of opened.slice(CONCURRENT, 2 * CONCURRENT)) await sessions.run(session, "Again")
  })
  collect()
  const together = await timeMs(() =>
    Promise.all(opened.slice(0, CONCURRENT).map((session) => sessions.run(session, "Again")))
  )
  return { us, KiB, aloneUs: (alone * 1000) / CONCURRENT, togetherUs: (together * 1000) / CONCURRENT }
}

/** The median of single turns: a collection, or a neighbour's burst, in one of them does not count. */
const oneMoreTurn = async (subject: Subject, messages: number): Promise<Metrics> => {
  const repeat = async (turn: () => Promise<unknown>, most: number, budgetMs: number): Promise<ReadonlyArray<number>> => {
    const times: Array<number> = []
    const start = performance.now()
    while (times.length < most && performance.now() - start < budgetMs) {
      // oxlint-disable-next-line no-await-in-loop
      times.push((await timeMs(turn)) * 1000)
    }
    return times
  }
  await repeat(subject.longSession(20), 500, 700)
  const turn = subject.longSession(messages)
  await turn()
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

const root = join(import.meta.dirname, "..", "..")

/** Starts Node and waits for its end, or for its first output where it must have some. In milliseconds. */
const startNode = (args: ReadonlyArray<string>, output?: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const start = performance.now()
    const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "inherit"] })
    let firstOutput: number | undefined
    let printed = ""
    child.stdout.on("data", (data: Buffer) => {
      firstOutput ??= performance.now()
      printed += data.toString()
    })
    let ended = 0
    child.once("exit", () => {
      ended = performance.now()
    })
    child.once("error", reject)
    child.once("close", (code) => {
      if (code !== 0) reject(new Error(`node ${args.join(" ")} ended with ${String(code)}`))
      else if (output !== undefined && printed.trim() !== output) reject(new Error(`printed ${printed} instead of ${output}`))
      else resolve((output === undefined ? ended : (firstOutput ?? ended)) - start)
    })
  })

const importing = (module: string) => ["--input-type=module", "--eval", `await import("${module}")`]
const prismCommand = ["packages/prism/bin/prism.js", "--provider", "mock", "-p", "Hi"]

/** Works that start processes. `bare` stands for what each is compared with. */
export const starts = {
  importLibrary: (name: SubjectName) => startNode(importing(name === "bare" ? "effect/Effect" : "@arnilo/prism")),
  firstOutput: (name: SubjectName) =>
    startNode(name === "bare" ? ["--eval", 'process.stdout.write("Hello")'] : prismCommand, "Hello")
}

export type WorkName = keyof typeof works | keyof typeof starts

/** Sets the work up for one subject; `load` is only called where the subject's code is run in this process. */
export const setUp = async (
  work: WorkName,
  name: SubjectName,
  load: () => Promise<Subject>,
  size: number,
  batchMs: number
): Promise<Measure> => {
  if (work === "importLibrary" || work === "firstOutput") {
    const start = starts[work]
    await start(name) // the file cache, and the compile cache of the command, are warm from here on
    return async () => ({ ms: await start(name) })
  }
  return works[work](await load(), size, batchMs)
}
