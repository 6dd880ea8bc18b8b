/** Judges a command line by the programs that it would run. */
import { collectPrograms, type FoundProgram, type ProgramKind } from "./analysis/collectPrograms.ts"
import { programName } from "./analysis/wrappers.ts"
import { builtInDenial } from "./builtInDenials.ts"
import { type CommandAction, type CommandRule, matchesRule } from "./CommandRules.ts"

export interface AnalyzedProgram {
  /** What the program gets; of a word that is known only when it runs, its source text. */
  readonly words: ReadonlyArray<string>
  /** What rules were matched against: the words, quoted where they have more than plain characters. */
  readonly text: string
  readonly kind: ProgramKind
  readonly action: CommandAction
  /** Why, where no rule says it. */
  readonly reason?: string | undefined
  /** The rule that decided. */
  readonly rule?: CommandRule | undefined
}

export interface CommandAnalysis {
  readonly action: CommandAction
  readonly reason?: string | undefined
  readonly programs: ReadonlyArray<AnalyzedProgram>
  /** What cannot be decided about the command line, whatever the rules say of its programs. */
  readonly doubts: ReadonlyArray<string>
}

/**
 * Parses the command as Bash. A rule that denies any program beats one that asks, and that beats one that allows; a program
 * without a rule asks, and so does all that cannot be parsed or decided. Built-in denials apply unless every program is
 * allowed by a rule of the host's. Never throws.
 *
 * The shell has to read the command as Bash does: a host whose shell is another one sets `shellPath`.
 */
export const analyzeCommand = (command: string, rules: ReadonlyArray<CommandRule>): CommandAnalysis => {
  const found = collectPrograms(command)
  const programs = found.programs.map((program) => judgeProgram(program, rules))
  const result = { programs, doubts: found.doubts }
  const strict = rules.filter(({ action }) => action !== "allow")
  const whole = strictestOf(strict.filter((rule) => matchesRule(rule, command)))
  const denied = programs.find(({ action }) => action === "deny")
  if (whole?.action === "deny") return { action: "deny", reason: reasonOf(whole), ...result }
  if (denied !== undefined) return { action: "deny", reason: denied.reason, ...result }
  const open = programs.find(({ action }) => action !== "allow")
  if (whole === undefined && open === undefined && found.doubts.length === 0 && programs.length > 0) {
    return { action: "allow", ...result }
  }
  // Whoever wrote a rule for the very program has the last word on it; nobody has on the rest.
  if (whole === undefined && builtInDenial(command) !== undefined)
    return { action: "deny", reason: BUILT_IN, ...result }
  const reason = whole?.reason ?? found.doubts[0] ?? open?.reason ?? "no program is run"
  return { action: "requireApproval", reason, ...result }
}

const BUILT_IN = "command matches default deny pattern"

const reasonOf = ({ reason }: CommandRule): string => reason ?? "command denied by policy"

const STRICTNESS: ReadonlyArray<CommandAction> = ["deny", "requireApproval", "allow"]

const strictestOf = (rules: ReadonlyArray<CommandRule>): CommandRule | undefined =>
  STRICTNESS.flatMap((action) => rules.filter((rule) => rule.action === action))[0]

/** A `>` in the pattern, other than that of a named group. */
const speaksOfWriting = ({ pattern }: CommandRule): boolean =>
  (typeof pattern === "string" ? pattern : pattern.source.replaceAll(/(?:\(\?|\\k)<[^=!>][^>]*>/g, "")).includes(">")

const judgeProgram = ({ kind, words }: FoundProgram, rules: ReadonlyArray<CommandRule>): AnalyzedProgram => {
  const text = words.map((word) => word.text).join(" ")
  const values = words.map(({ value }) => value)
  const plain = values.join(" ")
  const spellings = [text, plain, [programName(values[0] ?? ""), ...values.slice(1)].join(" ")]
  const isOpen = words.some(({ mayBeOption }) => mayBeOption)
  const covers = (rule: CommandRule): boolean => {
    if (rule.action !== "allow") return spellings.some((spelling) => matchesRule(rule, spelling))
    if (kind === "redirection" && !speaksOfWriting(rule)) return false
    return (!isOpen || rule.expansions === true) && matchesRule(rule, text)
  }
  const rule = strictestOf(rules.filter(covers))
  const judged = { words: values, text, kind }
  if (rule?.action === "deny") return { ...judged, action: "deny", reason: reasonOf(rule), rule }
  if (rule !== undefined) return { ...judged, action: rule.action, reason: rule.reason, rule }
  if (builtInDenial(plain) !== undefined && kind === "program") return { ...judged, action: "deny", reason: BUILT_IN }
  if (kind === "wrapper" || kind === "builtin" || kind === "function")
    return { ...judged, action: "allow", reason: kind }
  return { ...judged, action: "requireApproval", reason: `no rule allows ${text}` }
}
