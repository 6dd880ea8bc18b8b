import { execFile } from "node:child_process"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type Fence, fencesOf, pages, repository } from "./pages.ts"
import type { Ran } from "./runSnippets.ts"

const fences = pages.flatMap(fencesOf)
const snippets = fences.filter(({ info }) => info === "ts")

/** A snippet whose next fence is `text output` prints what stands there. */
const shown = fences.flatMap((output, at) =>
  output.info === "text output" ? [{ snippet: fences[at - 1] ?? output, output }] : []
)

/** Inside the repository, so that packages resolve as they do for its own files. */
const folder = join(repository, "node_modules", ".cache", `docs-snippets-${process.pid}`)

const where = ({ line, page }: Fence): string => `${page}:${line}`
const fileOf = ({ line, page }: Fence): string => `${page.replaceAll(/\W+/g, "-")}-${line}.ts`
const trimmed = (text: string): string => text.replaceAll(/[ \t]+$/gm, "").trim()

interface Finished {
  readonly code: number | string
  readonly output: string
}

/** Runs the Node that runs this test, with nothing of the environment but what a shell has. */
const node = (args: ReadonlyArray<string>, input = ""): Promise<Finished> =>
  new Promise((resolve) => {
    const options = { cwd: repository, env: { PATH: process.env["PATH"] }, timeout: 50_000 }
    const child = execFile(process.execPath, args, options, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: stdout + stderr })
    )
    child.stdin?.end(input)
  })

const project = {
  extends: "../../../tsconfig.json",
  compilerOptions: {
    noEmit: true,
    composite: false,
    incremental: false,
    declarationMap: false,
    rewriteRelativeImportExtensions: false,
    allowImportingTsExtensions: true,
    customConditions: ["@arnilo/source"],
    lib: ["ES2023", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
    types: ["node"]
  },
  files: snippets.map(fileOf)
}

beforeAll(() => {
  mkdirSync(folder, { recursive: true })
  // Without it the folder would count as one of CommonJS.
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(project))
  for (const snippet of snippets) writeFileSync(join(folder, fileOf(snippet)), snippet.text)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A problem of the compiler under the page and line it stands on. */
const onPage = (problem: string): string =>
  problem.replace(/^\S*?([^\s/]+\.ts)\((\d+),\d+\)/, (told: string, file: string, line: string) => {
    const snippet = snippets.find((one) => fileOf(one) === file)
    return snippet === undefined ? told : `${snippet.page}:${snippet.line + Number(line) - 1}`
  })

const compile = async (): Promise<ReadonlyArray<string>> => {
  const tsc = join(repository, "node_modules", "typescript", "bin", "tsc")
  const { code, output } = await node([tsc, "-p", folder, "--pretty", "false"])
  const problems = output.split("\n").filter((line) => line !== "")
  return code !== 0 && problems.length === 0 ? [`tsc ended with ${code}`] : problems.map(onPage)
}

/** What the snippets printed, by file. One that never ends leaves nothing behind, neither do those after it. */
const runAll = async (files: ReadonlyArray<string>): Promise<ReadonlyMap<string, Ran>> => {
  const runner = join(import.meta.dirname, "runSnippets.ts")
  const flags = ["--conditions=@arnilo/source", "--disable-warning=ExperimentalWarning"]
  const { output } = await node([...flags, runner, folder, ...files])
  const lines = output.split("\n").filter((line) => line.startsWith("{"))
  return new Map(lines.map((line): [string, Ran] => [JSON.parse(line).file, JSON.parse(line)]))
}

/** Pages that state facts and have nothing to run. */
const WITHOUT = new Set(["docs/architecture.md", "docs/dependencies.md", "docs/limits.md", "docs/performance.md"])

describe("snippets", () => {
  it("type-check, each as a module of its own", { timeout: 60_000 }, async () => {
    assert.deepStrictEqual(await compile(), [])
  })

  it("print what the page shows below them", { timeout: 60_000 }, async () => {
    const ran = await runAll(shown.map(({ snippet }) => fileOf(snippet)))
    const printed = shown.map(({ snippet }) => {
      const { error, output } = ran.get(fileOf(snippet)) ?? { output: "", error: "it did not end" }
      return [where(snippet), error === undefined ? trimmed(output) : `${trimmed(output)}\n${error}`]
    })
    assert.deepStrictEqual(
      printed,
      shown.map(({ output, snippet }) => [where(snippet), trimmed(output.text)])
    )
  })

  it("run as a program of their own: the example of the README", { timeout: 60_000 }, async () => {
    const example = shown.find(({ output }) => output.page === "README.md")
    const flags = ["--conditions=@arnilo/source", "--input-type=module-typescript"]
    const { code, output } = await node(flags, example?.snippet.text)
    assert.deepStrictEqual([code, trimmed(output)], [0, trimmed(example?.output.text ?? "none")])
  })

  it("stand directly before every output that is shown", () => {
    const alone = shown.filter(({ snippet, output }) => snippet.info !== "ts" || snippet.page !== output.page)
    assert.deepStrictEqual(
      alone.map(({ output }) => where(output)),
      []
    )
  })

  it("are on every page that shows how something is done", () => {
    const having = new Set(snippets.map(({ page }) => page))
    assert.deepStrictEqual(
      pages.map(({ name }) => name).filter((name) => !having.has(name) && !WITHOUT.has(name)),
      []
    )
  })
})
