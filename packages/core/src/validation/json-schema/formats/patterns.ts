/** `regex`. */

/** Engines take more than linear time for some longer ones; nobody writes them. */
const MAX_LENGTH = 10_000

/** An escape: a Unicode property with its name, or any other character. */
const escaped = /\\(?:[pP]\{([\w=]+)\}|[^])/g

/** Names of Unicode properties that the engine knows; there are finitely many. */
const known = new Set<string>()

/**
 * A regular expression of ECMAScript with the flag `u`, at most 10,000 characters long. It is compiled, never run. Each Unicode
 * property is compiled once: it costs some 0.1 ms, so that a text full of them would take seconds.
 */
export const isRegex = (text: string): boolean => {
  if (text.length > MAX_LENGTH) return false
  let areKnown = true
  const plain = text.replace(escaped, (whole, name: string | undefined) => {
    if (name === undefined) return whole
    areKnown &&= isProperty(name)
    // May stand where a property may, in a class or outside.
    return "\\d"
  })
  return areKnown && compiles(plain)
}

const isProperty = (name: string): boolean => {
  if (known.has(name)) return true
  const isKnown = compiles(`\\p{${name}}`)
  if (isKnown) known.add(name)
  return isKnown
}

const compiles = (source: string): boolean => {
  try {
    return new RegExp(source, "u").unicode
  } catch {
    return false
  }
}
