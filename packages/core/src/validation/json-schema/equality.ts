/** Equality of JSON values (JSON Schema core §4.2.2): numbers by value, objects whatever their order of keys. */
import { charge } from "./steps.ts"

type Container = Readonly<Record<string, unknown>>

export const isContainer = (value: unknown): value is Container => typeof value === "object" && value !== null

export const isEqual = (left: unknown, right: unknown): boolean => {
  if (left === right) return true
  charge(9)
  if (!isContainer(left) || !isContainer(right)) return false
  if (Array.isArray(left)) return Array.isArray(right) && isEqualArray(left, right)
  return !Array.isArray(right) && isEqualObject(left, right)
}

const isEqualArray = (left: ReadonlyArray<unknown>, right: ReadonlyArray<unknown>): boolean => {
  charge(4 + left.length)
  return left.length === right.length && left.every((item, index) => isEqual(item, right[index]))
}

const isEqualObject = (left: Container, right: Container): boolean => {
  const keys = Object.keys(left)
  charge(16 + 8 * keys.length)
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isEqual(left[key], right[key]))
  )
}

/** Few primitives are compared pair by pair; a set pays from here on. */
const SMALL = 16

/** Whether no two items are equal. */
export const isUnique = (items: ReadonlyArray<unknown>): boolean => {
  charge(8 * items.length)
  return items.length > SMALL || items.some(isContainer) ? isUniqueSet(items) : isUniqueSmall(items)
}

const isUniqueSmall = (items: ReadonlyArray<unknown>): boolean => {
  for (let index = 1; index < items.length; index++) {
    for (let other = 0; other < index; other++) if (items[index] === items[other]) return false
  }
  return true
}

/** Containers are told apart by their canonical text, so that a long list costs no comparison of all pairs. */
const isUniqueSet = (items: ReadonlyArray<unknown>): boolean => {
  const values = new Set<unknown>()
  const texts = new Set<string>()
  let long = 0
  for (const item of items) {
    const value = isContainer(item) ? canonicalText(item) : item
    if (typeof value === "string") {
      if (value.length > MAX_HASHED) long++
      charge(1 + (value.length >> 4) + long * (value.length >> 6))
    }
    if (value === item) values.add(item)
    else texts.add(String(value))
  }
  return values.size + texts.size === items.length
}

/** V8 tells longer texts apart by comparing each with each: their hash is their length. */
const MAX_HASHED = 16_000

/** The same text for equal values: keys in order. */
const canonicalText = (value: unknown): string => {
  if (!isContainer(value)) {
    charge(typeof value === "string" ? 1 + 2 * value.length : 1)
    return JSON.stringify(value === 0 ? 0 : value)
  }
  if (Array.isArray(value)) {
    charge(4 + 2 * value.length)
    return `[${value.map(canonicalText).join(",")}]`
  }
  const keys = Object.keys(value).toSorted()
  charge(16 + 24 * keys.length)
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalText(value[key])}`).join(",")}}`
}
