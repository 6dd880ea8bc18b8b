/** The code of one schema location. */
import type { BoundsLimits } from "../bounds.ts"
import type { Alternatives } from "../alternatives.ts"
import { isTracking } from "../compileNode.ts"
import type { Discriminator } from "../discriminate.ts"
import { isContainer } from "../equality.ts"
import type { Kind } from "../Keyword.ts"
import { allOf } from "../keywords/allOf.ts"
import { anyOf } from "../keywords/anyOf.ts"
import { constKeyword, enumKeyword } from "../keywords/enum.ts"
import { items } from "../keywords/items.ts"
import { maxItems } from "../keywords/maxItems.ts"
import { maxLength } from "../keywords/maxLength.ts"
import { oneOf } from "../keywords/oneOf.ts"
import { prefixItems } from "../keywords/prefixItems.ts"
import { additionalProperties, patternProperties, properties } from "../keywords/properties.ts"
import { ref } from "../keywords/ref.ts"
import { required } from "../keywords/required.ts"
import { allowedBits, type } from "../keywords/type.ts"
import { ANY, ARRAY, BOOLEAN, bitOf, FRACTION, INTEGER, NULL, NUMBER, OBJECT, STRING } from "../kinds.ts"
import { failsAfter } from "../passedItems.ts"
import type { Assertion, SchemaNode } from "../SchemaNode.ts"
import { isList } from "../shapes.ts"
import type { Emitter } from "./Emitter.ts"
import { emitMembers } from "./emitMembers.ts"

export interface Emission {
  readonly emit: Emitter
  readonly limits: BoundsLimits
  /** Name of the constant that walks what no schema describes. */
  readonly within: string
  /** Name of the constant that takes steps off. */
  readonly charge: string
  /** The name of the function for a node; `isBound` says whether it answers for the bounds as well. */
  readonly call: (node: SchemaNode, isBound: boolean) => string
}

/** Statements that return false where `v`, at depth `d`, fails. */
export const emitNode = (emission: Emission, node: SchemaNode, isBound: boolean): string => {
  if (node.verdict === false) return "return false\n"
  const leaf = leafExpression(emission, node, isBound, "v")
  if (leaf !== undefined) return failUnless(leaf)
  if (isTracking(node)) {
    const check = `${emission.emit.constant((value: unknown) => node.check(value, undefined))}(v)`
    return failUnless(isBound ? `${emission.within}(v, d) && ${check}` : check)
  }
  return emitStructure(emission, node, isBound)
}

/** An expression that tells whether the variable `value` matches, for use in the code of another node. */
export const expressionOf = (
  emission: Emission,
  node: SchemaNode,
  isBound: boolean,
  value: string,
  depth: string
): string => {
  if (node.verdict === false) return "false"
  if (node.assertions.length === 0) return isBound ? `${emission.within}(${value}, ${depth})` : "true"
  return (
    leafExpression(emission, node, isBound, value) ?? `${emission.call(node, isBound)}(${value}, ${depth})`
  )
}

const failUnless = (expression: string): string => `if (!(${expression})) return false\n`

const applicators: ReadonlyArray<unknown> = [ref, allOf, anyOf, oneOf]

/** Keywords whose code is written with others: by type, constant or structure. */
const isLeaf = ({ keyword }: Assertion): boolean => keyword !== type

/** For nodes that let no array and no object pass and apply no other schema: one expression without a call of its own. */
const leafExpression = (
  { emit, limits }: Emission,
  node: SchemaNode,
  isBound: boolean,
  value: string
): string | undefined => {
  const constants = constantsOf(node)
  const bits = allowedBits(node) & (constants === undefined ? ANY : bitsOf(constants))
  if ((bits & (ARRAY | OBJECT)) !== 0 || node.verdict === false) return undefined
  const rest = node.assertions.filter((assertion) => isLeaf(assertion) && !isConstant(assertion))
  if (rest.some(({ keyword }) => keyword.inPlace !== undefined)) return undefined
  const general = rest.filter(({ keyword }) => keyword.on === "any").map((assertion) => sourceOf(emit, node, assertion, value))
  const texts = rest.filter(({ keyword }) => keyword.on === "string").map((assertion) => sourceOf(emit, node, assertion, value))
  const numbers = rest.filter(({ keyword }) => keyword.on === "number").map((assertion) => sourceOf(emit, node, assertion, value))
  if (constants !== undefined) {
    if (texts.length + numbers.length > 0) return undefined
    const allowed = constants.filter((constant) => (bitOf(constant) & bits) !== 0)
    if (isBound && allowed.some((constant) => typeof constant === "string" && constant.length > limits.maxStringLength)) {
      return undefined
    }
    return and([or(allowed.map((constant) => `${value} === ${emit.primitive(constant)}`)), ...general])
  }
  if (isBound && needsLength(node, limits)) texts.unshift(`${value}.length <= ${limits.maxStringLength}`)
  return and([byType(bits, value, texts, numbers, isBound), ...general])
}

