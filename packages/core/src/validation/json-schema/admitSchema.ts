/** The first look at an untrusted schema: what is not plain, too large or hostile is refused before anything reads it. */
import * as Result from "effect/Result"
import { SchemaRejectedError } from "../../errors/SchemaRejectedError.ts"
import { isLongerThan } from "../../limits/byteLength.ts"
import type { SchemaLimitValues } from "../../limits/SchemaLimits.ts"
import { isForbiddenKey } from "../../security/json.ts"
import { escapeSegment } from "./Report.ts"

/** A private copy, so that changing the schema afterwards has no effect, and its JSON text. */
export interface AdmittedSchema {
  readonly schema: unknown
  readonly text: string
}

/** Copies `schema`, or says where and why not. Shared parts count once for each time that they are reached. */
export const admitSchema = (
  schema: unknown,
  limits: SchemaLimitValues
): Result.Result<AdmittedSchema, SchemaRejectedError> => {
  try {
    const copy = new Copier(limits).copy(schema, 0)
    const text = JSON.stringify(copy)
    if (isLongerThan(text, limits.maxSchemaBytes)) {
      throw tooLarge(limits.maxSchemaBytes)
    }
    return Result.succeed({ schema: copy, text })
  } catch (error) {
    const { path, reason } = error instanceof Refusal ? error : new Refusal(NO_JSON)
    const isCycle = reason.startsWith(TOO_DEEP) && isCyclic(schema)
    return Result.fail(
      new SchemaRejectedError({
        // Where a cycle was noticed says nothing.
        pointer: isCycle ? "" : path.map((segment) => `/${escapeSegment(segment)}`).join(""),
        reason: isCycle ? "must not be cyclic" : reason
      })
    )
  }
}

/** What a value takes in the text at least, the comma behind it included, and what a key takes beside its letters. */
const VALUE_BYTES = 2
const KEY_BYTES = 3

const NO_JSON = "must be plain JSON"
const TOO_DEEP = "exceeds maximum schema depth"

/** Gets its path on the way out, so that the way in costs nothing. */
class Refusal {
  readonly reason: string
  /** Whether no place in the schema is to blame. */
  readonly isOfWhole: boolean
  readonly path: Array<string | number> = []

  constructor(reason: string, isOfWhole = false) {
    this.reason = reason
    this.isOfWhole = isOfWhole
  }

  /** What a getter or a proxy throws is a refusal of what has it. */
  static within(error: unknown, key: string | number): Refusal {
    const refusal = error instanceof Refusal ? error : new Refusal(NO_JSON)
    if (!refusal.isOfWhole) refusal.path.unshift(key)
    return refusal
  }
}

const tooLarge = (bytes: number): Refusal => new Refusal(`exceeds maximum schema size of ${bytes} bytes`, true)

class Copier {
  readonly #limits: SchemaLimitValues
  #keys = 0
  #weight = 0

  constructor(limits: SchemaLimitValues) {
    this.#limits = limits
  }

  copy(value: unknown, depth: number): unknown {
    this.#weigh(VALUE_BYTES)
    if (depth > this.#limits.maxSchemaDepth) throw new Refusal(`${TOO_DEEP} ${this.#limits.maxSchemaDepth}`)
    switch (typeof value) {
      case "string":
        this.#weigh(value.length)
        return value
      case "boolean":
        return value
      case "number":
        if (Number.isFinite(value)) return value
        throw new Refusal("must be a finite number")
      case "object":
        if (value === null) return null
        return Array.isArray(value) ? this.#copyItems(value, depth) : this.#copyMembers(value, depth)
      default:
        throw new Refusal(`must be plain JSON, not ${typeof value}`)
    }
  }

  #copyItems(value: ReadonlyArray<unknown>, depth: number): unknown {
    const { length } = value
    const copy: Array<unknown> = []
    for (let index = 0; index < length; index++) {
      try {
        copy.push(this.copy(value[index], depth + 1))
      } catch (error) {
        throw Refusal.within(error, index)
      }
    }
    return copy
  }

  #copyMembers(value: object, depth: number): unknown {
    const prototype: unknown = Object.getPrototypeOf(value)
    if (prototype !== Object.prototype && prototype !== null) throw new Refusal("must be a plain object")
    const copy: Record<string, unknown> = {}
    // A plain object's members are read by their names.
    const members = value as Readonly<Record<string, unknown>>
    for (const key of Object.keys(members)) {
      if (isForbiddenKey(key)) throw new Refusal(`forbidden key: ${key}`)
      this.#count()
      this.#weigh(key.length + KEY_BYTES)
      try {
        copy[key] = this.copy(members[key], depth + 1)
      } catch (error) {
        throw Refusal.within(error, key)
      }
    }
    return copy
  }

  /** Ends the walk when what was met must be larger than the text may be: a part may be shared by very many. */
  #weigh(bytes: number): void {
    const { maxSchemaBytes } = this.#limits
    this.#weight += bytes
    if (this.#weight > maxSchemaBytes) throw tooLarge(maxSchemaBytes)
  }

  #count(): void {
    const { maxSchemaProperties, maxSchemaKeywords } = this.#limits
    this.#keys++
    if (this.#keys > maxSchemaProperties) throw new Refusal(`exceeds maximum schema properties ${maxSchemaProperties}`)
    if (this.#keys > maxSchemaKeywords) throw new Refusal(`exceeds maximum schema keywords ${maxSchemaKeywords}`)
  }
}

/** Whether a container holds itself, as far as that can be seen. Looked at only where a schema was too deep. */
const isCyclic = (schema: unknown): boolean => {
  try {
    return holdsItself(schema, new Set(), new Set())
  } catch {
    return false // a getter that throws
  }
}

/** Each part is looked at once. */
const holdsItself = (value: unknown, open: Set<unknown>, closed: Set<unknown>): boolean => {
  if (typeof value !== "object" || value === null || closed.has(value)) return false
  if (open.size + closed.size > MAX_LOOKED) return false
  if (open.has(value)) return true
  open.add(value)
  const isFound = Object.values(value).some((member) => holdsItself(member, open, closed))
  open.delete(value)
  closed.add(value)
  return isFound
}

/** A cycle is shorter than the deepest schema that is read, and most are. */
const MAX_LOOKED = 1_000
