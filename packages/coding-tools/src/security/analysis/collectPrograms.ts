/** The programs that a command line would run, wherever in it they stand, and what about it cannot be decided. */
import {
  type Assignment,
  type Command,
  forEachChild,
  type ParsedScript,
  parse,
  type Redirection,
  type SyntaxNode
} from "unbash"
import { isHarmlessExport, isHarmlessVariable } from "./assignments.ts"
import { judgeBuiltin } from "./builtins.ts"
import { doubtAbout } from "./expansions.ts"
import { readRedirect } from "./redirections.ts"
import { posixDoubt, shellScript } from "./shellScript.ts"
import { readVariables } from "./variables.ts"
import { openWord, readWord, type ReadWord, staticWord, type Variables } from "./words.ts"
import { executedByFind, unwrap } from "./wrappers.ts"

/**
 * `program`: run as it stands. `wrapper`: runs the one after it, and nothing else. `builtin`: harmless whatever the rules
 * say. `function`: what it runs is listed where it is defined. `redirection`: an operator and a file that is written.
 */
export type ProgramKind = "program" | "wrapper" | "builtin" | "function" | "redirection"

export interface FoundProgram {
  readonly kind: ProgramKind
  readonly words: ReadonlyArray<ReadWord>
}

export interface FoundPrograms {
  readonly programs: ReadonlyArray<FoundProgram>
  /** Why a person has to look, whatever the rules allow. */
  readonly doubts: ReadonlyArray<string>
}

/** Characters of a command line that is read at all. */
const MAX_LENGTH = 65_536
/** `bash -c` inside `bash -c`, and wrappers around wrappers. */
const MAX_DEPTH = 16

export const collectPrograms = (command: string): FoundPrograms => {
  const programs: Array<FoundProgram> = []
  const doubts: Array<string> = []
  try {
    readScript(command, 0, {
      found: (kind, words) => void programs.push({ kind, words }),
      doubt: (reason) => void doubts.push(reason)
    })
  } catch (error) {
    doubts.push(`cannot be parsed: ${error instanceof Error ? error.message : String(error)}`)
  }
  return { programs, doubts: [...new Set(doubts)] }
}

interface Report {
  readonly found: (kind: ProgramKind, words: ReadonlyArray<ReadWord>) => void
  readonly doubt: (reason: string) => void
}

const readScript = (source: string, depth: number, report: Report): void => {
  if (source.length > MAX_LENGTH || source.includes("\0")) return report.doubt("too long or not text")
  const script = parse(source)
  new ScriptReader(source, readVariables(script), depth, report).visitScript(script)
}

/** Walks one script. What it has seen of it so far decides which functions a name can mean. */
class ScriptReader {
  /** What positions count in. */
  #source: string
  readonly #functions = new Set<string>()
  readonly #variables: Variables
  readonly #depth: number
  readonly #report: Report

  constructor(source: string, variables: Variables, depth: number, report: Report) {
    this.#source = source
    this.#variables = variables
    this.#depth = depth
    this.#report = report
  }

  readonly visit = (node: SyntaxNode): void => {
    const doubt = doubtAbout(node)
    if (doubt !== undefined) this.#report.doubt(doubt)
    if (node.type === "Script") this.#errors(node)
    if (node.type === "Command") this.#command(node)
    if (node.type === "Redirect") this.#redirect(node)
    if ((node.type === "For" || node.type === "Select") && !isHarmlessVariable(node.name.value)) {
      this.#report.doubt(`sets ${node.name.value}`)
    }
    const source = this.#source
    // Escaped backticks: what stands in them is read without the escapes.
    if (node.type === "Script" && node.source !== undefined) this.#source = node.source
    forEachChild(node, this.visit)
    this.#source = source
  }

  /** A function is known behind the statement of the script itself that defines it; one in a branch may not be there. */
  readonly visitScript = (script: ParsedScript): void => {
    this.#errors(script)
    for (const statement of script.commands) {
      this.visit(statement)
      const { command, background } = statement
      if (command.type === "Function" && background !== true) this.#functions.add(command.name.value)
    }
  }

