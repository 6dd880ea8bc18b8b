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
interface StringFormat {
  readonly appliesTo: "string"
  /** Never throws, and takes linear time in the text. */
  readonly test: (text: string) => boolean
  /** Steps (see `steps.ts`) that `test` takes for a character of a text at worst. */
  readonly stepsPerCharacter: number
  /** And for any text. */
  readonly stepsPerText: number
}

/** A format of numbers, likewise. */
interface NumberFormat {
  readonly appliesTo: "number"
  readonly test: (value: number) => boolean
}

/** What a `format` asserts: `appliesTo` is the only instance type it looks at. */
export type Format = StringFormat | NumberFormat

const ofString = (test: (text: string) => boolean, stepsPerCharacter = 1, stepsPerText = 4): Format => ({
  appliesTo: "string",
  test,
  stepsPerCharacter,
  stepsPerText
})
/** Names are taken apart, label by label. */
const ofName = (test: (text: string) => boolean): Format => ofString(test, 32)
/** Grammars with many alternatives for a character. */
const ofGrammar = (test: (text: string) => boolean): Format => ofString(test, 8)
const ofNumber = (test: (value: number) => boolean): Format => ({ appliesTo: "number", test })
const everything = ofString(() => true, 0)

const formats: ReadonlyMap<string, Format> = new Map([
  ["date", ofString(isDate)],
  ["time", ofString(isTime)],
  ["date-time", ofString(isDateTime)],
  ["iso-time", ofString(isIsoTime)],
  ["iso-date-time", ofString(isIsoDateTime)],
  ["duration", ofGrammar(isDuration)],
  ["uri", ofGrammar(isUri)],
  ["uri-reference", ofGrammar(isUriReference)],
  ["uri-template", ofGrammar(isUriTemplate)],
  ["iri", ofGrammar(isIri)],
  ["iri-reference", ofGrammar(isIriReference)],
  ["url", ofGrammar(isUrl)],
  ["email", ofName(isEmail)],
  ["idn-email", ofName(isIdnEmail)],
  ["hostname", ofName(isHostname)],
  ["idn-hostname", ofName(isIdnHostname)],
  ["ipv4", ofString(isIpv4)],
  ["ipv6", ofString(isIpv6)],
  ["regex", ofString(isRegex, 8, 1_500)],
  ["uuid", ofString(isUuid)],
  ["json-pointer", ofString(isJsonPointer)],
  ["json-pointer-uri-fragment", ofGrammar(isJsonPointerUriFragment)],
  ["relative-json-pointer", ofGrammar(isRelativeJsonPointer)],
  ["byte", ofString(isBase64, 0.25)],
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
