/** A schema location that compiles itself when it is first asked. */
import { compileNode } from "./compileNode.ts"
import type { Evaluated } from "./Evaluated.ts"
import { bitsOn } from "./kinds.ts"
import { escapeSegment } from "./Report.ts"
import type { Assertion, Part, Resource, SchemaNode, Shape } from "./SchemaNode.ts"

/** Several, where a reference led to a place that no keyword reads. */
type Segment = string | number | ReadonlyArray<string> | undefined

/** One schema location, as the reader makes it. */
export class ReadNode implements SchemaNode {
  readonly parent: SchemaNode | undefined
  readonly #keyword: Segment
  readonly #name: Segment
  /** What a boolean schema says of every value. */
  readonly verdict: boolean | undefined
  readonly resource: Resource
  parts: ReadonlyArray<Part> = [] // filled by the reader, which has to know the node first
  #assertions: ReadonlyArray<Assertion> | undefined

  /** Whether a value matches. The first call compiles, so that schemas nobody reaches cost nothing. */
  check: (this: ReadNode, value: unknown, seen: Evaluated | undefined) => boolean = compileFirst
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
function compileFirst(this: ReadNode, value: unknown, seen: Evaluated | undefined): boolean {
  const check = compileNode(this)
  this.check = check
  return check(value, seen)
}
