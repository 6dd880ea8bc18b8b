/** Times of stored rows. */

let lastMs = Number.NaN
let lastText = ""

/** ISO 8601 UTC of milliseconds since the epoch. Rows of one millisecond share one string. */
export const isoTimestamp = (ms: number): string => {
  if (ms !== lastMs) {
    // A conversion, not a reading of the clock; `DateTime` would be a module more on the way of every start.
    // @effect-diagnostics-next-line globalDate:off
    lastText = new Date(ms).toISOString()
    lastMs = ms
  }
  return lastText
}
