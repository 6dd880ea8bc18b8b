/** Progress of a tool, as much of it as a client is told. */
import type { SecretRedactor } from "@arnilo/prism-core"
import { boundText } from "../boundText.ts"
import { McpFixedLimits } from "../McpLimits.ts"

export interface ClientProgress {
  readonly progress: number
  readonly total?: number
  readonly message?: string
}

/**
 * Finite numbers as they are, text redacted and bounded; of anything else only that there was some. Never throws: what
 * cannot be read or redacted is not sent.
 */
export const relayToClient = (send: (told: ClientProgress) => void, redactor: SecretRedactor | undefined) => {
  let steps = 0
  return (told?: unknown): void => {
    steps += 1
    send({ progress: steps, ...readProgress(told, redactor) })
  }
}

const readProgress = (told: unknown, redactor: SecretRedactor | undefined): Partial<ClientProgress> => {
  try {
    const { message, progress, total } = Object(told) as { readonly [key: string]: unknown }
    const text: unknown = redactor === undefined ? message : redactor.redact(message)
    return {
      ...(isFinite(progress) && { progress }),
      ...(isFinite(total) && { total }),
      ...(typeof text === "string" && { message: boundText(text, McpFixedLimits.remoteTextBytes.hardCap) })
    }
  } catch {
    return {}
  }
}

const isFinite = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value)
