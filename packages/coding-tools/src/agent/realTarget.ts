/** Where what is written to a path ends up. */
import { lstatSync, readlinkSync, realpathSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"

const MAX_LINKS = 40

/**
 * The path behind all links, those that lead to nothing included. Names that do not exist yet stay below the deepest
 * directory that does. Throws the system's error for a loop of links and for what may not be looked at.
 */
export const realTarget = (path: string, links = MAX_LINKS): string => {
  try {
    return realpathSync.native(path)
  } catch (error) {
    if (!isMissing(error) || links === 0) throw error
  }
  const parent = dirname(path)
  if (parent === path) return path
  const here = join(realTarget(parent, links), basename(path))
  return isLink(here) ? realTarget(resolve(dirname(here), readlinkSync(here)), links - 1) : here
}

const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ENOENT"
