/** Three keywords that only together say which members an object may have: judged in one walk. */
import { onObject } from "../Keyword.ts"
import { checkMembers, explainMembers, type MemberRules } from "../members.ts"
import type { Pattern } from "../patterns/compilePattern.ts"
import type { SchemaNode, Shape } from "../SchemaNode.ts"
import { schema, schemaMap } from "../shapes.ts"
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

const none: ReadonlyMap<string, SchemaNode> = new Map()

export const memberRules = (node: SchemaNode): MemberRules => ({
  declared: node.get(properties) ?? none,
  patterns: node.get(patternProperties) ?? [],
  additional: node.get(additionalProperties)
})
