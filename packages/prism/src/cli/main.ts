/** The process around `runCli`: signals, exit code, console. */
import process from "node:process"
import type { CliRuntime } from "./CliRuntime.ts"
import { runCli } from "./runCli.ts"

/** How long an aborted run may take to settle. A tool that cannot be interrupted would else keep the process. */
const SETTLE_WITHIN_MS = 5000

type Signal = "SIGINT" | "SIGTERM"

/**
 * Runs the arguments of the process and exits. The first SIGINT or SIGTERM aborts the run, a second one ends the process at
 * once. What a host's module left open, a timer or a socket, does not keep the process.
 */
export const main = (): void => {
  // stdout is for the protocol: what a host's tools print, Effect's logger included, goes to stderr.
  console.log = console.info = console.debug = console.dir = console.dirxml = console.error
  // Nobody is left to be told.
  process.stderr.on("error", () => undefined)
  const controller = new AbortController()
  const onSignal = (signal: Signal): void => {
    if (controller.signal.aborted) return exit(signal)
    controller.abort(signal)
    setTimeout(exit, SETTLE_WITHIN_MS, signal)
  }
  process.on("SIGINT", onSignal)
  process.on("SIGTERM", onSignal)
  // A run that waits for a Promise alone would not keep Node going.
  const whileRunning = setInterval(() => undefined, 2 ** 30)
  const { stdout, stderr } = process
  const runtime: CliRuntime = {
    stdout,
    stderr,
    signal: controller.signal,
    // Opened when it is read from: that takes as long as a run.
    get stdin() {
      return process.stdin
    }
  }
  void runCli(process.argv.slice(2), runtime)
    .finally(() => clearInterval(whileRunning))
    .then((code) => process.exit(code))
}

const exit = (signal: Signal): never => process.exit(signal === "SIGINT" ? 130 : 143)
