/** The import graph of the packages' sources, read from the files. */
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"

export const repository = resolve(import.meta.dirname, "..", "..")

export interface Import {
  /** As written: `./x.ts`, `effect/Effect`. */
  readonly specifier: string
  /** Absolute path of a relative import. */
  readonly file: string | undefined
  /** Erased by the compiler: `import type` and `export type`. */
  readonly isType: boolean
  /** Inside a function: loaded when it is reached. */
  readonly isDynamic: boolean
}

const STATIC = /^\s*(?:import|export)\s+(type\s+)?(?:[^"';]*?\sfrom\s+)?"([^"]+)"/gm
const DYNAMIC = /\bimport\("([^"]+)"\)/g

const withoutComments = (source: string): string =>
  source.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/^\s*\/\/.*$/gm, "")

export const importsOf = (file: string): ReadonlyArray<Import> => {
  const source = withoutComments(readFileSync(file, "utf8"))
  const locate = (specifier: string) => (specifier.startsWith(".") ? resolve(dirname(file), specifier) : undefined)
  return [
    ...[...source.matchAll(STATIC)].map(([, type, specifier = ""]) => ({
      specifier,
      file: locate(specifier),
      isType: type !== undefined,
      isDynamic: false
    })),
    ...[...source.matchAll(DYNAMIC)].map(([, specifier = ""]) => ({
      specifier,
      file: locate(specifier),
      isType: false,
      isDynamic: true
    }))
  ]
}

export const sourcesOf = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name))

/** Every module outside the package that an entry loads, and every file of it; sorted. */
export const loadedBy = (
  entry: string
): { readonly files: ReadonlyArray<string>; readonly modules: ReadonlyArray<string> } => {
  const files = new Set<string>()
  const modules = new Set<string>()
  const visit = (file: string): void => {
    if (files.has(file)) return
    files.add(file)
    for (const one of importsOf(file)) {
      if (one.isType || one.isDynamic) continue
      if (one.file === undefined) modules.add(one.specifier)
      else visit(one.file)
    }
  }
  visit(entry)
  return { files: [...files].map((file) => relative(repository, file)).toSorted(), modules: [...modules].toSorted() }
}
