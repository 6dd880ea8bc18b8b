/** `hostname` and `idn-hostname`. */
import { satisfiesBidiRule } from "./bidi.ts"
import { hasAcePrefix, isAscii, type Label, readALabel, readULabel } from "./idna.ts"

const MAX_NAME_OCTETS = 253
const MAX_LABEL_OCTETS = 63

const letterDigitHyphen = /^[A-Za-z\d](?:[A-Za-z\d-]*[A-Za-z\d])?$/
/** Full stop and what IDNA takes for it (RFC 3490 §3.1, kept by RFC 5895 §2). */
const anyDot = /[.\u3002\uff0e\uff61]/

/**
 * Labels of letters, digits and hyphens (RFC 952, RFC 1123 §2.1), at most 63 octets each and 253 together (RFC 1035 §2.3.4),
 * without a dot at the end. A label that begins with `xn--` must be valid IDNA2008 (RFC 5890 §2.3.2.1).
 */
export const isHostname = (text: string): boolean =>
  text.length <= MAX_NAME_OCTETS && isName(text.split("."), readAsciiLabel)

/**
 * As `hostname`, and labels may be in Unicode (IDNA2008, RFC 5890 to 5893), separated by any dot that stands for a full stop.
 * Lengths are those of the ASCII form. Nothing is mapped: upper case outside ASCII labels is refused.
 */
export const isIdnHostname = (text: string): boolean =>
  text.length <= 2 * MAX_NAME_OCTETS && isName(text.split(anyDot), readAnyLabel)

/** As `idn-hostname` after what a resolver does first: lower case and normal form C (RFC 5895 §2, RFC 5891 §5.2). */
export const isTypedHostname = (text: string): boolean =>
  text.length <= 2 * MAX_NAME_OCTETS && isIdnHostname(text.toLowerCase().normalize("NFC"))

const isName = (labels: ReadonlyArray<string>, read: (label: string) => Label | undefined): boolean => {
  const unicode: Array<string> = []
  let octets = labels.length - 1
  for (const label of labels) {
    const known = read(label)
    if (known === undefined) return false
    unicode.push(known.unicode)
    octets += known.octets
  }
  return octets <= MAX_NAME_OCTETS && satisfiesBidiRule(unicode)
}

const readAsciiLabel = (label: string): Label | undefined => {
  if (label.length > MAX_LABEL_OCTETS || !letterDigitHyphen.test(label)) return undefined
  return hasAcePrefix(label) ? readALabel(label) : { unicode: label, octets: label.length }
}

const readAnyLabel = (label: string): Label | undefined => {
  if (!isAscii(label)) return readULabel(label)
  // Two hyphens there are reserved for prefixes such as `xn--` (RFC 5890 §2.3.1); plain host names do have them.
  return label.startsWith("--", 2) && !hasAcePrefix(label) ? undefined : readAsciiLabel(label)
}
