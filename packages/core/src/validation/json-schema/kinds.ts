/** The types of an instance, as bits. */

export const NULL = 1
export const BOOLEAN = 2
export const INTEGER = 4
/** Numbers with a fraction. */
export const FRACTION = 8
export const STRING = 16
export const ARRAY = 32
export const OBJECT = 64
export const NUMBER = INTEGER | FRACTION
export const ANY = 127

/** The bits of what a keyword looks at. */
export const bitsOn = { any: ANY, string: STRING, number: NUMBER, array: ARRAY, object: OBJECT }

/** Bits of each name that `type` knows. */
export const bitsOfType: ReadonlyMap<unknown, number> = new Map([
  ["null", NULL],
  ["boolean", BOOLEAN],
  ["integer", INTEGER],
  ["number", NUMBER],
  ["string", STRING],
  ["array", ARRAY],
  ["object", OBJECT]
])

/** The bit of a JSON value; 0 for what is none. */
export const bitOf = (value: unknown): number => {
  switch (typeof value) {
    case "string":
      return STRING
    case "number":
      return Number.isInteger(value) ? INTEGER : FRACTION
    case "boolean":
      return BOOLEAN
    case "object":
      return value === null ? NULL : Array.isArray(value) ? ARRAY : OBJECT
    default:
      return 0
  }
}

/** The names of the types in `bits`, in the order of the specification. */
export const typeNames = (bits: number): ReadonlyArray<string> =>
  [...bitsOfType].flatMap(([name, bit]) =>
    typeof name === "string" && (bits & bit) === bit && !(name === "integer" && (bits & FRACTION) !== 0) ? [name] : []
  )
