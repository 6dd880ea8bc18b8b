/**
 * JSON Schema read literally: an interpreter without any optimisation, for draft-07 and 2020-12 documents of one resource.
 * The third opinion where the validator and Ajv disagree. It knows no formats, and refuses nothing.
 */
export type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [name: string]: Json }
export type Members = Readonly<Record<string, Json>>
export type Draft = "draft-07" | "2020-12"

/** What a schema has answered for at one location. */
interface Seen {
  readonly names: Set<string>
  readonly indices: Set<number>
}

interface Scope {
  readonly document: Json
  readonly draft: Draft
}

export const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)
export const isList = (value: unknown): value is ReadonlyArray<Json> => Array.isArray(value)

export const judgeByTheBook = (document: Json, value: Json, draft: Draft): boolean =>
  judge(document, value, { document, draft }) !== undefined

/** The annotations of a match; nothing where the value does not match. */
const judge = (schema: Json, value: Json, scope: Scope): Seen | undefined => {
  if (typeof schema === "boolean") return schema ? nothingSeen() : undefined
  if (!isMembers(schema)) throw new TypeError("no schema")
  const reference = schema["$ref"]
  if (scope.draft === "draft-07" && typeof reference === "string") {
    return judge(resolveReference(reference, scope.document), value, scope)
  }
  const seen = nothingSeen()
  const isMatch =
    matchesAssertions(schema, value) &&
    (!isList(value) || matchesItems(schema, value, seen, scope)) &&
    (!isMembers(value) || matchesMembers(schema, value, seen, scope)) &&
    matchesInPlace(schema, value, seen, scope) &&
    (scope.draft === "draft-07" || matchesUnevaluated(schema, value, seen, scope))
  return isMatch ? seen : undefined
}

const nothingSeen = (): Seen => ({ names: new Set(), indices: new Set() })

const addAll = (seen: Seen, other: Seen): void => {
  for (const name of other.names) seen.names.add(name)
  for (const index of other.indices) seen.indices.add(index)
}

const own = (schema: Members, name: string): Json | undefined =>
  Object.hasOwn(schema, name) ? schema[name] : undefined
const numberOf = (schema: Members, name: string): number | undefined => {
  const value = own(schema, name)
  return typeof value === "number" ? value : undefined
}
const namesOf = (value: Json | undefined): ReadonlyArray<string> =>
  isList(value) ? value.filter((name) => typeof name === "string") : []
const entriesOf = (value: Json | undefined): ReadonlyArray<[string, Json]> =>
  isMembers(value) ? Object.entries(value) : []

const typeOf = (value: Json): string => {
  if (value === null) return "null"
  if (isList(value)) return "array"
  return typeof value === "number" && Number.isInteger(value) ? "integer" : typeof value
}

const isOfType = (value: Json, type: Json): boolean =>
  typeOf(value) === type || (type === "number" && typeof value === "number")

const isSame = (left: Json, right: Json): boolean => {
  if (left === right) return true
  if (isList(left)) {
    return isList(right) && left.length === right.length && left.every((item, at) => isSame(item, right[at] ?? null))
  }
  if (!isMembers(left) || !isMembers(right)) return false
  const keys = Object.keys(left)
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isSame(left[key] ?? null, right[key] ?? null))
  )
}

