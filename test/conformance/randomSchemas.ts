/** Random JSON Schemas of draft-07 and 2020-12, all of them well-formed and without loops that consume nothing. */
import type { Draft, Json } from "./judgeByTheBook.ts"
import type { Random } from "./Random.ts"

type Schema = Record<string, Json>

/** Few names, so that schemas and values often mean the same. */
export const NAMES = ["a", "b", "c", "foo", "x-1", "a/b", "~t", "Z", "", "ü", "toString", "valueOf"] as const

/** Each with texts that match; what another one matches is what this one often does not. */
export const PATTERNS: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
  ["^a", ["a", "ab", "a/b"]],
  ["b$", ["b", "ab", "foob"]],
  ["^[a-c]$", ["a", "b", "c"]],
  ["^x-", ["x-1", "x-"]],
  ["^\\d+$", ["1", "42"]],
  ["^.{2,3}$", ["ab", "foo", "😀1"]],
  ["o{2}|ü", ["foo", "ü"]],
  ["^(?!a)[a-z]+$", ["b", "foo", "xyz"]],
  ["\\p{L}", ["a", "ü", "Z"]],
  ["", ["", "x"]]
]

export const NUMBERS = [
  0, -0, 1, 2, 3, 4, -1, -3, 10, 0.1, 0.3, 0.5, 1.5, -0.01, 19.99, 1e3, 1e21, 1e-7, 4_294_967_296
] as const
const DIVISORS = [1, 2, 3, 4, 0.1, 0.5, 0.01, 1.5, 1e-7] as const
export const TEXTS = ["", "a", "b", "ab", "abc", "foo", "1", "42", "x-1", "ü", "😀", "😀1", "null", "Z"] as const
const TYPES = ["string", "number", "integer", "boolean", "null", "array", "object"] as const

export const randomScalar = (random: Random): Json =>
  random.pick<() => Json>([
    () => random.pick(NUMBERS),
    () => random.pick(TEXTS),
    () => random.chance(0.5),
    () => null,
    () => random.below(5)
  ])()

export const randomValue = (random: Random, depth = 0): Json => {
  if (depth > 3 || random.chance(0.45)) return randomScalar(random)
  const size = random.below(4)
  if (random.chance(0.5)) return Array.from({ length: size }, () => randomValue(random, depth + 1))
  return Object.fromEntries(Array.from({ length: size }, () => [random.pick(NAMES), randomValue(random, depth + 1)]))
}

export const randomSchema = (random: Random, draft: Draft): Json => new SchemaMaker(random, draft).document()

class SchemaMaker {
  readonly #random: Random
  readonly #draft: Draft
  readonly #definitions: number
  readonly #hasDynamicAnchor: boolean
  /** Schemas that may still be made. */
  #budget: number

  constructor(random: Random, draft: Draft) {
    this.#random = random
    this.#draft = draft
    this.#definitions = random.below(4)
    this.#hasDynamicAnchor = draft === "2020-12" && random.chance(0.15)
    this.#budget = 4 + random.below(26)
  }

