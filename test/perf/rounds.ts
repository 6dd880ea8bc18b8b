/* oxlint-disable no-await-in-loop -- one after the other is the point: what runs at once disturbs each other */
/** Rounds of measurements: one subject at a time, in a new order every round. */
import { type ChildProcess, fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import type { CodingWorkName } from "./codingWorks.ts"
import type { McpWorkName } from "./mcpWorks.ts"
import { shuffled } from "./statistics.ts"
import type { StartName } from "./starts.ts"
import { type SubjectName, subjectNames } from "./Subject.ts"
import type { ValidationName } from "./validations.ts"
import type { Metrics, Pace, WorkName } from "./works.ts"

type Work = WorkName | StartName | ValidationName | CodingWorkName | McpWorkName

/** One work at one size. `fresh`: every measurement in a process of its own, since the first one leaves traces. */
export interface Case {
  readonly work: Work
  readonly size?: number
  readonly fresh?: boolean
  readonly subjects?: ReadonlyArray<SubjectName>
  /** Flags of Node for Prism's process alone. */
  readonly prismFlags?: ReadonlyArray<string>
}

export interface RoundOptions {
  readonly rounds: number
  readonly pace: Pace
  /** Absent: pi is left out. */
  readonly piEntry: string | undefined
}

/** By subject, one entry per round. A subject that failed has none, and its reason in `failures`. */
export interface Samples {
  readonly of: (subject: SubjectName) => ReadonlyArray<Metrics>
  readonly failures: ReadonlyMap<SubjectName, string>
}

export interface SetUp {
  readonly type: "set up"
  readonly subject: SubjectName
  readonly work: Work
  readonly size: number
  readonly pace: Pace
  readonly piEntry: string | undefined
}
export type Ask = SetUp | { readonly type: "measure" }
export type Answer =
  | { readonly type: "ready" }
  | { readonly type: "measured"; readonly metrics: Metrics }
  | { readonly type: "failed"; readonly reason: string }

const TIMEOUT_MS = 60_000
const workerFile = fileURLToPath(new URL("./worker.ts", import.meta.url))

class Worker {
  readonly #child: ChildProcess

  constructor(flags: ReadonlyArray<string>) {
    this.#child = fork(workerFile, [], {
      execArgv: ["--expose-gc", ...flags],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      env: { ...process.env, NODE_ENV: "production" }
    })
  }

  ask(message: Ask): Promise<Answer> {
    const child = this.#child
    return new Promise((resolve) => {
      const finish = (answer: Answer): void => {
        clearTimeout(timer)
        child.off("message", finish)
        child.off("exit", onExit)
        resolve(answer)
      }
      const onExit = (code: number | null, signal: string | null): void =>
        finish({ type: "failed", reason: `its process ended with ${String(signal ?? code)}` })
      const timer = setTimeout(() => {
        child.kill("SIGKILL")
        finish({ type: "failed", reason: `no answer within ${TIMEOUT_MS} ms` })
      }, TIMEOUT_MS)
      child.on("message", finish)
      child.once("exit", onExit)
      child.send(message, (error) => {
        if (error !== null) finish({ type: "failed", reason: error.message })
      })
    })
  }

  /** Resolves when the process is gone: its end must not fall into the next subject's measurement. */
  stop(): Promise<void> {
    const child = this.#child
    if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
    return new Promise((resolve) => {
      child.once("exit", () => resolve())
      if (child.connected) child.disconnect()
    })
  }
}

/** Measures every subject of the case once per round. Fails for no reason of a subject: that is in `failures`. */
export const measureCase = async (item: Case, options: RoundOptions): Promise<Samples> => {
  const { pace, piEntry, rounds } = options
  const { fresh = false, prismFlags = [], size = 0, subjects = subjectNames, work } = item
  const samples = new Map<SubjectName, Array<Metrics>>()
  const failures = new Map<SubjectName, string>()
  const workers = new Map<SubjectName, Worker>()

  const open = async (name: SubjectName): Promise<Worker> => {
    const worker = new Worker(name === "prism" ? prismFlags : [])
    const answer = await worker.ask({ type: "set up", subject: name, work, size, pace, piEntry })
    if (answer.type === "failed") failures.set(name, answer.reason)
    return worker
  }
  const measure = async (name: SubjectName, worker: Worker): Promise<void> => {
    if (failures.has(name)) return
    const answer = await worker.ask({ type: "measure" })
    if (answer.type === "failed") failures.set(name, answer.reason)
    if (answer.type === "measured") samples.get(name)?.push(answer.metrics)
  }

  const active = subjects.filter((name) => name !== "pi" || piEntry !== undefined)
  for (const name of active) {
    samples.set(name, [])
    if (!fresh) workers.set(name, await open(name))
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const name of shuffled(active.filter((candidate) => !failures.has(candidate)))) {
      const worker = workers.get(name) ?? (await open(name))
      await measure(name, worker)
      if (fresh) await worker.stop()
    }
  }
  await Promise.all([...workers.values()].map((worker) => worker.stop()))
  for (const name of failures.keys()) samples.set(name, [])
  return { of: (name) => samples.get(name) ?? [], failures }
}
