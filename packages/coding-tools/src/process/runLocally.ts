/** One command as a process of this machine, from its start until nothing of it is waited for. */
import { type ChildProcess, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import type { Readable } from "node:stream"
import type { BashExecOptions, BashExecResult } from "./BashExec.ts"
import { killProcesses } from "./killProcessTree.ts"
import { type BackgroundProcess, type CallProcesses, findProcesses, findSurvivors, pipesOf } from "./processes.ts"
import { Utf8Border } from "./Utf8Border.ts"

/** Silence of the pipes after which whoever still holds them is left to itself. */
const QUIET_MS = 100
/** After a kill: how often to look whether all are gone, and when to stop waiting for it. */
const LOOK_MS = 25
const KILL_WAIT_MS = 1_500

/** Passed on to every process below; nested calls append theirs. */
const MARK = "PRISM_SHELL_CALL"

/** Why a command did not end by itself, and who is left of it all the same. */
class CommandStopped extends Error {
  override readonly name = "CommandStopped"
  readonly background: ReadonlyArray<BackgroundProcess>
  constructor(message: string, background: ReadonlyArray<BackgroundProcess>, cause?: unknown) {
    super(message, { cause })
    this.background = background
  }
}

interface Program {
  readonly shell: string
  readonly args: ReadonlyArray<string>
  readonly cwd: string
}

/** Settles once; by then timers, listeners and pipes are gone. Throws what `spawn` throws. */
export const runLocally = (program: Program, options: BashExecOptions): Promise<BashExecResult> => {
  const mark = randomBytes(8).toString("hex")
  const child = start(program, options.env ?? process.env, mark)
  return new Promise((resolve, reject) => new Call(child, mark, options, resolve, reject).begin())
}

const start = ({ shell, args, cwd }: Program, env: NodeJS.ProcessEnv, mark: string): ChildProcess =>
  spawn(shell, args, {
    cwd,
    env: { ...env, [MARK]: env[MARK] === undefined ? mark : `${env[MARK]},${mark}` },
    // A session of its own: a group to kill, and no terminal to ask on. On Windows it would open a window.
    detached: process.platform !== "win32",
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true
  })

class Call {
  readonly #child: ChildProcess
  readonly #processes: CallProcesses
  readonly #options: BashExecOptions
  readonly #resolve: (result: BashExecResult) => void
  readonly #reject: (error: unknown) => void
  readonly #startedAt = performance.now()
  /** Streams that have not ended. */
  readonly #open = new Set<Readable>()
  #exit: { readonly code: number | null } | undefined
  #stopped: { readonly message: string; readonly cause?: unknown; readonly at: number } | undefined
  #settled = false
  #heard = 0
  #timeout: NodeJS.Timeout | undefined
  /** Counts the silence after the exit, or looks again after a kill. */
  #wait: NodeJS.Timeout | undefined

  constructor(
    child: ChildProcess,
    mark: string,
    options: BashExecOptions,
    resolve: (result: BashExecResult) => void,
    reject: (error: unknown) => void
  ) {
    this.#child = child
    const pid = child.pid ?? 0
    this.#processes = { pid, mark, pipes: pid > 0 ? pipesOf(pid) : [] }
    this.#options = options
    this.#resolve = resolve
    this.#reject = reject
  }

  begin(): void {
    const { signal, timeout } = this.#options
    this.#child.once("error", this.#fail)
    if (this.#child.pid === undefined) return
    for (const stream of [this.#child.stdout, this.#child.stderr]) if (stream !== null) this.#listen(stream)
    this.#child.once("exit", this.#onExit)
    signal?.addEventListener("abort", this.#onAbort, { once: true })
    if (timeout !== undefined) this.#timeout = setTimeout(() => this.#stop(`timeout:${timeout}`), timeout * 1_000)
  }

  #listen(stream: Readable): void {
    const border = new Utf8Border()
    this.#open.add(stream)
    stream.on("data", (chunk: Buffer) => this.#hear(() => border.push(chunk, this.#options.onData)))
    const end = (): void => {
      if (!this.#open.delete(stream)) return
      this.#hear(() => border.flush(this.#options.onData))
      this.#check()
    }
    stream.once("end", end).once("close", end).once("error", end)
  }

  /** After a kill output is discarded, and a listener that throws kills. */
  #hear(deliver: () => void): void {
    if (this.#stopped !== undefined || this.#settled) return
    this.#heard += 1
    try {
      deliver()
    } catch (error) {
      this.#stop(error instanceof Error ? error.message : String(error), error)
    }
  }

  readonly #onAbort = (): void => this.#stop("aborted")

  readonly #onExit = (code: number | null): void => {
    this.#exit = { code }
    this.#check()
    if (!this.#settled && this.#stopped === undefined) this.#awaitSilence()
  }

  #awaitSilence(): void {
    const heard = this.#heard
    this.#wait = setTimeout(() => {
      // After a busy stretch of this thread the timer comes before what the pipes already hold.
      setImmediate(() => {
        if (this.#settled || this.#stopped !== undefined) return
        if (this.#heard === heard) this.#finish()
        else this.#awaitSilence()
      })
    }, QUIET_MS)
  }

  #stop(message: string, cause?: unknown): void {
    if (this.#settled || this.#stopped !== undefined) return
    this.#stopped = { message, cause, at: performance.now() }
    clearTimeout(this.#timeout)
    clearTimeout(this.#wait)
    killProcesses(this.#processes)
    this.#wait = setInterval(() => this.#check(), LOOK_MS)
  }

  /** Whether the end has come. */
  #check(): void {
    if (this.#settled) return
    if (this.#stopped === undefined) {
      if (this.#exit !== undefined && this.#open.size === 0) this.#finish()
      return
    }
    const waited = performance.now() - this.#stopped.at
    if (waited < KILL_WAIT_MS && this.#exit === undefined) return
    const living = findProcesses(this.#processes)
    if (waited < KILL_WAIT_MS && living.length > 0) return killProcesses(this.#processes)
    // Who holds the pipes now cannot be found.
    if (waited < QUIET_MS && this.#open.size > 0) return
    this.#close()
    this.#reject(new CommandStopped(this.#stopped.message, living, this.#stopped.cause))
  }

  #finish(): void {
    this.#close()
    const background = findSurvivors(this.#processes, performance.now() - this.#startedAt)
    this.#resolve({ exitCode: this.#exit?.code ?? null, ...(background.length > 0 && { background }) })
  }

  readonly #fail = (error: Error): void => {
    if (this.#settled) return
    this.#close()
    this.#reject(error)
  }

  #close(): void {
    this.#settled = true
    clearTimeout(this.#timeout)
    clearInterval(this.#wait)
    this.#options.signal?.removeEventListener("abort", this.#onAbort)
    this.#child.removeListener("exit", this.#onExit)
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.removeAllListeners("data")
      stream?.destroy()
    }
    this.#child.unref()
  }
}
