/** How much a value weighs as JSON, without writing it. */

export interface JsonBounds {
  readonly maxBytes: number
  /** Levels of containers; the root is level 0. */
  readonly maxDepth: number
  /** Keys of all objects and items of all arrays together. */
  readonly maxProperties: number
}

export interface JsonFault {
  readonly kind: "bytes" | "depth" | "properties" | "not-json"
  /** JSON Pointer of the place. */
  readonly pointer: string
  readonly reason: string
}

/** The UTF-8 bytes of `JSON.stringify(value)`, or the first fault. Stops at a bound; runs no getter twice, never throws. */
export const measureJson = (value: unknown, bounds: JsonBounds): number | JsonFault => {
  const walk = new Walk(bounds)
  try {
    walk.visit(value, 0)
    return walk.bytes
  } catch (error) {
    return walk.fault ?? walk.describe("not-json", error instanceof Error ? error.message : "cannot be read")
  }
}

class Walk {
  bytes = 0
  fault: JsonFault | undefined
  #properties = 0
  readonly #path: Array<string | number> = []
  readonly #open: Array<object> = []
  readonly #bounds: JsonBounds

  constructor(bounds: JsonBounds) {
    this.#bounds = bounds
  }

  visit(value: unknown, depth: number): void {
    switch (typeof value) {
      case "string":
        return this.#text(value)
      case "boolean":
        return this.#add(value ? 4 : 5)
      case "number":
        if (!Number.isFinite(value)) return this.#stop("not-json", "number is not finite")
        return this.#add(String(value).length)
      case "object":
        if (value === null) return this.#add(4)
        return this.#container(value, depth)
      default:
        return this.#stop("not-json", `${typeof value} is no JSON value`)
    }
  }

  describe(kind: JsonFault["kind"], reason: string): JsonFault {
    const pointer = this.#path.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("")
    return { kind, pointer, reason }
  }

  #container(value: object, depth: number): void {
    if (depth > this.#bounds.maxDepth) this.#stop("depth", `nested deeper than ${this.#bounds.maxDepth} levels`)
    if (this.#open.includes(value)) this.#stop("not-json", "value refers to itself")
    this.#open.push(value)
    if (Array.isArray(value)) this.#items(value, depth)
    else this.#members(value, depth)
    this.#open.pop()
  }

  #items(items: ReadonlyArray<unknown>, depth: number): void {
    this.#count(items.length)
    this.#add(2 + Math.max(items.length - 1, 0))
    for (let index = 0; index < items.length; index++) {
      this.#path.push(index)
      this.visit(items[index], depth + 1)
      this.#path.pop()
    }
  }

  #members(value: object, depth: number): void {
    const prototype: unknown = Object.getPrototypeOf(value)
    if (prototype !== Object.prototype && prototype !== null) this.#stop("not-json", "object is not plain")
    const keys = Object.keys(value)
    this.#count(keys.length)
    this.#add(2)
    let written = 0
    for (const key of keys) {
      const member = (value as Readonly<Record<string, unknown>>)[key]
      // As JSON.stringify leaves it out.
      if (member === undefined) continue
      this.#add(written++ === 0 ? 1 : 2)
      this.#path.push(key)
      this.#text(key)
      this.visit(member, depth + 1)
      this.#path.pop()
    }
  }

  #text(text: string): void {
    if (text.length + 2 > this.#bounds.maxBytes - this.bytes) this.#overweight()
    this.#add(2 + (ESCAPED.test(text) ? escapedBytes(text) : Buffer.byteLength(text)))
  }

  #count(properties: number): void {
    this.#properties += properties
    const { maxProperties } = this.#bounds
    if (this.#properties > maxProperties) this.#stop("properties", `more than ${maxProperties} properties`)
  }

  #add(bytes: number): void {
    this.bytes += bytes
    if (this.bytes > this.#bounds.maxBytes) this.#overweight()
  }

  #overweight(): never {
    return this.#stop("bytes", `larger than ${this.#bounds.maxBytes} bytes`)
  }

  #stop(kind: JsonFault["kind"], reason: string): never {
    this.fault = this.describe(kind, reason)
    throw new RangeError(reason)
  }
}

/** What JSON writes as more than its UTF-8 bytes. */
const ESCAPED = /["\\\p{Cc}\ud800-\udfff]/u

const SHORT_ESCAPES = new Set(['"', "\\", "\b", "\f", "\n", "\r", "\t"])

const escapedBytes = (text: string): number => {
  let bytes = 0
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0
    if (SHORT_ESCAPES.has(char)) bytes += 2
    else if (code < 0x20 || (code >= 0xd800 && code <= 0xdfff)) bytes += 6
    else bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
  }
  return bytes
}
