/** Text with named holes. */

export interface PromptTemplateOptions {
  /** What becomes of a name that has no value: an error, or the text as it stands. */
  readonly missing?: "throw" | "preserve" | undefined
}

const HOLE = /\{\{([A-Za-z0-9_]+)\}\}/g

/** JSON with the keys of every object in order, so that equal values give equal text. */
const sortedJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(",")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${sortedJson(field)}`).join(",")}}`
}

/** `undefined` for what has no text: an absent value, or one that JSON leaves out. */
const textOf = (value: unknown): string | undefined => {
  if (typeof value === "string") return value
  const json: string | undefined = JSON.stringify(value)
  return json === undefined ? undefined : sortedJson(JSON.parse(json))
}

/**
 * Fills `{{name}}` (letters, digits, `_`) with the variable of that name: text as it is, anything else as JSON with sorted
 * keys. What is filled in is not searched again. Throws `Missing prompt template variable: <name>`, or leaves the hole with
 * `missing: "preserve"`; inherited properties are no variables.
 */
export const renderPromptTemplate = (
  template: string,
  variables: { readonly [name: string]: unknown },
  { missing = "throw" }: PromptTemplateOptions = {}
): string =>
  template.replace(HOLE, (hole: string, name: string) => {
    const text = Object.hasOwn(variables, name) ? textOf(variables[name]) : undefined
    if (text !== undefined) return text
    if (missing === "preserve") return hole
    throw new Error(`Missing prompt template variable: ${name}`)
  })
