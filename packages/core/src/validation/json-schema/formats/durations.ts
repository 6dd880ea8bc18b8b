/** `duration` (RFC 3339 appendix A, which gives the grammar of ISO 8601 durations). */

/** The letters of a duration in order. A unit between two others may not be left out: `P1Y2D` is none. */
const units = /^P(?:W|(?:Y(?:MD?)?|MD?|D)(?:T(?:H(?:MS?)?|MS?|S))?|T(?:H(?:MS?)?|MS?|S))$/
const MAX_LETTERS = "PYMDTHMS".length

/**
 * Whole numbers only and no sign, as the appendix has it. Letters are upper case: ABNF would admit lower case, ISO 8601 and
 * most readers do not.
 */
export const isDuration = (text: string): boolean => {
  let letters = ""
  let hasNumber = false
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit >= 0x30 && unit <= 0x39) {
      hasNumber = true
      continue
    }
    const letter = text.charAt(index)
    const isMark = letter === "T" || letters === ""
    if (isMark === hasNumber || letters.length === MAX_LETTERS) return false
    letters += letter
    hasNumber = false
  }
  return !hasNumber && units.test(letters)
}
