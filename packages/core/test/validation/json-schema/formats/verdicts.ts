/** The one claim that most tests of formats make. */
import { expect } from "vitest"

/** Fails with the texts that get the wrong verdict, not with the first of them only. */
export const expectVerdicts = <A>(
  test: (value: A) => boolean,
  { valid, invalid }: { readonly valid: ReadonlyArray<A>; readonly invalid: ReadonlyArray<A> }
): void => {
  expect({ refused: valid.filter((value) => !test(value)), accepted: invalid.filter(test) }).toEqual({
    refused: [],
    accepted: []
  })
}
