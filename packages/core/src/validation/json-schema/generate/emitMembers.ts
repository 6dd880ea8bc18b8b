/** The code for the members of an object: declared names are read directly, one loop answers for the rest. */
import { isPlainObject } from "../bounds.ts"
import { memberRules } from "../keywords/properties.ts"
import { required } from "../keywords/required.ts"
import type { SchemaNode } from "../SchemaNode.ts"
import { isForbiddenKey } from "../../../security/json.ts"
import { type Emission, expressionOf } from "./emitNode.ts"

export const emitMembers = (emission: Emission, node: SchemaNode, isBound: boolean): string => {
  const { emit, limits, charge } = emission
  const { declared, additional } = memberRules(node)
  const wanted = new Set(node.get(required) ?? [])
  const names = Object.keys(declared)
  const lines: Array<string> = ["let n = 0, c = 0, x\n"]
  if (isBound) lines.push(`if (!${emit.constant(isPlainObject)}(v)) return false\n`)
  for (const name of names) {
    const schema = declared[name]
    if (schema === undefined) continue
    const test = expressionOf(emission, schema, isBound, "x", "d + 1")
    const onAbsent = wanted.has(name) ? " else return false" : ""
    lines.push(
      `x = ${emit.member("v", name)}\nif (x !== undefined) {\nn++\nif (!(${test})) return false\n}${onAbsent}\n`
    )
  }
  for (const name of wanted) {
    if (declared[name] === undefined) lines.push(`if (${emit.member("v", name)} === undefined) return false\n`)
  }
  // As many keys as declared members that are there: nothing else is there.
  const isClosed = additional?.verdict === false
  if (isBound || additional !== undefined) lines.push("for (const k in v) c++\n", `${charge}(c + 1)\n`)
  if (isBound) lines.push(`if (d >= ${limits.maxDepth} && c > 0) return false\n`)
  if (isBound && !(isClosed && names.length <= limits.maxProperties)) {
    lines.push(`if (c > ${limits.maxProperties}) return false\n`)
  }
  if (isClosed) lines.push("if (c !== n) return false\n")
  else if (isBound || additional !== undefined) lines.push(emitOthers(emission, node, isBound))
  return lines.join("")
}

/** What is not declared: matches `additionalProperties`, and keeps the bounds. */
const emitOthers = (emission: Emission, node: SchemaNode, isBound: boolean): string => {
  const { emit, within } = emission
  const { declared, additional } = memberRules(node)
  const table = emit.constant(declared)
  const test =
    additional === undefined
      ? isBound
        ? `${within}(x, d + 1)`
        : "true"
      : expressionOf(emission, additional, isBound, "x", "d + 1")
  const forbidden = isBound ? `${emit.constant(isForbiddenKey)}(k) || ` : ""
  return `if (c !== n) for (const k in v) {
x = v[k]
if (${table}[k] !== undefined ? x === undefined : ${forbidden}!(${test})) return false
}
`
}