  get #isLater(): boolean {
    return this.#draft === "2020-12"
  }

  document(): Json {
    const random = this.#random
    const table = this.#isLater || random.chance(0.2) ? "$defs" : "definitions"
    const schema = this.#object(0, 0)
    if (this.#hasDynamicAnchor) schema["$dynamicAnchor"] = "node"
    if (this.#definitions > 0) {
      const entries: Array<[string, Json]> = Array.from({ length: this.#definitions }, (_, index) => [
        `d${index}`,
        this.#definition(index)
      ])
      entries.push(["far/off", { properties: { "p%q": this.#leaf(), "~": this.#leaf() }, allOf: [this.#leaf()] }])
      schema[table] = Object.fromEntries(entries)
      this.#finishReferences(schema, table)
    }
    const $schema = this.#isLater
      ? "https://json-schema.org/draft/2020-12/schema"
      : "http://json-schema.org/draft-07/schema#"
    return { $schema, ...schema }
  }

  #definition(index: number): Schema {
    const schema = this.#object(1, index + 1)
    // What has `$ref` in draft-07 has nothing else, not even a name.
    if (this.#isLater) schema["$anchor"] = `anchor${index}`
    else if (!Object.hasOwn(schema, "$ref")) schema["$id"] = `#anchor${index}`
    return schema
  }

  /** References were made with a mark for the table, whose name is known at the end, and for anchors that may be missing. */
  #finishReferences(schema: Schema, table: string): void {
    const hasAnchor = (index: string): boolean => {
      const definition = (schema[table] as Record<string, Schema>)[`d${index}`]
      if (definition === undefined || this.#isLater) return definition !== undefined
      return table === "definitions" && Object.hasOwn(definition, "$id")
    }
    const visit = (node: Json): void => {
      if (typeof node !== "object" || node === null) return
      const members = node as Record<string, Json>
      const reference = members["$ref"]
      if (typeof reference === "string") {
        const anchor = /^#anchor(\d)$/.exec(reference)?.[1]
        members["$ref"] =
          anchor !== undefined && !hasAnchor(anchor)
            ? `#/${table}/d${anchor}`
            : reference.replace("#/TABLE/", `#/${table}/`)
      }
      for (const inner of Object.values(node)) visit(inner)
    }
    visit(schema)
  }

  /** `floor` is the first definition that may be applied in place; -1 says that the position is a child, where all may. */
  schema(depth: number, floor: number): Json {
    const random = this.#random
    if (random.chance(0.06)) return random.chance(0.6)
    if (random.chance(0.03)) return {}
    if (depth > 4 || this.#budget <= 0) return this.#leaf()
    this.#budget--
    return this.#object(depth, floor)
  }

  #child(depth: number): Json {
    return this.schema(depth + 1, -1)
  }

  #leaf(): Json {
    const schema: Schema = {}
    this.#random.pick([
      () => this.#type(schema),
      () => this.#constants(schema),
      () => this.#texts(schema),
      () => this.#numbers(schema)
    ])()
    return schema
  }

  #object(depth: number, floor: number): Schema {
    const random = this.#random
    const schema: Schema = {}
    const inPlace = (): Json => this.schema(depth + 1, floor)
    const groups: ReadonlyArray<() => void> = [
      () => this.#type(schema),
      () => this.#constants(schema),
      () => this.#texts(schema),
      () => this.#numbers(schema),
      () => this.#items(schema, depth),
      () => this.#items(schema, depth),
      () => this.#members(schema, depth),
      () => this.#members(schema, depth),
      () => this.#dependents(schema, inPlace),
      () => this.#combinators(schema, inPlace),
      () => this.#combinators(schema, inPlace),
      () => this.#condition(schema, inPlace),
      () => this.#reference(schema, floor)
    ]
    const count = 1 + random.below(depth === 0 ? 4 : 3)
    for (let made = 0; made < count; made++) random.pick(groups)()
    if (this.#isLater && random.chance(0.25)) this.#unevaluated(schema, depth)
    return schema
  }

  #type(schema: Schema): void {
    const random = this.#random
    if (random.chance(0.7)) schema["type"] = random.pick(TYPES)
    else {
      const types = random.some(TYPES, 0.4)
      schema["type"] = types.length === 0 ? "object" : [...types]
    }
    if (random.chance(0.08)) schema["nullable"] = true
  }

  #constants(schema: Schema): void {
    const random = this.#random
    if (random.chance(0.35)) schema["const"] = random.chance(0.7) ? randomScalar(random) : randomValue(random)
    else {
      const values = Array.from({ length: 1 + random.below(12) }, () =>
        random.chance(0.8) ? randomScalar(random) : randomValue(random, 2)
      )
      const texts = new Set<string>()
      schema["enum"] = values.filter((value) => {
        const text = JSON.stringify(value)
        return !texts.has(text) && texts.add(text).size > 0
      })
    }
  }

  #texts(schema: Schema): void {
    const random = this.#random
    if (random.chance(0.5)) schema["minLength"] = random.below(3)
    if (random.chance(0.4)) schema["maxLength"] = random.below(4)
    if (random.chance(0.5)) schema["pattern"] = random.pick(PATTERNS)[0]
  }

  #numbers(schema: Schema): void {
    const random = this.#random
    for (const [keyword, shift] of [
      ["minimum", -3],
      ["exclusiveMinimum", -3],
      ["maximum", 3],
      ["exclusiveMaximum", 3]
    ] as const) {
      if (random.chance(0.3)) schema[keyword] = random.chance(0.7) ? shift + random.below(5) - 1 : random.pick(NUMBERS)
    }
    if (random.chance(0.35)) schema["multipleOf"] = random.pick(DIVISORS)
  }

  #items(schema: Schema, depth: number): void {
    const random = this.#random
    if (random.chance(0.5)) schema["type"] = "array"
    const tuple = (): Json => Array.from({ length: 1 + random.below(3) }, () => this.#child(depth))
    if (this.#isLater && random.chance(0.35)) schema["prefixItems"] = tuple()
    if (random.chance(0.5)) schema["items"] = !this.#isLater && random.chance(0.4) ? tuple() : this.#child(depth)
    // Without meaning in 2020-12, and in draft-07 without a tuple.
    if (random.chance(0.2)) schema["additionalItems"] = this.#child(depth)
    if (random.chance(0.3)) schema["contains"] = this.#child(depth)
    if (random.chance(0.25)) schema["minContains"] = random.below(3)
    if (random.chance(0.2)) schema["maxContains"] = random.below(3)
    if (random.chance(0.2)) schema["minItems"] = random.below(3)
    if (random.chance(0.2)) schema["maxItems"] = random.below(4)
    if (random.chance(0.25)) schema["uniqueItems"] = random.chance(0.8)
  }

  #members(schema: Schema, depth: number): void {
    const random = this.#random
    if (random.chance(0.5)) schema["type"] = "object"
    const table = (names: ReadonlyArray<string>): Json =>
      Object.fromEntries(names.map((name) => [name, this.#child(depth)]))
    if (random.chance(0.7)) schema["properties"] = table(random.some(NAMES, 0.25))
    if (random.chance(0.3))
      schema["patternProperties"] = table(
        random.some(
          PATTERNS.map(([source]) => source),
          0.15
        )
      )
    if (random.chance(0.3)) schema["additionalProperties"] = random.chance(0.5) ? false : this.#child(depth)
    if (random.chance(0.4)) schema["required"] = [...random.some(NAMES, 0.12)]
    if (random.chance(0.15)) schema["propertyNames"] = this.#child(depth)
    if (random.chance(0.15)) schema["minProperties"] = random.below(3)
    if (random.chance(0.15)) schema["maxProperties"] = random.below(4)
  }

  #dependents(schema: Schema, inPlace: () => Json): void {
    const random = this.#random
    const names = (): ReadonlyArray<string> => random.some(NAMES, 0.15)
    if (random.chance(0.4))
      schema["dependentRequired"] = Object.fromEntries(names().map((name) => [name, [...names()]]))
    if (random.chance(0.4)) schema["dependentSchemas"] = Object.fromEntries(names().map((name) => [name, inPlace()]))
    if (random.chance(0.4)) {
      schema["dependencies"] = Object.fromEntries(
        names().map((name) => [name, random.chance(0.5) ? [...names()] : inPlace()])
      )
    }
  }

  #combinators(schema: Schema, inPlace: () => Json): void {
    const random = this.#random
    const keyword = random.pick(["allOf", "anyOf", "oneOf", "not"] as const)
    if (keyword === "not") schema["not"] = inPlace()
    else if (keyword !== "allOf" && random.chance(0.15)) schema[keyword] = this.#discriminated()
    else schema[keyword] = Array.from({ length: 1 + random.below(3) }, inPlace)
  }

  /** Objects that a constant tells apart. */
  #discriminated(): Json {
    const random = this.#random
    return ["x", "y", 3].slice(0, 2 + random.below(2)).map((kind) => {
      const a = random.chance(0.7) ? { const: kind } : { enum: [kind, random.pick(TEXTS)] }
      const branch = { type: "object", properties: { a, b: this.#leaf() }, required: ["a"] }
      return random.chance(0.4) ? Object.assign(branch, { additionalProperties: false }) : branch
    })
  }

  #condition(schema: Schema, inPlace: () => Json): void {
    const random = this.#random
    if (random.chance(0.92)) schema["if"] = inPlace()
    if (random.chance(0.7)) schema["then"] = inPlace()
    if (random.chance(0.6)) schema["else"] = inPlace()
  }

  #reference(schema: Schema, floor: number): void {
    const random = this.#random
    const isChild = floor === -1
    if (isChild && this.#hasDynamicAnchor && random.chance(0.4)) schema["$dynamicRef"] = "#node"
    const targets: Array<string> = []
    for (let index = Math.max(floor, 0); index < this.#definitions; index++) {
      targets.push(`#/TABLE/d${index}`, `#anchor${index}`)
    }
    if (this.#definitions > 0)
      targets.push("#/TABLE/far~1off/properties/p%25q", "#/TABLE/far~1off/properties/~0", "#/TABLE/far~1off/allOf/0")
    if (isChild) targets.push("#")
    if (targets.length > 0) schema["$ref"] = random.pick(targets)
  }

  #unevaluated(schema: Schema, depth: number): void {
    const random = this.#random
    const rest = (): Json => (random.chance(0.6) ? false : this.#child(depth))
    if (random.chance(0.7)) schema["unevaluatedProperties"] = rest()
    if (random.chance(0.5)) schema["unevaluatedItems"] = rest()
  }
}
