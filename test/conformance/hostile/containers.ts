/** Lists and objects that are compared, searched or gone through more often than they look. */
import { type HostileCase, hostile, times, membersOf, nest, flat, doubled, eachDoubled, long } from "./HostileCase.ts"

export const containers: ReadonlyArray<HostileCase> = [
  hostile(
    "uniqueItems of large objects",
    () => ({ uniqueItems: true }),
    () => times(500, (index) => membersOf(100, (key) => index * key))
  ),
  hostile(
    "uniqueItems of equal nested lists",
    () => ({ uniqueItems: true }),
    () => times(2_000, (index) => nest(20, (item) => [item], index))
  ),
  hostile(
    "uniqueItems of many small lists",
    () => ({ uniqueItems: true }),
    () => times(10_000, (index) => [index])
  ),
  hostile(
    "uniqueItems of texts of one length that differ at the end",
    () => ({ uniqueItems: true }),
    () => times(500, (index) => flat("a".repeat(20_000) + String(index).padStart(6)))
  ),
  hostile(
    "uniqueItems of objects whose texts have one length",
    () => ({ uniqueItems: true }),
    () => times(500, (index) => ({ text: flat("a".repeat(20_000) + String(index).padStart(6)) }))
  ),
  hostile(
    "uniqueItems of objects with long texts of escapes",
    () => ({ uniqueItems: true }),
    () => times(20, (index) => ({ text: flat("\u0001".repeat(900_000) + index) }))
  ),
  hostile(
    "uniqueItems judged 2,048 times",
    () => doubled(11, { uniqueItems: true }),
    () => times(10_000, Number)
  ),
  hostile(
    "enum of objects, on each of many items",
    () => ({ items: { enum: times(1_000, (index) => ({ a: index })) } }),
    () => times(1_000, () => ({ a: 999 }))
  ),
  hostile(
    "enum of deep objects that differ at the bottom",
    () => ({ items: { enum: times(100, (index) => nest(50, (a) => ({ a }), index)) } }),
    () => times(100, () => nest(50, (a) => ({ a }), 99))
  ),
  hostile(
    "enum of empty lists, on empty objects",
    () => ({ items: { enum: times(50_000, () => []) } }),
    () => times(10_000, () => ({}))
  ),
  hostile(
    "enum of empty objects beside lists, on lists",
    () => ({ items: { enum: times(50_000, () => ({})) } }),
    () => times(10_000, () => [])
  ),
  hostile(
    "contains of empty lists, on empty objects",
    () => ({ contains: { enum: times(50_000, () => []) }, minContains: 0 }),
    () => times(2_000, () => ({}))
  ),
  hostile(
    "const object, judged 2,048 times",
    () => doubled(11, { not: { const: membersOf(1_000, Number) } }),
    () => ({ ...membersOf(1_000, Number), k999: 0 })
  ),
  hostile(
    "const of a long text, judged 2,048 times",
    () => doubled(11, { not: { const: `${long}b` } }),
    () => flat(`${long}c`)
  ),
  hostile(
    "const of a long text, judged 2,048 times on each of some items",
    () => eachDoubled(11, { not: { const: `${long}b` } }),
    () => times(30, () => flat(`${long}c`))
  ),
  hostile(
    "enum of long texts, judged 2,048 times",
    () => doubled(11, { not: { enum: ["b", `${long}b`] } }),
    () => flat(`${long}c`)
  ),
  hostile(
    "contains, nested, with large lists",
    () => ({ contains: { contains: { contains: { const: -1 } } } }),
    () => times(100, () => times(100, () => times(100, Number)))
  ),
  hostile(
    "contains, judged 2,048 times",
    () => doubled(11, { contains: { const: -1 }, minContains: 0 }),
    () => times(10_000, Number)
  ),
  hostile(
    "prefixItems of 10,000 schemas",
    () => ({ prefixItems: times(10_000, () => ({})) }),
    () => times(10_000, Number)
  ),
  hostile(
    "prefixItems of 80,000 schemas",
    () => ({ prefixItems: times(80_000, () => ({})) }),
    () => times(10_000, Number)
  ),
  hostile(
    "unevaluatedItems beside contains of contains",
    () => ({ contains: { contains: { const: 1 } }, unevaluatedItems: { unevaluatedItems: false } }),
    () => times(100, () => times(100, Number))
  ),
  hostile(
    "a large shared part, reached often",
    () => ({ items: { items: { items: { type: "integer" } } } }),
    () => {
      const shared = times(10_000, Number)
      return times(1_000, () => times(1_000, () => shared))
    }
  )
]
