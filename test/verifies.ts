/** Which behaviours have a test: a test proves the ids that its name begins with, as in `it("T4, T5: a denied name …"`. */
import { readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { repository, sourcesOf } from "./package/imports.ts"

const NAMED = /\bit(?:\.(?:effect|live|prop|effect\.prop))?\(\s*["'`]((?:[A-Z]\w*(?:\.\d+)?(?:, |: ))+)/g

/** Id → the test file that names it. */
export const provenIds = (): ReadonlyMap<string, string> => {
  const proven = new Map<string, string>()
  const folders = [...["core", "prism", "coding-tools", "mcp"].map((name) => `packages/${name}/test`), "test"]
  for (const folder of folders) {
    for (const file of sourcesOf(join(repository, folder)).filter((name) => name.endsWith(".test.ts"))) {
      for (const [, names = ""] of readFileSync(file, "utf8").matchAll(NAMED)) {
        for (const id of names.slice(0, -2).split(", ")) proven.set(id, relative(repository, file))
      }
    }
  }
  return proven
}
