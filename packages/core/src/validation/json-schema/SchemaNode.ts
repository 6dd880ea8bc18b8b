/** A schema as it was read: what a location, its keywords and their dialect are. Types alone. */
import type { Evaluated } from "./Evaluated.ts"
import type { Emitter } from "./generate/Emitter.ts"
import type { Place, Report } from "./Report.ts"

/** The members of an instance object. */
export type Members = Readonly<Record<string, unknown>>

/** The verdict. Allocates nothing where `seen` is absent; else tells there what it has answered for. */
export type Check<Instance = unknown> = (instance: Instance, seen: Evaluated | undefined) => boolean

/** One schema location, read. */
export interface SchemaNode {
  readonly parent: SchemaNode | undefined
  readonly resource: Resource
  /** What a boolean schema says of every value. */
  readonly verdict: boolean | undefined
  /** In order of evaluation. */
  readonly parts: ReadonlyArray<Part>
  /** The parts that assert something, with their checks. */
  readonly assertions: ReadonlyArray<Assertion>
  /** JSON Pointer of this location; empty for the root of the document. */
  readonly pointer: string
  /** The value of a keyword here. */
  get<Value>(keyword: { readonly shape: Shape<Value> }): Value | undefined
  /** Whether a value matches. The first call compiles, so that schemas nobody reaches cost nothing. */
  check(value: unknown, seen: Evaluated | undefined): boolean
  /** The verdict of the fastest tier there is, for a value whose bounds were checked. */
  judge(value: unknown): boolean
  /** The generated check, once there is one. */
  generated: ((value: unknown, depth: number) => boolean) | undefined
}

/** A keyword with its value, subschemas read. */
export interface Part {
  readonly keyword: Keyword
  readonly value: unknown
  readonly order: number
}

export interface Assertion {
  readonly keyword: Keyword
  readonly value: unknown
  readonly check: Check<never>
  /** The types of instance that it looks at. */
  readonly bits: number
}

/** A schema with an identifier of its own, and what is inside: fragments are looked up here. */
export interface Resource {
  readonly parent: Resource | undefined
  readonly dialect: Dialect
  readonly root: SchemaNode
  readonly anchors: Map<string, SchemaNode>
  /** The anchors that an outer resource may take over. */
  readonly dynamicAnchors: Map<string, SchemaNode>
  /** Whether `$recursiveAnchor` is true. */
  isRecursive: boolean
}

/** A release of JSON Schema. */
export type Draft = "draft-04" | "draft-06" | "draft-07" | "2019-09" | "2020-12"

/** Which keywords a release of JSON Schema has, and what they may be. */
export interface Dialect {
  readonly keywords: ReadonlyMap<string, OrderedKeyword>
  /** What names a schema: `id` in draft-04. */
  readonly idKeyword: "id" | "$id"
  /** Whether `#name` in the identifier is an anchor, as before 2019-09. */
  readonly hasAnchorIds: boolean
  /** What names a place within a schema. */
  readonly anchorKeywords: ReadonlyArray<"$anchor" | "$dynamicAnchor">
  /** Whether `true` and `false` are schemas everywhere: draft-04 has them under `additional…` alone. */
  readonly hasBooleanSchemas: boolean
  /** Whether `enum` and `required` may be empty. */
  readonly hasEmptyLists: boolean
  /** Whether a schema with `$ref` is nothing else, as before 2019-09. */
  readonly isRefAlone: boolean
  /** Whether items that `contains` matched count as evaluated. */
  readonly containsEvaluates: boolean
  /** Whether `items` may be an array. */
  readonly hasTupleItems: boolean
  /** What `exclusiveMinimum` and `exclusiveMaximum` may be. */
  readonly exclusive: ReadonlyArray<"number" | "boolean">
}

interface OrderedKeyword {
  readonly keyword: Keyword
  /** Position in order of evaluation. */
  readonly order: number
}

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
  inPlace?(value: Value, node: SchemaNode): ReadonlyArray<SchemaNode>
}

export interface Keyword<Value = unknown, Instance = never> extends Assertions<Value, Instance> {
  readonly name: string
  readonly on: Kind | "any"
  readonly shape: Shape<Value>
}
