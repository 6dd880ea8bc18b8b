/** Progress of a call, from the server to who watches the call. */
import type { ToolExecutionContext } from "@arnilo/prism-core"
import { boundText } from "./boundText.ts"
import { McpFixedLimits } from "./McpLimits.ts"
import type { Progress } from "./ProgressTokens.ts"

/**
 * While a listener is busy with one notification only the latest of those that follow is kept: a server that sends many
 * fills no memory. Numbers and text are the server's; the text is bounded.
 */
export const relayProgress = (context: ToolExecutionContext): ((progress: Progress) => void) => {
  let isBusy = false
  let waiting: (() => void) | undefined
  const send = (progress: object): void => {
    const told = tellOf(context, progress)
    if (told === undefined) return
    isBusy = true
    const settled = (): void => {
      isBusy = false
      const next = waiting
      waiting = undefined
      next?.()
    }
    // A listener that fails has been told; the call goes on.
    told.then(settled, settled)
  }
  return ({ message, ...numbers }) => {
    const text = message === undefined ? undefined : boundText(message, McpFixedLimits.remoteTextBytes.hardCap)
    const note = text === undefined ? numbers : { ...numbers, message: text }
    if (isBusy) waiting = () => send(note)
    else send(note)
  }
}

/** A listener that throws has been told, too. */
const tellOf = (context: ToolExecutionContext, progress: object): void | Promise<void> => {
  try {
    return context.progress?.(progress)
  } catch {
    return undefined
  }
}
