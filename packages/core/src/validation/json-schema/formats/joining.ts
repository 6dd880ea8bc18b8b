/** What the rules for the zero-width joiners ask of their neighbours (RFC 5892 appendix A.1, A.2). */
import { characterClass, codePointSet } from "./codePoints.ts"

/**
 * Code points whose Joining_Type is L or D. Engines do not offer the property, so these are the ranges of Unicode 17; letters
 * that later versions add count as not joining, which refuses a joiner beside them.
 */
const joinsNext = codePointSet(
  "620 626 628 62a-62e 633-63f 641-647 649-64a 66e-66f 679-687 69a-6bf 6c1-6c2 6cc 6ce 6d0-6d1 6fa-6fc 6ff 712-714 " +
    "71a-71d 71f-727 729 72b 72d-72e 74e-758 75c-76a 76d-770 772 775-777 77a-77f 7ca-7ea 841-845 848 84a-853 855 860 " +
    "862-865 868 886 889-88d 88f 8a0-8a9 8af-8b0 8b3-8b8 8ba-8c8 1820-1878 1887-18a8 18aa a840-a872 10ac0-10ac4 10acd " +
    "10ad3-10adc 10ade-10ae0 10b80 10b82 10b86-10b88 10b8a-10b8b 10b8d 10b90 10d00-10d21 10d23 10ec3-10ec4 10ec6-10ec7 " +
    "10f30-10f32 10f34-10f44 10f70-10f73 10f76-10f81 10fb0 10fb2-10fb3 10fb8 10fbb-10fbc 10fbe-10fbf 10fc1 10fc4 " +
    "1e922-1e943"
)

/** Code points whose Joining_Type is R or D, likewise. */
const joinsPrevious = codePointSet(
  "620 622-63f 641-64a 66e-66f 671-673 679-6d3 6d5 6ee-6ef 6fa-6fc 6ff 710 712-72f 74d-77f 7ca-7ea 840-858 860 862-865 " +
    "867-86a 870-882 886 889-88f 8a0-8ac 8ae-8c8 1820-1878 1887-18a8 18aa a840-a871 10ac0-10ac5 10ac7 10ac9-10aca " +
    "10ace-10ad6 10ad8-10ae1 10ae4 10b80-10b91 10d01-10d23 10ec2-10ec4 10ec6-10ec7 10f30-10f44 10f70-10f81 10fb0 " +
    "10fb2-10fb6 10fb8-10fbf 10fc1-10fc4 1e922-1e943"
)

const isMark = characterClass("\\p{Mn}\\p{Me}")

/** Joining_Type T: marks, and one letter of Adlam. Format characters are of that type too, but no label may hold them. */
const isTransparent = (character: string): boolean => character === "\u{1e94b}" || isMark(character)

/**
 * Whether the letters on both sides of `characters[index]` would join across it:
 * `(Joining_Type:{L,D})(Joining_Type:T)* ZWNJ (Joining_Type:T)*(Joining_Type:{R,D})` (RFC 5892 appendix A.1).
 */
export const isBetweenJoining = (characters: ReadonlyArray<string>, index: number): boolean => {
  let before = index - 1
  let after = index + 1
  while (isTransparent(characters[before] ?? "")) before--
  while (isTransparent(characters[after] ?? "")) after++
  return joinsNext(codePointOf(characters[before])) && joinsPrevious(codePointOf(characters[after]))
}

const codePointOf = (character: string | undefined): number => character?.codePointAt(0) ?? -1

/** Marks of Canonical_Combining_Class 8 and 10. */
const CLASS_8 = "\u3099"
const CLASS_10 = "\u05b0"

/**
 * Whether the Canonical_Combining_Class is Virama (9). Engines do not offer the property, but sort marks by it: one of class
 * 9 changes places with one of class 8 behind it, and with one of class 10 before it.
 */
export const isVirama = (character: string): boolean =>
  character !== CLASS_8 &&
  `${character}${CLASS_8}`.normalize("NFD").startsWith(CLASS_8) &&
  !`${CLASS_10}${character}`.normalize("NFD").startsWith(CLASS_10)