/** `digits · 10^exponent`, from the text of the number. */
const decimalOf = (value: number): readonly [bigint, number] => {
  const [, sign = "", whole = "0", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(String(value)) ?? []
  return [BigInt(`${sign}${whole}${fraction}`), Number(exponent) - fraction.length]
}

/** Exact for the decimals that were written. */
export const isMultipleOf = (value: number, divisor: number): boolean => {
  const [left, leftExponent] = decimalOf(value)
  const [right, rightExponent] = decimalOf(divisor)
  const least = Math.min(leftExponent, rightExponent)
  return (left * 10n ** BigInt(leftExponent - least)) % (right * 10n ** BigInt(rightExponent - least)) === 0n
}

const matchesAssertions = (schema: Members, value: Json): boolean => {
  const type = own(schema, "type")
  const types = type === undefined || isList(type) ? type : [type]
  const admitsNull = types !== undefined && own(schema, "nullable") === true && value === null
  if (types !== undefined && !admitsNull && !types.some((one) => isOfType(value, one))) return false
  const listed = own(schema, "enum")
  if (isList(listed) && !listed.some((one) => isSame(one, value))) return false
  const constant = own(schema, "const")
  if (constant !== undefined && !isSame(constant, value)) return false
  if (typeof value === "number") return matchesNumber(schema, value)
  return typeof value !== "string" || matchesText(schema, value)
}

const matchesNumber = (schema: Members, value: number): boolean => {
  const divisor = numberOf(schema, "multipleOf")
  return (
    value >= (numberOf(schema, "minimum") ?? -Infinity) &&
    value <= (numberOf(schema, "maximum") ?? Infinity) &&
    value > (numberOf(schema, "exclusiveMinimum") ?? -Infinity) &&
    value < (numberOf(schema, "exclusiveMaximum") ?? Infinity) &&
    (divisor === undefined || isMultipleOf(value, divisor))
  )
}

const matchesText = (schema: Members, value: string): boolean => {
  const pattern = own(schema, "pattern")
  const { length } = Array.from(value)
  return (
    length >= (numberOf(schema, "minLength") ?? 0) &&
    length <= (numberOf(schema, "maxLength") ?? Infinity) &&
    (typeof pattern !== "string" || new RegExp(pattern, "u").test(value))
  )
}

const matchesItems = (schema: Members, value: ReadonlyArray<Json>, seen: Seen, scope: Scope): boolean => {
  if (value.length < (numberOf(schema, "minItems") ?? 0)) return false
  if (value.length > (numberOf(schema, "maxItems") ?? Infinity)) return false
  if (own(schema, "uniqueItems") === true) {
    const isRepeated = (item: Json, at: number): boolean => value.slice(0, at).some((other) => isSame(item, other))
    if (value.some(isRepeated)) return false
  }
  const items = own(schema, "items")
  const tuple = scope.draft === "draft-07" ? items : own(schema, "prefixItems")
  const first = isList(tuple) ? tuple : []
  const rest = scope.draft === "2020-12" || !isList(items) ? items : own(schema, "additionalItems")
  for (const [index, item] of value.entries()) {
    const applied = index < first.length ? first[index] : rest
    if (applied === undefined) continue
    if (judge(applied, item, scope) === undefined) return false
    seen.indices.add(index)
  }
  return matchesContains(schema, value, seen, scope)
}

const matchesContains = (schema: Members, value: ReadonlyArray<Json>, seen: Seen, scope: Scope): boolean => {
  const wanted = own(schema, "contains")
  if (wanted === undefined) return true
  const found = [...value.keys()].filter((index) => judge(wanted, value[index] ?? null, scope) !== undefined)
  for (const index of found) seen.indices.add(index)
  if (scope.draft === "draft-07") return found.length > 0
  const [min, max] = [numberOf(schema, "minContains") ?? 1, numberOf(schema, "maxContains") ?? Infinity]
  return found.length >= min && found.length <= max
}

const matchesMembers = (schema: Members, value: Members, seen: Seen, scope: Scope): boolean => {
  const keys = Object.keys(value)
  if (keys.length < (numberOf(schema, "minProperties") ?? 0)) return false
  if (keys.length > (numberOf(schema, "maxProperties") ?? Infinity)) return false
  if (!namesOf(own(schema, "required")).every((name) => Object.hasOwn(value, name))) return false
  const names = own(schema, "propertyNames")
  if (names !== undefined && keys.some((key) => judge(names, key, scope) === undefined)) return false
  const patterns = entriesOf(own(schema, "patternProperties"))
  const declared = new Map(entriesOf(own(schema, "properties")))
  for (const key of keys) {
    const applied = patterns.filter(([pattern]) => new RegExp(pattern, "u").test(key)).map(([, one]) => one)
    const property = declared.get(key)
    if (property !== undefined) applied.push(property)
    const additional = own(schema, "additionalProperties")
    if (applied.length === 0 && additional !== undefined) applied.push(additional)
    if (!applied.every((one) => judge(one, value[key] ?? null, scope) !== undefined)) return false
    if (applied.length > 0) seen.names.add(key)
  }
  return matchesDependents(schema, value, seen, scope)
}

const matchesDependents = (schema: Members, value: Members, seen: Seen, scope: Scope): boolean => {
  const isLater = scope.draft === "2020-12"
  const given = ["dependencies", ...(isLater ? ["dependentRequired", "dependentSchemas"] : [])]
  for (const [name, wanted] of given.flatMap((keyword) => entriesOf(own(schema, keyword)))) {
    if (!Object.hasOwn(value, name)) continue
    if (isList(wanted)) {
      if (!namesOf(wanted).every((other) => Object.hasOwn(value, other))) return false
      continue
    }
    const inner = judge(wanted, value, scope)
    if (inner === undefined) return false
    addAll(seen, inner)
  }
  return true
}

const matchesInPlace = (schema: Members, value: Json, seen: Seen, scope: Scope): boolean => {
  const apply = (inner: Json): boolean => {
    const outcome = judge(inner, value, scope)
    if (outcome !== undefined) addAll(seen, outcome)
    return outcome !== undefined
  }
  const branches = (keyword: string): ReadonlyArray<Json> | undefined => {
    const given = own(schema, keyword)
    return isList(given) ? given : undefined
  }
  for (const keyword of ["$ref", "$dynamicRef"]) {
    const reference = own(schema, keyword)
    if (typeof reference === "string" && !apply(resolveReference(reference, scope.document))) return false
  }
  if (branches("allOf")?.map(apply).includes(false) === true) return false
  if (branches("anyOf")?.map(apply).includes(true) === false) return false
  const one = branches("oneOf")?.map(apply)
  if (one !== undefined && one.filter(Boolean).length !== 1) return false
  const refused = own(schema, "not")
  if (refused !== undefined && judge(refused, value, scope) !== undefined) return false
  const condition = own(schema, "if")
  if (condition === undefined) return true
  const branch = own(schema, apply(condition) ? "then" : "else")
  return branch === undefined || apply(branch)
}

const matchesUnevaluated = (schema: Members, value: Json, seen: Seen, scope: Scope): boolean => {
  const items = own(schema, "unevaluatedItems")
  if (items !== undefined && isList(value)) {
    for (const [index, item] of value.entries()) {
      if (!seen.indices.has(index) && judge(items, item, scope) === undefined) return false
      seen.indices.add(index)
    }
  }
  const properties = own(schema, "unevaluatedProperties")
  if (properties === undefined || !isMembers(value)) return true
  for (const [name, member] of Object.entries(value)) {
    if (!seen.names.has(name) && judge(properties, member, scope) === undefined) return false
    seen.names.add(name)
  }
  return true
}

/** What a fragment leads to: the document, a JSON Pointer, or an anchor anywhere in the document. */
export const resolveReference = (reference: string, document: Json): Json => {
  const fragment = decodeURIComponent(reference.slice(1))
  if (fragment === "") return document
  if (!fragment.startsWith("/")) return findAnchor(fragment, document) ?? leadsNowhere(reference)
  let target: Json = document
  for (const segment of fragment.slice(1).split("/")) {
    const name = segment.replaceAll("~1", "/").replaceAll("~0", "~")
    const next: Json | undefined = isList(target)
      ? target[Number(name)]
      : isMembers(target)
        ? own(target, name)
        : undefined
    target = next ?? leadsNowhere(reference)
  }
  return target
}

const leadsNowhere = (reference: string): never => {
  throw new RangeError(`leads nowhere: ${reference}`)
}

const findAnchor = (name: string, schema: Json): Json | undefined => {
  if (isMembers(schema)) {
    const isIt = schema["$anchor"] === name || schema["$dynamicAnchor"] === name || schema["$id"] === `#${name}`
    if (isIt) return schema
  }
  if (typeof schema !== "object" || schema === null) return undefined
  for (const inner of Object.values(schema)) {
    const found = findAnchor(name, inner)
    if (found !== undefined) return found
  }
  return undefined
}
