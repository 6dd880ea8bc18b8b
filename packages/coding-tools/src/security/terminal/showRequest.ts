/** A request for approval on a sheet: tool, paths, command, programs with the rules that decided them, change. */
import type { CodingApprovalRequest } from "../approvalWait.ts"
import type { AnalyzedProgram, CommandAnalysis } from "../commandAnalysis.ts"
import { Sheet } from "./Sheet.ts"
import { showChange } from "./showChange.ts"

const MAX_NAME_LENGTH = 100
const MAX_PATHS = 20
const MAX_PATH_LENGTH = 1_000
const MAX_COMMAND_LENGTH = 2_000
const MAX_PROGRAMS = 20
const MAX_PROGRAM_LENGTH = 400
const MAX_RULE_LENGTH = 40
const MAX_DOUBTS = 5

export const showRequest = ({ action, analysis, change }: CodingApprovalRequest, columns?: number): Sheet => {
  const sheet = new Sheet(columns)
  const { command, kind, operation, paths = [] } = action
  sheet.line("tool", kind === operation ? kind : `${kind} (${operation})`, MAX_NAME_LENGTH)
  sheet.list(kind === "shell" ? "folder" : "path", paths, MAX_PATHS, MAX_PATH_LENGTH)
  if (command !== undefined) sheet.line("command", command, MAX_COMMAND_LENGTH)
  if (analysis !== undefined) showAnalysis(sheet, analysis)
  if (change !== undefined) showChange(sheet, change)
  else if (kind === "write" || kind === "edit") {
    sheet.omit(1)
    sheet.note("what would be written is not known")
  }
  return sheet
}

const showAnalysis = (sheet: Sheet, { doubts, programs }: CommandAnalysis): void => {
  sheet.list("runs", programs.map(describe), MAX_PROGRAMS, MAX_PROGRAM_LENGTH)
  sheet.list("doubts", doubts, MAX_DOUBTS, MAX_PROGRAM_LENGTH)
}

const WORDS = { allow: "allowed", deny: "denied", requireApproval: "asks" } as const

/** The verdict stands first: what a model wrote cannot come before it. A rule is the host's own, so its beginning will do. */
const describe = ({ action, kind, reason, rule, text }: AnalyzedProgram): string => {
  const unruled = action === "requireApproval" ? "no rule" : (reason ?? kind)
  return `${WORDS[action]} by ${rule === undefined ? unruled : `rule ${shorten(String(rule.pattern))}`}: ${text}`
}

const shorten = (pattern: string): string =>
  pattern.length > MAX_RULE_LENGTH ? `${pattern.slice(0, MAX_RULE_LENGTH)}…` : pattern
