/** The second tier: one function of generated JavaScript that checks bounds and schema in a single pass. */
import type { BoundsLimits, WithinBounds } from "../bounds.ts"
import type { SchemaNode } from "../SchemaNode.ts"
import { charge } from "../steps.ts"
import type { Emission } from "./Emission.ts"
import { emitNode } from "./emitNode.ts"
import { Emitter } from "./Emitter.ts"
import { leafExpression } from "./leafExpression.ts"

/** Longer code would take long to compile; such a schema stays in the first tier. */
const MAX_SOURCE = 200_000

type Generated = (value: unknown, depth: number) => boolean

const unlimited: BoundsLimits = {
  maxDepth: Infinity,
  maxProperties: Infinity,
  maxStringLength: Infinity,
  maxArrayLength: Infinity
}

/**
 * Checks the bounds as well, unless there are none. Nothing where the platform forbids code from text, or where the code
 * would be too long.
 */
export const generateCheck = (
  root: SchemaNode,
  bounds?: { readonly limits: BoundsLimits; readonly isWithin: WithinBounds }
): ((value: unknown) => boolean) | undefined => {
  const program = new Program(bounds?.limits ?? unlimited, bounds?.isWithin)
  program.add(root, bounds !== undefined)
  const [check] = program.evaluate() ?? []
  return check === undefined ? undefined : (value) => check(value, 0)
}

/** Functions of generated code, one for each schema location and answer to "with bounds?". */
class Program {
  readonly #emit = new Emitter()
  readonly #emission: Emission
  readonly #nodes: Array<SchemaNode> = []
  readonly #functions: Array<string> = []
  readonly #known = new Map<SchemaNode, Map<boolean, number>>()
  #length = 0

  constructor(limits: BoundsLimits, isWithin: WithinBounds | undefined) {
    this.#emission = {
      emit: this.#emit,
      limits,
      within: this.#emit.constant(isWithin),
      charge: this.#emit.constant(charge),
      expression: (node, isBound, name, depth) => this.#expression(node, isBound, name, depth)
    }
  }

  /** The index of the function for a node. */
  add(node: SchemaNode, isBound: boolean): number {
    const variants = this.#known.get(node) ?? new Map<boolean, number>()
    this.#known.set(node, variants)
    const known = variants.get(isBound)
    if (known !== undefined) return known
    const index = this.#nodes.push(node) - 1
    variants.set(isBound, index) // before the body is written, which may call for it
    const body = this.#length > MAX_SOURCE ? "" : emitNode(this.#emission, node, isBound)
    this.#functions[index] = `function f${index}(v, d) {\n${body}return true\n}`
    this.#length += body.length
    return index
  }

  /** The functions in order, each entered at its node; nothing where there can be none. */
  evaluate(): ReadonlyArray<Generated> | undefined {
    if (this.#length > MAX_SOURCE) return undefined
    const { constants } = this.#emit
    const names = constants.map((_, index) => `c${index} = c[${index}]`).join(", ")
    const list = this.#nodes.map((_, index) => `f${index}`).join(", ")
    const made = evaluate(`"use strict"\nconst ${names}\n${this.#functions.join("\n")}\nreturn [${list}]`, constants)
    for (const [index, node] of this.#nodes.entries()) node.generated = made?.[index]
    return made
  }

  #expression(node: SchemaNode, isBound: boolean, name: string, depth: string): string {
    if (node.verdict === false) return "false"
    if (node.assertions.length === 0) return isBound ? `${this.#emission.within}(${name}, ${depth})` : "true"
    const leaf = leafExpression(this.#emission, node, isBound, name)
    return leaf ?? `f${this.add(node, isBound)}(${name}, ${depth})`
  }
}

const evaluate = (source: string, constants: ReadonlyArray<unknown>): ReadonlyArray<Generated> | undefined => {
  try {
    // Numbers, plain identifiers and names of constants are all that the source holds of a schema.
    // oxlint-disable-next-line no-new-func, typescript/no-implied-eval
    return new Function("c", source)(constants) as ReadonlyArray<Generated>
  } catch {
    return undefined // a platform without code generation
  }
}
