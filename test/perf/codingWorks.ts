/* oxlint-disable no-await-in-loop -- one after the other is the point: what runs at once disturbs each other */
/** Works of the coding tools, in a temporary directory. `bare` stands for the least code that does the same. */
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { open, readFile, rename, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { JsonObject, ToolDefinition, ToolResult } from "@arnilo/prism-core"
import { createEditTool, createReadTool, createShellTool } from "@arnilo/prism-coding-tools/agent"
import type { SubjectName } from "./Subject.ts"
import { type Measure, type Pace, timed } from "./works.ts"

const SHELL = "/bin/bash"
const MIB = 1024 * 1024

/** Removed when this process ends. */
const scratch = (): string => {
  const directory = mkdtempSync(join(tmpdir(), "prism-bench-"))
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }))
  return directory
}

const expect = (what: string, actual: unknown, expected: unknown): void => {
  if (actual !== expected) throw new Error(`${what}: expected ${String(expected)}, got ${String(actual)}`)
}

const call = async (tool: ToolDefinition, args: JsonObject): Promise<ToolResult> => {
  const context = { sessionId: "bench", runId: "bench", toolCallId: "bench" }
  const result = (await tool.execute(args, context)) as ToolResult
  if (result.error !== undefined) throw new Error(result.error.message)
  return result
}

const textOf = (result: ToolResult): string => {
  const [block] = result.content ?? []
  return block?.type === "text" ? block.text : ""
}

/** Takes the output piece by piece and waits for the end. */
const output = (program: string, args: ReadonlyArray<string>, take: (chunk: Buffer) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] })
    child.stdout.on("data", take)
    child.stderr.on("data", take)
    child.once("error", reject)
    child.once("close", (code) => (code === 0 ? resolve() : reject(new Error(`${program} ended with ${String(code)}`))))
  })

const LINES = 1_000_000
const PAGE = 200
const PAGE_AT = 900_000
const lineOf = (index: number): string =>
  `${String(index).padStart(8, "0")} ${"some text of a line ".repeat(5)}`.slice(0, 99)

/** 100 MB in lines of 99 characters. */
const writeLines = async (path: string): Promise<void> => {
  const file = await open(path, "w")
  const step = 10_000
  for (let line = 1; line <= LINES; line += step) {
    await file.write(`${Array.from({ length: step }, (_, index) => lineOf(line + index)).join("\n")}\n`)
  }
  await file.close()
}

/** A page far down a large file: the first that is read of it, or the one after it. */
const readPage =
  (which: "first" | "next") =>
  async (subject: SubjectName, _size: number, pace: Pace): Promise<Measure> => {
    const path = join(scratch(), "lines.txt")
    await writeLines(path)
    const from = which === "first" ? PAGE_AT : PAGE_AT + PAGE
    const tool = createReadTool(tmpdir(), { maxScanBytes: 128 * MIB })
    const sed = async (): Promise<string> => {
      const chunks: Array<Buffer> = []
      const to = from + PAGE - 1
      await output("sed", ["-n", `${from},${to}p;${to}q`, path], (chunk) => chunks.push(chunk))
      return Buffer.concat(chunks).toString()
    }
    const page = async (offset: number): Promise<string> => textOf(await call(tool, { path, offset, limit: PAGE }))
    let serial = 0
    const read = async (): Promise<string> => {
      if (subject === "bare") return sed()
      if (which === "first") await utimes(path, serial, (serial += 1)) // a changed file: nothing is known of it
      return page(from)
    }
    if (which === "next") await page(PAGE_AT)
    expect("first line", (await read()).split("\n")[0], lineOf(from))
    return timed(read, pace)
  }

/** The shortest command there is. */
const shellTrue = async (subject: SubjectName, _size: number, pace: Pace): Promise<Measure> => {
  const tool = createShellTool(tmpdir(), { shellPath: SHELL })
  return timed(
    subject === "bare" ? () => output(SHELL, ["-c", "true"], () => undefined) : () => call(tool, { command: "true" }),
    pace
  )
}

