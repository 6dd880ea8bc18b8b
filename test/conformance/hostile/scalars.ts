/** Numbers and texts. */
import { type HostileCase, hostile, times, doubled, eachDoubled } from "./HostileCase.ts"

export const scalars: ReadonlyArray<HostileCase> = [
  hostile(
    "minLength on 1,000,000 characters",
    () => ({ minLength: 600_000 }),
    () => "a".repeat(1_000_000)
  ),
  hostile(
    "maxLength on 1,000,000 surrogates",
    () => ({ maxLength: 600_000 }),
    () => "😀".repeat(500_000)
  ),
  hostile(
    "minLength on long texts, judged 2,048 times",
    () => doubled(11, { minLength: 600_000 }),
    () => "a".repeat(1_000_000)
  ),
  hostile(
    "multipleOf of extremes, on each of many items",
    () => ({ items: { multipleOf: 5e-324 } }),
    () => times(10_000, () => Number.MAX_VALUE)
  ),
  hostile(
    "multipleOf of extremes, judged 2,048 times",
    () => doubled(11, { multipleOf: 5e-324 }),
    () => Number.MAX_VALUE
  ),
  hostile(
    "multipleOf of extremes, judged 2,048 times on each of some items",
    () => eachDoubled(11, { multipleOf: 5e-324 }),
    () => times(30, () => Number.MAX_VALUE)
  ),
  hostile(
    "many multipleOf",
    () => ({ items: { allOf: times(100, (index) => ({ multipleOf: 3e-300 + index * 1e-300 })) } }),
    () => times(100, () => 1e300)
  ),
  hostile(
    "enum of 100,000 numbers",
    () => ({ items: { enum: times(40_000, Number) } }),
    () => times(10_000, (index) => index % 40_000)
  )
]
