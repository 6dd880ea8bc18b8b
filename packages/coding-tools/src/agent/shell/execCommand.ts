/** One command in a backend that is not trusted to stop: how it ended, at the latest two seconds after it should have. */
import type { BashOperations, BashSpawnContext } from "../BashOperations.ts"
import type { OutputAccumulator } from "../OutputAccumulator.ts"
import type { BackgroundProcess } from "../../process/processes.ts"
import { messageOf } from "../results.ts"

/** Longer than the local backend waits after a kill, and within the two seconds. */
const GRACE_MS = 1_800

/** How a command ended. */
export interface CommandEnd {
  readonly exitCode: number | null
  /** Why it was no normal end. */
  readonly problem?: "timeout" | "aborted" | { readonly message: string } | undefined
  readonly background: ReadonlyArray<BackgroundProcess>
}

interface ExecRequest {
  readonly operations: BashOperations
  readonly spawn: BashSpawnContext
  /** Seconds. */
  readonly timeout: number
  readonly signal: AbortSignal | undefined
  readonly output: OutputAccumulator
}

/** Never rejects. When it resolves, its timers and listeners are gone, and later output goes nowhere. */
export const execCommand = async ({ operations, spawn, timeout, signal, output }: ExecRequest): Promise<CommandEnd> => {
  const stop = new AbortController()
  const abort = (): void => stop.abort()
  let giveUp: (end: undefined) => void
  const gaveUp = new Promise<undefined>((resolve) => {
    giveUp = resolve
  })
  let [isSettled, isOverdue] = [false, false]
  let grace: NodeJS.Timeout | undefined
  const startGrace = (): void => {
    grace ??= setTimeout(() => giveUp(undefined), GRACE_MS)
  }
  const onData = (data: Buffer): void => {
    if (isSettled || stop.signal.aborted) return
    // What a backend hands over, by its type a Buffer, may be any bytes.
    output.append(Buffer.isBuffer(data) ? data : Buffer.from(data))
    if (output.overflowed || output.storageFailed) stop.abort()
  }
  stop.signal.addEventListener("abort", startGrace, { once: true })
  signal?.addEventListener("abort", abort, { once: true })
  const running = exec(operations, spawn, { onData, signal: stop.signal, timeout })
  // After the backend's own timer: a backend that keeps time is heard first.
  const wall = setTimeout(() => {
    isOverdue = true
    startGrace()
  }, timeout * 1_000)
  const end = await Promise.race([running, gaveUp])
  isSettled = true
  clearTimeout(wall)
  clearTimeout(grace)
  signal?.removeEventListener("abort", abort)
  stop.signal.removeEventListener("abort", startGrace)
  if (end === undefined) stop.abort()
  const { exitCode = null, background = [], problem } = end ?? {}
  if (isOverdue || problem === "timeout") return { exitCode: null, background, problem: "timeout" }
  if (signal?.aborted === true) return { exitCode: null, background, problem: "aborted" }
  return { exitCode, background, problem }
}

const exec = async (
  operations: BashOperations,
  { command, cwd, env }: BashSpawnContext,
  options: { readonly onData: (data: Buffer) => void; readonly signal: AbortSignal; readonly timeout: number }
): Promise<CommandEnd> => {
  try {
    if (typeof operations.exec !== "function") throw new TypeError("BashOperations.exec is missing")
    const result = await operations.exec(command, cwd, { ...options, env })
    const exitCode = typeof result?.exitCode === "number" ? result.exitCode : null
    return { exitCode, background: backgroundOf(result) }
  } catch (error) {
    const message = messageOf(error)
    return {
      exitCode: null,
      background: backgroundOf(error),
      problem: message.startsWith("timeout:") ? "timeout" : { message }
    }
  }
}

/** What a result, or an error, names as left running. */
const backgroundOf = (settled: unknown): ReadonlyArray<BackgroundProcess> => {
  const background = typeof settled === "object" && settled !== null && "background" in settled && settled.background
  if (!Array.isArray(background)) return []
  return background.filter(
    (item): item is BackgroundProcess => typeof item?.pid === "number" && typeof item.command === "string"
  )
}
