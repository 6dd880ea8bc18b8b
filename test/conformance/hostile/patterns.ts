/** Patterns known to be catastrophic, and many of them at once. */
import { type HostileCase, hostile, times, membersOf } from "./HostileCase.ts"

const patternsAndSubjects: ReadonlyArray<readonly [string, string]> = [
  ["^(a+)+$", "a"],
  ["^(a|aa)+$", "a"],
  ["^(([a-z])+.)+[A-Z]([a-z])+$", "a"],
  ["(x+x+)+y", "x"],
  ["^(?=(a+)+b)", "a"],
  ["(?<=(a+)+)b", "a"],
  ["^(\\w+\\s?)*$", "aB "],
  ["(.*)(.*)(.*)(.*)(.*)[^a]", "a"],
  ["^(?:(?:a?){30}){30}$", "a"],
  ["(a{1,100}){1,100}b", "a"],
  ["([a-z]+)\\1\\1!", "a"],
  ["^(?:\\p{L}|\\p{M}|.)*!$", "é"],
  ["\\s+$", " "],
  ["^([\\w.-]+)+@([\\w-]+\\.)+\\w{2,}$", "a."],
  ["(?:\\b)+(?:\\B)*!", "a "],
  ["^(?!.*(.+)\\1\\1)", "ab"]
]

export const patterns: ReadonlyArray<HostileCase> = [
  ...patternsAndSubjects.flatMap(([pattern, pump]) => [
    hostile(
      `pattern ${pattern}, short`,
      () => ({ pattern }),
      () => `${pump.repeat(40)}!`
    ),
    hostile(
      `pattern ${pattern}, long`,
      () => ({ pattern }),
      () => `${pump.repeat(1_000_000 / pump.length - 1)}!`
    ),
    hostile(
      `pattern ${pattern}, on many`,
      () => ({ items: { pattern } }),
      () => times(2_000, (index) => `${pump.repeat(60)}${index}!`)
    )
  ]),
  hostile(
    "60 long patterns",
    () => ({ allOf: times(60, (index) => ({ pattern: `^${"(?:[a-z]|b)*".repeat(300)}${index}$` })) }),
    () => "a".repeat(1_000)
  ),
  hostile(
    "64 patterns of 4,000 characters",
    () => ({ allOf: times(64, (index) => ({ pattern: "a?".repeat(1_980) + index })) }),
    () => "a".repeat(100)
  ),
  hostile(
    "60 patterns of many alternatives",
    () => ({ allOf: times(60, (index) => ({ pattern: `^(?:${times(700, (at) => `${at}x`).join("|")}|${index})+$` })) }),
    () => "1x".repeat(1_000)
  ),
  hostile(
    "2,000 patterns",
    () => ({ properties: membersOf(2_000, (index) => ({ pattern: `^(a|b|c|${index}){1,20}(d+e)*$` })) }),
    () => membersOf(1_000, () => "aaaadede")
  ),
  hostile(
    "1,000 patterns with Unicode properties",
    () => ({ properties: membersOf(1_000, (index) => ({ pattern: `^\\p{L}\\p{N}*${index}$` })) }),
    () => membersOf(1_000, () => "é1")
  ),
  hostile(
    "counted repetitions",
    () => ({ allOf: times(100, (index) => ({ pattern: `(?:(?:a{1,9}){1,9}){1,9}${index}` })) }),
    () => "a".repeat(1_000)
  )
]
