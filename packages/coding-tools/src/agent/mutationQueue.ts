/** One change of a file at a time, in the whole process. */
import { resolve } from "node:path"
import { realTarget } from "./realTarget.ts"

/** By real path: the end of the last change that was asked for. It never rejects. */
const tails = new Map<string, Promise<void>>()

/**
 * Runs `fn` once all earlier changes of the same file have ended, however they ended: in the order of the calls, whatever
 * spelling or link names the file, whether it exists or not. Changes of other files do not wait. Settles as `fn` does.
 */
export const withFileMutationQueue = async <T>(path: string, fn: () => Promise<T>): Promise<T> => {
  // Without waiting for the file system, or a later call could overtake this one.
  const key = keyOf(path)
  const turn = (tails.get(key) ?? Promise.resolve()).then(fn)
  const ended = turn.then(
    () => undefined,
    () => undefined
  )
  tails.set(key, ended)
  try {
    return await turn
  } finally {
    if (tails.get(key) === ended) tails.delete(key)
  }
}

/** How many files have a change running or waiting. */
export const queuedFiles = (): number => tails.size

const keyOf = (path: string): string => {
  try {
    return realTarget(resolve(path))
  } catch {
    // Whatever may not be looked at may not be written either; the change itself will say so.
    return resolve(path)
  }
}
