/** Builtins that change what later words mean. */
import { isHarmlessExport, isHarmlessVariable } from "./assignments.ts"
import type { ReadWord } from "./words.ts"

/** Run what is not written here, or give other names to what is. No rule can allow them. */
const OPAQUE = new Set(
  "eval . source alias unalias trap enable hash set shopt bind complete compopt fc let mapfile readarray getopts".split(
    " "
  )
)
const DECLARES = new Set(["export", "declare", "typeset", "local", "readonly"])

/** Whether a builtin is harmless as it stands; a reason to ask where it is not; undefined for every other program. */
export const judgeBuiltin = (words: ReadonlyArray<ReadWord>): true | string | undefined => {
  const [name, ...rest] = words
  if (name === undefined) return undefined
  if (name.value === "set" && rest.every((word) => word.isStatic) && SETTINGS.test(rest.map(valueOf).join(" ")))
    return true
  if (name.value === "read") {
    const names = rest.filter((word) => word.value !== "-r")
    return (
      names.every((word) => word.isStatic && isHarmlessVariable(word.value)) || `${name.value} may set any variable`
    )
  }
  if (OPAQUE.has(name.value)) return `${name.value} changes or hides what runs`
  return DECLARES.has(name.value) ? judgeDeclaration(name.value, rest) : undefined
}

const SETTINGS = /^-(?:[eux]+|[eux]*o pipefail)$/

const valueOf = ({ value }: ReadWord): string => value

const judgeDeclaration = (name: string, words: ReadonlyArray<ReadWord>): string | undefined => {
  for (const word of words) {
    const [, variable, value] = /^(\w+)\+?=(.*)$/s.exec(word.value) ?? []
    if (variable === undefined) {
      if (!word.isStatic || !/^\w+$/.test(word.value)) return `${name} ${word.text} may change any variable`
    } else if (
      name === "local" ? !isHarmlessVariable(variable) : !isHarmlessExport(variable, word.isStatic ? value : undefined)
    ) {
      return `sets ${variable} for programs`
    }
  }
  return undefined
}
