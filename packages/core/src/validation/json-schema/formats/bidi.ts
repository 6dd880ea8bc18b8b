/** The Bidi rule for names with labels that run from right to left (RFC 5893 §2). */
import { characterClass, codePointSet } from "./codePoints.ts"

/**
 * Blocks whose letters are R or AL, by their defaults in DerivedBidiClass.txt. Engines do not offer Bidi_Class, so classes
 * are told from these blocks and the short lists below. For every code point that a label may hold this is exact in Unicode
 * 17; a later version could add a letter that is classed unlike its block.
 */
const isRightToLeft = codePointSet("590-8ff fb1d-fdff fe70-feff 10800-10fff 1e800-1efff")
const isArabicNumber = codePointSet("660-669 10d30-10d39 10d40-10d49")
const isEuropeanNumber = codePointSet("30-39 6f0-6f9")
/** ES, ON and BN: hyphen, a few punctuation marks and modifier letters, and the zero-width joiners. */
const isNeutral = codePointSet("2d b7 2b9-2ba 2c6-2cf 2ec 375 200c-200d 2e2f 30fb a67f a717-a71f a788")
/** Nonspacing marks that are nevertheless of class L. */
const isStrongMark = codePointSet("cbf cc6 11a07-11a08 11c3f")
const isMark = characterClass("\\p{Mn}\\p{Me}")

/** Classes that the rule tells apart; R stands for R and AL, ON for ES, CS, ET, ON and BN. */
type BidiClass = "L" | "R" | "AN" | "EN" | "ON" | "NSM"

const classOf = (character: string): BidiClass => {
  const codePoint = character.codePointAt(0) ?? 0
  if (isEuropeanNumber(codePoint)) return "EN"
  if (codePoint < 0x80) return codePoint === 0x2d ? "ON" : "L"
  if (isArabicNumber(codePoint)) return "AN"
  if (isNeutral(codePoint)) return "ON"
  if (isMark(character)) return isStrongMark(codePoint) ? "L" : "NSM"
  return isRightToLeft(codePoint) ? "R" : "L"
}

/**
 * Whether the labels of a name, each in its Unicode form, satisfy the rule. It binds every label as soon as one of them is
 * right-to-left, and none otherwise (RFC 5893 §1.4, §2).
 */
export const satisfiesBidiRule = (labels: ReadonlyArray<string>): boolean => {
  const classes = labels.map((label) => Array.from(label, classOf))
  return !classes.some((label) => label.some(isOfRightToLeft)) || classes.every(isOrdered)
}

const isOfRightToLeft = (bidiClass: BidiClass): boolean => bidiClass === "R" || bidiClass === "AN"

/** The six conditions of RFC 5893 §2, for one label. */
const isOrdered = (label: ReadonlyArray<BidiClass>): boolean => {
  const first = label[0]
  const last = label.findLast((bidiClass) => bidiClass !== "NSM")
  if (first === "L") return (last === "L" || last === "EN") && !label.some(isOfRightToLeft)
  if (first !== "R" || last === "ON" || label.includes("L")) return false
  return !(label.includes("EN") && label.includes("AN"))
}
