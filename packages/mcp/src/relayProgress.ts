/** Progress of a call, from the server to who watches the call. */
import type { ToolExecutionContext } from "@arnilo/prism-core"
import { boundText } from "./boundText.ts"
import { McpFixedLimits } from "./McpLimits.ts"
import type { RequestOptions } from "./Remote.ts"

/**
 * While a listener is busy with one notification only the latest of those that follow is kept: a server that sends many
 * fills no memory. Numbers and text are the server's; the text is bounded.
 */
export const relayProgress = (context: ToolExecutionContext): NonNullable<RequestOptions["onprogress"]> => {
  let isBusy = false
  let waiting: (() => void) | undefined
  const send = (progress: object): void => {
    const told = context.progress?.(progress)
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
  return ({ message, progress, total }) => {
    const note = {
      progress,
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message: boundText(message, McpFixedLimits.remoteTextBytes.hardCap) })
    }
    if (isBusy) waiting = () => send(note)
    else send(note)
  }
}
