/** The script that `sh -c` or `bash -c` would run. */
import type { ReadWord } from "./words.ts"
import { programName } from "./wrappers.ts"

export type ShellScript =
  | { readonly type: "none" }
  | { readonly type: "script"; readonly source: string }
  | { readonly type: "input" }
  | { readonly type: "undecided"; readonly reason: string }

const READ = new Set(["sh", "bash", "dash"])
const OTHERS = new Set(["zsh", "ksh", "mksh", "fish", "ash", "csh", "tcsh", "rbash"])

/**
 * Where the grammar of Bash and of a shell that is only POSIX part, so that one runs what is text to the other: `$'…'`,
 * `[[`, `((`, `function`, `<<`, `+=`, subscripts, and expansions other than of a name with a plain default.
 */
const READ_DIFFERENTLY =
  /\$['"]|\[\[|(?<!\$)\(\(|\bfunction\b|<<|\+=|\]=|&>|\$\{(?!\w+(?::?[-+=?][\w./ -]*)?\})|\b(?:export|readonly|local)\b/

/** Why a script cannot be told from how Bash would read it, if so. `sh` may be any shell. */
export const posixDoubt = ([program]: ReadonlyArray<ReadWord>, source: string): string | undefined => {
  const name = programName(program?.value ?? "")
  const [found] = name === "bash" ? [] : (READ_DIFFERENTLY.exec(source) ?? [])
  return found === undefined ? undefined : `${name} may read ${found} in another way`
}

/** `none`: no shell, or one that is given a file, which is a program like any other. `input`: reads its commands. */
export const shellScript = (words: ReadonlyArray<ReadWord>): ShellScript => {
  const name = programName(words[0]?.value ?? "")
  if (OTHERS.has(name)) return { type: "undecided", reason: `what ${name} runs is not read` }
  if (!READ.has(name)) return { type: "none" }
  let takesString = false
  let at = 1
  for (; at < words.length; at += 1) {
    const word = words[at]
    if (word === undefined || word.mayBeOption) break
    if (word.value === "--") {
      at += 1
      break
    }
    if (!/^[-+]/.test(word.value)) break
    if (/^-[cefuvxn]+$/.test(word.value)) takesString ||= word.value.includes("c")
    else if (/^--(?:noprofile|norc|posix|version|help)$/.test(word.value)) continue
    else return { type: "undecided", reason: `what ${name} runs cannot be told by ${word.text}` }
  }
  const script = words[at]
  if (script === undefined) return takesString ? { type: "none" } : { type: "input" }
  if (!script.isStatic) return { type: "undecided", reason: `what ${name} runs is known only when it runs` }
  return takesString ? { type: "script", source: script.value } : { type: "none" }
}
