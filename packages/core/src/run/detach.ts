/** A host's data, taken in: what the host does to its own objects afterwards changes no transcript. */

/**
 * The plain objects and lists of a value anew; whatever else is in it is shared. A value that goes in circles, or too deep
 * for the stack, is returned itself.
 */
export const detach = <A>(value: A): A => {
  if (typeof value !== "object" || value === null) return value
  try {
    // A copy has the shape of what it was made from.
    return copyOf(value) as A
  } catch {
    return value
  }
}

const copyOf = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map(copyOf)
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return value
  // A spread makes own properties of all keys, `__proto__` too.
  const copy: Record<string, unknown> = { ...value }
  for (const key of Object.keys(copy)) {
    const field = copy[key]
    if (typeof field === "object" && field !== null && key !== "__proto__") copy[key] = copyOf(field)
  }
  return copy
}