const byType = (
  bits: number,
  value: string,
  texts: ReadonlyArray<string>,
  numbers: ReadonlyArray<string>,
  isBound: boolean
): string => {
  const branches: Array<string> = []
  if ((bits & STRING) !== 0) branches.push(and([`typeof ${value} === "string"`, ...texts]))
  if ((bits & NUMBER) !== 0) branches.push(and([numberTest(bits, value, isBound), ...numbers]))
  if ((bits & BOOLEAN) !== 0) branches.push(`typeof ${value} === "boolean"`)
  if ((bits & NULL) !== 0) branches.push(`${value} === null`)
  return or(branches)
}

const numberTest = (bits: number, value: string, isBound: boolean): string => {
  if ((bits & NUMBER) === INTEGER) return `Number.isInteger(${value})`
  const isNumber = isBound ? `Number.isFinite(${value})` : `typeof ${value} === "number"`
  return (bits & NUMBER) === FRACTION ? `${isNumber} && !Number.isInteger(${value})` : isNumber
}

const and = (parts: ReadonlyArray<string>): string => parts.map((part) => `(${part})`).join(" && ")
const or = (parts: ReadonlyArray<string>): string =>
  parts.length === 0 ? "false" : `(${parts.map((part) => `(${part})`).join(" || ")})`

const needsLength = (node: SchemaNode, limits: BoundsLimits): boolean => {
  const max = node.get(maxLength)
  return max === undefined || 2 * max > limits.maxStringLength
}

const sourceOf = (emit: Emitter, node: SchemaNode, { keyword, value, check }: Assertion, name: string): string =>
  keyword.source?.(value, emit, name, node) ?? `${emit.constant(check)}(${name}, undefined)`

const isConstant = ({ keyword }: Assertion): boolean => keyword === constKeyword || keyword === enumKeyword

/** The values that `const` and `enum` leave, where all are primitives. */
const constantsOf = (node: SchemaNode): ReadonlyArray<unknown> | undefined => {
  const listed = node.get(enumKeyword)
  const single = node.parts.find(({ keyword }) => keyword === constKeyword)
  if (listed !== undefined && single !== undefined) return undefined
  const constants = single === undefined ? listed : [single.value]
  return constants === undefined || constants.some(isContainer) || constants.length > 16 ? undefined : constants
}

const bitsOf = (values: ReadonlyArray<unknown>): number => values.reduce<number>((bits, value) => bits | bitOf(value), 0)

/** Objects, arrays and combinators. */
const emitStructure = (emission: Emission, node: SchemaNode, isBound: boolean): string => {
  const { emit } = emission
  const rest = node.assertions.filter(({ keyword }) => keyword !== type)
  const hasOwnStructure = rest.some(({ keyword }) => keyword.on === "array" || keyword.on === "object")
  const applied = rest.filter(({ keyword }) => applicators.includes(keyword))
  // One part answers for the bounds: the node's own structure, or else the first schema that it applies.
  const carrier = isBound && !hasOwnStructure ? applied[0] : undefined
  const isOwnBound = isBound && carrier === undefined
  const lines: Array<string> = []
  for (const assertion of rest) {
    if (assertion.keyword.on !== "any") continue
    const expression = applied.includes(assertion)
      ? applicatorExpression(emission, node, assertion, assertion === carrier)
      : sourceOf(emit, node, assertion, "v")
    lines.push(failUnless(expression))
  }
  const bits = allowedBits(node)
  const onlyOn = (on: Kind): ReadonlyArray<Assertion> =>
    rest.filter(({ keyword }) => keyword.on === on)
  const structural = [
    [STRING, `typeof v === "string"`, emitText(emission, node, onlyOn("string"), isOwnBound)],
    [NUMBER, `typeof v === "number"`, emitNumber(emission, node, bits, onlyOn("number"), isOwnBound)],
    [BOOLEAN, `typeof v === "boolean"`, ""],
    [NULL, "v === null", ""],
    [ARRAY, "Array.isArray(v)", (bits & ARRAY) === 0 ? "" : emitItems(emission, node, onlyOn("array"), isOwnBound)],
    [OBJECT, `typeof v === "object" && v !== null && !Array.isArray(v)`, (bits & OBJECT) === 0 ? "" : emitObject(emission, node, onlyOn("object"), isOwnBound)]
  ] as const
  const kinds = structural.filter(([bit]) => (bits & bit) !== 0)
  if (bits === ANY && !isOwnBound && kinds.every(([, , body]) => body === "")) return lines.join("")
  const [only] = kinds
  if (kinds.length === 1 && only !== undefined) {
    lines.push(`if (!(${only[1]})) return false\n${only[2]}`)
  } else {
    lines.push(`${kinds.map(([, test, body]) => `if (${test}) {\n${body}}`).join(" else ")} else return false\n`)
  }
  return lines.join("")
}