/** 8 MB of text in which every word of `marks` occurs once. */
const largeText = (marks: ReadonlyArray<string>): string => {
  const lines = Array.from({ length: 80_000 }, (_, index) => lineOf(index))
  const every = Math.floor(lines.length / marks.length)
  for (const [index, mark] of marks.entries()) lines[index * every + (every >> 1)] = mark
  return `${lines.join("\n")}\n`
}

const marksOf = (count: number, sign: string): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => `mark ${index} ${sign}.`)

/** Replaces marks in place, and the next time back. */
const alternately = (
  count: number,
  replace: (from: ReadonlyArray<string>, to: ReadonlyArray<string>) => Promise<unknown>
) => {
  let [from, to] = [marksOf(count, "a"), marksOf(count, "b")]
  return async () => {
    await replace(from, to)
    ;[from, to] = [to, from]
  }
}

/** The bare form of one replacement: read, splice, write, rename. */
const spliceFile = async (path: string, from: string, to: string): Promise<void> => {
  const text = await readFile(path, "utf8")
  const at = text.indexOf(from)
  if (at < 0) throw new Error(`no ${from}`)
  const temporary = `${path}.tmp`
  await writeFile(temporary, text.slice(0, at) + to + text.slice(at + from.length))
  await rename(temporary, path)
}

const editFile = (path: string, count: number) => {
  const tool = createEditTool(tmpdir())
  return alternately(count, (from, to) =>
    call(tool, { path, edits: from.map((oldText, index) => ({ oldText, newText: to[index] ?? "" })) })
  )
}

/** One replacement in 8 MB. */
const editOnce = async (subject: SubjectName, _size: number, pace: Pace): Promise<Measure> => {
  const path = join(scratch(), "large.txt")
  await writeFile(path, largeText(marksOf(1, "a")))
  const bare = alternately(1, ([from = ""], [to = ""]) => spliceFile(path, from, to))
  return timed(subject === "bare" ? bare : editFile(path, 1), pace)
}

/** A hundred replacements in one call; `bare` is one. */
const editOften = async (subject: SubjectName, count: number, pace: Pace): Promise<Measure> => {
  const edits = subject === "bare" ? 1 : count
  const path = join(scratch(), "large.txt")
  await writeFile(path, largeText(marksOf(edits, "a")))
  return timed(editFile(path, edits), pace)
}

const FLOOD_LINE = "a line of output, some sixty characters long, as programs print"
const KEPT = 50 * 1024

/** A command that prints so many bytes; the whole output goes to a file, its end to the caller. */
const flood = async (subject: SubjectName, bytes: number): Promise<Measure> => {
  const command = `yes "${FLOOD_LINE}" | head -c ${bytes - 4}; echo end`
  const directory = scratch()
  const bare = async (): Promise<string> => {
    const file = await open(join(directory, "flood.txt"), "w")
    const stream = file.createWriteStream()
    let tail = Buffer.alloc(0)
    await output(SHELL, ["-c", command], (chunk) => {
      stream.write(chunk)
      tail = Buffer.concat([tail, chunk]).subarray(-KEPT)
    })
    await new Promise((resolve) => stream.end(resolve))
    return tail.toString()
  }
  const tool = createShellTool(directory, { shellPath: SHELL, maxTotalOutputBytes: 256 * MIB })
  const prism = async (): Promise<string> => {
    const result = await call(tool, { command })
    const path: unknown = result.metadata?.["fullOutputPath"]
    if (typeof path === "string") rmSync(path)
    return textOf(result)
  }
  return async () => {
    const start = performance.now()
    const kept = await (subject === "bare" ? bare() : prism())
    const ms = performance.now() - start
    if (!kept.includes("end\n")) throw new Error("the end of the output is lost")
    return { ms, MiB: process.resourceUsage().maxRSS / 1024 }
  }
}

export const codingWorks = {
  firstPage: readPage("first"),
  nextPage: readPage("next"),
  shellTrue,
  editOnce,
  editOften,
  flood
} satisfies Record<string, (subject: SubjectName, size: number, pace: Pace) => Promise<Measure>>

export type CodingWorkName = keyof typeof codingWorks
