/** An upper bound of work as a polynomial of the subject's length: the coefficient of each power, the constant first. */
export type Cost = ReadonlyArray<number>

/** Adds `times` times `cost`, each power raised by `power`, to `total`. */
export const addCost = (total: Array<number>, cost: Cost, times: number, power: number): void => {
  for (let d = 0; d < cost.length; d++) {
    const c = cost[d] ?? 0
    if (c > 0) {
      while (total.length <= d + power) total.push(0)
      total[d + power] = (total[d + power] ?? 0) + c * times
    }
  }
}

export const costAt = (cost: Cost, n: number): number => {
  let sum = 0
  for (let d = cost.length - 1; d >= 0; d--) sum = sum * n + (cost[d] ?? 0)
  return sum
}

/** The greatest power. */
export const degreeOf = (cost: Cost): number => Math.max(0, cost.length - 1)

/** No bound is known; it stands for exponential too. */
export const unbounded: Cost = [Infinity]
