/** `date`, `time`, `date-time` and the forms without an offset (RFC 3339 §5.6, §5.7). */

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const MINUTES_OF_DAY = 1_440

const fullDate = /^(\d{4})-(\d{2})-(\d{2})$/
const partialTime = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)$/
const numericOffset = /^([+-])([01]\d|2[0-3]):([0-5]\d)$/
const isoOffset = /^([+-])([01]\d|2[0-3])(?::?([0-5]\d))?$/

/** `full-date`: four digits of year, and a day that the month has (RFC 3339 §5.6, §5.7, appendix C). */
export const isDate = (text: string): boolean => {
  if (text.length !== 10) return false
  const match = fullDate.exec(text)
  if (match === null) return false
  const [, year, month, day] = match.map(Number)
  return isDay(year ?? 0, month ?? 0, day ?? 0)
}

/** `full-time`: hours, minutes, seconds, any fraction, and an offset. */
export const isTime = (text: string): boolean => isClock(text, numericOffset)

/** As `time`, but the offset may be absent, and may be `+hh` or `+hhmm`, as ISO 8601 has it. */
export const isIsoTime = (text: string): boolean => isClock(text, isoOffset)

/** `date-time`: date and time with `T` or `t` between. The space that RFC 3339 mentions in a note is not in its grammar. */
export const isDateTime = (text: string): boolean =>
  isSeparator(text.charCodeAt(10)) && isDate(text.slice(0, 10)) && isTime(text.slice(11))

/** As `date-time`, with a time as in `iso-time`; a space may stand for the `T`. */
export const isIsoDateTime = (text: string): boolean =>
  (isSeparator(text.charCodeAt(10)) || text[10] === " ") && isDate(text.slice(0, 10)) && isIsoTime(text.slice(11))

const isSeparator = (unit: number): boolean => unit === 0x54 || unit === 0x74

const isDay = (year: number, month: number, day: number): boolean => {
  const isLeap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return day >= 1 && day <= (DAYS[month - 1] ?? 0) + (isLeap ? 1 : 0)
}

/**
 * A second of 60 is a leap second, which falls at 23:59:60 UTC everywhere (RFC 3339 §5.7, appendix D): the offset is taken
 * off before that is asked. A time without an offset is taken for UTC. Whether that day had one is not looked up.
 */
const isClock = (text: string, offset: RegExp): boolean => {
  const clock = partialTime.exec(text.slice(0, 8))
  const end = fractionEnd(text)
  if (clock === null || end < 0) return false
  const zone = offsetMinutes(text.slice(end, end + 7), offset)
  if (zone === undefined) return false
  if (clock[3] !== "60") return true
  const minute = Number(clock[1]) * 60 + Number(clock[2]) - zone
  return (minute + MINUTES_OF_DAY) % MINUTES_OF_DAY === MINUTES_OF_DAY - 1
}

/** Where the fraction that may follow `hh:mm:ss` ends, -1 for one without digits. */
const fractionEnd = (text: string): number => {
  if (text[8] !== ".") return 8
  let end = 9
  while (isDigit(text.charCodeAt(end))) end++
  return end === 9 ? -1 : end
}

const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39

/** Minutes east of UTC; `undefined` for what is no offset. `text` holds one character more than the longest. */
const offsetMinutes = (text: string, offset: RegExp): number | undefined => {
  if (text === "Z" || text === "z") return 0
  if (text === "") return offset === isoOffset ? 0 : undefined
  const match = offset.exec(text)
  if (match === null) return undefined
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? 0)
  return match[1] === "-" ? -minutes : minutes
}
