/** Line ends in bytes, counted as fast as they can be read. */
const LINE_FEED = 10

export interface PassedLines {
  readonly lines: number
  /** Behind the last line end that was passed. */
  readonly end: number
}

/** Passes up to `wanted` line ends. */
export const passLines = (bytes: Uint8Array, wanted: number): PassedLines => {
  let [lines, end] = [0, 0]
  if (wanted === 0) return { lines, end }
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] !== LINE_FEED) continue
    end = at + 1
    if (++lines === wanted) break
  }
  return { lines, end }
}
