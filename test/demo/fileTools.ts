/** The tools of the demo: list, read and count within one folder; one more that the agent may never run. */
import { watch } from "node:fs"
import { readdir, readFile, realpath } from "node:fs/promises"
import * as Path from "node:path"
import type { ToolArgumentValidator, ToolDefinition, ToolExecutionContext } from "@arnilo/prism"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaParser from "effect/SchemaParser"

const formatIssue = SchemaIssue.makeFormatterStandardSchemaV1()

const schemas = {
  list_files: Schema.Struct({ folder: Schema.optionalKey(Schema.String) }),
  read_file: Schema.Struct({
    path: Schema.String,
    maxLines: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 5000 })))
  }),
  count_words: Schema.Struct({ path: Schema.String, follow: Schema.optionalKey(Schema.Boolean) }),
  delete_file: Schema.Struct({ path: Schema.String })
}
type ToolName = keyof typeof schemas

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

const parametersOf = (name: ToolName) => {
  const { schema } = Schema.toJsonSchemaDocument(schemas[name], { onExcessProperty: "error" })
  return schema as NonNullable<ToolDefinition["parameters"]>
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
  const tool = <Name extends ToolName>(
    name: Name,
    description: string,
    run: (args: (typeof schemas)[Name]["Type"], context: ToolExecutionContext) => Promise<unknown>,
    options: Partial<ToolDefinition> = {}
  ): ToolDefinition => ({
    name,
    description,
    parameters: parametersOf(name),
    execute: (args, context) =>
      gauge.during(async () => ({
        toolCallId: context.toolCallId,
        name,
        // The arguments have passed the validator of this very schema.
        value: await run(args as (typeof schemas)[Name]["Type"], context)
      })),
    ...options
  })
  return [
    tool("list_files", "Names of all files below the folder.", async ({ folder = "." }) => {
      const base = await containedPath(root, folder)
      const entries = await readdir(base, { recursive: true, withFileTypes: true })
      const files = entries.filter((entry) => entry.isFile())
      return files.map((entry) => Path.relative(root, Path.join(entry.parentPath, entry.name))).toSorted()
    }),
    tool("read_file", "The first lines of a file.", async ({ maxLines = 40, path }) =>
      (await readFile(await containedPath(root, path), "utf8")).split("\n").slice(0, maxLines).join("\n")
    ),
    tool(
      "count_words",
      "How many words a file has; with follow, once it has changed.",
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
    tool("delete_file", "Removes a file.", async ({ path }) => {
      throw new Error(`${path} must never have come this far`)
    })
  ]
}

/** Checks arguments with the Effect Schemas that the tools' JSON Schemas were made from. */
export const createSchemaValidator = (tools: ReadonlyArray<ToolDefinition>): ToolArgumentValidator => {
  const known = new Map(
    tools.map(({ name, parameters }) => [
      parameters,
      SchemaParser.decodeUnknownExit(schemas[name as ToolName], { errors: "all", onExcessProperty: "error" })
    ])
  )
  return {
    validate: (schema, value) => {
      const exit = known.get(schema)?.(value)
      if (exit === undefined) return { ok: false, errors: [{ message: "unknown schema" }] }
      if (Exit.isSuccess(exit)) return { ok: true }
      const failure = exit.cause.reasons.find((reason) => reason._tag === "Fail")
      const issues = failure === undefined ? [] : formatIssue(failure.error).issues
      return { ok: false, errors: issues.map(({ message, path }) => ({ path: path?.map(String).join("."), message })) }
    }
  }
}
