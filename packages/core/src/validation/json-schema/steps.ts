/** How much work one validation may still do. Validation is synchronous, so that one count serves all. */

/** Thrown, never answered with `false`: under `not` a refusal would turn into consent. */
export const stepsExhausted = new Error("validation takes too many steps")

/** One step is some ten nanoseconds of work. */
export const steps = { left: 0 }

/** What it costs to go through a list of that length: three steps for four items. */
export const listCost = (length: number): number => length - (length >> 2)

/** Takes `count` steps off what is left, or throws `stepsExhausted`. */
export const charge = (count: number): void => {
  if ((steps.left -= count) < 0) throw stepsExhausted
}
