/** Each format on long texts. */
import { formatNames } from "../../../packages/core/src/validation/json-schema/formats/formats.ts"
import { type HostileCase, hostile, times, doubled } from "./HostileCase.ts"

const longTexts: ReadonlyArray<readonly [string, (length: number) => string]> = [
  ["letters", (length) => "a".repeat(length)],
  ["labels", (length) => "a.".repeat(length / 2)],
  ["digits", (length) => "1".repeat(length)],
  ["colons", (length) => "a:".repeat(length / 2)],
  ["escapes", (length) => "%41".repeat(Math.floor(length / 3))],
  ["braces", (length) => "{a}".repeat(Math.floor(length / 3))],
  ["open", (length) => "(".repeat(length)],
  ["a mail address", (length) => `${"a.".repeat(length / 2 - 10)}a@example.com`],
  ["an address", (length) => `https://example.com/${"a/".repeat(length / 2 - 20)}`],
  ["a query", (length) => `https://a@b:1/?${"a=b&".repeat(length / 4 - 10)}#`],
  ["a duration", (length) => `P${"1".repeat(length - 5)}Y`],
  ["a date", (length) => `2024-01-01T00:00:00.${"0".repeat(length - 30)}Z`],
  ["a pointer", (length) => "/~1".repeat(Math.floor(length / 3))],
  ["Punycode", (length) => `xn--${"a".repeat(length - 10)}`],
  ["Punycode labels", (length) => "xn--a-1.".repeat(length / 8)],
  ["letters of other scripts", (length) => "ß中א".repeat(Math.floor(length / 3))],
  ["joiners", (length) => "क्\u200D".repeat(Math.floor(length / 3))],
  ["surrogates", (length) => "😀".repeat(length / 2)],
  ["a regular expression", (length) => "(a*)*".repeat(length / 5)],
  ["alternatives", (length) => "a|".repeat(length / 2)],
  ["classes", (length) => "[a-z]".repeat(length / 5)]
]

const onLongTexts = (format: string): ReadonlyArray<HostileCase> =>
  longTexts.map(([name, make]) =>
    hostile(
      `format ${format} on ${name}`,
      () => ({ format }),
      () => make(1_000_000)
    )
  )

const repeatedly = (format: string): ReadonlyArray<HostileCase> => [
  hostile(
    `format ${format} on many`,
    () => ({ items: { format } }),
    () => times(10_000, (index) => longTexts[index % longTexts.length]?.[1](60))
  ),
  hostile(
    `format ${format}, judged 2,048 times`,
    () => doubled(11, { format }),
    () => "a.".repeat(2_000)
  )
]

export const formats: ReadonlyArray<HostileCase> = [
  ...formatNames.flatMap(onLongTexts),
  ...formatNames.flatMap(repeatedly)
]
