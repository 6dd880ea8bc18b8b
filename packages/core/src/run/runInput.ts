/** What a run was asked, checked and redacted. */
import { inputMessages } from "../input/inputMessages.ts"
import type { AgentInput } from "../ports/Input.ts"
import type { SecretRedactor } from "../ports/Redaction.ts"
import type { Message } from "../schema/Message.ts"

export interface RunInput {
  readonly given: AgentInput
  readonly messages: ReadonlyArray<Message>
}

const ROLES: ReadonlyArray<unknown> = ["system", "user", "assistant", "tool"]

/** Text is one user message; messages are kept as given. Throws `TypeError` for anything else. */
export const readInput = (input: AgentInput, redactor: SecretRedactor | undefined): RunInput => {
  if (typeof input !== "string") assertMessages(input)
  const given = redactor === undefined ? input : redactor.redact(input)
  return { given, messages: inputMessages(given) }
}

const assertMessages = (input: unknown): void => {
  const messages: ReadonlyArray<unknown> = Array.isArray(input) ? input : [input]
  for (const [at, message] of messages.entries()) {
    const where = Array.isArray(input) ? `input[${at}]` : "input"
    if (typeof message !== "object" || message === null) {
      throw new TypeError(`${where} must be text or a message, not ${message === null ? "null" : typeof message}`)
    }
    // Each field is checked before it is believed.
    const { content, role } = message as Partial<Message>
    if (!ROLES.includes(role)) {
      throw new TypeError(`${where}.role must be system, user, assistant or tool, not ${String(role)}`)
    }
    if (!Array.isArray(content)) throw new TypeError(`${where}.content must be an array of content blocks`)
  }
}
