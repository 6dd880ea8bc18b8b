/** Waiting for what may not heed an abort. */
import { OPERATION_ABORTED, throwIfAborted, ToolFailure } from "./results.ts"

/**
 * What `run` settles with, or a `ToolFailure` as soon as `signal` aborts; then `run` is not waited for, and whatever it
 * settles with later is dropped. It is not started under a signal that is aborted.
 */
export const untilAborted = async <A>(signal: AbortSignal | undefined, run: () => Promise<A>): Promise<A> => {
  throwIfAborted(signal)
  if (signal === undefined) return run()
  let onAbort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(new ToolFailure(OPERATION_ABORTED))
    signal.addEventListener("abort", onAbort, { once: true })
  })
  try {
    return await Promise.race([run(), aborted])
  } finally {
    signal.removeEventListener("abort", onAbort)
  }
}
