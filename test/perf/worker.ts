/** One process per subject and case, so that none pays for another's heap, optimised code or hooks. Started by rounds.ts. */
import type { CodingWorkName } from "./codingWorks.ts"
import type { McpWorkName } from "./mcpWorks.ts"
import type { Answer, Ask, SetUp } from "./rounds.ts"
import type { Subject, SubjectName } from "./Subject.ts"
import { type StartName, starts } from "./starts.ts"
import { type Measure, type WorkName, works } from "./works.ts"

const load = async (name: SubjectName, piEntry: string | undefined): Promise<Subject> => {
  if (name === "bare") return (await import("./subjects/bare.ts")).bare
  if (name === "prism") return (await import("./subjects/prism.ts")).prism
  if (piEntry === undefined) throw new Error("not installed")
  return (await import("./subjects/pi.ts")).loadPi(piEntry)
}

const isStart = (work: SetUp["work"]): work is StartName => work in starts
const isPlain = (work: SetUp["work"]): work is WorkName => work in works
/** By name, so that no other work loads the coding tools. */
const codingNames: Readonly<Record<CodingWorkName, true>> = {
  firstPage: true,
  nextPage: true,
  shellTrue: true,
  editOnce: true,
  editOften: true,
  flood: true
}
const isCoding = (work: SetUp["work"]): work is CodingWorkName => work in codingNames

const isMcp = (work: SetUp["work"]): work is McpWorkName => work === "mcpCalls"

const setUp = async ({ pace, piEntry, size, subject, work }: SetUp): Promise<Measure> => {
  if (isPlain(work)) return works[work](await load(subject, piEntry), size, pace)
  if (isCoding(work)) return (await import("./codingWorks.ts")).codingWorks[work](subject, size, pace)
  if (isMcp(work)) return (await import("./mcpWorks.ts")).mcpWorks[work](subject, size, pace)
  if (!isStart(work)) return (await import("./validations.ts")).validations[work](subject, pace)
  const start = starts[work]
  await start(subject) // from here on the file cache is warm, and a compile cache where one is used
  return async () => ({ ms: await start(subject) })
}

let measure: Measure | undefined

const reply = async (ask: Ask): Promise<Answer> => {
  try {
    if (ask.type === "set up") {
      measure = await setUp(ask)
      return { type: "ready" }
    }
    if (measure === undefined) throw new Error("nothing is set up")
    return { type: "measured", metrics: await measure() }
  } catch (error) {
    return { type: "failed", reason: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

process.on("message", (ask: Ask) => {
  // `reply` never rejects, and a parent that is gone ends this process below.
  void reply(ask).then((answer) => process.send?.(answer))
})
process.on("disconnect", () => process.exit())
