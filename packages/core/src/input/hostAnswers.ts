/** What hosts answer while a request is put together, checked before it is believed. */
import type { Message } from "../schema/Message.ts"
import type { ContextBlock } from "../schema/ProviderRequest.ts"

/** Who may have said a message. */
export const ROLES: ReadonlySet<unknown> = new Set(["system", "user", "assistant", "tool"])

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null

const isMessage = (value: unknown): boolean =>
  isObject(value) && ROLES.has(value["role"]) && Array.isArray(value["content"])

const isContextBlock = (value: unknown): boolean => isObject(value) && typeof value["content"] === "string"

/** The messages themselves. Throws `TypeError` that names `who` and what came instead. */
export const messagesOf = (who: string, answer: ReadonlyArray<Message>): ReadonlyArray<Message> =>
  listOf(who, "messages with a role and content", answer, isMessage)

/** The blocks themselves. Throws `TypeError` that names `who` and what came instead. */
export const blocksOf = (who: string, answer: ReadonlyArray<ContextBlock>): ReadonlyArray<ContextBlock> =>
  listOf(who, "context blocks with text as content", answer, isContextBlock)

const listOf = <List extends ReadonlyArray<unknown>>(
  who: string,
  what: string,
  answer: List,
  accepts: (item: unknown) => boolean
): List => {
  if (!Array.isArray(answer)) throw new TypeError(`${who} must return a list of ${what}, not ${shown(answer)}`)
  const at = answer.findIndex((item) => !accepts(item))
  if (at >= 0) throw new TypeError(`${who} must return ${what}, not ${shown(answer[at])} at [${at}]`)
  return answer
}

const shown = (value: unknown): string => (value === null ? "null" : typeof value)
