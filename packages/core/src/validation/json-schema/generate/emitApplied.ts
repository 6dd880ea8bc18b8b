/** The code of references and combinators: other schemas on the same value. */
import type { Alternatives } from "../alternatives.ts"
import type { Discriminator } from "../discriminate.ts"
import { allOf } from "../keywords/allOf.ts"
import { anyOf } from "../keywords/anyOf.ts"
import { oneOf } from "../keywords/oneOf.ts"
import { ref } from "../keywords/ref.ts"
import type { Assertion, SchemaNode } from "../SchemaNode.ts"
import { and, type Emission, or } from "./Emission.ts"

const applicators = new Set<unknown>([ref, allOf, anyOf, oneOf])

/** Whether `emitApplied` knows the keyword: then it can answer for the bounds too. */
export const isApplicator = ({ keyword }: Assertion): boolean => applicators.has(keyword)

/** An expression on `v`. Every branch that may decide checks the bounds where `isBound`. */
export const emitApplied = (emission: Emission, node: SchemaNode, { keyword }: Assertion, isBound: boolean): string => {
  switch (keyword.name) {
    case ref.name: {
      const target = node.get(ref)?.target
      return target === undefined ? "false" : emission.expression(target, isBound, "v", "d")
    }
    case allOf.name: {
      const branches = node.get(allOf) ?? []
      return and(branches.map((branch, index) => emission.expression(branch, isBound && index === 0, "v", "d")))
    }
    case anyOf.name:
      return emitAlternatives(emission, node.get(anyOf), isBound, or)
    default:
      return emitAlternatives(emission, node.get(oneOf), isBound, exactlyOne)
  }
}

const exactlyOne = (branches: ReadonlyArray<string>): string =>
  `${branches.map((branch) => `(${branch} ? 1 : 0)`).join(" + ")} === 1`

const emitAlternatives = (
  emission: Emission,
  alternatives: Alternatives | undefined,
  isBound: boolean,
  join: (branches: ReadonlyArray<string>) => string
): string => {
  if (alternatives === undefined) return "true"
  const { branches, discriminator } = alternatives
  if (discriminator !== undefined) return emitSelected(emission, discriminator, isBound)
  const expression = join(branches.map((branch) => emission.expression(branch, isBound, "v", "d")))
  return `(${emission.charge}(${4 * branches.length}), ${expression})`
}

/** Reads the constant that tells alternatives apart, and calls the one that can match. */
const emitSelected = (
  { emit, expression }: Emission,
  { property, branches }: Discriminator,
  isBound: boolean
): string => {
  const cases = [...branches].map(
    ([constant, branch]) => `t === ${emit.primitive(constant)} ? ${expression(branch, isBound, "v", "d")} : `
  )
  const select = `((t) => ${cases.join("")}false)(${emit.member("v", property)})`
  return `typeof v === "object" && v !== null && !Array.isArray(v) && ${select}`
}
