import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { compile, generated, tiersOf } from "./verdicts.ts"

/** Choices that decide everything about a schema and its values. */
const tape = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 999 }))).check(
  Schema.isMinLength(90),
  Schema.isMaxLength(120)
)
const runs = { arbitrary: { runs: 300, seed: "all tiers agree" } }

class Choices {
  readonly #tape: ReadonlyArray<number>
  #at = 0

  constructor(choices: ReadonlyArray<number>) {
    this.#tape = choices
  }

  below(count: number): number {
    return (this.#tape[this.#at++] ?? 0) % count
  }

  of<A>(options: ReadonlyArray<A>): A {
    // `below` answers an index of the list.
    return options[this.below(options.length)] as A
  }

  list<A>(most: number, make: () => A): ReadonlyArray<A> {
    return Array.from({ length: this.below(most + 1) }, make)
  }
}

const names = ["a", "b", "x-1", "toString", ""]
const texts = ["", "a", "ab", "1", "😀", "null", "2024-01-02"]
const numbers = [0, 1, -1, 2, 0.5, 0.3, 1e300, 1e-7, -0]

const valueOf = (choices: Choices, depth = 0): unknown => {
  switch (choices.below(depth > 3 ? 5 : 8)) {
    case 0:
      return null
    case 1:
      return choices.of([true, false])
    case 2:
    case 3:
      return choices.of(numbers)
    case 4:
      return choices.of(texts)
    case 5:
      return choices.list(4, () => valueOf(choices, depth + 1))
    default:
      return Object.fromEntries(choices.list(4, () => [choices.of(names), valueOf(choices, depth + 1)]))
  }
}

const types = ["null", "boolean", "integer", "number", "string", "array", "object"]

/** One keyword, or several that belong together. */
const keywordOf = (choices: Choices, depth: number): object => {
  const schema = () => schemaOf(choices, depth + 1)
  const several = () => [schema(), ...choices.list(2, schema)]
  const count = () => choices.below(4)
  const leaves: ReadonlyArray<() => object> = [
    () => ({ type: choices.of(types) }),
    () => ({ type: [...new Set([choices.of(types), choices.of(types)])], nullable: choices.of([true, false]) }),
    () => ({ enum: choices.list(3, () => valueOf(choices, 3)) }),
    () => ({ const: valueOf(choices, 2) }),
    () => ({ minimum: choices.of(numbers) }),
    () => ({ exclusiveMaximum: choices.of(numbers) }),
    () => ({ multipleOf: choices.of([1, 2, 0.1, 1e-7, 1e300]) }),
    () => ({ minLength: count() }),
    () => ({ maxLength: count() }),
    () => ({ pattern: choices.of(["a", "^\\d$", "^(a|b)*$", "^.$"]) }),
    () => ({ format: choices.of(["date", "int32", "unknown"]) }),
    () => ({ minItems: count() }),
    () => ({ maxItems: count() }),
    () => ({ uniqueItems: true }),
    () => ({ required: [...new Set(choices.list(3, () => choices.of(names)))] }),
    () => ({ minProperties: count() }),
    () => ({ maxProperties: count() }),
    () => ({ dependentRequired: { [choices.of(names)]: [choices.of(names)] } })
  ]
  const nests: ReadonlyArray<() => object> = [
    () => ({ properties: Object.fromEntries(choices.list(3, () => [choices.of(names), schema()])) }),
    () => ({ properties: { a: schema() }, additionalProperties: schema(), required: choices.of([["a"], [], ["b"]]) }),
    () => ({ patternProperties: { [choices.of(["^x", "a", ""])]: schema() }, additionalProperties: schema() }),
    () => ({ propertyNames: schema() }),
    () => ({ items: schema() }),
    () => ({ prefixItems: several(), items: schema() }),
    () => ({ contains: schema(), minContains: count(), maxContains: count() }),
    () => ({ allOf: several() }),
    () => ({ anyOf: several() }),
    () => ({ oneOf: several() }),
    () => ({ not: schema() }),
    () => ({ if: schema(), then: schema(), else: schema() }),
    () => ({ dependentSchemas: { [choices.of(names)]: schema() } }),
    () => ({ unevaluatedProperties: schema() }),
    () => ({ unevaluatedItems: schema() }),
    () => ({ $ref: choices.of(["#/$defs/one", "#/$defs/two"]) }),
    () => ({ [choices.of(["anyOf", "oneOf"])]: ["a", "b", 1].map((kind) => branchOf(kind, schema())) })
  ]
  return choices.of(depth > 3 ? leaves : [...leaves, ...nests])()
}

const branchOf = (kind: unknown, more: unknown): object => ({
  type: "object",
  properties: { a: { const: kind }, b: more },
  required: ["a"]
})

const schemaOf = (choices: Choices, depth = 0): unknown => {
  const size = choices.below(4)
  if (size === 0 && depth > 0) return choices.of([true, false, {}])
  return Object.assign({}, ...Array.from({ length: size + (depth === 0 ? 1 : 0) }, () => keywordOf(choices, depth)))
}

/** A document whose definitions consume something, so that no references loop in place. */
const documentOf = (choices: Choices): unknown => {
  const one = {
    type: choices.of(["array", "object"]),
    items: schemaOf(choices, 2),
    additionalProperties: { $ref: "#/$defs/two" }
  }
  const two = {
    prefixItems: [{ $ref: "#/$defs/one" }],
    properties: { a: { $ref: "#/$defs/two" }, b: schemaOf(choices, 2) }
  }
  return { ...(schemaOf(choices) as object), $defs: { one, two } }
}

/** A schema and some values that share its tape. */
const caseOf = (choices: ReadonlyArray<number>) => {
  const source = new Choices(choices)
  const schema = documentOf(source)
  return { schema, values: [valueOf(source), valueOf(source), valueOf(new Choices(choices.toReversed()))] }
}

describe("any schema and any value", () => {
  it.prop(
    "J17: every tier gives the same verdict and explanation, and changes nothing",
    [tape],
    ([choices]) => {
      const { schema, values } = caseOf(choices)
      const tiers = tiersOf(schema)
      for (const value of values) {
        const before = JSON.stringify([schema, value])
        const first = tiers.first?.(value) ?? []
        for (const name of ["second", "hot"]) assert.deepStrictEqual(tiers[name]?.(value), first, `${name} ${before}`)
        for (const name of ["decoded", "encoded", "accepts", "acceptsGenerated"]) {
          assert.strictEqual(tiers[name]?.(value).length === 0, first.length === 0, `${name} ${before}`)
        }
        assert.strictEqual(JSON.stringify([schema, value]), before)
      }
    },
    runs
  )

  it.prop(
    "a value that is coerced is accepted, and one that is accepted is not coerced",
    [tape],
    ([choices]) => {
      const { schema, values } = caseOf(choices)
      const compiled = compile(schema)
      for (const value of values) {
        const text = JSON.stringify(value)
        const coerced = compiled.coerce(value)
        if (coerced !== undefined) {
          assert.isTrue(compiled.accepts(coerced.value), `${JSON.stringify(schema)} ${text}`)
          assert.isAbove(coerced.changes.length, 0)
        }
        if (compiled.accepts(value)) assert.isUndefined(coerced)
        assert.strictEqual(JSON.stringify(value), text)
      }
    },
    runs
  )

  it.prop(
    "J10: a forbidden key anywhere in a value is found by both tiers",
    [tape],
    ([choices]) => {
      const { schema, values } = caseOf(choices)
      const tiers = [compile(schema), generated(schema)]
      const hostile: unknown = JSON.parse('{"__proto__":{}}')
      const hidden = values.flatMap((value) => [
        [hostile, value],
        [value, [hostile, 1]],
        { a: [hostile, 1], b: value },
        { b: value, a: { b: hostile } }
      ])
      for (const value of hidden) {
        const told = tiers.map((compiled) => compiled.problems(value)?.map(({ message }) => message) ?? [])
        for (const messages of told) {
          assert.lengthOf(messages, 1, JSON.stringify([schema, value]))
          assert.match(messages[0] ?? "accepted", /forbidden property key$/, JSON.stringify([schema, value]))
        }
      }
    },
    { arbitrary: { runs: 400, seed: "no key gets through" } }
  )

  it("the cases are of many kinds", () => {
    let [accepted, refused] = [0, 0]
    const keywords = new Set<string>()
    for (let seed = 1; seed < 300; seed++) {
      const { schema, values } = caseOf(
        Array.from(
          { length: 120 },
          (_, index) => (seed * 7919 + index * index * 104_729 + ((seed * index) % 97) * 31) % 1000
        )
      )
      for (const [, name = ""] of JSON.stringify(schema).matchAll(/"(\w+)":/g)) keywords.add(name)
      const compiled = compile(schema)
      for (const value of values) {
        if (compiled.accepts(value)) accepted++
        else refused++
      }
    }
    assert.isAbove(accepted, 100)
    assert.isAbove(refused, 100)
    assert.includeMembers(
      [...keywords],
      ["anyOf", "oneOf", "not", "contains", "unevaluatedProperties", "prefixItems", "enum"]
    )
  })
})
