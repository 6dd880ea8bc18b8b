/** International labels as IDNA2008 has them: which characters, beside which others (RFC 5891, RFC 5892). */
import { characterClass } from "./codePoints.ts"
import { isBetweenJoining, isVirama } from "./joining.ts"
import { once } from "./once.ts"
import { decodePunycode, encodePunycode } from "./punycode.ts"

const ACE_PREFIX = "xn--"
const MAX_LABEL_OCTETS = 63

/** LetterDigits (RFC 5892 §2.1). Unassigned code points are in none of these. */
const letterDigit = "\\p{Ll}\\p{Lu}\\p{Lo}\\p{Nd}\\p{Lm}\\p{Mn}\\p{Mc}"
/**
 * Unstable, IgnorableProperties, IgnorableBlocks and OldHangulJamo (RFC 5892 §2.2, §2.3, §2.4, §2.9). Unstable is read off
 * Changes_When_NFKC_Casefolded, which differs from it in ignorable code points only.
 */
const disallowedLetter =
  "\\p{CWKCF}\\p{DI}\\p{White_Space}\\p{NChar}\\u20d0-\\u20ff\\u{1d100}-\\u{1d24f}" +
  "\\u1100-\\u11ff\\ua960-\\ua97c\\ud7b0-\\ud7c6\\ud7cb-\\ud7fb"
/** Exceptions (RFC 5892 §2.6): those that are fine though the rules say no, and those that are not though they say yes. */
const allowedException = "\\u00df\\u03c2\\u06fd\\u06fe\\u0f0b\\u3007"
const disallowedException = "\\u0640\\u07fa\\u302e\\u302f\\u3031-\\u3035\\u303b"
/** CONTEXTJ and CONTEXTO (RFC 5892 §2.6, §2.8), which are good where `isInContext` says so. */
const contextual = "\\u200c\\u200d\\u00b7\\u0375\\u05f3\\u05f4\\u30fb"

/** A label of code points that the derived property (RFC 5892 §3) calls PVALID, CONTEXTJ or CONTEXTO. */
const validLabel = once(
  () =>
    new RegExp(
      `^(?:(?![${disallowedLetter}${disallowedException}])[${letterDigit}]|[-a-z0-9${allowedException}${contextual}])+$`,
      "u"
    )
)

const isMark = characterClass("\\p{M}")
const isGreek = characterClass("\\p{Script=Greek}")
const isHebrew = characterClass("\\p{Script=Hebrew}")
const isJapanese = characterClass("\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Han}")
const isArabicIndicDigit = characterClass("\\u0660-\\u0669")
const isExtendedArabicIndicDigit = characterClass("\\u06f0-\\u06f9")

/** A label in its two forms; an ASCII label is its own Unicode form. */
export interface Label {
  readonly unicode: string
  readonly octets: number
}

/** Whether `label` claims to be the ASCII form of an international one. */
export const hasAcePrefix = (label: string): boolean => label.slice(0, 4).toLowerCase() === ACE_PREFIX

/**
 * Reads a label in Unicode (RFC 5890 §2.3.2.1, RFC 5891 §4.2): valid characters in normal form C, contextual ones in their
 * place, hyphens as in host names, no mark in front, and an ASCII form of at most 63 octets. The Bidi rule is the name's.
 */
export const readULabel = (label: string): Label | undefined => {
  // Each code point takes an octet of the ASCII form at least, and two units at most.
  if (label.length > 2 * MAX_LABEL_OCTETS || !isUnicodeLabel(label)) return undefined
  const octets = ACE_PREFIX.length + encodePunycode(label).length
  return octets <= MAX_LABEL_OCTETS ? { unicode: label, octets } : undefined
}

/**
 * Reads a label with the prefix `xn--`, in any case: it must stand for a label in Unicode whose ASCII form it is again (RFC
 * 5890 §2.3.2.1, RFC 5891 §5.4).
 */
export const readALabel = (label: string): Label | undefined => {
  if (label.length > MAX_LABEL_OCTETS) return undefined
  const code = label.slice(ACE_PREFIX.length).toLowerCase()
  const unicode = decodePunycode(code)
  if (unicode === undefined || encodePunycode(unicode) !== code || !isUnicodeLabel(unicode)) return undefined
  return { unicode, octets: label.length }
}

const isUnicodeLabel = (label: string): boolean => {
  if (label.startsWith("-") || label.endsWith("-") || label.startsWith("--", 2)) return false
  if (isAscii(label) || !validLabel().test(label) || label !== label.normalize("NFC")) return false
  const characters = Array.from(label)
  return !isMark(characters[0] ?? "") && characters.every(isInContext)
}

/** Whether every character is ASCII. */
export const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text)

/** Whether a character may stand where it does: the rules of RFC 5892 appendix A, true for all that need none. */
const isInContext = (character: string, index: number, label: ReadonlyArray<string>): boolean => {
  const before = label[index - 1] ?? ""
  const after = label[index + 1] ?? ""
  switch (character) {
    case "\u200c":
      return isVirama(before) || isBetweenJoining(label, index)
    case "\u200d":
      return isVirama(before)
    case "\u00b7":
      return before === "l" && after === "l"
    case "\u0375":
      return isGreek(after)
    case "\u05f3":
    case "\u05f4":
      return isHebrew(before)
    case "\u30fb":
      return label.some(isJapanese)
    default:
      return isOfOneDigitRange(character, label)
  }
}

/** Arabic-Indic digits and extended ones do not mix (RFC 5892 appendix A.8, A.9); asking one kind is enough. */
const isOfOneDigitRange = (character: string, label: ReadonlyArray<string>): boolean =>
  !isArabicIndicDigit(character) || !label.some(isExtendedArabicIndicDigit)
