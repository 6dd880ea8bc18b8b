/** A deterministic source of choices: the same seed gives the same schemas and values on every platform. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = (seed ^ 0x9e37_79b9) >>> 0
  }

  /** A fraction in [0, 1) (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b_79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  /** An integer in [0, bound). */
  below(bound: number): number {
    return Math.floor(this.next() * bound)
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<Item>(items: ReadonlyArray<Item>): Item {
    const item = items[this.below(items.length)]
    if (item === undefined) throw new RangeError("nothing to pick from")
    return item
  }

  /** About `probability` of the items, in their order. */
  some<Item>(items: ReadonlyArray<Item>, probability: number): ReadonlyArray<Item> {
    return items.filter(() => this.chance(probability))
  }
}
