/* oxlint-disable no-await-in-loop -- one after the other is the point: what runs at once disturbs each other */
/** `npm run bench`: what Prism costs, beside a bare loop and beside pi, each figure beside its goal. See docs/performance.md. */
import { existsSync } from "node:fs"
import { availableParallelism, loadavg } from "node:os"
import { join } from "node:path"
import { type Bench, benches } from "./benches.ts"
import { evaluate, failuresOf, isFailure, type Result } from "./evaluate.ts"
import { installPi } from "./installPi.ts"
import { type Options, parseOptions, usage } from "./options.ts"
import { measureCase, type Samples } from "./rounds.ts"
import { formatSummary, formatTable } from "./table.ts"

const GATED_MAJOR = "24"
const root = join(import.meta.dirname, "..", "..")

const say = (line: string): void => {
  process.stderr.write(`${line}\n`)
}

/** What keeps the run from starting, or `undefined`. */
const obstacle = (): string | undefined => {
  if (process.versions.node.split(".")[0] !== GATED_MAJOR) {
    return `the goals are for Node ${GATED_MAJOR} and this is ${process.version}: use "npm run bench", which takes the pinned one`
  }
  const built = ["packages/core/dist/index.js", "packages/prism/dist/index.js", "packages/prism/dist/bin.js"]
  const missing = built.find((file) => !existsSync(join(root, file)))
  return missing === undefined ? undefined : `${missing} is missing: run "npm run build"`
}

const findPi = async (): Promise<string | undefined> => {
  try {
    return await installPi()
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message : String(error)).split("\n")
    say(`pi is not installed, so only the goals without it are judged: ${reason}`)
    return undefined
  }
}

const measureBench = async (bench: Bench, options: Options, piEntry: string | undefined) => {
  const rounds = options.rounds ?? (options.quick ? 1 : bench.rounds)
  const pace = options.quick ? { batchMs: 10, warmUpMs: 100 } : { batchMs: 150, warmUpMs: 2000 }
  const samples: Array<Samples> = []
  for (const item of bench.cases) {
    samples.push(await measureCase(item, { rounds, pace, piEntry }))
  }
  for (const failure of failuresOf(bench.id, samples)) say(failure)
  return bench.rows.map((row) => evaluate(bench.id, row, samples))
}

const main = async (options: Options): Promise<ReadonlyArray<Result>> => {
  const start = performance.now()
  const [load = 0] = loadavg()
  const processors = availableParallelism()
  if (load > processors) say(`load ${load.toFixed(1)} on ${processors} processors: the figures will be noisy`)
  const piEntry = await findPi()
  const results: Array<Result> = []
  for (const bench of benches) {
    if (options.only.length > 0 && !options.only.includes(bench.id)) continue
    say(`${bench.id} ${bench.title}`)
    results.push(...(await measureBench(bench, options, piEntry)))
  }
  const machine = `Node ${process.version}, ${processors} processors, load ${load.toFixed(1)} at the start`
  if (options.json) {
    process.stdout.write(
      `${JSON.stringify({ node: process.version, load, quick: options.quick, results }, undefined, 2)}\n`
    )
  } else {
    const seconds = ((performance.now() - start) / 1000).toFixed(0)
    process.stdout.write(`${formatTable(results, piEntry === undefined ? "not installed" : "failed")}\n`)
    process.stdout.write(`${formatSummary(results)}; ${machine}, ${seconds} s\n`)
    if (options.quick) process.stdout.write("quick: no figure counts, only what failed\n")
  }
  return results
}

const start = async (): Promise<number> => {
  const blocked = obstacle()
  if (blocked !== undefined) {
    say(`bench: ${blocked}`)
    return 2
  }
  let options: Options
  try {
    options = parseOptions(
      process.argv.slice(2),
      benches.map(({ id }) => id)
    )
  } catch (error) {
    say(`bench: ${error instanceof Error ? error.message : String(error)}\n${usage}`)
    return 2
  }
  const results = await main(options)
  return results.some(options.quick ? ({ verdict }) => verdict === "FAILED" : isFailure) ? 1 : 0
}

process.exitCode = await start()
