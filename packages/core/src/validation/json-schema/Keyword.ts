/** What one keyword is: which values it may have, on which instances it looks, and what it asserts there. */
import type { Dialect } from "./dialects.ts"
import type { Evaluated } from "./Evaluated.ts"
import type { Emitter } from "./generate/Emitter.ts"
import type { Place, Report } from "./Report.ts"
import type { SchemaNode } from "./SchemaNode.ts"

/** The members of an instance object. */
export type Members = Readonly<Record<string, unknown>>

/** The verdict. Allocates nothing where `seen` is absent; else tells there what it has answered for. */
export type Check<Instance = unknown> = (instance: Instance, seen: Evaluated | undefined) => boolean

/** Reads a keyword's value, subschemas included, or refuses it through `reader.fail`. */
export type Shape<Value> = (raw: unknown, reader: Reader) => Value

/** The position that is being read. */
export interface Reader {
  readonly dialect: Dialect
  /** Reads a subschema at `name` below the keyword; no name where the keyword's value is the schema itself. */
  child(raw: unknown, name?: string | number): SchemaNode
  /** The schema that a reference leads to. Known once the whole document is read. */
  reference(fragment: string): { readonly target: SchemaNode }
  /** Refuses the schema. `name` is where below the keyword. */
  fail(reason: string, name?: string | number): never
}

/** The type of instance that a keyword looks at; on others it is silent. */
export type Kind = "string" | "number" | "array" | "object"

/** Methods, so that a list may hold keywords of any value. `value` is what `shape` read, `node` where the keyword stands. */
interface Assertions<Value, Instance> {
  /** Makes the check, once for each schema location. Absent: the keyword annotates, or a sibling reads it. */
  check?(value: Value, node: SchemaNode): Check<Instance> | undefined
  /** What was expected and what came, of an instance that the check refused. */
  message?(value: Value, instance: Instance, node: SchemaNode): string
  /** In place of `message`: reports whatever is wrong with an instance, and nothing where it passes. */
  explain?(value: Value, instance: Instance, at: Place, report: Report, node: SchemaNode): void
  /** A JavaScript expression for the check of the variable `name`. Absent: generated code calls the check. */
  source?(value: Value, emit: Emitter, name: string, node: SchemaNode): string | undefined
  /** The subschemas that judge the same instance. */
  inPlace?(value: Value): ReadonlyArray<SchemaNode>
}

export interface Keyword<Value = unknown, Instance = never> extends Assertions<Value, Instance> {
  readonly name: string
  readonly on: Kind | "any"
  readonly shape: Shape<Value>
}

type Definition<Value, Instance> = Omit<Keyword<Value, Instance>, "on">

/** Laid below every keyword: objects with the same fields in the same order are read faster. */
const blank = {
  name: undefined,
  on: undefined,
  shape: undefined,
  check: undefined,
  message: undefined,
  explain: undefined,
  source: undefined,
  inPlace: undefined
}

/** What is `undefined` is as good as absent. */
const make = <Value, Instance>(on: Kind | "any", keyword: Definition<Value, Instance>): Keyword<Value, Instance> =>
  ({ ...blank, ...keyword, on }) as Keyword<Value, Instance>

export const onAny = <Value>(keyword: Definition<Value, unknown>): Keyword<Value, unknown> => make("any", keyword)
export const onString = <Value>(keyword: Definition<Value, string>): Keyword<Value, string> => make("string", keyword)
export const onNumber = <Value>(keyword: Definition<Value, number>): Keyword<Value, number> => make("number", keyword)
export const onArray = <Value>(
  keyword: Definition<Value, ReadonlyArray<unknown>>
): Keyword<Value, ReadonlyArray<unknown>> => make("array", keyword)
export const onObject = <Value>(keyword: Definition<Value, Members>): Keyword<Value, Members> => make("object", keyword)
