import { execFile } from "node:child_process"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { type Fence, fencesOf, pages, repository } from "./pages.ts"

const fences = pages.flatMap(fencesOf)
const snippets = fences.filter(({ info }) => info === "ts")

/** A snippet whose next fence is `text output` prints what stands there. */
const shown = fences.flatMap((output, at) => {
  const snippet = fences[at - 1]
  return output.info === "text output" && snippet !== undefined ? [{ snippet, output }] : []
})

const where = ({ line, page }: Fence): string => `${page}:${line}`
const fileOf = ({ line, page }: Fence): string => `${page.replaceAll(/\W+/g, "-")}-${line}.ts`

interface Finished {
  readonly code: number | string
  readonly output: string
}

/** Runs this very Node with what the repository's own scripts would see. */
const node = (args: ReadonlyArray<string>, input = ""): Promise<Finished> =>
  new Promise((resolve) => {
    const child = execFile(process.execPath, args, { cwd: repository }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: stdout + stderr })
    )
    child.stdin?.end(input)
  })

/** What the compiler says of every snippet, each a module of its own, under the page and line it stands on. */
const compile = async (): Promise<ReadonlyArray<string>> => {
  // Inside the repository, so that packages resolve as they do for its own files.
  const folder = join(repository, "node_modules", ".cache", `docs-snippets-${process.pid}`)
  mkdirSync(folder, { recursive: true })
  try {
    // Without it the folder would count as one of CommonJS.
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
    for (const snippet of snippets) writeFileSync(join(folder, fileOf(snippet)), snippet.text)
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(projectOf(snippets.map(fileOf))))
    const tsc = join(repository, "node_modules", "typescript", "bin", "tsc")
    const { code, output } = await node([tsc, "-p", folder, "--pretty", "false"])
    const problems = output.split("\n").filter((line) => line !== "")
    if (code !== 0 && problems.length === 0) return [`tsc ended with ${code}`]
    return problems.map(onPage)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const projectOf = (files: ReadonlyArray<string>) => ({
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
  files
})

const onPage = (problem: string): string =>
  snippets.reduce(
    (told, snippet) =>
      told.replace(
        new RegExp(`^\\S*${fileOf(snippet)}\\((\\d+),\\d+\\)`),
        (_, line: string) => `${snippet.page}:${snippet.line + Number(line) - 1}`
      ),
    problem
  )

const trimmed = (text: string): string => text.replaceAll(/[ \t]+$/gm, "").trim()

describe("snippets", () => {
  it("type-check, each as a module of its own", { timeout: 60_000 }, async () => {
    assert.deepStrictEqual(await compile(), [])
  })

  it("are there to be checked, on every page that shows how something is done", () => {
    const withSnippets = new Set(snippets.map(({ page }) => page))
    const without = pages.map(({ name }) => name).filter((name) => !withSnippets.has(name))
    assert.deepStrictEqual(
      without.filter((name) => !WITHOUT.includes(name)),
      []
    )
  })

  it("stand before every output that is shown", () => {
    const alone = shown.filter(({ snippet, output }) => snippet.info !== "ts" || snippet.page !== output.page)
    assert.deepStrictEqual(
      alone.map(({ output }) => where(output)),
      []
    )
    assert.include(
      shown.map(({ output }) => output.page),
      "README.md"
    )
  })
})

/** Pages that state facts and have nothing to run. */
const WITHOUT = ["docs/architecture.md", "docs/dependencies.md", "docs/limits.md", "docs/performance.md"]

describe("printed output", () => {
  for (const { snippet, output } of shown) {
    it(`of ${where(snippet)} is what the page shows`, { timeout: 30_000 }, async () => {
      const args = ["--input-type=module-typescript", "--conditions=@arnilo/source"]
      const finished = await node(args, snippet.text)
      assert.strictEqual(trimmed(finished.output), trimmed(output.text))
      assert.strictEqual(finished.code, 0)
    })
  }
})
