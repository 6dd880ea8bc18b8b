/** The second tier: one function of generated JavaScript that checks bounds and schema in a single pass. */
import type { BoundsLimits, WithinBounds } from "../bounds.ts"
import type { SchemaNode } from "../SchemaNode.ts"
import { charge } from "../steps.ts"
import { emitNode, type Emission } from "./emitNode.ts"
import { Emitter } from "./Emitter.ts"

/** Longer code would take long to compile; such a schema stays in the first tier. */
const MAX_SOURCE = 200_000

const unlimited: BoundsLimits = {
  maxDepth: Infinity,
  maxProperties: Infinity,
  maxStringLength: Infinity,
  maxArrayLength: Infinity
}

type Generated = (value: unknown, depth: number) => boolean

/**
 * Checks the bounds as well, unless there are none. Nothing where the platform forbids code from text, or where the code
 * would be too long.
 */
export const generateCheck = (
  root: SchemaNode,
  bounds?: { readonly limits: BoundsLimits; readonly isWithin: WithinBounds }
): ((value: unknown) => boolean) | undefined => {
  const emit = new Emitter()
  const functions: Array<string> = []
  const nodes: Array<SchemaNode> = []
  const names = new Map<SchemaNode, Map<boolean, string>>()
  let length = 0
  const emission: Emission = {
    emit,
    limits: bounds?.limits ?? unlimited,
    within: emit.constant(bounds?.isWithin),
    charge: emit.constant(charge),
    call(node, isBound) {
      const variants = names.get(node) ?? new Map<boolean, string>()
      names.set(node, variants)
      const known = variants.get(isBound)
      if (known !== undefined) return known
      const index = nodes.length
      const name = `f${index}`
      variants.set(isBound, name)
      nodes.push(node)
      functions[index] = "" // keeps the place: the body may call for others
      const body = length > MAX_SOURCE ? "" : emitNode(emission, node, isBound)
      functions[index] = `function ${name}(v, d) {\n${body}return true\n}`
      length += body.length
      return name
    }
  }
  emission.call(root, bounds !== undefined)
  if (length > MAX_SOURCE) return undefined
  const constants = emit.constants.map((_value, index) => `c${index} = c[${index}]`).join(", ")
  const list = nodes.map((_node, index) => `f${index}`).join(", ")
  const made = evaluate(`"use strict"\nconst ${constants}\n${functions.join("\n")}\nreturn [${list}]`, emit.constants)
  if (made === undefined) return undefined
  for (const [index, node] of nodes.entries()) node.generated = made[index]
  const [check] = made
  return check === undefined ? undefined : (value) => check(value, 0)
}

const evaluate = (source: string, constants: ReadonlyArray<unknown>): ReadonlyArray<Generated> | undefined => {
  try {
    // Numbers, identifiers and names of constants are all that the source holds of a schema.
    // oxlint-disable-next-line no-new-func
    return new Function("c", source)(constants) as ReadonlyArray<Generated>
  } catch {
    return undefined // a platform without code generation
  }
}
