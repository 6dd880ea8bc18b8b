/** `properties`, `patternProperties` and `additionalProperties` in one walk over an object. */
import { nearestName, quote } from "./describe.ts"
import { explainChild } from "./explainNode.ts"
import type { Pattern } from "./patterns/compilePattern.ts"
import type { Place, Report } from "./Report.ts"
import type { Check, Members, SchemaNode } from "./SchemaNode.ts"
import { charge } from "./steps.ts"

/** What a node says of the members of an object. */
export interface MemberRules {
  readonly declared: ReadonlyMap<string, SchemaNode>
  readonly patterns: ReadonlyArray<readonly [Pattern, SchemaNode]>
  readonly additional: SchemaNode | undefined
  readonly required: ReadonlyArray<string>
}

/** Of the required names, those that are declared are counted on the way; `required` asks for the others. */
export const checkMembers = ({ declared, patterns, additional, required }: MemberRules): Check<Members> => {
  const names = [...declared.keys()]
  const schemas = [...declared.values()]
  const wanted = new Set(required)
  const isWanted = names.map((name) => wanted.delete(name))
  const countWanted = required.length - wanted.size
  const isPlain = patterns.length === 0
  const isClosed = additional?.verdict === false
  let positions: ReadonlyMap<string, number> | undefined
  const positionOf = (name: string): number => {
    positions ??= new Map(names.map((declaredName, index) => [declaredName, index]))
    return positions.get(name) ?? -1
  }
  return (value, seen) => {
    let count = 1
    let found = 0
    let next = 0
    for (const key in value) {
      count++
      // Most objects have their members in the order in which they are declared.
      const position = next < names.length && names[next] === key ? next : positionOf(key)
      let isKnown = position >= 0
      if (isKnown) {
        if (schemas[position]?.check(value[key], undefined) === false) return false
        if (isWanted[position] === true) found++
        next = position + 1
      }
      if (!isPlain) {
        for (const [pattern, matching] of patterns) {
          if (!pattern.test(key)) continue
          isKnown = true
          if (!matching.check(value[key], undefined)) return false
        }
      }
      if (!isKnown && additional !== undefined) {
        if (isClosed || !additional.check(value[key], undefined)) return false
        isKnown = true
      }
      if (!isKnown || seen === undefined) continue
      seen.properties.add(key)
      count += 4
    }
    charge(count)
    return found === countWanted
  }
}

export const explainMembers = (
  { declared, patterns, additional }: MemberRules,
  value: Members,
  at: Place,
  report: Report
): void => {
  for (const key in value) {
    if (report.isFull) return
    const schema = declared.get(key)
    let isKnown = schema !== undefined
    if (schema !== undefined) explainChild(schema, value[key], at, key, report)
    for (const [pattern, matching] of patterns) {
      if (!pattern.test(key)) continue
      isKnown = true
      explainChild(matching, value[key], at, key, report)
    }
    if (isKnown || additional === undefined) continue
    if (additional.verdict === false) report.add(at, () => unknownProperty(key, value, declared))
    else explainChild(additional, value[key], at, key, report)
  }
}

/** How many members an object has. */
export const countOf = (value: Members): number => {
  const { length } = Object.keys(value)
  charge(1 + length)
  return length
}

/** Names the nearest declared property that is not there yet. */
export const unknownProperty = (key: string, value: Members, declared: MemberRules["declared"]): string => {
  const missing = [...declared.keys()].filter((name) => !Object.hasOwn(value, name))
  const near = nearestName(key, missing)
  const hint = near === undefined ? "" : `; did you mean ${quote(near)}?`
  return `must not have the property ${quote(key)}${hint}`
}
