/** Alternatives that a constant property tells apart: at most one of them can match, and it is known which. */
import { isContainer } from "./equality.ts"
import { constantsOf as constantOrEnum } from "./keywords/enum.ts"
import { properties, required } from "./keywords/properties.ts"
import { ref } from "./keywords/ref.ts"
import { allowedBits } from "./keywords/type.ts"
import { OBJECT } from "./kinds.ts"
import type { SchemaNode } from "./SchemaNode.ts"

export interface Discriminator {
  readonly property: string
  readonly branches: ReadonlyMap<unknown, SchemaNode>
}

/** Each branch is an object that requires `property` and gives it constants that no other branch has. */
export const discriminate = (alternatives: ReadonlyArray<SchemaNode>): Discriminator | undefined => {
  const [first, ...others] = alternatives
  if (first === undefined || others.length === 0) return undefined
  for (const property of resolveAlias(first).get(required) ?? []) {
    const branches = branchesBy(property, alternatives)
    if (branches !== undefined) return { property, branches }
  }
  return undefined
}

const branchesBy = (
  property: string,
  alternatives: ReadonlyArray<SchemaNode>
): ReadonlyMap<unknown, SchemaNode> | undefined => {
  const branches = new Map<unknown, SchemaNode>()
  for (const branch of alternatives) {
    const constants = constantsOf(resolveAlias(branch), property)
    if (constants === undefined) return undefined
    for (const constant of constants) {
      if (branches.has(constant)) return undefined
      branches.set(constant, branch)
    }
  }
  return branches
}

const constantsOf = (branch: SchemaNode, property: string): ReadonlyArray<unknown> | undefined => {
  if (allowedBits(branch) !== OBJECT || branch.get(required)?.includes(property) !== true) return undefined
  const node = branch.get(properties)?.get(property)
  if (node === undefined) return undefined
  const constants = constantOrEnum(node)
  return constants?.every((constant) => !isContainer(constant)) === true ? constants : undefined
}

/** What a schema that is nothing but a `$ref` stands for. References that loop were refused. */
export const resolveAlias = (node: SchemaNode): SchemaNode => {
  let alias = node
  for (let only = alias.parts[0]; alias.parts.length === 1 && only?.keyword === ref; only = alias.parts[0]) {
    alias = alias.get(ref)?.target ?? alias
  }
  return alias
}
