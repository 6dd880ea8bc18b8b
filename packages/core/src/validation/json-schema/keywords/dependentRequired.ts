import { quote } from "../describe.ts"
import { onObject } from "../Keyword.ts"
import type { Place, Report } from "../Report.ts"
import { namesMap } from "../shapes.ts"
import { charge } from "../steps.ts"
import type { Members } from "../SchemaNode.ts"

type Dependencies = ReadonlyMap<string, ReadonlyArray<string>>

/** Who has the first name must have the others. */
export const hasDependents = (dependencies: Dependencies, value: Members): boolean => {
  charge(4 * dependencies.size)
  for (const [name, wanted] of dependencies) {
    if (!Object.hasOwn(value, name)) continue
    charge(6 * wanted.length)
    if (!wanted.every((other) => Object.hasOwn(value, other))) return false
  }
  return true
}

export const explainDependents = (dependencies: Dependencies, value: Members, at: Place, report: Report): void => {
  for (const [name, wanted] of dependencies) {
    if (!Object.hasOwn(value, name)) continue
    for (const other of wanted) {
      if (Object.hasOwn(value, other)) continue
      report.add(at, `must have the property ${quote(other)} where it has ${quote(name)}`)
    }
  }
}

/** JSON Schema validation §6.5.4. */
export const dependentRequired = onObject({
  name: "dependentRequired",
  shape: namesMap,
  check: (dependencies) => (value) => hasDependents(dependencies, value),
  explain: explainDependents
})
