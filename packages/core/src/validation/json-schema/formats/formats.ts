/** What each `format` of JSON Schema asserts (JSON Schema 2020-12, Validation §7.3; `ajv-formats` for those it adds). */
import { isIpv4, isIpv6 } from "./addresses.ts"
import { isDate, isDateTime, isIsoDateTime, isIsoTime, isTime } from "./dates.ts"
import { isDuration } from "./durations.ts"
import { isEmail, isIdnEmail } from "./emails.ts"
import { isBase64 } from "./encodings.ts"
import { isHostname, isIdnHostname } from "./hostnames.ts"
import { isUuid } from "./identifiers.ts"
import { isDouble, isFloat, isInt32, isInt64 } from "./numbers.ts"
import { isRegex } from "./patterns.ts"
import { isJsonPointer, isJsonPointerUriFragment, isRelativeJsonPointer } from "./pointers.ts"
import { isIri, isIriReference, isUri, isUriReference, isUrl } from "./uris.ts"
import { isUriTemplate } from "./uriTemplates.ts"

/** A format of strings: other instances are not its business and pass. */
export interface StringFormat {
  readonly appliesTo: "string"
  /** Never throws, and takes linear time in the text. */
  readonly test: (text: string) => boolean
}

/** A format of numbers, likewise. */
export interface NumberFormat {
  readonly appliesTo: "number"
  readonly test: (value: number) => boolean
}

/** What a `format` asserts: `appliesTo` is the only instance type it looks at. */
export type Format = StringFormat | NumberFormat

const ofString = (test: (text: string) => boolean): Format => ({ appliesTo: "string", test })
const ofNumber = (test: (value: number) => boolean): Format => ({ appliesTo: "number", test })
const everything = ofString(() => true)

const formats: ReadonlyMap<string, Format> = new Map([
  ["date", ofString(isDate)],
  ["time", ofString(isTime)],
  ["date-time", ofString(isDateTime)],
  ["iso-time", ofString(isIsoTime)],
  ["iso-date-time", ofString(isIsoDateTime)],
  ["duration", ofString(isDuration)],
  ["uri", ofString(isUri)],
  ["uri-reference", ofString(isUriReference)],
  ["uri-template", ofString(isUriTemplate)],
  ["iri", ofString(isIri)],
  ["iri-reference", ofString(isIriReference)],
  ["url", ofString(isUrl)],
  ["email", ofString(isEmail)],
  ["idn-email", ofString(isIdnEmail)],
  ["hostname", ofString(isHostname)],
  ["idn-hostname", ofString(isIdnHostname)],
  ["ipv4", ofString(isIpv4)],
  ["ipv6", ofString(isIpv6)],
  ["regex", ofString(isRegex)],
  ["uuid", ofString(isUuid)],
  ["json-pointer", ofString(isJsonPointer)],
  ["json-pointer-uri-fragment", ofString(isJsonPointerUriFragment)],
  ["relative-json-pointer", ofString(isRelativeJsonPointer)],
  ["byte", ofString(isBase64)],
  ["int32", ofNumber(isInt32)],
  ["int64", ofNumber(isInt64)],
  ["float", ofNumber(isFloat)],
  ["double", ofNumber(isDouble)],
  // Hints for people: anything is a password, and octets have no text form of their own (OpenAPI 3.0).
  ["password", everything],
  ["binary", everything]
])

/** The format of that name, `undefined` for one that is not known: what it asserts then is the caller's to say. */
export const formatOf = (name: string): Format | undefined => formats.get(name)

/** The names that `formatOf` knows. */
export const formatNames: ReadonlyArray<string> = [...formats.keys()]
