/** The code of a schema that lets no array and no object pass and applies no other schema: one expression. */
import { isContainer } from "../equality.ts"
import { constKeyword, enumKeyword } from "../keywords/enum.ts"
import { maxLength } from "../keywords/maxLength.ts"
import { allowedBits, type } from "../keywords/type.ts"
import { ANY, ARRAY, BOOLEAN, bitOf, FRACTION, INTEGER, NULL, NUMBER, OBJECT, STRING } from "../kinds.ts"
import type { Assertion, SchemaNode } from "../SchemaNode.ts"
import { and, type Emission, or, sourceOf } from "./Emission.ts"

/** More constants than this are looked up in the check's own set. */
const MAX_CONSTANTS = 16

/** Nothing for any other schema. */
export const leafExpression = (
  emission: Emission,
  node: SchemaNode,
  isBound: boolean,
  name: string
): string | undefined => {
  const constants = constantsOf(node)
  const bits = allowedBits(node) & (constants === undefined ? ANY : bitsOf(constants))
  if ((bits & (ARRAY | OBJECT)) !== 0) return undefined
  const rest = node.assertions.filter(
    ({ keyword }) => keyword !== type && (constants === undefined || !isConstant(keyword))
  )
  if (rest.some(({ keyword }) => keyword.inPlace !== undefined)) return undefined
  const general = sourcesOn("any", emission, node, rest, name)
  if (constants === undefined) return and([ofType(emission, node, bits, rest, isBound, name), ...general])
  if (rest.length > general.length) return undefined
  const allowed = constants.filter((constant) => (bitOf(constant) & bits) !== 0)
  if (isBound && allowed.some((constant) => isLong(constant, emission))) return undefined
  return and([or(allowed.map((constant) => `${name} === ${emission.emit.primitive(constant)}`)), ...general])
}

const isConstant = (keyword: unknown): boolean => keyword === constKeyword || keyword === enumKeyword

/** The values that `const` or `enum` leaves, where all are primitives. */
const constantsOf = (node: SchemaNode): ReadonlyArray<unknown> | undefined => {
  const listed = node.get(enumKeyword)
  const single = node.parts.find(({ keyword }) => keyword === constKeyword)
  if (listed !== undefined && single !== undefined) return undefined
  const constants = single === undefined ? listed : [single.value]
  return constants === undefined || constants.length > MAX_CONSTANTS || constants.some(isContainer)
    ? undefined
    : constants
}

const bitsOf = (values: ReadonlyArray<unknown>): number =>
  values.reduce<number>((bits, value) => bits | bitOf(value), 0)

const isLong = (constant: unknown, { limits }: Emission): boolean =>
  typeof constant === "string" && constant.length > limits.maxStringLength

const ofType = (
  emission: Emission,
  node: SchemaNode,
  bits: number,
  assertions: ReadonlyArray<Assertion>,
  isBound: boolean,
  name: string
): string => {
  const types: Array<string> = []
  if ((bits & STRING) !== 0) {
    types.push(and([`typeof ${name} === "string"`, ...textTests(emission, node, assertions, isBound, name)]))
  }
  if ((bits & NUMBER) !== 0) {
    types.push(and([numberTest(bits, isBound, name), ...sourcesOn("number", emission, node, assertions, name)]))
  }
  if ((bits & BOOLEAN) !== 0) types.push(`typeof ${name} === "boolean"`)
  if ((bits & NULL) !== 0) types.push(`${name} === null`)
  return or(types)
}

export const sourcesOn = (
  kind: Assertion["keyword"]["on"],
  { emit }: Emission,
  node: SchemaNode,
  assertions: ReadonlyArray<Assertion>,
  name: string
): ReadonlyArray<string> =>
  assertions.filter(({ keyword }) => keyword.on === kind).map((assertion) => sourceOf(emit, node, assertion, name))

/** What a string has to pass, the bound of its length first unless `maxLength` is a closer one. */
export const textTests = (
  emission: Emission,
  node: SchemaNode,
  assertions: ReadonlyArray<Assertion>,
  isBound: boolean,
  name: string
): ReadonlyArray<string> => {
  const tests = sourcesOn("string", emission, node, assertions, name)
  const { maxStringLength } = emission.limits
  // A character is at most two units.
  const isCloser = 2 * (node.get(maxLength) ?? Infinity) <= maxStringLength
  return isBound && !isCloser ? [`${name}.length <= ${maxStringLength}`, ...tests] : tests
}

export const numberTest = (bits: number, isBound: boolean, name: string): string => {
  if ((bits & NUMBER) === INTEGER) return `Number.isInteger(${name})`
  const isNumber = isBound ? `Number.isFinite(${name})` : `typeof ${name} === "number"`
  return (bits & NUMBER) === FRACTION ? `${isNumber} && !Number.isInteger(${name})` : isNumber
}
