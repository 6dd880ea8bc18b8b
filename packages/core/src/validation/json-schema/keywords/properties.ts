/** The keywords that only together say which members an object may and must have: judged in one walk. */
import { quote } from "../describe.ts"
import { always, onObject } from "../Keyword.ts"
import { checkMembers, explainMembers, type MemberRules } from "../members.ts"
import type { Pattern } from "../patterns/compilePattern.ts"
import type { SchemaNode, Shape } from "../SchemaNode.ts"
import { requiredNames, schema, schemaMap } from "../shapes.ts"
import { charge } from "../steps.ts"
import { safePattern } from "./pattern.ts"

/** JSON Schema core §10.3.2.1. */
export const properties = onObject({
  name: "properties",
  shape: schemaMap,
  check: (_given, node) => checkMembers(memberRules(node)),
  explain: (_given, value, at, report, node) => explainMembers(memberRules(node), value, at, report)
})

const patternMap: Shape<ReadonlyArray<readonly [Pattern, SchemaNode]>> = (raw, reader) =>
  [...schemaMap(raw, reader)].map(([source, node]) => [safePattern(source, reader, source), node] as const)

/** JSON Schema core §10.3.2.2. */
export const patternProperties = onObject({
  name: "patternProperties",
  shape: patternMap,
  check: (_given, node) => (node.get(properties) === undefined ? checkMembers(memberRules(node)) : undefined),
  explain: (_given, value, at, report, node) => explainMembers(memberRules(node), value, at, report)
})

/** JSON Schema core §10.3.2.3. */
export const additionalProperties = onObject({
  name: "additionalProperties",
  shape: schema,
  check: (_given, node) =>
    node.get(properties) === undefined && node.get(patternProperties) === undefined
      ? checkMembers(memberRules(node))
      : undefined,
  explain: (_given, value, at, report, node) => explainMembers(memberRules(node), value, at, report)
})

/** JSON Schema validation §6.5.3. A property that only the prototype has is absent. */
export const required = onObject({
  name: "required",
  shape: requiredNames,
  check(wanted, node) {
    const declared = node.get(properties)
    const others = declared === undefined ? wanted : wanted.filter((name) => !declared.has(name))
    if (others.length === 0) return always // the walk over the members counts them
    return (value) => {
      charge(4 * others.length)
      for (const name of others) if (!Object.hasOwn(value, name)) return false
      return true
    }
  },
  explain(wanted, value, at, report) {
    for (const name of wanted) {
      if (report.isFull) return
      if (!Object.hasOwn(value, name)) report.add(at, `must have the property ${quote(name)}`)
    }
  }
})

const none: ReadonlyMap<string, SchemaNode> = new Map()

export const memberRules = (node: SchemaNode): MemberRules => ({
  declared: node.get(properties) ?? none,
  patterns: node.get(patternProperties) ?? [],
  additional: node.get(additionalProperties),
  required: node.get(required) ?? []
})
