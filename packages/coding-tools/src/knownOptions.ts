/** Options are refused by names that nobody knows: a misspelt `executionPolicy` would be none. */

/** Throws a `TypeError` that names the option and those that there are. `known` has every option of the type. */
export const refuseUnknownOptions = <Options extends object>(
  where: string,
  options: Options,
  known: { readonly [Name in keyof Required<Options>]: true }
): void => {
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(known, name)) continue
    throw new TypeError(`${where} has no option "${name}"; there are ${Object.keys(known).join(", ")}`)
  }
}
