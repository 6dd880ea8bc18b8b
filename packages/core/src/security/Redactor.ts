/** Removes known secrets from whatever leaves a run: events, entries, ledger rows, requests, errors. */
import type { AgentEvent } from "../events/AgentEvent.ts"
import type { ProviderRequest } from "../ports/AIProvider.ts"
import type { SecretRedactor, Secrets } from "../ports/Redaction.ts"
import type { ToolDefinition } from "../ports/ToolDefinition.ts"
import type { AgentEventRecord, RunRecord, ToolCallRecord, UsageRecord } from "../records/LedgerRecords.ts"
import type { SessionEntry } from "../records/SessionEntry.ts"
import type { ErrorInfo } from "../schema/ErrorInfo.ts"
import type { Message } from "../schema/Message.ts"
import { redactValue } from "./redactValue.ts"
import { makeReplaceText, REDACTED, type ReplaceText } from "./secretText.ts"

const identity: SecretRedactor = { redact: (value) => value }

/**
 * A redactor of known secrets: every occurrence in every string and key becomes `[REDACTED]`, by exact and case-
 * sensitive comparison. What it returns is a new structure, and it never throws; `redactValue` says what becomes of
 * values that are not JSON. Empty and absent secrets are ignored; with none left, values are returned as they are. It
 * sees one string at a time: a secret that is spread over several strings is not found.
 */
export const createSecretRedactor = (secrets: Secrets): SecretRedactor => {
  const replace = makeReplaceText(secrets)
  if (replace === undefined) return identity
  // A redactor keeps the shape of what it is given, as far as that is JSON.
  return { redact: <T>(value: T) => redactValue(value, replace) as T }
}

/** `value` without the secrets: see `createSecretRedactor`. */
export const redactSecrets = <T>(value: T, secrets: Secrets): T => createSecretRedactor(secrets).redact(value)

/** One redactor of both, or the one that is there. Undefined when nothing is to be redacted. */
export const resolveRedactor = (redactor?: SecretRedactor, secrets: Secrets = []): SecretRedactor | undefined => {
  const known = createSecretRedactor(secrets)
  if (known === identity) return redactor
  if (redactor === undefined) return known
  return { redact: (value) => redactor.redact(known.redact(value)) }
}

/**
 * Any thrown value as the wire form of an error, without the secrets. Of an `Error` stay name, message, a code that is
 * text or a number, a usable `retryAfterMs` and the cause as text; of another object with a message the same without
 * name and cause; of anything else its text. Never a stack. Never throws.
 */
export const errorToErrorInfo = (error: unknown, secrets: Secrets = []): ErrorInfo => {
  const replace = makeReplaceText(secrets) ?? unchanged
  try {
    return describeError(error, replace)
  } catch {
    return { message: "[Unreadable]" }
  }
}

const unchanged: ReplaceText = (text) => text

const describeError = (error: unknown, replace: ReplaceText): ErrorInfo => {
  if (typeof error !== "object" || error === null || !("message" in error)) return { message: replace(String(error)) }
  const isError = error instanceof Error
  const { name, code, retryAfterMs, cause } = fieldsOf(error)
  return {
    ...(isError && typeof name === "string" ? { name: replace(name) } : undefined),
    message: replace(String(error.message)),
    ...(typeof code === "string" ? { code: replace(code) } : typeof code === "number" ? { code } : undefined),
    ...(isDelay(retryAfterMs) ? { retryAfterMs } : undefined),
    ...(isError && cause !== undefined ? { cause: replace(toText(cause)) } : undefined)
  }
}

interface ErrorFields {
  readonly name?: unknown
  readonly code?: unknown
  readonly retryAfterMs?: unknown
  readonly cause?: unknown
}
const fieldsOf = (error: object): ErrorFields => error

const toText = (value: unknown): string => String(value)

const isDelay = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value) && value >= 0

/** The message without known secrets; without a redactor the message itself. */
export const redactMessage = (message: Message, redactor?: SecretRedactor): Message =>
  redactor === undefined ? message : redactor.redact(message)

/** The entry without known secrets; without a redactor the entry itself. */
export const redactSessionEntry = (entry: SessionEntry, redactor?: SecretRedactor): SessionEntry =>
  redactor === undefined ? entry : redactor.redact(entry)

/** The row without known secrets; without a redactor the row itself. */
export const redactRunLedgerRecord = <R extends RunRecord | AgentEventRecord | ToolCallRecord | UsageRecord>(
  record: R,
  redactor?: SecretRedactor
): R => (redactor === undefined ? record : redactor.redact(record))

/**
 * The event without known secrets; without a redactor the event itself. Never throws: when a host's redactor fails on
 * the whole event it is asked for each string, and what it fails on again becomes `[REDACTED]`.
 */
export const redactAgentEvent = <E extends AgentEvent>(event: E, redactor?: SecretRedactor): E => {
  if (redactor === undefined) return event
  try {
    return redactor.redact(event)
  } catch {
    const walked = redactValue(event, (text) => redactText(text, redactor))
    // The shape of an event, as far as the redactor lets its keys through, under the type it had.
    return { ...(walked as E), ...identityOf(event) }
  }
}

const redactText = (text: string, redactor: SecretRedactor): string => {
  try {
    const redacted: unknown = redactor.redact(text)
    return typeof redacted === "string" ? redacted : REDACTED
  } catch {
    return REDACTED
  }
}

/** By these a subscriber tells events apart; they are the runtime's own words and ids. */
const identityOf = (event: AgentEvent) => ({
  type: event.type,
  ...(event.sessionId === undefined ? undefined : { sessionId: event.sessionId }),
  ...("runId" in event ? { runId: event.runId } : undefined)
})

/**
 * The request without known secrets; without a redactor the request itself. The signal stays the same object. A tool
 * keeps its name and its working `execute`; its description and parameters are redacted.
 */
export const redactProviderRequest = (request: ProviderRequest, redactor?: SecretRedactor): ProviderRequest => {
  if (redactor === undefined) return request
  const { signal, tools, ...data } = request
  return {
    ...redactor.redact(data),
    ...(tools === undefined ? undefined : { tools: tools.map((tool) => redactTool(tool, redactor)) }),
    ...(signal === undefined ? undefined : { signal })
  }
}

interface RedactedTool {
  readonly description: unknown
  readonly parameters: unknown
  readonly tool: ToolDefinition
}
/** The same tools go out with every turn. */
const redactedTools = new WeakMap<SecretRedactor, WeakMap<ToolDefinition, RedactedTool>>()

const redactTool = (tool: ToolDefinition, redactor: SecretRedactor): ToolDefinition => {
  let known = redactedTools.get(redactor)
  if (known === undefined) redactedTools.set(redactor, (known = new WeakMap()))
  const { description, parameters } = tool
  const before = known.get(tool)
  if (before !== undefined && before.description === description && before.parameters === parameters) return before.tool
  const redacted: ToolDefinition = {
    ...tool,
    name: tool.name,
    ...(description === undefined ? undefined : { description: redactor.redact(description) }),
    ...(parameters === undefined ? undefined : { parameters: redactor.redact(parameters) }),
    // A tool may be an instance of a class, whose method needs its own `this`.
    execute: (args, context) => tool.execute(args, context)
  }
  known.set(tool, { description, parameters, tool: redacted })
  return redacted
}
