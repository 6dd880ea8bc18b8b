/** The tools of the demo: list, read and count within one folder; one more that the agent may never run. */
import { watch } from "node:fs"
import { readdir, readFile, realpath } from "node:fs/promises"
import * as Path from "node:path"
import type { ToolDefinition, ToolExecutionContext } from "@arnilo/prism"
import * as Tool from "@arnilo/prism-core/tool"
import * as Schema from "effect/Schema"

const folder = Schema.Struct({ folder: Schema.optionalKey(Schema.String) })
const part = Schema.Struct({
  path: Schema.String,
  maxLines: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 5000 })))
})
const counted = Schema.Struct({ path: Schema.String, follow: Schema.optionalKey(Schema.Boolean) })
const onePath = Schema.Struct({ path: Schema.String })

/** How many calls run now, and how many ran at once at most. */
export class Gauge {
  now = 0
  peak = 0
  async during<A>(work: () => Promise<A>): Promise<A> {
    this.now += 1
    this.peak = Math.max(this.peak, this.now)
    try {
      return await work()
    } finally {
      this.now -= 1
    }
  }
}

/** The path as a real one below the root, or a failure: a link does not lead out either. */
const containedPath = async (root: string, path: string): Promise<string> => {
  const base = await realpath(root)
  const target = await realpath(Path.resolve(base, path))
  if (target !== base && !target.startsWith(base + Path.sep)) throw new Error(`${path} is outside the folder`)
  return target
}

/** Waits for the next change of a file: the one thing here that can take for ever. */
const nextChange = (file: string, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const watcher = watch(file, () => {
      watcher.close()
      resolve()
    })
    signal?.addEventListener("abort", () => {
      watcher.close()
      reject(signal.reason)
    })
  })

export const createFileTools = (root: string, gauge: Gauge): ReadonlyArray<ToolDefinition> => {
  const tool = <Arguments>(
    name: string,
    description: string,
    parameters: Tool.DataSchema<Arguments>,
    run: (args: Arguments, context: ToolExecutionContext) => Promise<unknown>,
    options: Pick<ToolDefinition, "timeoutMs"> = {}
  ): ToolDefinition =>
    Tool.define({
      name,
      description,
      parameters,
      execute: (args, context) => gauge.during(() => run(args, context)),
      ...options
    })
  return [
    tool("list_files", "Names of all files below the folder.", folder, async ({ folder: below = "." }) => {
      const base = await containedPath(root, below)
      const entries = await readdir(base, { recursive: true, withFileTypes: true })
      const files = entries.filter((entry) => entry.isFile())
      return files.map((entry) => Path.relative(root, Path.join(entry.parentPath, entry.name))).toSorted()
    }),
    tool("read_file", "The first lines of a file.", part, async ({ maxLines = 40, path }) =>
      (await readFile(await containedPath(root, path), "utf8")).split("\n").slice(0, maxLines).join("\n")
    ),
    tool(
      "count_words",
      "How many words a file has; with follow, once it has changed.",
      counted,
      async ({ follow, path }, { progress, signal }) => {
        const file = await containedPath(root, path)
        if (follow === true) {
          await progress?.({ waitingFor: path })
          await nextChange(file, signal)
        }
        const text = await readFile(file, { encoding: "utf8", signal })
        return { path, words: text.split(/\s+/).filter((word) => word !== "").length }
      },
      { timeoutMs: 1500 }
    ),
    tool("delete_file", "Removes a file.", onePath, async ({ path }) => {
      throw new Error(`${path} must never have come this far`)
    })
  ]
}
