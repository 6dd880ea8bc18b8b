/** A host's data, taken in: what the host does to its own objects afterwards changes no transcript. */

/**
 * The plain objects and lists of a value anew; whatever else is in it is shared, and what is shared within it stays so. A
 * value that goes in circles, or too deep for the stack, is returned itself.
 */
export const detach = <A>(value: A): A => {
  if (typeof value !== "object" || value === null) return value
  try {
    // A copy has the shape of what it was made from.
    return copyOf(value, new Map()) as A
  } catch {
    return value
  }
}

/** `known` holds what is copied already: an object that many share is copied once. */
const copyOf = (value: unknown, known: Map<object, unknown>): unknown => {
  if (typeof value !== "object" || value === null) return value
  const copied = known.get(value)
  if (copied !== undefined) return copied
  if (known.has(value)) throw new RangeError("the value goes in circles")
  known.set(value, undefined)
  const copy = copyMembers(value, known)
  known.set(value, copy)
  return copy
}

const copyMembers = (value: object, known: Map<object, unknown>): unknown => {
  if (Array.isArray(value)) return value.map((item) => copyOf(item, known))
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return value
  // A spread makes own properties of all keys, `__proto__` too.
  const copy: Record<string, unknown> = { ...value }
  for (const key of Object.keys(copy)) {
    const field = copy[key]
    if (typeof field === "object" && field !== null && key !== "__proto__") copy[key] = copyOf(field, known)
  }
  return copy
}
