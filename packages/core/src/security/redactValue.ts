/**
 * A copy of any value with its text replaced. Walks without recursion and never throws, whatever the value is made of.
 */
import { RedactionLimits } from "../limits/RedactionLimits.ts"
import type { ReplaceText } from "./secretText.ts"

const CIRCULAR = "[Circular]"
const TOO_DEEP = "[MaxDepth]"
const UNREADABLE = "[Unreadable]"
const MAX_DEPTH = RedactionLimits.table.maxDepth.hardCap

type Target = Array<unknown> | Record<string, unknown>

/** One container of the value. `from` is what is read in its place: itself, or what stands for it. */
interface Level {
  readonly source: object
  readonly from: object
  readonly target: Target
  readonly parent: Level | undefined
  readonly depth: number
}

/**
 * Copies `value`, with `replace` applied to every string and key. A reference to an ancestor becomes `[Circular]`, a
 * container below 1,024 others `[MaxDepth]`, what throws when it is read `[Unreadable]`. Maps become objects and sets
 * arrays, errors objects with name and message, instances of other classes what their `toJSON` gives or else objects of
 * their own fields. Dates, regular expressions, buffers, typed arrays and functions pass through, except functions
 * named `toJSON`; keys that are symbols are left out.
 */
export const redactValue = (value: unknown, replace: ReplaceText): unknown =>
  typeof value === "string" ? replace(value) : new Walk(replace).run(value)

class Walk {
  readonly #replace: ReplaceText
  readonly #pending: Array<Level> = []

  constructor(replace: ReplaceText) {
    this.#replace = replace
  }

  run(value: unknown): unknown {
    const result = this.#copy(value, undefined)
    for (let level = this.#pending.pop(); level !== undefined; level = this.#pending.pop()) this.#fill(level)
    return result
  }

  /** The copy of a member. That of a container is empty at first, and filled in its turn. */
  #copy(value: unknown, parent: Level | undefined): unknown {
    if (typeof value === "string") return this.#replace(value)
    if (typeof value !== "object" || value === null) return value
    try {
      return this.#open(value, parent)
    } catch {
      return UNREADABLE
    }
  }

  #open(source: object, parent: Level | undefined): unknown {
    const depth = parent === undefined ? 1 : parent.depth + 1
    for (let level = parent; level !== undefined; level = level.parent) if (level.source === source) return CIRCULAR
    const prototype: unknown = Object.getPrototypeOf(source)
    let from = source
    if (prototype !== Object.prototype && prototype !== null && !Array.isArray(source)) {
      if (passesThrough(source)) return source
      const stand = standIn(source)
      if (typeof stand !== "object" || stand === null) return this.#copy(stand, parent)
      if (passesThrough(stand)) return stand
      from = stand
    }
    if (depth > MAX_DEPTH) return TOO_DEEP
    const target: Target = Array.isArray(from) || from instanceof Set ? [] : prototype === null ? emptyRecord() : {}
    this.#pending.push({ source, from, target, parent, depth })
    return target
  }

  #fill(level: Level): void {
    const { from, target } = level
    try {
      if (Array.isArray(target)) this.#fillList(from, target, level)
      else if (from instanceof Map) this.#fillFromMap(from, target, level)
      else this.#fillFromObject(from, target, level)
    } catch {
      // A hostile proxy or iterator: what could be read until then stands.
    }
  }

  #fillList(from: object, target: Array<unknown>, level: Level): void {
    if (from instanceof Set) {
      for (const item of Set.prototype.values.call(from)) target.push(this.#copy(item, level))
    } else if (Array.isArray(from)) {
      for (let index = 0; index < from.length; index++) target.push(this.#copy(read(from, index), level))
    }
  }

  #fillFromMap(from: Map<unknown, unknown>, target: Record<string, unknown>, level: Level): void {
    const taken = new Map<string, number>()
    for (const [key, value] of Map.prototype.entries.call(from)) {
      put(target, freeName(target, this.#replace(toText(key)), taken), this.#copy(value, level))
    }
  }

  #fillFromObject(from: object, target: Record<string, unknown>, level: Level): void {
    let taken: Map<string, number> | undefined
    for (const key of Object.keys(from)) {
      const value = read(from, key)
      if (key === "toJSON" && typeof value === "function") continue // it would tell what the copy hides
      const name = this.#replace(key)
      if (name === key && taken === undefined) put(target, key, this.#copy(value, level))
      else put(target, freeName(target, name, (taken ??= new Map())), this.#copy(value, level))
    }
  }
}

const emptyRecord = (): Record<string, unknown> => Object.create(null)

const passesThrough = (value: object): boolean =>
  value instanceof Date ||
  value instanceof RegExp ||
  value instanceof ArrayBuffer ||
  isShared(value) ||
  ArrayBuffer.isView(value)

// Some environments have no shared buffers.
const isShared = (value: object): boolean =>
  typeof SharedArrayBuffer === "function" && value instanceof SharedArrayBuffer

/** A box of text would else be copied letter by letter. */
const boxes: ReadonlySet<unknown> = new Set([
  String.prototype,
  Number.prototype,
  Boolean.prototype,
  BigInt.prototype,
  Symbol.prototype
])

/** What is copied in place of an instance of a class. */
const standIn = (value: object): unknown => {
  if (value instanceof Error) return errorFields(value)
  if (value instanceof Map || value instanceof Set) return value
  const json: unknown = "toJSON" in value && typeof value.toJSON === "function" ? value.toJSON() : value
  return typeof json === "object" && json !== null && boxes.has(Object.getPrototypeOf(json)) ? json.valueOf() : json
}

const errorFields = (error: Error): object => {
  const cause = read(error, "cause")
  return {
    name: read(error, "name"),
    message: read(error, "message"),
    ...(cause === undefined ? undefined : { cause }),
    ...Object.fromEntries(Object.keys(error).map((key) => [key, read(error, key)]))
  }
}

const read = (from: object, key: string | number): unknown => {
  try {
    // Whatever is there is of unknown type.
    return (from as Record<string | number, unknown>)[key]
  } catch {
    return UNREADABLE
  }
}

const toText = (key: unknown): string => {
  try {
    return String(key)
  } catch {
    return UNREADABLE
  }
}

const put = (target: Record<string, unknown>, name: string, value: unknown): void => {
  // Assigning this name would change the prototype.
  if (name !== "__proto__") target[name] = value
  else Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true })
}

/** `name`, or `name__2`, `name__3`, … where that is taken. */
const freeName = (target: object, name: string, taken: Map<string, number>): string => {
  if (!Object.hasOwn(target, name)) return name
  for (let count = taken.get(name) ?? 2; ; count++) {
    const candidate = `${name}__${count}`
    if (Object.hasOwn(target, candidate)) continue
    taken.set(name, count + 1)
    return candidate
  }
}
