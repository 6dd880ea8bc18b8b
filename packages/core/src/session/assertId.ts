/** Throws `TypeError` for an id that is given and is no text. */
export const assertId = (field: string, value: string | undefined): void => {
  if (value !== undefined && (typeof value !== "string" || value === "")) {
    throw new TypeError(`${field} must be a string that is not empty`)
  }
}
