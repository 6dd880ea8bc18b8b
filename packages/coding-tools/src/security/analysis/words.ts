/** What can be said of a word before the shell expands it. */
import type { Word, WordPart } from "unbash"

export interface ReadWord {
  /** What the program gets; the source text where that is known only when it runs. */
  readonly value: string
  /** As rules see it: quoted where it has more than plain characters, so that `'a b'` is never two words. */
  readonly text: string
  /** The value is what the program gets, to the letter. */
  readonly isStatic: boolean
  /** May turn out to be an option, or several words: `$x`, `$(…)`, a glob that begins with a wildcard. */
  readonly mayBeOption: boolean
}

/** What is known of a variable that the script sets: whether quoted and bare uses of it can be options. */
export interface VariableFacts {
  readonly quoted: boolean
  readonly bare: boolean
}

export type Variables = ReadonlyMap<string, VariableFacts>

const PLAIN = /^(?:[\w@%+=:,./^~!-]+|\[|\]|\{\})$/

/** A word that is known to the letter, as rules see it. */
export const staticWord = (value: string): ReadWord => ({
  value,
  text: PLAIN.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`,
  isStatic: true,
  mayBeOption: false
})

/** A word that is known only when the command runs. */
export const openWord = (text: string, mayBeOption: boolean): ReadWord => ({
  value: text,
  text,
  isStatic: false,
  mayBeOption
})

export const readWord = (word: Word, variables: Variables): ReadWord => {
  const parts = word.parts ?? []
  if (parts.every(isLiteral)) return staticWord(word.value)
  return openWord(
    word.text,
    !parts.every((part) => keepsOneWord(part, variables)) || !beginsPlainly(parts, word, variables)
  )
}

const isLiteral = (part: WordPart): boolean => {
  if (part.type === "DoubleQuoted") return part.parts.every(isLiteral)
  // Parser and shell differ about a line break behind a backslash in $'…'.
  if (part.type === "AnsiCQuoted") return !/\\[\r\n]/.test(part.text)
  return part.type === "Literal" || part.type === "SingleQuoted"
}

/** Whether the part neither splits into several words nor brings forth words that begin anew. */
const keepsOneWord = (part: WordPart, variables: Variables): boolean => {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
    case "Glob":
    case "ProcessSubstitution":
      return true
    case "BraceExpansion":
      return !/[$`]/.test(part.text)
    case "DoubleQuoted":
      return !part.parts.some((each) => /^\$(?:\{?@|\{\w+\[@\])/.test(each.text))
    default:
      return isHarmless(part, false, variables)
  }
}

/** Whether the first character is known, and is no dash. */
const beginsPlainly = (parts: ReadonlyArray<WordPart>, word: Word, variables: Variables): boolean => {
  const [first, ...rest] = parts
  if (first === undefined) return !word.value.startsWith("-")
  switch (first.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return first.value === "" ? beginsPlainly(rest, word, variables) && rest.length > 0 : !first.value.startsWith("-")
    case "DoubleQuoted": {
      const [inner] = first.parts
      if (inner === undefined) return rest.length > 0 && beginsPlainly(rest, word, variables)
      return inner.type === "Literal"
        ? inner.value !== "" && !inner.value.startsWith("-")
        : isHarmless(inner, true, variables)
    }
    case "ProcessSubstitution":
      return true
    default:
      return isHarmless(first, false, variables)
  }
}

/** Paths whose names anybody may have chosen, blanks included. */
const FOLDERS = new Set(["PWD", "OLDPWD"])
/** Variables whose value is a path, a name or a number that the host or the shell itself sets. */
const WELL_KNOWN = new Set(["HOME", "USER", "LOGNAME", "HOSTNAME", "PATH", "SHELL", "TERM"])
const NUMBERS = new Set(["?", "#", "$", "!", "UID", "EUID", "PPID", "RANDOM", "SECONDS", "LINENO", "BASHPID"])

const isHarmless = (part: WordPart, quoted: boolean, variables: Variables): boolean => {
  const name = nameOf(part)
  if (name === undefined) return false
  const facts = variables.get(name)
  if (facts !== undefined) return quoted ? facts.quoted : facts.bare
  return (quoted && FOLDERS.has(name)) || WELL_KNOWN.has(name) || NUMBERS.has(name)
}

/** Of a plain use of a variable: `$x` or `${x}`. */
const nameOf = (part: WordPart): string | undefined => {
  if (part.type === "SimpleExpansion") return part.text.slice(1)
  if (part.type !== "ParameterExpansion") return undefined
  const plain = part.prefix === undefined && part.index === undefined && part.operation === undefined
  return plain ? part.parameter : undefined
}
