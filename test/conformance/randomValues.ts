/** Values that a schema is likely to accept, and neighbours of them that it is likely to refuse. */
import { isList, isMembers, type Json, type Members, resolveReference } from "./judgeByTheBook.ts"
import { NAMES, NUMBERS, PATTERNS, randomScalar, randomValue, TEXTS } from "./randomSchemas.ts"
import type { Random } from "./Random.ts"

const MAX_DEPTH = 7

/** One value: most often aimed at the schema, then changed in about a third of the cases. */
export const valueFor = (random: Random, document: Json): Json => {
  if (random.chance(0.12)) return randomValue(random)
  const value = aim(random, document, document, 0)
  return random.chance(0.35) ? changed(random, value) : value
}

const aim = (random: Random, schema: Json, document: Json, depth: number): Json => {
  if (!isMembers(schema) || depth > MAX_DEPTH) return randomValue(random, 3)
  const again = (inner: Json): Json => aim(random, inner, document, depth + 1)
  const { const: constant, enum: listed } = schema
  if (constant !== undefined) return constant
  if (isList(listed) && listed.length > 0) return random.pick(listed)
  const applied = appliedIn(schema, document)
  if (applied.length > 0 && random.chance(schema["type"] === undefined ? 0.8 : 0.4)) {
    const value = again(random.pick(applied))
    const isMerged = isMembers(value) && random.chance(0.6) && aimsAt(schema, "object")
    return isMerged ? { ...membersFor(random, schema, again), ...value } : value
  }
  switch (typeFor(random, schema)) {
    case "string":
      return textFor(random, schema)
    case "number":
    case "integer":
      return numberFor(random, schema)
    case "array":
      return itemsFor(random, schema, again)
    case "object":
      return membersFor(random, schema, again)
    case "boolean":
      return random.chance(0.5)
    case "null":
      return null
    default:
      return randomScalar(random)
  }
}

/** The schemas that judge the same value. */
const appliedIn = (schema: Members, document: Json): ReadonlyArray<Json> => {
  const applied = ["allOf", "anyOf", "oneOf"].flatMap((keyword) => {
    const branches = schema[keyword]
    return isList(branches) ? branches : []
  })
  for (const keyword of ["if", "then", "else"]) if (schema[keyword] !== undefined) applied.push(schema[keyword])
  for (const keyword of ["$ref", "$dynamicRef"]) {
    const reference = schema[keyword]
    if (typeof reference === "string") applied.push(resolveReference(reference, document))
  }
  return applied
}

const KEYWORDS: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
  ["string", ["minLength", "maxLength", "pattern"]],
  ["number", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]],
  ["array", ["items", "prefixItems", "contains", "minItems", "uniqueItems", "unevaluatedItems"]],
  ["object", ["properties", "required", "patternProperties", "propertyNames", "dependentSchemas", "dependencies"]],
  ["object", ["additionalProperties", "minProperties", "dependentRequired", "unevaluatedProperties"]]
]

const aimsAt = (schema: Members, type: string): boolean =>
  KEYWORDS.some(([of, keywords]) => of === type && keywords.some((keyword) => schema[keyword] !== undefined))

const typeFor = (random: Random, schema: Members): Json => {
  const { type } = schema
  if (isList(type) && type.length > 0) return random.pick(type)
  if (typeof type === "string") return type
  const hinted = KEYWORDS.filter(([of]) => aimsAt(schema, of)).map(([of]) => of)
  return hinted.length > 0 && random.chance(0.85) ? random.pick(hinted) : "any"
}

const textFor = (random: Random, { pattern }: Members): string => {
  const [, examples = TEXTS] = PATTERNS.find(([source]) => source === pattern) ?? []
  return random.pick(random.chance(0.85) ? examples : TEXTS)
}

const numberFor = (random: Random, schema: Members): number => {
  const { minimum, maximum, multipleOf } = schema
  const start = typeof minimum === "number" ? minimum : typeof maximum === "number" ? maximum - 2 : random.pick(NUMBERS)
  if (typeof multipleOf === "number" && random.chance(0.8))
    return Math.round(start / multipleOf + random.below(4)) * multipleOf
  return random.chance(0.5) ? start : Math.trunc(start) + random.below(3)
}

const itemsFor = (random: Random, schema: Members, again: (inner: Json) => Json): Json => {
  const { items, prefixItems, contains } = schema
  const tuple = isList(prefixItems) ? prefixItems : isList(items) ? items : []
  const rest = isList(items) ? schema["additionalItems"] : items
  const value = tuple.map(again)
  const more = random.below(4)
  for (let made = 0; made < more; made++) {
    const inner = contains !== undefined && random.chance(0.5) ? contains : (rest ?? randomScalar(random))
    value.push(typeof inner === "object" || typeof inner === "boolean" ? again(inner) : inner)
  }
  return random.chance(0.2) ? value.slice(0, random.below(value.length + 1)) : value
}

const membersFor = (random: Random, schema: Members, again: (inner: Json) => Json): Members => {
  const value: Record<string, Json> = {}
  const { properties, patternProperties, additionalProperties, required } = schema
  for (const [name, inner] of Object.entries(isMembers(properties) ? properties : {})) {
    if (random.chance(0.7)) value[name] = again(inner)
  }
  for (const [source, inner] of Object.entries(isMembers(patternProperties) ? patternProperties : {})) {
    const [, examples = TEXTS] = PATTERNS.find(([pattern]) => pattern === source) ?? []
    if (random.chance(0.5)) value[random.pick(examples)] = again(inner)
  }
  for (const name of isList(required) ? required : []) {
    if (typeof name === "string" && !Object.hasOwn(value, name) && random.chance(0.9))
      value[name] = randomValue(random, 3)
  }
  if (additionalProperties !== false && random.chance(0.25)) {
    value[random.pick(NAMES)] = again(additionalProperties ?? true)
  }
  return value
}

const changed = (random: Random, value: Json): Json => {
  if (isList(value) && random.chance(0.85)) {
    const at = random.below(value.length + 1)
    const item = value[at]
    if (item === undefined || random.chance(0.3)) return [...value, value[0] ?? randomScalar(random)]
    if (random.chance(0.3)) return value.toSpliced(at, 1)
    return value.with(at, changed(random, item))
  }
  if (isMembers(value) && random.chance(0.85)) {
    const names = Object.keys(value)
    if (names.length === 0 || random.chance(0.3)) return { ...value, [random.pick(NAMES)]: randomValue(random, 3) }
    const name = random.pick(names)
    if (random.chance(0.4)) return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name))
    return { ...value, [name]: changed(random, value[name] ?? null) }
  }
  return random.chance(0.5) ? randomScalar(random) : randomValue(random, 2)
}
