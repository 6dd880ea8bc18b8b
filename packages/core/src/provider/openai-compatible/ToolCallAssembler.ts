/** Fragments of the tool calls of one turn → calls. Every server has its own idea of `index` and `id`; what comes out has one. */
import { utf8ByteLength } from "../../limits/byteLength.ts"
import { OpenAICompatibleLimits } from "../../limits/OpenAICompatibleLimits.ts"
import type { ToolCallContent } from "../../schema/Content.ts"
import type { ProviderEvent } from "../../schema/ProviderEvent.ts"
import { toolCallFromArgumentsText } from "../toolArguments.ts"
import { turnError } from "./mapErrors.ts"
import type { WireToolCall } from "./wire.ts"

const { toolArgumentBytes, toolCalls } = OpenAICompatibleLimits.table
const MAX_CALLS = toolCalls.default
const MAX_BYTES = toolArgumentBytes.default

interface OpenCall {
  readonly index: number
  id: string | undefined
  name: string | undefined
  readonly text: Array<string>
  bytes: number
  /** The server changes the id within a call, so a new id means nothing. */
  hasLooseId: boolean
}

interface Fragment {
  readonly id: string | undefined
  readonly name: string | undefined
  readonly argumentsText: string | undefined
}

/** One per turn. Whatever the server does, two calls are never merged and none is told twice. */
export class ToolCallAssembler {
  readonly #id: string
  readonly #calls: Array<OpenCall> = []
  /** By the index that the server gives: the call it means now. */
  readonly #byWireIndex: Map<number, OpenCall> = new Map()
  readonly #indexes: Set<number> = new Set()
  #last: OpenCall | undefined

  constructor(id: string) {
    this.#id = id
  }

  /** The fragment as an event. Fails with `ProviderError` when a call outgrows its bound, or there are too many of them. */
  accept(wire: WireToolCall): ProviderEvent {
    const fragment = toFragment(wire)
    const call = this.#callOf(wire.index, fragment)
    this.#last = call
    const { argumentsText, id, name } = fragment
    if (id !== undefined) call.id = id
    if (name !== undefined) call.name = name
    if (argumentsText !== undefined && argumentsText !== "") {
      call.text.push(argumentsText)
      call.bytes += utf8ByteLength(argumentsText)
      if (call.bytes > MAX_BYTES) {
        throw turnError("tool_arguments_too_large", `${this.#id} sent tool arguments of more than ${MAX_BYTES} bytes`)
      }
    }
    return {
      type: "tool_call_delta",
      index: call.index,
      ...(id === undefined ? undefined : { id }),
      ...(name === undefined ? undefined : { name }),
      ...(argumentsText === undefined ? undefined : { argumentsText })
    }
  }

  /**
   * The calls in order of index. `cutBy` is the finish reason that cut the turn off: the call that was being written then is
   * handed over as unreadable, even if its text parses. Fails with `incomplete_delta` when one lacks its id or name.
   */
  finish(cutBy: string | undefined): ReadonlyArray<ToolCallContent> {
    const taken = new Set<string>()
    return this.#calls
      .toSorted((a, b) => a.index - b.index)
      .map((call) => {
        if (call.id === undefined || call.name === undefined) {
          throw turnError("incomplete_delta", `Incomplete tool call delta at index ${call.index}`)
        }
        const id = unusedId(call.id, taken)
        taken.add(id)
        if (cutBy === undefined || call !== this.#last)
          return toolCallFromArgumentsText(id, call.name, call.text.join(""))
        const message = `Tool arguments were cut off: the answer ended with finish reason ${cutBy}`
        return {
          type: "tool_call",
          id,
          name: call.name,
          arguments: {},
          argumentsError: { message, code: "invalid_json_arguments" }
        }
      })
  }

  #callOf(wireIndex: unknown, fragment: Fragment): OpenCall {
    if (!isUsableIndex(wireIndex)) return this.#callById(fragment)
    const known = this.#byWireIndex.get(wireIndex)
    if (known !== undefined && !startsAnother(known, fragment)) return known
    const call = this.#open(wireIndex)
    this.#byWireIndex.set(wireIndex, call)
    return call
  }

  /** A new id starts a call, no id goes on with the last one, unless it names another tool. */
  #callById({ id, name }: Fragment): OpenCall {
    const known = id === undefined ? this.#last : this.#calls.findLast((call) => call.id === id)
    const isOther = id === undefined && name !== undefined && known?.name !== undefined && known.name !== name
    return known === undefined || isOther ? this.#open(undefined) : known
  }

  #open(wanted: number | undefined): OpenCall {
    if (this.#calls.length >= MAX_CALLS) {
      throw turnError("too_many_tool_calls", `${this.#id} sent more than ${MAX_CALLS} tool calls in one turn`)
    }
    const index = wanted === undefined || this.#indexes.has(wanted) ? Math.max(-1, ...this.#indexes) + 1 : wanted
    const call = { index, id: undefined, name: undefined, text: [], bytes: 0, hasLooseId: false }
    this.#indexes.add(index)
    this.#calls.push(call)
    return call
  }
}

const isUsableIndex = (index: unknown): index is number =>
  typeof index === "number" && Number.isSafeInteger(index) && index >= 0 && index < MAX_CALLS

/**
 * Some servers give every call of a turn the same index. Such a call has an id and a name of its own and comes when the one
 * before is complete. Others change the id from fragment to fragment: there the text before is not complete.
 */
const startsAnother = (known: OpenCall, { argumentsText = "", id, name }: Fragment): boolean => {
  if (id === undefined || name === undefined || known.id === undefined || known.name === undefined) return false
  if (id === known.id || known.hasLooseId) return false
  const text = known.text.join("")
  const isComplete = isBlank(text)
    ? // Without arguments so far: the next one shows by its name, or by coming whole.
      name !== known.name || isBlank(argumentsText) || isObjectText(argumentsText)
    : isObjectText(text)
  // Asked once: looking at the text again with every fragment would cost its square.
  if (!isComplete) known.hasLooseId = true
  return isComplete
}

const isBlank = (text: string): boolean => text.trim() === ""

const isObjectText = (text: string): boolean => {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value)
  } catch {
    return false // the text is still being written
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const toFragment = (wire: WireToolCall): Fragment => ({
  id: toName(wire.id),
  name: toName(wire.function?.name ?? wire.name),
  argumentsText: toArgumentsText(wire.function?.arguments ?? wire.arguments)
})

/** Fragments that go on with a call often carry an empty id and name; those must not replace what is known. */
const toName = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value : undefined

/** An empty object is what some servers open a call with, before the text. */
const toArgumentsText = (value: unknown): string | undefined => {
  if (value === undefined || value === null) return undefined
  if (typeof value === "string") return value
  return isObject(value) && Object.keys(value).length === 0 ? "" : JSON.stringify(value)
}

/** Two calls of a turn with one id could not be answered apart. The server sees the new id in both call and result. */
const unusedId = (id: string, taken: ReadonlySet<string>): string => {
  if (!taken.has(id)) return id
  let count = 2
  while (taken.has(`${id}__${count}`)) count += 1
  return `${id}__${count}`
}
