/** The usage of a run: the sum over every provider attempt that reported any. */
import type { Usage } from "../schema/Usage.ts"

const SUMMED = ["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens"] as const
type Sums = { -readonly [Field in keyof Usage]: Usage[Field] }

const isAmount = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value)

export class UsageTotal {
  #sums: Sums | undefined
  #mixedCurrencies = false

  /** Absent numbers add nothing, and what is no finite number is not believed. */
  add(usage: Usage): void {
    const sums = (this.#sums ??= {})
    for (const field of SUMMED) {
      const amount = usage[field]
      if (isAmount(amount)) sums[field] = (sums[field] ?? 0) + amount
    }
    const total = totalOf(usage)
    if (total !== undefined) sums.totalTokens = (sums.totalTokens ?? 0) + total
    this.#addCost(sums, usage)
  }

  /** Absent when no attempt reported usage. `cost` is there only while every reported currency is the same. */
  get(): Usage | undefined {
    return this.#sums === undefined ? undefined : { ...this.#sums }
  }

  #addCost(sums: Sums, usage: Usage): void {
    if (this.#mixedCurrencies || !isAmount(usage.cost)) return
    if (sums.cost !== undefined && sums.currency !== usage.currency) {
      this.#mixedCurrencies = true
      delete sums.cost
      delete sums.currency
      return
    }
    sums.cost = (sums.cost ?? 0) + usage.cost
    if (usage.currency !== undefined) sums.currency = usage.currency
  }
}

const totalOf = ({ inputTokens, outputTokens, totalTokens }: Usage): number | undefined => {
  if (isAmount(totalTokens)) return totalTokens
  if (!isAmount(inputTokens) && !isAmount(outputTokens)) return undefined
  return (isAmount(inputTokens) ? inputTokens : 0) + (isAmount(outputTokens) ? outputTokens : 0)
}
