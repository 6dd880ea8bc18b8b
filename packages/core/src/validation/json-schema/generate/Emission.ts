/** What the parts of the code generator share. Generated functions take a value `v` at depth `d`. */
import type { BoundsLimits } from "../bounds.ts"
import type { Assertion, SchemaNode } from "../SchemaNode.ts"
import type { Emitter } from "./Emitter.ts"

export interface Emission {
  readonly emit: Emitter
  readonly limits: BoundsLimits
  /** Name of the constant that checks the bounds of what no schema describes. */
  readonly within: string
  /** Name of the constant that takes steps off. */
  readonly charge: string
  /** An expression that tells whether the variable `name` matches; `isBound`: and keeps the bounds, at `depth`. */
  readonly expression: (node: SchemaNode, isBound: boolean, name: string, depth: string) => string
}

export const and = (parts: ReadonlyArray<string>): string =>
  parts.length === 0 ? "true" : parts.map((part) => `(${part})`).join(" && ")

export const or = (parts: ReadonlyArray<string>): string =>
  parts.length === 0 ? "false" : `(${parts.map((part) => `(${part})`).join(" || ")})`

export const failUnless = (expression: string): string => `if (!(${expression})) return false\n`

/** The expression of one assertion: its keyword's own, or a call of its check. */
export const sourceOf = (emit: Emitter, node: SchemaNode, { keyword, value, check }: Assertion, name: string): string =>
  keyword.source?.(value, emit, name, node) ?? `${emit.constant(check)}(${name}, undefined)`
