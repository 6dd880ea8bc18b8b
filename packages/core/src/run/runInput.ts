/** What a run was asked, checked and redacted. */
import { ROLES } from "../input/hostAnswers.ts"
import { inputMessages } from "../input/inputMessages.ts"
import type { AgentInput } from "../ports/Input.ts"
import type { SecretRedactor } from "../ports/Redaction.ts"
import type { Message } from "../schema/Message.ts"
import { detach } from "../dispatch/detach.ts"

export interface RunInput {
  readonly given: AgentInput
  readonly messages: ReadonlyArray<Message>
}

/** Text is one user message; messages are kept as given, but for secrets. The host keeps its own objects. */
export const readInput = (input: AgentInput, redactor: SecretRedactor | undefined): RunInput => {
  const given = redactor === undefined ? detach(input) : redactor.redact(input)
  return { given, messages: inputMessages(given) }
}

/** Throws `TypeError` unless it is text, a message or a list of messages. `name` is what the error calls it. */
export const assertInput = (input: AgentInput, name = "input"): void => {
  if (typeof input === "string") return
  const messages: ReadonlyArray<unknown> | undefined = Array.isArray(input) ? input : undefined
  if (messages === undefined) assertMessage(input, name)
  else for (const [at, message] of messages.entries()) assertMessage(message, `${name}[${at}]`)
}

/** Throws `TypeError` unless it is a message: a known role and a list of content blocks. */
export const assertMessage = (message: unknown, name: string): void => {
  if (typeof message !== "object" || message === null) {
    throw new TypeError(`${name} must be text or a message, not ${message === null ? "null" : typeof message}`)
  }
  // Each field is checked before it is believed.
  const { content, role } = message as { readonly content?: unknown; readonly role?: unknown }
  if (!ROLES.has(role)) {
    throw new TypeError(`${name}.role must be system, user, assistant or tool, not ${String(role)}`)
  }
  if (!Array.isArray(content)) throw new TypeError(`${name}.content must be an array of content blocks`)
  for (const [at, block] of content.entries()) {
    if (!isBlock(block)) throw new TypeError(`${name}.content[${at}] must be a content block`)
  }
}

const isBlock = (block: unknown): boolean =>
  typeof block === "object" && block !== null && "type" in block && typeof block.type === "string"
