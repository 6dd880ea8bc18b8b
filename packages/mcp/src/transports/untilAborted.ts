/** What `promise` settles with, or the signal's reason where that aborts first. */
export const untilAborted = <A>(promise: PromiseLike<A>, signal: AbortSignal): Promise<A> =>
  new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error)
    if (signal.aborted) onAbort()
    else signal.addEventListener("abort", onAbort, { once: true })
    // Listened to in either case: a rejection that nobody hears of would end the host.
    Promise.resolve(promise)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", onAbort))
  })
