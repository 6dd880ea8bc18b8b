/** What `anyOf` and `oneOf` have in common: discriminated branches, and why none matched. */
import { alternatives, describe, quote } from "./describe.ts"
import { discriminate, type Discriminator, resolveAlias } from "./discriminate.ts"
import type { Evaluated } from "./Evaluated.ts"
import { explainNode } from "./explainNode.ts"
import { allowedBits } from "./keywords/type.ts"
import { bitOf, typeNames } from "./kinds.ts"
import { type Place, Report } from "./Report.ts"
import type { SchemaNode, Shape } from "./SchemaNode.ts"
import { isMembers, schemas } from "./shapes.ts"
import { charge } from "./steps.ts"

/** The schemas of one `anyOf` or `oneOf`. */
export class Alternatives {
  readonly branches: ReadonlyArray<SchemaNode>
  #discriminator: Discriminator | "unknown" | undefined = "unknown"

  constructor(branches: ReadonlyArray<SchemaNode>) {
    this.branches = branches
  }

  /** What tells the branches apart, found when it is first asked for: references must have been resolved. */
  get discriminator(): Discriminator | undefined {
    if (this.#discriminator === "unknown") this.#discriminator = discriminate(this.branches)
    return this.#discriminator
  }
}

export const alternativeSchemas: Shape<Alternatives> = (raw, reader) => new Alternatives(schemas(raw, reader))

const selected = ({ property, branches }: Discriminator, value: unknown): SchemaNode | undefined =>
  isMembers(value) && Object.hasOwn(value, property) ? branches.get(value[property]) : undefined

/** At most one branch can match: the one that the constant selects. */
export const isSelectedMatch = (discriminator: Discriminator, value: unknown, seen: Evaluated | undefined): boolean => {
  charge(4)
  return selected(discriminator, value)?.check(value, seen) === true
}

export const explainSelected = (discriminator: Discriminator, value: unknown, at: Place, report: Report): void => {
  const branch = selected(discriminator, value)
  if (branch !== undefined) return explainNode(branch, value, at, report)
  if (!isMembers(value)) return report.add(at, `must be an object, got ${describe(value)}`)
  const { property, branches } = discriminator
  const wanted = alternatives([...branches.keys()])
  if (Object.hasOwn(value, property)) {
    return report.add({ parent: at, key: property }, `must be one of ${wanted}, got ${describe(value[property])}`)
  }
  report.add(at, `must have the property ${quote(property)}, one of ${wanted}`)
}

/** Branches that are compared to find the nearest one, and errors that are counted of each. */
const MAX_COMPARED = 8

/** Names the types where none fits; else tells of the branch that is nearest. */
export const explainNoMatch = (
  branches: ReadonlyArray<SchemaNode>,
  value: unknown,
  at: Place,
  report: Report
): void => {
  const bit = bitOf(value)
  const candidates = branches.filter((branch) => (allowedBits(resolveAlias(branch)) & bit) !== 0)
  const [only] = candidates
  if (only === undefined) {
    const bits = branches.reduce((all, branch) => all | allowedBits(resolveAlias(branch)), 0)
    return report.add(at, `must be one of the types ${typeNames(bits).join(", ")}, got ${describe(value)}`)
  }
  if (candidates.length > 1) report.add(at, `must match one of ${branches.length} alternatives, got ${describe(value)}`)
  // Among branches that are themselves compared nobody looks for the nearest: that would double at every level.
  if (candidates.length > 1 && report.isCount) return
  const nearest = candidates.length === 1 ? only : nearestBranch(candidates, value, at)
  if (nearest !== undefined) explainNode(nearest, value, at, report)
}

/** The one with fewest errors; none where several have as few. */
const nearestBranch = (candidates: ReadonlyArray<SchemaNode>, value: unknown, at: Place): SchemaNode | undefined => {
  let nearest: SchemaNode | undefined
  let fewest = MAX_COMPARED
  for (const candidate of candidates.slice(0, MAX_COMPARED)) {
    const report = new Report(MAX_COMPARED, true)
    explainNode(candidate, value, at, report)
    const { length } = report.problems
    if (length < fewest) {
      nearest = candidate
      fewest = length
    } else if (length === fewest) nearest = undefined
  }
  return nearest
}