  #errors({ errors = [] }: ParsedScript): void {
    for (const { message } of errors) this.#report.doubt(`cannot be parsed: ${message}`)
  }

  #command(command: Command): void {
    const { name, prefix, suffix } = command
    if (hasUnreadText(this.#source, command)) this.#report.doubt("cannot be parsed: text between words")
    for (const node of prefix) if (node.type === "Assignment") this.#assignment(node, name !== undefined)
    if (name === undefined) return
    const words = [readWord(name, this.#variables)]
    for (const node of suffix) {
      if (node.type === "Word") words.push(readWord(node, this.#variables))
      else if (node.type === "Assignment") words.push(this.#assignmentWord(node))
    }
    if (name.text.startsWith("~")) words[0] = openWord(name.text, true)
    this.#run(words, [...prefix, ...suffix].filter(isRedirection), this.#depth)
  }

  #assignment({ name, value, index }: Assignment, exported: boolean): void {
    const text = value.type === "Word" ? readWord(value, this.#variables) : undefined
    const harmless = exported
      ? isHarmlessExport(name, text?.isStatic === true ? text.value : undefined)
      : isHarmlessVariable(name)
    if (!harmless) this.#report.doubt(`sets ${name}`)
    if (index !== undefined && !/^\d+$/.test(index.text)) this.#report.doubt(`arithmetic evaluates ${index.text}`)
    if (value.type === "ArrayValue" && value.elements.some(({ text: element }) => element.startsWith("["))) {
      this.#report.doubt("arithmetic evaluates a subscript")
    }
  }

  #assignmentWord({ name, value, text, append }: Assignment): ReadWord {
    const read = value.type === "Word" && append !== true ? readWord(value, this.#variables) : undefined
    return read?.isStatic === true ? staticWord(`${name}=${read.value}`) : openWord(text, true)
  }

  #redirect(node: SyntaxNode & { readonly type: "Redirect" }): void {
    const opened = readRedirect(node, this.#variables)
    if (opened.type === "undecided") this.#report.doubt(opened.reason)
    if (opened.type === "writes") this.#report.found("redirection", opened.words)
  }

  #run(words: ReadonlyArray<ReadWord>, redirections: ReadonlyArray<Redirection>, depth: number): void {
    const { found, doubt } = this.#report
    const [program] = words
    if (depth > MAX_DEPTH) return doubt("nested too deeply")
    if (program === undefined || !program.isStatic || program.value === "") {
      found("program", words)
      return doubt(`the program is known only when it runs: ${program?.text ?? ""}`)
    }
    const builtin = judgeBuiltin(words)
    if (typeof builtin === "string") doubt(builtin)
    if (builtin === true) return found("builtin", words)
    const script = shellScript(words)
    if (script.type === "undecided") doubt(script.reason)
    if (script.type === "script") {
      found("wrapper", words)
      return this.#inner(words, script.source, depth)
    }
    if (script.type === "input") return this.#shellInput(words, redirections, depth)
    const unwrapped = unwrap(words)
    if (unwrapped.type === "undecided") doubt(unwrapped.reason)
    if (unwrapped.type === "wrapper") {
      found("wrapper", words)
      return this.#run(unwrapped.inner, redirections, depth + 1)
    }
    found(this.#functions.has(program.value) ? "function" : "program", words)
    for (const inner of executedByFind(words)) this.#run(inner, redirections, depth + 1)
  }

  #inner(shell: ReadonlyArray<ReadWord>, source: string, depth: number): void {
    const doubt = posixDoubt(shell, source)
    if (doubt !== undefined) this.#report.doubt(doubt)
    readScript(source, depth + 1, this.#report)
  }

  /** A shell that reads its commands: they are known only where a here-document gives them to the letter. */
  #shellInput(words: ReadonlyArray<ReadWord>, redirections: ReadonlyArray<Redirection>, depth: number): void {
    const [input, ...others] = redirections
    this.#report.found("wrapper", words)
    if (input?.type === "HereDoc" && others.length === 0 && input.descriptor === undefined) {
      const { text } = input.body
      // One line: of several, those before could read away a part of those behind them.
      const isOneLine = input.operator === "<<" && /^[^\n]*\n?$/.test(text)
      const isVerbatim = input.delimiter?.quoted === true || !/[\\$`]/.test(text)
      if (isOneLine && isVerbatim) return this.#inner(words, text, depth)
    }
    this.#report.doubt(`what ${words[0]?.text ?? ""} runs comes from its input`)
  }
}

/** Whether the parser passed over something: in `ls( x`, which Bash refuses, it reads `ls x`. */
const hasUnreadText = (source: string, { pos, prefix, name, suffix }: Command): boolean => {
  if (name === undefined) return false
  let at = pos
  for (const part of [...prefix, name, ...suffix].toSorted((one, other) => one.pos - other.pos)) {
    if (/[^ \t\n\\]/.test(source.slice(at, part.pos))) return true
    at = part.end
  }
  return /^[ \t]*\(/.test(source.slice(at))
}

const isRedirection = (node: SyntaxNode): node is Redirection =>
  node.type === "Redirect" || node.type === "HereDoc" || node.type === "HereString"
