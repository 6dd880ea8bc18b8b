/** Which keywords a dialect of JSON Schema has. */
import { keywords } from "./keywords.ts"
import type { Dialect, Draft } from "./SchemaNode.ts"

/** The releases, in order. */
const DRAFTS: ReadonlyArray<Draft> = ["draft-04", "draft-06", "draft-07", "2019-09", "2020-12"]
const indexOf = (draft: Draft): number => DRAFTS.indexOf(draft)

const dialectOf = (draft: Draft, isLenient: boolean): Dialect => {
  const has = (since: Draft, until: Draft): boolean =>
    indexOf(since) <= indexOf(draft) && (indexOf(draft) <= indexOf(until) || isLenient)
  return {
    keywords: new Map(
      keywords.flatMap(({ keyword, since = "draft-04", until = "2020-12" }, order) =>
        has(since, until) ? [[keyword.name, { keyword, order }]] : []
      )
    ),
    idKeyword: draft === "draft-04" ? "id" : "$id",
    hasAnchorIds: indexOf(draft) <= indexOf("draft-07") || isLenient,
    hasBooleanSchemas: draft !== "draft-04",
    hasEmptyLists: draft !== "draft-04",
    anchorKeywords: has("2020-12", "2020-12")
      ? ["$anchor", "$dynamicAnchor"]
      : has("2019-09", "2020-12")
        ? ["$anchor"]
        : [],
    isRefAlone: indexOf(draft) <= indexOf("draft-07"),
    containsEvaluates: draft === "2020-12",
    hasTupleItems: draft !== "2020-12" || isLenient,
    exclusive: isLenient ? ["number", "boolean"] : [draft === "draft-04" ? "boolean" : "number"]
  }
}

/** Made when a schema first asks for it. */
const dialects = new Map<Draft | "undeclared", Dialect>()

const memoized = (draft: Draft, isLenient: boolean): Dialect => {
  const name = isLenient ? "undeclared" : draft
  const dialect = dialects.get(name) ?? dialectOf(draft, isLenient)
  dialects.set(name, dialect)
  return dialect
}

/** Every spelling of each release's `$schema`: http or https, with `#` at its end or not. */
const identifiers: ReadonlyMap<unknown, Draft> = new Map(
  DRAFTS.flatMap((draft) => {
    const path = draft.startsWith("draft") ? draft : `draft/${draft}`
    return ["http", "https"].flatMap((scheme) =>
      ["", "#"].map((end) => [`${scheme}://json-schema.org/${path}/schema${end}`, draft] as const)
    )
  })
)

/** By `$schema`. Absent or unknown: 2020-12, read leniently. */
export const dialectFor = (identifier: unknown): Dialect => {
  const draft = identifiers.get(identifier)
  return draft === undefined ? memoized("2020-12", true) : memoized(draft, false)
}
