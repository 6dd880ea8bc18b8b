/** Hears of an abort. */

const heard = new WeakMap<AbortSignal, Set<() => void>>()

/**
 * Calls `listener` once when the signal aborts. The answer lets go of it. However many listen, the signal has one listener of
 * ours, so that platforms have no reason to warn of a leak. Not called for a signal that is aborted already.
 */
export const onAbort = (signal: AbortSignal, listener: () => void): (() => void) => {
  const listeners = heard.get(signal) ?? listenTo(signal)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0 || heard.get(signal) !== listeners) return
    heard.delete(signal)
    signal.removeEventListener("abort", tellAll)
  }
}

const listenTo = (signal: AbortSignal): Set<() => void> => {
  const listeners = new Set<() => void>()
  heard.set(signal, listeners)
  signal.addEventListener("abort", tellAll, { once: true })
  return listeners
}

/** One function for all signals: adding it twice to one is adding it once. */
function tellAll(this: AbortSignal): void {
  const listeners = heard.get(this)
  heard.delete(this)
  for (const listener of listeners ?? []) listener()
}
