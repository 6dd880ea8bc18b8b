/** What a sandbox shows of the file system: places laid over one another, of which the innermost decides. */
import { existsSync, lstatSync, realpathSync, statSync } from "node:fs"
import { homedir, tmpdir, userInfo } from "node:os"
import { dirname, isAbsolute, sep } from "node:path"

/** Of each list. */
const MAX_PATHS = 64
const MAX_SHOWN = 200

/** Absolute paths of what exists. Of places within one another the innermost decides. */
export interface SandboxPaths {
  /** Directories that commands may write to: 1 to 64, none of them the whole file system. */
  readonly roots: ReadonlyArray<string>
  /** What commands may read but not write: in a place that is hidden otherwise, or in a root. At most 64. */
  readonly readable?: ReadonlyArray<string> | undefined
  /**
   * Files and directories that commands find empty. At most 64. A file that somebody replaces while a command runs is seen
   * by it from then on; a directory stays hidden.
   */
  readonly hide?: ReadonlyArray<string> | undefined
}

type Kind = "writable" | "readable" | "hidden"

/** Outer places first, links resolved: what a link leads to later is not what the host meant. */
export type SandboxView = ReadonlyArray<readonly [path: string, kind: Kind]>

/**
 * All else of the machine can be read. Hidden from the start are the home directory, for the keys in it, and where sockets
 * of services and other temporary files lie. Throws a `RangeError` for a path that is not absolute, does not exist, or is
 * in two lists.
 */
export const sandboxView = ({ roots, readable = [], hide = [] }: SandboxPaths): SandboxView => {
  const places = new Map<string, Kind>()
  const fields = new Map<string, string>()
  const add = (kind: Kind, paths: ReadonlyArray<string>, field: string): void => {
    for (const [index, path] of paths.entries()) {
      const name = `${field}[${index}]`
      const other = fields.get(path)
      if (other !== undefined && places.get(path) !== kind)
        throw new RangeError(`${other} and ${name} are the same place`)
      fields.set(path, name)
      places.set(path, kind)
    }
  }
  add("writable", directories("roots", roots), "roots")
  add("readable", existing("readable", readable), "readable")
  add("hidden", existing("hide", hide), "hide")
  if (roots.length === 0) throw new RangeError(`roots must name 1 to ${MAX_PATHS} directories, got none`)
  for (const path of privatePlaces()) if (!places.has(path)) places.set(path, "hidden")
  return sorted(pinned(places))
}

/** Whether a path, links resolved, can be seen. */
export const isVisible = (view: SandboxView, path: string): boolean => kindAt(view, path) !== "hidden"

/** Arguments of `bwrap`. Throws where a place does not exist any more, unless it was hidden. */
export const mountArguments = (view: SandboxView): ReadonlyArray<string> =>
  view.flatMap(([path, kind]) => {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (kind === "hidden") {
      if (stats === undefined) return []
      return stats.isDirectory() ? ["--tmpfs", path] : ["--ro-bind", "/dev/null", path]
    }
    if (stats === undefined) throw new Error(`The sandbox cannot show ${path}: it does not exist`)
    return [kind === "writable" ? "--bind" : "--ro-bind", path, path]
  })

const privatePlaces = (): ReadonlyArray<string> =>
  [...homes(), tmpdir(), "/tmp", "/var/tmp", "/run", "/dev/shm"]
    .filter((path) => existsSync(path))
    .map((path) => realpathSync(path))
    .filter((path) => path !== sep)

/** By the environment and by the system, which may differ. */
const homes = (): ReadonlyArray<string> => {
  try {
    return [homedir(), userInfo().homedir]
  } catch {
    return [homedir()] // a user whom the system does not know
  }
}

/** Folders of a root on the way to what is protected in it become places of their own: those cannot be moved away. */
const pinned = (places: ReadonlyMap<string, Kind>): ReadonlyMap<string, Kind> => {
  const all = new Map(places)
  for (const [path, kind] of places) {
    if (kind === "writable") continue
    for (
      let folder = dirname(path);
      kindAt(sorted(places), folder) === "writable" && !all.has(folder);
      folder = dirname(folder)
    ) {
      all.set(folder, "writable")
    }
  }
  return all
}

const sorted = (places: ReadonlyMap<string, Kind>): SandboxView =>
  [...places].toSorted(([left], [right]) => left.length - right.length)

const kindAt = (view: SandboxView, path: string): Kind | undefined =>
  view.findLast(([outer]) => path === outer || path.startsWith(outer + sep))?.[1]

const existing = (field: string, paths: unknown): ReadonlyArray<string> => {
  if (!Array.isArray(paths) || paths.length > MAX_PATHS) {
    throw new RangeError(`${field} must be a list of at most ${MAX_PATHS} paths`)
  }
  return paths.map((path: unknown, index) => {
    const name = `${field}[${index}]`
    if (typeof path !== "string" || !isAbsolute(path) || path.includes("\0")) {
      throw new RangeError(`${name} must be an absolute path, got ${say(path)}`)
    }
    if (!existsSync(path)) throw new RangeError(`${name} does not exist: ${say(path)}`)
    const real = realpathSync(path)
    if (real === sep) throw new RangeError(`${name} must not be the whole file system`)
    return real
  })
}

const directories = (field: string, paths: unknown): ReadonlyArray<string> =>
  existing(field, paths).map((path, index) => {
    if (statSync(path).isDirectory()) return path
    throw new RangeError(`${field}[${index}] is not a directory: ${say(path)}`)
  })

const say = (value: unknown): string =>
  typeof value === "string" ? JSON.stringify(value.slice(0, MAX_SHOWN)) : value === null ? "null" : typeof value