const emitText = (
  { emit, limits }: Emission,
  node: SchemaNode,
  assertions: ReadonlyArray<Assertion>,
  isBound: boolean
): string => {
  const tests = assertions.map((assertion) => sourceOf(emit, node, assertion, "v"))
  if (isBound && needsLength(node, limits)) tests.unshift(`v.length <= ${limits.maxStringLength}`)
  return tests.map(failUnless).join("")
}

const emitNumber = (
  { emit }: Emission,
  node: SchemaNode,
  bits: number,
  assertions: ReadonlyArray<Assertion>,
  isBound: boolean
): string => {
  const tests = assertions.map((assertion) => sourceOf(emit, node, assertion, "v"))
  if (isBound || (bits & NUMBER) !== NUMBER) tests.unshift(numberTest(bits, "v", isBound))
  return tests.map(failUnless).join("")
}

const emitItems = (
  emission: Emission,
  node: SchemaNode,
  assertions: ReadonlyArray<Assertion>,
  isBound: boolean
): string => {
  const { emit, limits, within, charge } = emission
  const each = node.get(items)
  const isLoop = each !== undefined && !isList(each) && node.get(prefixItems) === undefined
  const tests = assertions.filter(({ keyword }) => !(isLoop && keyword === items)).map((assertion) => sourceOf(emit, node, assertion, "v"))
  if (!isLoop) return [...(isBound ? [`${within}(v, d)`] : []), ...tests].map(failUnless).join("")
  const max = node.get(maxItems)
  if (isBound && (max === undefined || max > limits.maxArrayLength)) tests.unshift(`v.length <= ${limits.maxArrayLength}`)
  if (isBound) tests.unshift(`d < ${limits.maxDepth} || v.length === 0`)
  const item = expressionOf(emission, each, isBound, "x", "d + 1")
  const failed = isBound ? `${emit.constant(failsAfter)}(v, ${emit.constant(each)}, i)` : "false"
  return [
    ...tests.map(failUnless),
    `${charge}(v.length)\n`,
    `for (let i = 0; i < v.length; i++) {\nconst x = v[i]\nif (!(${item})) return ${failed}\n}\n`
  ].join("")
}

const memberKeywords: ReadonlyArray<unknown> = [properties, additionalProperties, required]

const emitObject = (
  emission: Emission,
  node: SchemaNode,
  assertions: ReadonlyArray<Assertion>,
  isBound: boolean
): string => {
  const isWalk = node.get(patternProperties) === undefined && assertions.some(({ keyword }) => memberKeywords.includes(keyword))
  const tests = assertions
    .filter(({ keyword }) => !(isWalk && memberKeywords.includes(keyword)))
    .map((assertion) => sourceOf(emission.emit, node, assertion, "v"))
  if (!isWalk) return [...(isBound ? [`${emission.within}(v, d)`] : []), ...tests].map(failUnless).join("")
  return tests.map(failUnless).join("") + emitMembers(emission, node, isBound)
}

const applicatorExpression = (
  emission: Emission,
  node: SchemaNode,
  assertion: Assertion,
  isBound: boolean
): string => {
  const apply = (branch: SchemaNode, carries: boolean): string => expressionOf(emission, branch, carries, "v", "d")
  switch (assertion.keyword) {
    case ref: {
      const target = node.get(ref)?.target
      return target === undefined ? "false" : apply(target, isBound)
    }
    case allOf:
      return and((node.get(allOf) ?? []).map((branch, index) => apply(branch, isBound && index === 0)))
    case anyOf:
      return emitAlternatives(emission, node.get(anyOf), isBound, (branches) => or(branches))
    default:
      return emitAlternatives(
        emission,
        node.get(oneOf),
        isBound,
        (branches) => `${branches.map((branch) => `(${branch} ? 1 : 0)`).join(" + ")} === 1`
      )
  }
}

const emitAlternatives = (
  emission: Emission,
  alternatives: Alternatives | undefined,
  isBound: boolean,
  join: (branches: ReadonlyArray<string>) => string
): string => {
  if (alternatives === undefined) return "true"
  const { branches, discriminator } = alternatives
  if (discriminator !== undefined) return emitSelected(emission, discriminator, isBound)
  const expression = join(branches.map((branch) => expressionOf(emission, branch, isBound, "v", "d")))
  return `(${emission.charge}(${branches.length}), ${expression})`
}

/** Reads the constant that tells alternatives apart, and calls the one that can match. */
const emitSelected = (emission: Emission, { property, branches }: Discriminator, isBound: boolean): string => {
  const { emit } = emission
  const cases = [...branches].map(
    ([constant, branch]) => `t === ${emit.primitive(constant)} ? ${expressionOf(emission, branch, isBound, "v", "d")} : `
  )
  const select = `((t) => ${cases.join("")}false)(${emit.member("v", property)})`
  return `typeof v === "object" && v !== null && !Array.isArray(v) && ${select}`
}
