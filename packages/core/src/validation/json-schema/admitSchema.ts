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
  const copier = new Copier(limits)
  try {
    const copy = copier.copy(schema, 0)
    const text = JSON.stringify(copy)
    if (isLongerThan(text, limits.maxSchemaBytes)) {
      copier.refuse(`exceeds maximum schema size of ${limits.maxSchemaBytes} bytes`)
    }
    return Result.succeed({ schema: copy, text })
  } catch (error) {
    if (error instanceof SchemaRejectedError) return Result.fail(error)
    return Result.fail(new SchemaRejectedError({ pointer: copier.pointer, reason: "must be plain JSON" }))
  }
}

class Copier {
  readonly #limits: SchemaLimitValues
  readonly #path: Array<string | number> = []
  readonly #open: Array<object> = []
  #keys = 0

  constructor(limits: SchemaLimitValues) {
    this.#limits = limits
  }

  get pointer(): string {
    return this.#path.map((segment) => `/${escapeSegment(segment)}`).join("")
  }

  refuse(reason: string): never {
    throw new SchemaRejectedError({ pointer: this.pointer, reason })
  }

  copy(value: unknown, depth: number): unknown {
    if (depth > this.#limits.maxSchemaDepth) this.#refuseDepth(value)
    switch (typeof value) {
      case "string":
      case "boolean":
        return value
      case "number":
        return Number.isFinite(value) ? value : this.refuse("must be a finite number")
      case "object":
        return value === null ? null : this.#copyContainer(value, depth)
      default:
        return this.refuse(`must be plain JSON, not ${typeof value}`)
    }
  }

  #copyContainer(value: object, depth: number): unknown {
    this.#open.push(value)
    const copy = Array.isArray(value) ? this.#copyItems(value, depth) : this.#copyMembers(value, depth)
    this.#open.pop()
    return copy
  }

  #copyItems(value: ReadonlyArray<unknown>, depth: number): unknown {
    const { length } = value
    if (length > this.#limits.maxSchemaBytes)
      this.refuse(`exceeds maximum schema size of ${this.#limits.maxSchemaBytes} bytes`)
    const copy: Array<unknown> = []
    for (let index = 0; index < length; index++) copy.push(this.#copyAt(value[index], index, depth))
    return copy
  }

  #copyMembers(value: object, depth: number): unknown {
    const prototype: unknown = Object.getPrototypeOf(value)
    if (prototype !== Object.prototype && prototype !== null) this.refuse("must be a plain object")
    const copy: Record<string, unknown> = {}
    // A plain object's members are read by their names.
    const members = value as Readonly<Record<string, unknown>>
    for (const key of Object.keys(members)) {
      if (isForbiddenKey(key)) this.refuse(`forbidden key: ${key}`)
      this.#count()
      copy[key] = this.#copyAt(members[key], key, depth)
    }
    return copy
  }

  #copyAt(value: unknown, key: string | number, depth: number): unknown {
    this.#path.push(key)
    const copy = this.copy(value, depth + 1)
    this.#path.pop()
    return copy
  }

  #count(): void {
    const { maxSchemaProperties, maxSchemaKeywords } = this.#limits
    if (++this.#keys > maxSchemaProperties) this.refuse(`exceeds maximum schema properties ${maxSchemaProperties}`)
    if (this.#keys > maxSchemaKeywords) this.refuse(`exceeds maximum schema keywords ${maxSchemaKeywords}`)
  }

  #refuseDepth(value: unknown): never {
    const isCyclic = this.#open.some((open) => open === value)
    return this.refuse(isCyclic ? "must not be cyclic" : `exceeds maximum schema depth ${this.#limits.maxSchemaDepth}`)
  }
}
