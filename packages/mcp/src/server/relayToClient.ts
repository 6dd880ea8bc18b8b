/** Progress of a tool, as much of it as a client is told. */
import type { SecretRedactor } from "@arnilo/prism-core"
import { boundText } from "../boundText.ts"
import { McpFixedLimits } from "../McpLimits.ts"

export interface ClientProgress {
  readonly progress: number
  readonly total?: number
  readonly message?: string
}

export interface ClientRelay {
  /** Never throws and never keeps the tool waiting. */
  readonly tell: (told?: unknown) => void
  /** Nothing is sent any more. */
  readonly end: () => void
}

const { progressBytes, remoteTextBytes } = McpFixedLimits

/** What a message has around its text, at least. */
const ENVELOPE = 128

/**
 * Finite numbers as they are, text redacted and bounded; what has no number counts on, and a number that does not rise is
 * left out, since in the protocol it must. While one message is on its way only the latest of those that follow is kept.
 */
export const relayToClient = (
  send: (told: ClientProgress) => Promise<void>,
  redactor: SecretRedactor | undefined
): ClientRelay => {
  let last = Number.NEGATIVE_INFINITY
  let left = progressBytes.hardCap
  let isBusy = false
  let isOver = false
  let waiting: ClientProgress | undefined

  const next = (told: ClientProgress | undefined): void => {
    waiting = undefined
    isBusy = told !== undefined && !isOver
    if (told === undefined || isOver) return
    // Whoever does not read must not fill the memory.
    left -= ENVELOPE + Buffer.byteLength(told.message ?? "")
    if (left < 0) isOver = true
    const settled = (): void => next(waiting)
    // A client that has gone is told nothing.
    send(told).then(settled, settled)
  }

  return {
    tell: (given) => {
      if (isOver) return
      const { progress = Math.max(Math.floor(last), 0) + 1, ...rest } = readProgress(given, redactor)
      if (progress <= last) return
      last = progress
      const told = { progress, ...rest }
      if (isBusy) waiting = told
      else next(told)
    },
    end: () => {
      isOver = true
      waiting = undefined
    }
  }
}

/** Nothing of what cannot be read or redacted. */
const readProgress = (told: unknown, redactor: SecretRedactor | undefined): Partial<ClientProgress> => {
  try {
    const { message, progress, total } = Object(told) as { readonly [key: string]: unknown }
    const text: unknown = redactor === undefined ? message : redactor.redact(message)
    return {
      ...(isFinite(progress) && { progress }),
      ...(isFinite(total) && { total }),
      ...(typeof text === "string" && { message: boundText(text, remoteTextBytes.hardCap) })
    }
  } catch {
    return {}
  }
}

const isFinite = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value)
