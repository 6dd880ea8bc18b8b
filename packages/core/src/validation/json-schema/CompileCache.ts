/** Compiled schemas: by object, then by JSON text, so that equal schemas of many agents compile once. Bounded. */
import * as Result from "effect/Result"
import type { SchemaRejectedError } from "../../errors/SchemaRejectedError.ts"
import type { SchemaLimitValues } from "../../limits/SchemaLimits.ts"
import { admitSchema } from "./admitSchema.ts"
import { CompiledSchema } from "./CompiledSchema.ts"
import { readSchema } from "./readSchema.ts"

/** What is known of one text. An object that leads here after the entry was dropped keeps the text alive, and no more. */
interface Entry {
  readonly text: string
  compiled: CompiledSchema | undefined
  usedAt: number
}

export class CompileCache {
  readonly #limits: SchemaLimitValues
  readonly #byObject = new WeakMap<object, Entry>()
  readonly #byText = new Map<string, Entry>()
  #clock = 0

  constructor(limits: SchemaLimitValues) {
    this.#limits = limits
  }

  /** How many compiled schemas are kept. */
  get size(): number {
    return this.#byText.size
  }

  /**
   * A schema object that is known is not looked at again: changing it has no effect. Where one too many is kept, the
   * one that was not used for longest is dropped. A refusal is not kept.
   */
  get(schema: unknown): Result.Result<CompiledSchema, SchemaRejectedError> {
    const object = typeof schema === "object" && schema !== null ? schema : undefined
    const entry = object === undefined ? undefined : this.#byObject.get(object)
    if (entry?.compiled !== undefined) {
      entry.usedAt = ++this.#clock
      return Result.succeed(entry.compiled)
    }
    // One that was dropped is read again as it was when it came.
    const admitted =
      entry === undefined
        ? admitSchema(schema, this.#limits)
        : Result.succeed({ text: entry.text, schema: JSON.parse(entry.text) as unknown })
    if (Result.isFailure(admitted)) return Result.fail(admitted.failure)
    const { text, schema: copy } = admitted.success
    const same = this.#byText.get(text)
    if (same?.compiled !== undefined) {
      same.usedAt = ++this.#clock
      if (object !== undefined) this.#byObject.set(object, same)
      return Result.succeed(same.compiled)
    }
    const root = readSchema(copy, { maxSchemaRefs: this.#limits.maxSchemaRefs, formats: "assert" })
    if (Result.isFailure(root)) return Result.fail(root.failure)
    const compiled = new CompiledSchema(root.success, this.#limits)
    const made = { text, compiled, usedAt: ++this.#clock }
    this.#byText.set(text, made)
    if (object !== undefined) this.#byObject.set(object, made)
    if (this.#byText.size > this.#limits.maxCompiledSchemas) this.#dropOldest()
    return Result.succeed(compiled)
  }

  #dropOldest(): void {
    let oldest: Entry | undefined
    for (const entry of this.#byText.values()) if (oldest === undefined || entry.usedAt < oldest.usedAt) oldest = entry
    if (oldest === undefined) return
    oldest.compiled = undefined
    this.#byText.delete(oldest.text)
  }
}
