/** The code for the members of an object: declared names are read directly, one loop answers for the rest. */
import { isForbiddenKey } from "../../../security/json.ts"
import { isPlainObject } from "../bounds.ts"
import { additionalProperties, memberRules, patternProperties, properties, required } from "../keywords/properties.ts"
import type { Assertion, SchemaNode } from "../SchemaNode.ts"
import { type Emission, failUnless, sourceOf } from "./Emission.ts"

/** Names that are required and not declared: more than this are looked for in a loop. */
const MAX_WRITTEN = 16

const memberKeywords = new Set<unknown>([properties, additionalProperties, required])

export const emitObject = (
  emission: Emission,
  node: SchemaNode,
  assertions: ReadonlyArray<Assertion>,
  isBound: boolean
): string => {
  const isWalked =
    node.get(patternProperties) === undefined && assertions.some(({ keyword }) => memberKeywords.has(keyword))
  const tests = assertions
    .filter(({ keyword }) => !(isWalked && memberKeywords.has(keyword)))
    .map((assertion) => sourceOf(emission.emit, node, assertion, "v"))
  if (isWalked) return tests.map(failUnless).join("") + emitMembers(emission, node, isBound)
  return [...(isBound ? [`${emission.within}(v, d)`] : []), ...tests].map(failUnless).join("")
}

const emitMembers = (emission: Emission, node: SchemaNode, isBound: boolean): string => {
  const { emit, limits, charge } = emission
  const { declared, additional } = memberRules(node)
  const isClosed = additional?.verdict === false
  const names = 1 + ((declared.size + (node.get(required)?.length ?? 0)) >> 1)
  const lines = [`let n = 0, c = 0, x\n${charge}(${names})\n`]
  lines.push(emitDeclared(emission, node, isBound))
  // Behind the reads: from them the engine knows the object's shape, and its prototype with it.
  if (isBound) lines.push(failUnless(`${emit.constant(isPlainObject)}(v)`))
  // As many keys as there are declared members: nothing else is there.
  const isCounted = isBound || additional !== undefined
  if (isCounted) lines.push(`for (const k in v) c++\n${charge}(c)\n`)
  if (isBound) {
    lines.push(failUnless(`d < ${limits.maxDepth} || c === 0`))
    const isCloser = isClosed && declared.size <= limits.maxProperties
    if (!isCloser) lines.push(failUnless(`c <= ${limits.maxProperties}`))
  }
  if (isClosed) lines.push("if (c !== n) return false\n")
  else if (isCounted) lines.push(emitOthers(emission, node, isBound))
  return lines.join("")
}

const emitDeclared = ({ emit, expression }: Emission, node: SchemaNode, isBound: boolean): string => {
  const { declared } = memberRules(node)
  const wanted = new Set(node.get(required))
  const lines: Array<string> = []
  for (const [name, schema] of declared) {
    const test = failUnless(expression(schema, isBound, "x", "d + 1"))
    const otherwise = wanted.delete(name) ? " else return false" : ""
    lines.push(`x = ${emit.member("v", name)}\nif (x !== undefined) {\nn++\n${test}}${otherwise}\n`)
  }
  if (wanted.size > MAX_WRITTEN) {
    const others = [...wanted]
    const hasAll = (value: object): boolean => others.every((name) => Object.hasOwn(value, name))
    lines.push(failUnless(`${emit.constant(hasAll)}(v)`))
  } else for (const name of wanted) lines.push(failUnless(`${emit.member("v", name)} !== undefined`))
  return lines.join("")
}

/** What is not declared: matches `additionalProperties`, and keeps the bounds. */
const emitOthers = ({ emit, expression, within }: Emission, node: SchemaNode, isBound: boolean): string => {
  const { declared, additional } = memberRules(node)
  const bounds = isBound ? `${within}(x, d + 1)` : "true"
  const test = additional === undefined ? bounds : expression(additional, isBound, "x", "d + 1")
  const isForbidden = isBound ? `${emit.constant(isForbiddenKey)}(k) || ` : ""
  return `if (c !== n) for (const k in v) {
x = v[k]
if (${emit.constant(declared)}.has(k) ? x === undefined : ${isForbidden}!(${test})) return false
}
`
}
