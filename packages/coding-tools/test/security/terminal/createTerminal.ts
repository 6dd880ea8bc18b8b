/** A terminal of streams, for tests that type at it. */
import { PassThrough } from "node:stream"
import { setImmediate } from "node:timers/promises"
import type { ExecutionAction } from "@arnilo/prism-core"
import type { CodingApprovalRequest } from "../../../src/security/approvalWait.ts"
import { createTerminalApproval } from "../../../src/security/TerminalApproval.ts"

/** Streams that say they are a terminal, and what stands on it. */
export const createTerminal = (columns = 100) => {
  const input = Object.assign(new PassThrough(), { isTTY: true })
  const output = Object.assign(new PassThrough(), { isTTY: true, columns })
  let screen = ""
  output.on("data", (chunk: Buffer) => (screen += chunk.toString()))
  const ask = createTerminalApproval({ input, output })
  const approve = async (request: CodingApprovalRequest): Promise<boolean> => ask(request)
  const shown = (): string => screen
  /** Waits until the screen ends with a question for the `n`th time. */
  const asked = async (n = 1): Promise<void> => {
    while (screen.split("Allow this?").length <= n) await setImmediate()
    await setImmediate()
  }
  const answer = async (text: string, n = 1): Promise<void> => {
    await asked(n)
    input.write(text)
  }
  return { input, output, approve, shown, asked, answer }
}

export const shell = (
  command: string,
  metadata: ExecutionAction["metadata"] = { runId: "r" }
): CodingApprovalRequest => ({
  action: { kind: "shell", operation: "execute", paths: ["/srv/project"], command, metadata }
})
export const change = (content: string, path = "/srv/project/a.txt"): CodingApprovalRequest => ({
  action: { kind: "write", operation: "write", paths: [path], metadata: { runId: "r" } },
  change: { content }
})
