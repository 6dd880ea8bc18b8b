/** The code of one schema location. */
import { isTracking } from "../compileNode.ts"
import { allowedBits, type } from "../keywords/type.ts"
import { ANY, ARRAY, BOOLEAN, NULL, NUMBER, OBJECT, STRING } from "../kinds.ts"
import type { Assertion, SchemaNode } from "../SchemaNode.ts"
import { emitApplied, isApplicator } from "./emitApplied.ts"
import { emitArray } from "./emitArray.ts"
import { emitObject } from "./emitMembers.ts"
import { type Emission, failUnless, sourceOf } from "./Emission.ts"
import { leafExpression, numberTest, sourcesOn, textTests } from "./leafExpression.ts"

/** Statements that return false where `v`, at depth `d`, fails. */
export const emitNode = (emission: Emission, node: SchemaNode, isBound: boolean): string => {
  if (node.verdict === false) return "return false\n"
  const leaf = leafExpression(emission, node, isBound, "v")
  if (leaf !== undefined) return failUnless(leaf)
  return isTracking(node) ? emitCheck(emission, node, isBound) : emitStructure(emission, node, isBound)
}

/** What keeps track of evaluated members and items stays in the first tier. */
const emitCheck = ({ emit, within }: Emission, node: SchemaNode, isBound: boolean): string => {
  const check = `${emit.constant((value: unknown) => node.check(value, undefined))}(v)`
  return failUnless(isBound ? `${within}(v, d) && ${check}` : check)
}

/** Objects, arrays and combinators. */
const emitStructure = (emission: Emission, node: SchemaNode, isBound: boolean): string => {
  const assertions = node.assertions.filter(({ keyword }) => keyword !== type)
  const hasOwnStructure = assertions.some(({ keyword }) => keyword.on === "array" || keyword.on === "object")
  // One part answers for the bounds: the node's own structure, or else the first schema that it applies.
  const carrier = isBound && !hasOwnStructure ? assertions.find(isApplicator) : undefined
  const general = assertions
    .filter(({ keyword }) => keyword.on === "any")
    .map((assertion) =>
      failUnless(
        isApplicator(assertion)
          ? emitApplied(emission, node, assertion, assertion === carrier)
          : sourceOf(emission.emit, node, assertion, "v")
      )
    )
  return general.join("") + emitByType(emission, node, assertions, isBound && carrier === undefined)
}

const emitByType = (
  emission: Emission,
  node: SchemaNode,
  assertions: ReadonlyArray<Assertion>,
  isBound: boolean
): string => {
  const bits = allowedBits(node)
  const on = (kind: "array" | "object"): ReadonlyArray<Assertion> =>
    assertions.filter(({ keyword }) => keyword.on === kind)
  const types = [
    [
      STRING,
      `typeof v === "string"`,
      () => textTests(emission, node, assertions, isBound, "v").map(failUnless).join("")
    ],
    [NUMBER, `typeof v === "number"`, () => emitNumber(emission, node, assertions, isBound, bits)],
    [BOOLEAN, `typeof v === "boolean"`, () => ""],
    [NULL, "v === null", () => ""],
    [ARRAY, "Array.isArray(v)", () => emitArray(emission, node, on("array"), isBound)],
    [
      OBJECT,
      `typeof v === "object" && v !== null && !Array.isArray(v)`,
      () => emitObject(emission, node, on("object"), isBound)
    ]
  ] as const
  const cases = types.flatMap(([bit, test, emit]) => ((bits & bit) === 0 ? [] : [[test, emit()] as const]))
  if (bits === ANY && cases.every(([, body]) => body === "")) return ""
  const [only] = cases
  if (only !== undefined && cases.length === 1) return failUnless(only[0]) + only[1]
  return `${cases.map(([test, body]) => `if (${test}) {\n${body}}`).join(" else ")} else return false\n`
}

const emitNumber = (
  emission: Emission,
  node: SchemaNode,
  assertions: ReadonlyArray<Assertion>,
  isBound: boolean,
  bits: number
): string => {
  const test = isBound || (bits & NUMBER) !== NUMBER ? [numberTest(bits, isBound, "v")] : []
  return [...test, ...sourcesOn("number", emission, node, assertions, "v")].map(failUnless).join("")
}
