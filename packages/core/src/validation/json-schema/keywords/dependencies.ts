import { onObject } from "../Keyword.ts"
import type { SchemaNode, Shape } from "../SchemaNode.ts"
import { isList, mapOf, names } from "../shapes.ts"
import { explainDependents, hasDependents } from "./dependentRequired.ts"
import { explainDependentSchemas, matchesDependents } from "./dependentSchemas.ts"

interface Dependencies {
  readonly names: ReadonlyMap<string, ReadonlyArray<string>>
  readonly schemas: ReadonlyMap<string, SchemaNode>
}

const namesOrSchemas: Shape<Dependencies> = (raw, reader) => {
  const dependencies = { names: new Map<string, ReadonlyArray<string>>(), schemas: new Map<string, SchemaNode>() }
  mapOf(raw, reader, (item, name) => {
    if (isList(item)) dependencies.names.set(name, names(item, reader))
    else dependencies.schemas.set(name, reader.child(item, name))
  })
  return dependencies
}

/** Draft-07 §6.5.7: what later became `dependentRequired` and `dependentSchemas`. */
export const dependencies = onObject({
  name: "dependencies",
  shape: namesOrSchemas,
  check: (given) => (value, seen) => hasDependents(given.names, value) && matchesDependents(given.schemas, value, seen),
  explain(given, value, at, report) {
    explainDependents(given.names, value, at, report)
    explainDependentSchemas(given.schemas, value, at, report)
  },
  inPlace: (given) => [...given.schemas.values()]
})
