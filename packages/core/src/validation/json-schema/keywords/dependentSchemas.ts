import type { Evaluated } from "../Evaluated.ts"
import { explainNode } from "../explainNode.ts"
import { onObject } from "../Keyword.ts"
import type { Place, Report } from "../Report.ts"
import type { Members, SchemaNode } from "../SchemaNode.ts"
import { schemaMap } from "../shapes.ts"
import { charge } from "../steps.ts"

type Dependencies = ReadonlyMap<string, SchemaNode>

/** Who has the name must match the schema as a whole. */
export const matchesDependents = (dependencies: Dependencies, value: Members, seen: Evaluated | undefined): boolean => {
  charge(4 * dependencies.size)
  for (const [name, node] of dependencies) {
    if (Object.hasOwn(value, name) && !node.check(value, seen)) return false
  }
  return true
}

export const explainDependentSchemas = (
  dependencies: Dependencies,
  value: Members,
  at: Place,
  report: Report
): void => {
  for (const [name, node] of dependencies) {
    if (Object.hasOwn(value, name)) explainNode(node, value, at, report)
  }
}

/** JSON Schema core §10.2.2.4. */
export const dependentSchemas = onObject({
  name: "dependentSchemas",
  shape: schemaMap,
  check: (dependencies) => (value, seen) => matchesDependents(dependencies, value, seen),
  explain: explainDependentSchemas,
  inPlace: (dependencies) => [...dependencies.values()]
})
