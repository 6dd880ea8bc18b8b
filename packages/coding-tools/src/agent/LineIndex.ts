/** Where lines of files start, as far as earlier reads have come, so that the next page starts where the last one ended. */
import type { BigIntStats } from "node:fs"

/** A line, counted from 1, and the byte at which it starts. */
export interface LineStart {
  readonly line: number
  readonly byte: number
}

const FILE_START: LineStart = { line: 1, byte: 0 }
/** Bounds of memory, about 50 bytes a line start. */
const MAX_FILES = 64
const MAX_STARTS = 512
const MAX_PAGE_ENDS = 16

interface FileEntry {
  readonly identity: string
  /** Ascending, at least `stride` bytes apart. */
  starts: Array<LineStart>
  stride: number
  /** Where the latest pages ended, the newest last. */
  readonly pageEnds: Array<LineStart>
}

/** By path, the file that was used last at the end. */
const files = new Map<string, FileEntry>()

/** Differs once a file has changed. Names of one file may have an entry each. */
export const identityOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string =>
  [dev, ino, size, mtimeNs, ctimeNs].join(":")

/** The last known line start at or before `line`. What was known of a file that has changed is dropped. */
export const nearestLineStart = (path: string, identity: string, line: number): LineStart => {
  const entry = files.get(path)
  if (entry === undefined) return FILE_START
  if (entry.identity !== identity) {
    files.delete(path)
    return FILE_START
  }
  let nearest = FILE_START
  for (const start of [...entry.starts, ...entry.pageEnds]) {
    if (start.line <= line && start.line > nearest.line) nearest = start
  }
  return nearest
}

/** Forgets what is known of a file. */
export const dropLineStarts = (path: string): void => {
  files.delete(path)
}

/** Keeps line starts of one scan, ascending, and where its page ended. The file was the same before and after the scan. */
export const keepLineStarts = (
  path: string,
  identity: string,
  starts: ReadonlyArray<LineStart>,
  pageEnd: LineStart
): void => {
  const known = files.get(path)
  const entry = known?.identity === identity ? known : { identity, starts: [], stride: 1, pageEnds: [] }
  for (const start of starts) addStart(entry, start)
  entry.pageEnds.push(pageEnd)
  if (entry.pageEnds.length > MAX_PAGE_ENDS) entry.pageEnds.shift()
  files.delete(path)
  files.set(path, entry)
  const [oldest] = files.keys()
  if (files.size > MAX_FILES && oldest !== undefined) files.delete(oldest)
}

/** A scan begins at a known start or before it: what lies behind the last one is new. When full, every other start goes. */
const addStart = (entry: FileEntry, start: LineStart): void => {
  if (start.byte < (entry.starts.at(-1)?.byte ?? 0) + entry.stride) return
  entry.starts.push(start)
  if (entry.starts.length <= MAX_STARTS) return
  entry.starts = entry.starts.filter((_, at) => at % 2 === 0)
  entry.stride = Math.max(2 * entry.stride, Math.ceil((entry.starts.at(-1)?.byte ?? 0) / MAX_STARTS))
}
