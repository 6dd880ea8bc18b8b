/** Part two: an agent repairs a project with the coding tools. One command is denied, one change asks. */
import { chmod, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type AgentRunResult, createAgent, type ToolResult } from "@arnilo/prism"
import { createCodingTools } from "@arnilo/prism-coding-tools/agent"
import { createCodingApprovalPolicy, readOnlyCommandRules } from "@arnilo/prism-coding-tools/security"
import { createJsonSchemaToolArgumentValidator } from "@arnilo/prism-core/validation/json-schema"
import { createOpenAICompatibleProvider } from "@arnilo/prism/providers/openai-compatible"
import { Gauge } from "./fileTools.ts"
import { startModelServer } from "./modelServer.ts"
import { BROKEN, CHECK, planRepair, REPAIRED } from "./planRepair.ts"
import { createScreen } from "./screen.ts"
import { createScriptedPerson } from "./scriptedPerson.ts"

const source = (sum: string): string => `export const total = (prices) => ${sum}\n`
const check = `import assert from "node:assert"
import { total } from "./total.mjs"
assert.strictEqual(total([2, 3]), 5)
assert.strictEqual(total([]), 0)
console.log("all is well")
`

/** Prints what happens, and resolves with everything that is not as it has to be. */
export const repairProject = async (): Promise<ReadonlyArray<string>> => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "prism-demo-")))
  const server = await startModelServer(planRepair)
  try {
    await writeFile(join(folder, "total.mjs"), source(BROKEN))
    await chmod(join(folder, "total.mjs"), 0o644)
    await writeFile(join(folder, "check.mjs"), check)
    process.stdout.write(`\nA project whose check fails, in ${folder}\n`)
    const repair = await runRepair(folder, server.baseUrl)
    const problems = await judge(folder, repair, server.requests)
    const [finding] = problems.length === 0 ? ["repaired; nothing else has changed"] : problems
    const outcomes = repair.results.map(outcomeOf).join(", ")
    process.stdout.write(
      `\nsummary\n  calls      ${repair.results.length}: ${outcomes}\n  asked      ${repair.shown.length}\n  project    ${finding}\n`
    )
    return problems
  } finally {
    await server.close()
    await rm(folder, { recursive: true, force: true })
  }
}

interface Repair {
  readonly result: AgentRunResult
  readonly results: ReadonlyArray<ToolResult>
  /** What stood on the terminal, question by question. */
  readonly shown: ReadonlyArray<string>
}

const runRepair = async (folder: string, baseUrl: string): Promise<Repair> => {
  const gauge = new Gauge()
  const { approve, shown } = createScriptedPerson(process.stdout)
  const executionPolicy = createCodingApprovalPolicy({
    roots: [folder],
    approve,
    commandAnalysis: "shell",
    commandRules: [...readOnlyCommandRules, { pattern: CHECK, action: "allow" }]
  })
  const agent = createAgent({
    model: { provider: "demo", model: "loopback-repairer", capabilities: { tools: true } },
    provider: createOpenAICompatibleProvider({ id: "demo", baseUrl }),
    instructions: "You repair this project.",
    tools: createCodingTools(folder, { executionPolicy }),
    validator: createJsonSchemaToolArgumentValidator({ missingSchema: "reject" }),
    limits: { maxToolRounds: 8, maxWallMs: 60_000 }
  })
  const session = agent.createSession()
  const screen = createScreen(process.stdout, gauge)
  const results: Array<ToolResult> = []
  const watching = (async () => {
    for await (const event of session.subscribe()) {
      if (event.type === "tool_execution_started") gauge.now += 1
      if (event.type === "tool_execution_finished") gauge.now -= 1
      if (event.type === "tool_execution_finished") results.push(event.result)
      screen.show(event)
    }
  })()
  const result = await session.run("The check fails. Repair the project.")
  await watching
  return { result, results, shown }
}

/** What the calls came to, in their order. */
const OUTCOMES = [
  "shell: exit 1",
  "read: done",
  "shell: command matches default deny pattern",
  "edit: done",
  "shell: exit 0"
]

const outcomeOf = ({ error, metadata, name }: ToolResult): string => {
  const exitCode = metadata?.["exitCode"]
  return `${name}: ${error?.message ?? (exitCode === undefined ? "done" : `exit ${JSON.stringify(exitCode)}`)}`
}

const judge = async (folder: string, repair: Repair, requests: number): Promise<ReadonlyArray<string>> => {
  const { result, results, shown } = repair
  const [question = ""] = shown
  const file = join(folder, "total.mjs")
  const [repaired, unchanged, { mode }, names] = await Promise.all([
    readFile(file, "utf8"),
    readFile(join(folder, "check.mjs"), "utf8"),
    stat(file),
    readdir(folder)
  ])
  const problems: Array<string> = []
  const expect = (holds: boolean, problem: string): void => void (holds || problems.push(problem))
  const outcomes = results.map(outcomeOf)
  expect(result.status === "succeeded", `the repair ended as ${result.status}`)
  expect(result.text.endsWith("the project is repaired."), `unexpected answer: ${result.text}`)
  expect(outcomes.join() === OUTCOMES.join(), `the calls came to ${outcomes.join(", ")}`)
  expect(shown.length === 1, `${shown.length} questions were asked, not 1`)
  expect(question.includes(`- ${BROKEN}\n`) && question.includes(`+ ${REPAIRED}\n`), "the change was not shown")
  expect(repaired === source(REPAIRED), `total.mjs holds ${repaired}`)
  expect(unchanged === check, "check.mjs has changed")
  expect((mode & 0o777) === 0o644, "the denied command has run")
  expect(names.toSorted().join() === "check.mjs,total.mjs", `the folder holds ${names.join(", ")}`)
  expect(requests === 5, `${requests} HTTP requests instead of 5`)
  return problems
}
