/** Asks the person at the terminal whether a tool may do what it is about to do. */
import { createApprovalCache } from "./ApprovalCache.ts"
import type { CodingApprovalFn, CodingApprovalRequest } from "./approvalWait.ts"
import type { Sheet } from "./terminal/Sheet.ts"
import { showRequest } from "./terminal/showRequest.ts"
import { askLine, isAttended, takeTurn, tell, type Terminal } from "./terminal/Terminal.ts"

export interface TerminalApprovalOptions {
  /** Default `process.stdin`. */
  readonly input?: Terminal["input"] | undefined
  /** Default `process.stderr`, so that stdout has nothing but the run's own output. */
  readonly output?: Terminal["output"] | undefined
}

/**
 * The `approve` of a policy: shows what is asked for, and takes `y` for yes, `a` for always in this run, and anything else
 * for no. No at once without a terminal (either stream is none, or closed), which is said on the output; no at the end of the input and when the wait is
 * over. Questions are asked one at a time, also those of other policies at the same input; only what is typed after a
 * question is shown answers it.
 *
 * `a` holds for the same tool and operation in the same run: of a command, for the very same text in the same folder; of a
 * file, for changes of the same path. Such changes are not asked about again, but each is shown. It never holds for what
 * is too long to be shown whole, nor outside a run (`metadata.runId`); there it is not offered. It cannot lift what the
 * policy refuses, which looks at roots and rules each time.
 *
 * What comes from a model or a tool stands behind a border, in lines of our own making: control characters, line breaks,
 * invisible characters and marks that turn the direction of text are escaped, long texts are cut with a count of what is
 * missing. No guarantee is made for what others write to the same terminal meanwhile.
 */
export const createTerminalApproval = (options: TerminalApprovalOptions = {}): CodingApprovalFn => {
  const always = createApprovalCache("run")
  return async (request) => {
    const terminal = { input: options.input ?? process.stdin, output: options.output ?? process.stderr }
    if (!isAttended(terminal)) return refuse(terminal, request)
    const answer = await takeTurn(terminal, request.signal, async () => {
      if (!isAttended(terminal)) return refuse(terminal, request)
      const sheet = showRequest(request, terminal.output.columns)
      const key = sheet.leftOut === 0 ? always.keyOf(request.action) : undefined
      if (key !== undefined && always.get(key) === true) return tell(terminal.output, remembered(sheet))
      const line = await askLine(terminal, question(sheet, request, key !== undefined), request.signal)
      if (line === undefined) await tell(terminal.output, "\nNo answer: not allowed.\n")
      const word = line?.trim().toLowerCase()
      const isAlways = key !== undefined && (word === "a" || word === "always")
      if (isAlways) always.set(key, true)
      return isAlways || word === "y" || word === "yes"
    })
    return answer === true
  }
}

/** Said where it can be: a run that was refused everything would else look like one that had nothing to ask. */
const refuse = async ({ output }: Terminal, request: CodingApprovalRequest): Promise<false> => {
  const { text } = showRequest(request, output.columns)
  if (output.writable) await tell(output, `\n── not allowed: there is no terminal to ask at\n${text}`)
  return false
}

/** A line end first: the run's own text may stand there without one. */
const remembered = (sheet: Sheet): string => `\n── allowed, as you answered for this run\n${sheet.text}`

const question = (sheet: Sheet, { action }: CodingApprovalRequest, mayRemember: boolean): string => {
  const missing = sheet.leftOut === 0 ? "" : "Not all of it is shown. "
  const same = action.command === undefined ? "changes of this path by this tool" : "this very command in this folder"
  const always = mayRemember ? `a: yes, and to ${same} for the rest of this run\n` : ""
  return `\n── approval needed\n${sheet.text}${always}${missing}Allow this? [${mayRemember ? "y/N/a" : "y/N"}] `
}
