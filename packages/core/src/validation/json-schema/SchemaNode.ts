/** One schema location, read: its keywords in order of evaluation. */
import { compileNode } from "./compileNode.ts"
import type { Dialect } from "./dialects.ts"
import type { Check, Keyword, Shape } from "./Keyword.ts"
import { bitsOn } from "./kinds.ts"
import { escapeSegment } from "./Report.ts"

/** A keyword with its value, subschemas read. */
export interface Part {
  readonly keyword: Keyword
  readonly value: unknown
  readonly order: number
}

/** A part that asserts something, with its check. */
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

/** Several, where a reference led to a place that no keyword reads. */
type Segment = string | number | ReadonlyArray<string> | undefined

export class SchemaNode {
  readonly parent: SchemaNode | undefined
  readonly #keyword: Segment
  readonly #name: Segment
  /** What a boolean schema says of every value. */
  readonly verdict: boolean | undefined
  readonly resource: Resource
  parts: ReadonlyArray<Part> = []
  #assertions: ReadonlyArray<Assertion> | undefined

  /** Whether a value matches. The first call compiles, so that schemas nobody reaches cost nothing. */
  check: (this: SchemaNode, value: unknown, seen: Parameters<Check>[1]) => boolean = compileFirst
  /** The generated check, once there is one. */
  generated: ((value: unknown, depth: number) => boolean) | undefined = undefined

  /**
   * The parent holds this schema at `name` below `keyword`; either is absent where there is none. A function for
   * `resource` may open one with this node as its root.
   */
  constructor(
    parent: SchemaNode | undefined,
    keyword: Segment,
    name: Segment,
    verdict: boolean | undefined,
    resource: Resource | ((node: SchemaNode) => Resource)
  ) {
    this.parent = parent
    this.#keyword = keyword
    this.#name = name
    this.verdict = verdict
    this.resource = typeof resource === "function" ? resource(this) : resource
  }

  /** JSON Pointer of this location; empty for the root of the document. */
  get pointer(): string {
    const own = [this.#keyword ?? [], this.#name ?? []].flat().map((segment) => `/${escapeSegment(segment)}`)
    return (this.parent?.pointer ?? "") + own.join("")
  }

  /** The value of a keyword here. */
  get<Value>(keyword: { readonly shape: Shape<Value> }): Value | undefined {
    for (const part of this.parts) {
      // A part's value is what its keyword's shape read.
      if (part.keyword.shape === keyword.shape && part.keyword === keyword) return part.value as Value
    }
    return undefined
  }

  /** The verdict of the fastest tier there is, for a value whose bounds were checked. */
  judge(value: unknown): boolean {
    return this.generated === undefined ? this.check(value, undefined) : this.generated(value, 0)
  }

  get assertions(): ReadonlyArray<Assertion> {
    return (this.#assertions ??= this.#assert())
  }

  #assert(): ReadonlyArray<Assertion> {
    const assertions: Array<Assertion> = []
    for (const { keyword, value } of this.parts) {
      const check = keyword.check?.(value, this)
      if (check !== undefined) assertions.push({ keyword, value, check, bits: bitsOn[keyword.on] })
    }
    return assertions
  }
}

/** Stands in for the check of every node that was not asked yet. */
function compileFirst(this: SchemaNode, value: unknown, seen: Parameters<Check>[1]): boolean {
  const check = compileNode(this)
  this.check = check
  return check(value, seen)
}
