/** Medians, and ratios of what was measured side by side. */

/** The middle value; `NaN` of nothing. */
export const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  const upper = sorted[half] ?? Number.NaN
  const lower = sorted.length % 2 === 0 ? (sorted[half - 1] ?? Number.NaN) : upper
  return (lower + upper) / 2
}

/**
 * The median of the ratios round by round: both values of a pair were taken one shortly after the other, so that a busy
 * machine weighs on both. Rounds in which one of them is missing do not count.
 */
export const pairedRatio = (
  values: ReadonlyArray<number | undefined>,
  baseline: ReadonlyArray<number | undefined>
): number =>
  median(
    values.flatMap((value, round) => {
      const base = baseline[round]
      return value === undefined || base === undefined ? [] : [value / base]
    })
  )

/** A copy in random order. */
export const shuffled = <A>(values: ReadonlyArray<A>): Array<A> =>
  values
    .map((value) => ({ value, key: Math.random() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ value }) => value)
