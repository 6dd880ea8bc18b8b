/** Programs that run another program: where among their words it begins. */
import { isHarmlessExport } from "./assignments.ts"
import { openWord, type ReadWord } from "./words.ts"

interface Wrapper {
  /** Options without a value, as whole words. */
  readonly flags?: RegExp
  /** Options whose value is the next word. */
  readonly valued?: RegExp
  /** Words of its own between its options and the program. */
  readonly operands?: number
  readonly assigns?: boolean
  /** Appends words that it reads from its input. */
  readonly appends?: boolean
  /** With these options it does not run anything, and is a program like any other. */
  readonly describes?: RegExp
}

const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  ["env", { flags: /^(?:-|-i|--ignore-environment|-u\w+|--unset=\w+)$/, valued: /^(?:-u|--unset)$/, assigns: true }],
  ["nice", { flags: /^(?:-\d+|-n-?\d+|--adjustment=-?\d+)$/, valued: /^(?:-n|--adjustment)$/ }],
  ["nohup", {}],
  [
    "timeout",
    {
      flags: /^(?:-v|--verbose|--foreground|--preserve-status|-[sk]\w+|--(?:signal|kill-after)=[\w.]+)$/,
      valued: /^(?:-s|-k|--signal|--kill-after)$/,
      operands: 1
    }
  ],
  [
    "xargs",
    {
      flags:
        /^(?:-[0rtx]+|--null|--no-run-if-empty|--verbose|--exit|-[nPLs]\d+|-d.+|--(?:max-args|max-procs|max-lines)=\d+)$/,
      valued: /^(?:-[nPLsdE]|--max-args|--max-procs|--delimiter)$/,
      appends: true
    }
  ],
  ["time", { flags: /^(?:-p|--portability|-v|--verbose)$/ }],
  ["command", { describes: /^-[vV]+$/ }],
  ["builtin", {}],
  // Not `-a`: programs of several names, such as git, do what they are called.
  ["exec", { flags: /^-c+$/ }],
  ["stdbuf", { flags: /^(?:-[ioe](?:L|\d+)|--(?:input|output|error)=(?:L|\d+))$/, valued: /^-[ioe]$/ }],
  ["setsid", { flags: /^(?:-[cfw]+|--ctty|--fork|--wait)$/ }],
  ["ionice", { flags: /^(?:-[cn]\d|-t|--ignore|--(?:class|classdata)=\d)$/, valued: /^-[cn]$/ }]
])

/** Where programs of the system are; of another place, a name says nothing. */
export const programName = (path: string): string => /^(?:\/usr)?\/s?bin\/([^/]+)$/.exec(path)?.[1] ?? path

export type Unwrapped =
  | { readonly type: "program" }
  | { readonly type: "wrapper"; readonly inner: ReadonlyArray<ReadWord> }
  | { readonly type: "undecided"; readonly reason: string }

const PROGRAM: Unwrapped = { type: "program" }

/** What a wrapper would run. An option that is not known makes that undecided. */
export const unwrap = (words: ReadonlyArray<ReadWord>): Unwrapped => {
  const name = programName(words[0]?.value ?? "")
  const wrapper = WRAPPERS.get(name)
  if (wrapper === undefined) return PROGRAM
  const undecided = (word: ReadWord): Unwrapped => ({
    type: "undecided",
    reason: `what ${name} runs cannot be told by ${word.text}`
  })
  let replaced: string | undefined
  let at = 1
  for (; at < words.length; at += 1) {
    const word = words[at]
    if (word === undefined) break
    if (word.mayBeOption) return undecided(word)
    const { value } = word
    if (value === "--") {
      at += 1
      break
    }
    if (wrapper.describes?.test(value) === true) return PROGRAM
    const replaces = wrapper.appends === true ? /^-I(.*)$/s.exec(value) : null
    if (replaces !== null) {
      if (replaces[1] === "") at += 1
      replaced = replaces[1] === "" ? (words[at]?.value ?? "{}") : replaces[1]
    } else if (wrapper.valued?.test(value) === true) at += 1
    else if (value.startsWith("-") && wrapper.flags?.test(value) !== true) return undecided(word)
    else if (!value.startsWith("-")) break
  }
  if (wrapper.assigns === true) {
    for (; at < words.length; at += 1) {
      const word = words[at]
      const [, variable, value] = /^([^=]+)=(.*)$/s.exec(word?.value ?? "") ?? []
      if (word === undefined || variable === undefined) break
      if (!isHarmlessExport(variable, word.isStatic ? value : undefined)) {
        return { type: "undecided", reason: `sets ${variable} for a program` }
      }
    }
  }
  const inner = words.slice(at + (wrapper.operands ?? 0))
  // A word that splits or vanishes would move where the program begins.
  const open = words.slice(0, words.length - inner.length).find((word) => !word.isStatic)
  if (open !== undefined) return undecided(open)
  if (wrapper.appends === true) {
    // The last of them counts: `-n` and `-L` append, whatever `-I` said.
    const appends = words.slice(1, at).find(({ value }) => /^-[nL]|^--max-(?:args|lines)/.test(value))
    if (replaced !== undefined && appends !== undefined) return undecided(appends)
    return { type: "wrapper", inner: fromInput(inner, replaced) }
  }
  return inner.length === 0 ? PROGRAM : { type: "wrapper", inner }
}

/** The words of `xargs` with what comes from its input, which may be anything. Without a program it is `echo`. */
const fromInput = (words: ReadonlyArray<ReadWord>, replaced: string | undefined): ReadonlyArray<ReadWord> => {
  if (words.length === 0) return [{ ...openWord("echo", false), isStatic: true }, openWord("…", true)]
  if (replaced === undefined) return [...words, openWord("…", true)]
  return words.map((word) => {
    // What a variable holds may be what is replaced.
    if (!word.isStatic) return openWord(word.text, true)
    return word.value.includes(replaced) ? holed(word, !beginsWithout(word.value, replaced)) : word
  })
}

/** In double quotes, so that no rule for what is known to the letter takes it for that: the hole may hold anything. */
const holed = ({ value, text }: ReadWord, mayBeOption: boolean): ReadWord =>
  openWord(/^[\w./{}-]+$/.test(value) ? text : `"${value}"`, mayBeOption)

const beginsWithout = (value: string, replaced: string): boolean => /^[\w./]/.test(value) && !value.startsWith(replaced)

/** The programs in `find … -exec program … ;`, in order. `{}` begins like the path that the search began with. */
export const executedByFind = (words: ReadonlyArray<ReadWord>): ReadonlyArray<ReadonlyArray<ReadWord>> => {
  if (programName(words[0]?.value ?? "") !== "find") return []
  const programs: Array<ReadonlyArray<ReadWord>> = []
  for (const [at, { value }] of words.entries()) {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(value)) continue
    const rest = words.slice(at + 1)
    const end = rest.findIndex(
      (word, index) =>
        word.value === ";" || (word.value === "+" && rest[index - 1]?.value === "{}" && !value.startsWith("-ok"))
    )
    const inner = end === -1 ? rest : rest.slice(0, end)
    programs.push(inner.map((word) => (word.value.includes("{}") ? holed(word, false) : word)))
  }
  return programs
}
