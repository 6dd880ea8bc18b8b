/** Puts work off until it is needed: importing the formats must not build the tables that few schemas use. */

/** A function that makes its value at the first call and hands the same one out ever after. */
export const once = <A extends object>(make: () => A): (() => A) => {
  let made: A | undefined
  return () => (made ??= make())
}
