/** Whether a path is inside a directory, decided on what both resolve to at the moment of asking. Nothing is cached. */
import { lstat, realpath } from "node:fs/promises"
import { isAbsolute, join, parse, relative, resolve, sep } from "node:path"

/** Whether `target` is `root` or below it by its name alone. Links are not followed, nothing has to exist. */
export const isPathInside = (root: string, target: string): boolean => {
  const way = relative(resolve(root), resolve(target))
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/**
 * Whether `target` is `root` or below it once the links in both are followed. A target that does not exist counts as its
 * deepest existing ancestor and the names below that. False, never an error, for whatever cannot be resolved: a root that
 * does not exist, a dangling link, a loop, a directory that may not be entered, a file in the place of a directory.
 *
 * Hard links are not seen, nor is a directory that is swapped after the answer.
 */
export const isPathInsideReal = (root: string, target: string): Promise<boolean> =>
  assertPathInsideRoots([root], target)

/** Whether `target` is inside any of the roots, as `isPathInsideReal`. Resolves with the answer; it does not throw. */
export const assertPathInsideRoots = async (roots: ReadonlyArray<string>, target: string): Promise<boolean> => {
  const spellings = spellingsOf(target)
  if (spellings.length === 0) return false
  const [real, ...targets] = await Promise.all([Promise.all(roots.map(resolveRoot)), ...spellings.map(resolveTarget)])
  return targets.every(
    (path) => path !== undefined && real.some((root) => root !== undefined && isPathInside(root, path))
  )
}

/**
 * The absolute spellings that have to be inside. `link/..` is the parent of what the link points to for the system, and
 * the link's own directory for whoever tidies a path by its text; both must hold.
 */
const spellingsOf = (path: string): ReadonlyArray<string> => {
  if (typeof path !== "string" || path === "") return []
  const untidied = isAbsolute(path) ? path : `${process.cwd()}${sep}${path}`
  return componentsOf(untidied).includes("..") ? [untidied, resolve(path)] : [untidied]
}

const SEPARATORS = sep === "\\" ? /[\\/]+/ : /\/+/

const componentsOf = (path: string): ReadonlyArray<string> =>
  path.split(SEPARATORS).filter((name) => name !== "" && name !== ".")

const resolveRoot = async (root: string): Promise<string | undefined> => {
  if (typeof root !== "string" || root === "") return undefined
  try {
    return await realpath(resolve(root))
  } catch {
    return undefined
  }
}

/** Walks up to the deepest ancestor that exists. Undefined where something is there but leads nowhere. */
const resolveTarget = async (path: string): Promise<string | undefined> => {
  const { root } = parse(path)
  const names = [...componentsOf(path.slice(root.length))]
  const missing: Array<string> = []
  for (;;) {
    const ancestor = root + names.join(sep)
    try {
      // oxlint-disable-next-line no-await-in-loop -- each step depends on the one before
      return join(await realpath(ancestor), ...missing)
    } catch (error) {
      // oxlint-disable-next-line no-await-in-loop -- as above
      if (codeOf(error) !== "ENOENT" || (await isListed(ancestor))) return undefined
    }
    const name = names.pop()
    if (name === undefined || name === "..") return undefined
    missing.unshift(name)
  }
}

/** Whether a directory has an entry of this name, even one that cannot be resolved. */
const isListed = async (path: string): Promise<boolean> => {
  try {
    await lstat(path)
    return true
  } catch (error) {
    return codeOf(error) !== "ENOENT"
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined)
