/** What in-place schemas have answered for at one instance location; kept only where an `unevaluated…` keyword asks. */
import { charge } from "./steps.ts"

/** What in-place schemas have answered for at one instance location; kept only where an `unevaluated…` keyword asks. */
export class Evaluated {
  isWholeObject = false
  isWholeArray = false
  /** Items below this index. */
  prefix = 0
  readonly properties = new Set<string>()
  readonly items = new Set<number>()

  merge(other: Evaluated): void {
    charge(4 * (1 + other.properties.size + other.items.size))
    this.isWholeObject ||= other.isWholeObject
    this.isWholeArray ||= other.isWholeArray
    this.prefix = Math.max(this.prefix, other.prefix)
    for (const name of other.properties) this.properties.add(name)
    for (const index of other.items) this.items.add(index)
  }

  hasProperty(name: string): boolean {
    return this.isWholeObject || this.properties.has(name)
  }

  hasItem(index: number): boolean {
    return this.isWholeArray || index < this.prefix || this.items.has(index)
  }
}
