/** Runs modules one after the other in one process: `node runSnippets.ts <folder> <file.ts> …`. A line of JSON for each. */
import { Console } from "node:console"
import { readFileSync, writeFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import { join } from "node:path"
import { Writable } from "node:stream"
import { pathToFileURL } from "node:url"

/** What a module printed, and what it failed with. */
export interface Ran {
  readonly file: string
  readonly output: string
  readonly error?: string
}

const [folder = ".", ...files] = process.argv.slice(2)

const run = async (file: string): Promise<Ran> => {
  const pieces: Array<string> = []
  const printed = new Writable({
    write: (chunk, _, done) => {
      pieces.push(String(chunk))
      done()
    }
  })
  globalThis.console = new Console(printed)
  try {
    // Node strips no types below node_modules, where the folder is so that packages resolve.
    const script = join(folder, file.replace(/\.ts$/, ".js"))
    writeFileSync(script, stripTypeScriptTypes(readFileSync(join(folder, file), "utf8")))
    await import(pathToFileURL(script).href)
    return { file, output: pieces.join("") }
  } catch (error) {
    return { file, output: pieces.join(""), error: String(error) }
  }
}

// One at a time: they share the console.
// oxlint-disable-next-line no-await-in-loop
for (const file of files) process.stdout.write(`${JSON.stringify(await run(file))}\n`)
