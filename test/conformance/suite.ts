/** Reads a folder of the official JSON Schema tests (github.com/json-schema-org/JSON-Schema-Test-Suite). */
import { readdir, readFile } from "node:fs/promises"
import { join, relative, sep } from "node:path"

export interface SuiteGroup {
  /** File below the draft's folder, such as `optional/format/date.json`. */
  readonly file: string
  readonly draft: string
  readonly description: string
  /** With the `$schema` that the draft's folder implies. */
  readonly schema: unknown
  readonly tests: ReadonlyArray<{ readonly description: string; readonly data: unknown; readonly valid: boolean }>
}

const dialects: Readonly<Record<string, string>> = {
  draft4: "http://json-schema.org/draft-04/schema#",
  draft6: "http://json-schema.org/draft-06/schema#",
  draft7: "http://json-schema.org/draft-07/schema#",
  "draft2019-09": "https://json-schema.org/draft/2019-09/schema",
  "draft2020-12": "https://json-schema.org/draft/2020-12/schema"
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** All groups of all drafts that the folder has. Fails where it has none. */
export const readSuite = async (folder: string): Promise<ReadonlyArray<SuiteGroup>> => {
  const groups: Array<SuiteGroup> = []
  for (const [draft, dialect] of Object.entries(dialects)) {
    const root = join(folder, "tests", draft)
    const files = await readdir(root, { recursive: true }).catch(() => [])
    for (const name of files.filter((file) => file.endsWith(".json")).toSorted()) {
      const text = await readFile(join(root, name), "utf8")
      for (const { description, schema, tests } of JSON.parse(text) as ReadonlyArray<SuiteGroup>) {
        const declared = isObject(schema) && !("$schema" in schema) ? withMember(schema, "$schema", dialect) : schema
        groups.push({
          file: relative(root, join(root, name)).replaceAll(sep, "/"),
          draft,
          description,
          schema: declared,
          tests
        })
      }
    }
  }
  if (groups.length === 0) throw new Error(`no tests of JSON Schema below ${join(folder, "tests")}`)
  return groups
}

/** Keeps an own `__proto__`, which a spread would keep as well and an assignment would not. */
const withMember = (schema: Readonly<Record<string, unknown>>, key: string, value: unknown): unknown => ({
  [key]: value,
  ...schema
})

/** Whether a schema refers to anything outside itself, found without the code under test. */
export const isNonLocal = ({ schema }: SuiteGroup): boolean => {
  if (!isObject(schema)) return false
  const { $schema } = schema
  const isKnown = typeof $schema !== "string" || Object.values(dialects).includes($schema)
  return !isKnown || refersOutside(schema)
}

const references = new Set(["$ref", "$dynamicRef", "$recursiveRef"])
/** Below these there is data. */
const data = new Set(["enum", "const", "default", "examples"])

const refersOutside = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.some(refersOutside)
  if (!isObject(value)) return false
  return Object.entries(value).some(([key, member]) => {
    if (references.has(key) && typeof member === "string") return !member.startsWith("#")
    return !data.has(key) && refersOutside(member)
  })
}

const PROTOTYPE_NAMES = /"(__proto__|constructor|toString|hasOwnProperty|valueOf|prototype)"/

/** Whether a group is about names that every object inherits. */
export const usesPrototypeNames = ({ schema, tests }: SuiteGroup): boolean =>
  PROTOTYPE_NAMES.test(JSON.stringify([schema, tests]))
