/** The input of a run as messages. */
import type { AgentInput } from "../ports/Input.ts"
import type { Message } from "../schema/Message.ts"

/** Text is one user message; messages are kept as they are given. */
export const inputMessages = (input: AgentInput): ReadonlyArray<Message> => {
  if (typeof input === "string") return [{ role: "user", content: [{ type: "text", text: input }] }]
  return isMessage(input) ? [input] : input
}

const isMessage = (input: Message | ReadonlyArray<Message>): input is Message => !Array.isArray(input)
