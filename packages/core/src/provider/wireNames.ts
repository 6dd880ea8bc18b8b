/** Tool names as providers accept them: letters, digits, `_` and `-`, at most 64. Deterministic, unique in a request. */
import { ProviderLimits } from "../limits/ProviderLimits.ts"
import type { ProviderRequest } from "../ports/AIProvider.ts"
import type { ContentBlock } from "../schema/Content.ts"
import type { Message } from "../schema/Message.ts"

const MAX = ProviderLimits.table.wireNameLength.default
const LEGAL = /^[A-Za-z0-9_-]{1,64}$/

export const isWireName = (name: string): boolean => LEGAL.test(name)

/** Names of one request, both ways. Absent when every name is legal as it is. */
export interface WireNames {
  readonly toWire: ReadonlyMap<string, string>
  readonly fromWire: ReadonlyMap<string, string>
}

const holdsCalls = ({ content, role }: Message): boolean =>
  (role === "assistant" || role === "tool") && Array.isArray(content)

const calledNames = (messages: ReadonlyArray<Message>): Set<string> => {
  const names = new Set<string>()
  for (const message of messages) {
    if (!holdsCalls(message)) continue
    for (const block of message.content) {
      if (block.type === "tool_call" || block.type === "tool_result") names.add(block.name)
    }
  }
  return names
}

/** The tools of the request first; then, unless its transcript is known to hold none, names that only this knows. */
export const wireNamesOf = (request: ProviderRequest, mayHoldForeignNames: boolean): WireNames | undefined => {
  const { messages, tools = [] } = request
  if (!mayHoldForeignNames && tools.every(({ name }) => isWireName(name))) return undefined
  const names = new Set([...tools.map(({ name }) => name), ...calledNames(messages)])
  const foreign = [...names].filter((name) => !isWireName(name))
  if (foreign.length === 0) return undefined
  const taken = new Set([...names].filter(isWireName))
  const toWire = new Map<string, string>()
  const fromWire = new Map<string, string>()
  for (const name of foreign) {
    const wire = unusedName(name, taken)
    taken.add(wire)
    toWire.set(name, wire)
    fromWire.set(wire, name)
  }
  return { toWire, fromWire }
}

/** Illegal characters become `_`; a hash of the documented name keeps shortened and like-looking names apart. */
const unusedName = (name: string, taken: ReadonlySet<string>): string => {
  for (let round = 0; ; round += 1) {
    const suffix = `_${hash(`${name}\0${round}`)}`
    const wire = `${name.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, MAX - suffix.length)}${suffix}`
    if (!taken.has(wire)) return wire
  }
}

/** FNV-1a over UTF-16 units, twice with different bases: 52 bits in base 36. No defence, only a spread. */
const hash = (text: string): string => {
  let high = 0x811c9dc5
  let low = 0x9dc5811c
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    high = Math.imul(high ^ unit, 0x01000193)
    low = Math.imul(low ^ unit, 0x85ebca6b)
  }
  return ((high >>> 12) * 2 ** 32 + (low >>> 0)).toString(36).padStart(11, "0").slice(-11)
}

const renameBlock = (block: ContentBlock, names: ReadonlyMap<string, string>): ContentBlock => {
  if (block.type !== "tool_call" && block.type !== "tool_result") return block
  const name = names.get(block.name)
  return name === undefined ? block : { ...block, name }
}

/** The request with wire names in its tools and its transcript. */
export const toWireRequest = (request: ProviderRequest, names: WireNames): ProviderRequest => ({
  ...request,
  messages: request.messages.map((message) =>
    holdsCalls(message)
      ? { ...message, content: message.content.map((block) => renameBlock(block, names.toWire)) }
      : message
  ),
  tools: request.tools?.map((tool) => ({ ...tool, name: names.toWire.get(tool.name) ?? tool.name }))
})
