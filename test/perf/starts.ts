/** Works that start processes. `bare` stands for what Prism is compared with. */
import { spawn } from "node:child_process"
import { join } from "node:path"
import type { SubjectName } from "./Subject.ts"

const root = join(import.meta.dirname, "..", "..")

/** Starts Node and waits for its end, or for its first output where it must have some. In milliseconds. */
const startNode = (args: ReadonlyArray<string>, output?: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const start = performance.now()
    const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "inherit"] })
    let firstOutput: number | undefined
    let printed = ""
    child.stdout.on("data", (data: Buffer) => {
      firstOutput ??= performance.now()
      printed += data.toString()
    })
    let ended = 0
    child.once("exit", () => {
      ended = performance.now()
    })
    child.once("error", reject)
    child.once("close", (code) => {
      if (code !== 0) reject(new Error(`node ${args.join(" ")} ended with ${String(code)}`))
      else if (output !== undefined && printed.trim() !== output)
        reject(new Error(`printed ${printed} instead of ${output}`))
      else resolve((output === undefined ? ended : (firstOutput ?? ended)) - start)
    })
  })

const importing = (...modules: ReadonlyArray<string>) => [
  "--input-type=module",
  "--eval",
  modules.map((module) => `await import("${module}")`).join("\n")
]
const prismCommand = ["packages/prism/bin/prism.js", "--provider", "mock", "-p", "Hi"]

export const starts = {
  importLibrary: (name: SubjectName) => startNode(importing(name === "bare" ? "effect/Effect" : "@arnilo/prism")),
  importValidator: (name: SubjectName) =>
    startNode(
      importing("@arnilo/prism-core", ...(name === "bare" ? [] : ["@arnilo/prism-core/validation/json-schema"]))
    ),
  firstOutput: (name: SubjectName) =>
    startNode(name === "bare" ? ["--eval", 'process.stdout.write("Hello")'] : prismCommand, "Hello")
} satisfies Record<string, (name: SubjectName) => Promise<number>>

export type StartName = keyof typeof starts
