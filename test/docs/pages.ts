/** The pages of the repository, and what the tests read out of them. */
import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"

export const repository = resolve(import.meta.dirname, "..", "..")

export interface Page {
  /** Relative to the repository, such as `docs/tools.md`. */
  readonly name: string
  readonly text: string
}

export interface Fence {
  readonly page: string
  /** Of its first line of content, from 1. */
  readonly line: number
  /** What stands behind the backticks: `ts`, `text output`. */
  readonly info: string
  readonly text: string
}

const markdownOf = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(repository, folder))
    .filter((file) => file.endsWith(".md"))
    .toSorted()
    .map((file) => `${folder}/${file}`)

const readmes = readdirSync(join(repository, "packages")).map((folder) => `packages/${folder}/README.md`)

export const readPage = (name: string): Page => ({ name, text: readFileSync(join(repository, name), "utf8") })

/** The README, those of the packages, and everything below `docs`. */
export const pages: ReadonlyArray<Page> = ["README.md", ...readmes, ...markdownOf("docs")].map(readPage)

export const fencesOf = ({ name, text }: Page): ReadonlyArray<Fence> => {
  const fences: Array<Fence> = []
  let open: { readonly line: number; readonly info: string; readonly lines: Array<string> } | undefined
  for (const [at, line] of text.split("\n").entries()) {
    const info = /^```(.*)$/.exec(line)?.[1]
    if (info === undefined) open?.lines.push(line)
    else if (open === undefined) open = { line: at + 2, info: info.trim(), lines: [] }
    else {
      fences.push({ page: name, line: open.line, info: open.info, text: open.lines.join("\n") })
      open = undefined
    }
  }
  if (open !== undefined) throw new Error(`${name}:${open.line} opens a fence that never ends`)
  return fences
}

/** The page with its fences blanked, so that nothing in them reads as Markdown. Lines keep their numbers. */
export const proseOf = ({ text }: Page): ReadonlyArray<string> => {
  let inFence = false
  return text.split("\n").map((line) => {
    const isMark = line.startsWith("```")
    if (isMark) inFence = !inFence
    return isMark || inFence ? "" : line
  })
}

const isSeparator = (cells: ReadonlyArray<string>): boolean => cells.every((cell) => /^:?-+:?$/.test(cell))

/** The cells of the rows below each heading that has a table; heading and separator rows are left out. */
export const tablesOf = (page: Page): ReadonlyMap<string, ReadonlyArray<ReadonlyArray<string>>> => {
  const tables = new Map<string, Array<ReadonlyArray<string>>>()
  let heading = ""
  for (const line of proseOf(page)) {
    heading = /^#+ (.*)$/.exec(line)?.[1] ?? heading
    if (!line.startsWith("|")) continue
    const cells = line.split(/(?<!\\)\|/).slice(1, -1)
    const rows = tables.get(heading) ?? []
    rows.push(cells.map((cell) => cell.trim()))
    tables.set(heading, rows)
  }
  for (const [name, rows] of tables) {
    // A table is a row of names, a separator and its rows; a section may have several.
    tables.set(
      name,
      rows.filter((cells, at) => !isSeparator(cells) && !isSeparator(rows[at + 1] ?? ["x"]))
    )
  }
  return tables
}

/** The words of a cell that stand in backticks. */
export const codesOf = (cell: string): ReadonlyArray<string> =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code)
