/** File names that look like what the model wrote, and are not. */
import { stat } from "node:fs/promises"

/**
 * The path if there is such a file, else the first that exists of: a narrow no-break space before AM or PM, decomposed
 * letters, a curly apostrophe, both of these. The path itself where none exists.
 */
export const existingSpelling = async (path: string): Promise<string> => {
  const decomposed = path.normalize("NFD")
  const spellings = [
    path,
    path.replaceAll(/ (AM|PM)\./g, "\u202F$1."),
    decomposed,
    path.replaceAll("'", "\u2019"),
    decomposed.replaceAll("'", "\u2019")
  ]
  for (const spelling of new Set(spellings)) {
    // oxlint-disable-next-line no-await-in-loop -- the first that exists ends the search
    if (await exists(spelling)) return spelling
  }
  return path
}

/** Whatever is there but cannot be looked at counts: opening it will say why. */
const exists = async (path: string): Promise<boolean> => {
  try {
    await stat(path)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ENOENT"
  }
}
