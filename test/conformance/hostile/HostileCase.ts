/** What the catalogue of hostile schemas is made of. */
export interface HostileCase {
  readonly name: string
  readonly schema: () => unknown
  readonly value: () => unknown
}

export const hostile = (name: string, schema: () => unknown, value: () => unknown): HostileCase => ({
  name,
  schema,
  value
})

export const times = <Item>(count: number, make: (index: number) => Item): Array<Item> =>
  Array.from({ length: count }, (_, index) => make(index))
export const membersOf = (count: number, make: (index: number) => unknown): Record<string, unknown> =>
  Object.fromEntries(times(count, (index) => [`k${index}`, make(index)]))
/** A value nested in `depth` levels. */
export const nest = (depth: number, wrap: (inner: unknown) => unknown, innermost: unknown): unknown => {
  let value = innermost
  for (let level = 0; level < depth; level++) value = wrap(value)
  return value
}
/** A text of its own storage, as a parser makes it. */
export const flat = (text: string): string => JSON.parse(JSON.stringify(text)) as string

/** A schema that judges one value by `leaf` 2^levels times. */
export const doubled = (levels: number, leaf: object, combinator = "allOf"): Record<string, unknown> => {
  const $defs: Record<string, unknown> = { d0: leaf }
  for (let level = 1; level <= levels; level++) {
    const inner = { $ref: `#/$defs/d${level - 1}` }
    $defs[`d${level}`] = { [combinator]: [inner, inner] }
  }
  return { $ref: `#/$defs/d${levels}`, $defs }
}
export const eachDoubled = (levels: number, leaf: object): object => {
  const { $ref, $defs } = doubled(levels, leaf)
  return { items: { $ref }, $defs }
}
export const names = times(1_000, (index) => `k${index}`)
export const long = "a".repeat(200_000)
