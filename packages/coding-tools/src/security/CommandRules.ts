/** What a host says about commands: the first of its rules that matches decides, then the built-in ones. */
import { builtInDenial } from "./builtInDenials.ts"

export type CommandAction = "allow" | "deny" | "requireApproval"

/**
 * A RegExp is tested against the command, a string is looked for in it; but the string of an `allow` has to be the whole
 * trimmed command, since whatever stands around it would be allowed as well.
 */
export interface CommandRule {
  readonly pattern: RegExp | string
  readonly action: CommandAction
  /** What the model is told of a refusal. */
  readonly reason?: string | undefined
  /**
   * With `commandAnalysis: "shell"`, on an `allow`: covers the program also with words that are known only when it runs and
   * may then be any option (`$x`, `$(…)`, `*`). Default false: such a command asks.
   */
  readonly expansions?: boolean | undefined
}

export interface CommandVerdict {
  readonly action: CommandAction
  readonly reason?: string | undefined
}

export interface CommandRulesOptions {
  /** Default true: a command with shell metacharacters needs approval, and no `allow` rule covers it. */
  readonly denyMetacharacters?: boolean | undefined
}

/** The verdict with the host rule that led to it; without one nothing of the host's matched. */
export interface JudgedCommand extends CommandVerdict {
  readonly rule?: CommandRule | undefined
}

/** `; | & $ ( ) < >`, a backtick, a line break, or the two characters `\n`. */
export const hasShellMetacharacters = (command: string): boolean =>
  /[;|&`$()<>\n\r]/.test(command) || command.includes(String.raw`\n`)

/** The same command always gets the same verdict. `allow` without a rule that matched does not mean approved. */
export const evaluateCommandRules = (
  command: string,
  rules: ReadonlyArray<CommandRule> | undefined,
  options?: CommandRulesOptions
): CommandVerdict => {
  const { action, reason } = judgeCommand(command, rules, options)
  return { action, ...(reason !== undefined && { reason }) }
}

/** `evaluateCommandRules` with the rule. */
export const judgeCommand = (
  command: string,
  rules: ReadonlyArray<CommandRule> = [],
  { denyMetacharacters = true }: CommandRulesOptions = {}
): JudgedCommand => {
  const asks = denyMetacharacters && hasShellMetacharacters(command)
  const rule = rules.find((each) => (each.action !== "allow" || !asks) && matchesRule(each, command))
  if (rule !== undefined) return { action: rule.action, reason: rule.reason ?? reasonOf(rule), rule }
  const denial = builtInDenial(command)
  if (denial !== undefined) return { action: "deny", reason: "command matches default deny pattern" }
  if (asks) return { action: "requireApproval", reason: "command contains shell metacharacters" }
  return { action: "allow" }
}

const reasonOf = ({ action }: CommandRule): string | undefined =>
  action === "deny" ? "command denied by policy" : undefined

/** A RegExp with `g` or `y` is asked afresh each time, and the host's own object is left as it is. */
export const matchesRule = ({ pattern, action }: CommandRule, command: string): boolean => {
  if (typeof pattern !== "string") return new RegExp(pattern.source, pattern.flags).test(command)
  return action === "allow" ? command.trim() === pattern.trim() : command.includes(pattern)
}
