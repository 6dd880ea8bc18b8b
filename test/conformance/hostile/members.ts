/** Names: many, long, absent, and those that reach prototypes. */
import { type HostileCase, hostile, times, membersOf, nest, doubled, eachDoubled, names, long } from "./HostileCase.ts"

export const members: ReadonlyArray<HostileCase> = [
  hostile(
    "required of 1,000 names, judged 2,048 times",
    () => doubled(11, { required: names }),
    () => membersOf(1_000, Number)
  ),
  hostile(
    "required of 1,000 names, judged 2,048 times on each of some items",
    () => eachDoubled(11, { required: names }),
    () => times(30, () => membersOf(1_000, Number))
  ),
  hostile(
    "minProperties, judged 2,048 times on each of some items",
    () => eachDoubled(11, { minProperties: 1_000 }),
    () => times(30, () => membersOf(1_000, Number))
  ),
  hostile(
    "required of 9,000 names",
    () => ({ items: { required: times(9_000, (index) => `k${index}`) } }),
    () => times(1_000, () => ({ k0: 1 }))
  ),
  hostile(
    "dependentRequired of 1,000 names, judged 2,048 times",
    () => doubled(11, { dependentRequired: { k0: names } }),
    () => membersOf(1_000, Number)
  ),
  hostile(
    "dependentRequired of 1,000 absent names, on each of many items",
    () => ({ items: { dependentRequired: membersOf(5_000, () => []) } }),
    () => times(10_000, () => ({}))
  ),
  hostile(
    "minProperties, judged 2,048 times",
    () => doubled(11, { minProperties: 1_000 }),
    () => membersOf(1_000, Number)
  ),
  hostile(
    "maxProperties, judged 2,048 times",
    () => doubled(11, { maxProperties: 1_000 }),
    () => membersOf(1_000, Number)
  ),
  hostile(
    "propertyNames, judged 2,048 times",
    () => doubled(11, { propertyNames: { maxLength: 9 } }),
    () => membersOf(1_000, Number)
  ),
  hostile(
    "propertyNames with a pattern",
    () => ({ items: { propertyNames: { pattern: "^(k|x)+(\\d+)*$" } } }),
    () => times(100, () => membersOf(1_000, Number))
  ),
  hostile(
    "patternProperties of many patterns and many keys",
    () => ({
      patternProperties: Object.fromEntries(times(300, (index) => [`^(k|${index})+\\d*$`, { type: "integer" }]))
    }),
    () => membersOf(1_000, Number)
  ),
  hostile(
    "patternProperties with long keys",
    () => ({ patternProperties: { "^(a|aa)+$": false, "(a*)*b": false } }),
    () => Object.fromEntries(times(100, (index) => [`${"a".repeat(20_000)}${index}!`, 1]))
  ),
  hostile(
    "unevaluatedProperties under nested alternatives",
    () => ({
      ...(nest(28, (inner) => ({ anyOf: [inner] }), { properties: membersOf(1_000, () => true) }) as object),
      unevaluatedProperties: false
    }),
    () => membersOf(1_000, Number)
  ),
  hostile(
    "unevaluatedProperties under 120 nested alternatives, on each of some items",
    () => {
      const $defs: Record<string, unknown> = { d0: { properties: membersOf(1_000, () => true) } }
      for (let level = 1; level <= 120; level++) $defs[`d${level}`] = { anyOf: [{ $ref: `#/$defs/d${level - 1}` }] }
      return { items: { $ref: "#/$defs/d120", unevaluatedProperties: false }, $defs }
    },
    () => times(50, () => membersOf(1_000, Number))
  ),
  hostile(
    "unevaluatedProperties, each level asking again",
    () =>
      nest(30, (inner) => ({ allOf: [inner], unevaluatedProperties: true }), {
        properties: membersOf(1_000, () => true)
      }),
    () => membersOf(1_000, Number)
  ),
  hostile(
    "unknown properties, near to many long names",
    () => ({
      properties: Object.fromEntries(times(1_000, (index) => [`${"n".repeat(50)}${index}${"m".repeat(5)}`, true])),
      additionalProperties: false
    }),
    () => Object.fromEntries(times(8, (index) => [`${"m".repeat(50)}${index}${"n".repeat(8)}`, 1]))
  ),
  hostile(
    "texts near to many long choices",
    () => ({ items: { enum: times(1_000, (index) => `${"n".repeat(50)}${index}${"m".repeat(5)}`) } }),
    () => times(8, (index) => `${"m".repeat(50)}${index}${"n".repeat(8)}`)
  ),
  hostile(
    "9,000 properties",
    () => ({ properties: membersOf(9_000, () => ({})), additionalProperties: false }),
    () => membersOf(1_000, Number)
  ),
  hostile(
    "names that all objects have",
    () => ({ properties: { toString: false, valueOf: false, hasOwnProperty: false }, required: ["isPrototypeOf"] }),
    () => ({})
  ),
  hostile(
    "a key of 1,000,000 characters that fails",
    () => ({ additionalProperties: { type: "string" } }),
    () => ({ [long.repeat(5)]: 1 })
  ),
  hostile(
    "a key of 1,000,000 characters over a fault",
    () => ({}),
    () => ({ [long.repeat(5)]: Number.NaN })
  ),
  hostile(
    "forbidden keys in a value",
    () => ({}),
    () => JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}')
  ),
  hostile(
    "forbidden keys in a schema",
    () => JSON.parse('{"properties":{"__proto__":{"polluted":1}},"default":{"__proto__":{"polluted":1}}}'),
    () => ({})
  ),
  hostile(
    "patterns that spell forbidden keys",
    () => ({ patternProperties: { "^__proto__$": true }, dependentSchemas: { a: true }, enum: [{}] }),
    () => JSON.parse('{"a":{"__proto__":1}}')
  )
]
