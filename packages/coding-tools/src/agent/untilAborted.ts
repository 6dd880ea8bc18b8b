/** Waiting for what may not heed an abort. */
import { OPERATION_ABORTED, throwIfAborted, ToolFailure } from "./results.ts"

/**
 * What `run` settles with, or a `ToolFailure` as soon as `signal` aborts; then `run` is not waited for, and whatever it
 * settles with later is dropped. It is not started under a signal that is aborted.
 */
export const untilAborted = async <A>(signal: AbortSignal | undefined, run: () => Promise<A>): Promise<A> => {
  throwIfAborted(signal)
  if (signal === undefined) return run()
  return new Promise<A>((resolve, reject) => {
    const onAbort = () => reject(new ToolFailure(OPERATION_ABORTED))
    signal.addEventListener("abort", onAbort, { once: true })
    const settled = () => signal.removeEventListener("abort", onAbort)
    // Behind a promise, so that a `run` that throws is a rejection, too.
    Promise.resolve().then(run).finally(settled).then(resolve, reject)
  })
}
