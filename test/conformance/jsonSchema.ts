/** `npm run conformance -- --suite <folder>`: the official JSON Schema tests through every tier. */
import { parseArgs } from "node:util"
import * as Result from "effect/Result"
import * as SchemaParser from "effect/SchemaParser"
import * as Exit from "effect/Exit"
import { generateCheck } from "../../packages/core/src/validation/json-schema/generate/generateCheck.ts"
import { createJsonSchemaArgumentValidator } from "../../packages/core/src/validation/json-schema/index.ts"
import { root } from "../../packages/core/src/validation/json-schema/Report.ts"
import { readSchema } from "../../packages/core/src/validation/json-schema/readSchema.ts"
import type { SchemaNode } from "../../packages/core/src/validation/json-schema/SchemaNode.ts"
import { steps } from "../../packages/core/src/validation/json-schema/steps.ts"
import { toEffectSchema } from "../../packages/core/src/validation/json-schema/toEffectSchema.ts"
import { isNonLocal, readSuite, type SuiteGroup, usesPrototypeNames } from "./suite.ts"

type Judge = (value: unknown) => boolean

/** Each tier without the policy of bounds and forbidden names, which the suite knows nothing of. */
const tiers: Readonly<Record<string, (node: SchemaNode) => Judge>> = {
  closures: (node) => counted((value) => node.check(value, undefined)),
  generated: (node) => counted(generateCheck(node) ?? fail("this platform generates no code")),
  "Effect Schema": (node) => {
    const problem = [{ at: root, message: "does not match" }]
    const problems = (value: unknown) => (node.check(value, undefined) ? undefined : problem)
    const decode = SchemaParser.decodeUnknownExit(toEffectSchema({ problems }))
    return counted((value) => Exit.isSuccess(decode(value)))
  }
}

const fail = (message: string): never => {
  throw new Error(message)
}

const counted =
  (judge: Judge): Judge =>
  (value) => {
    steps.left = Number.MAX_SAFE_INTEGER
    return judge(value)
  }

interface Score {
  passed: number
  total: number
}

class Scores {
  readonly rows = new Map<string, Map<string, Score>>()
  readonly deviations: Array<string> = []

  count(row: string, column: string, isPassed: boolean): void {
    const columns = this.rows.get(row) ?? new Map<string, Score>()
    this.rows.set(row, columns)
    const score = columns.get(column) ?? { passed: 0, total: 0 }
    columns.set(column, score)
    score.total++
    if (isPassed) score.passed++
  }

  judge(rows: ReadonlyArray<string>, column: string, isPassed: boolean, what: string): void {
    for (const row of rows) this.count(row, column, isPassed)
    if (!isPassed) this.deviations.push(`${column}: ${what}`)
  }

  print(): void {
    for (const [row, columns] of this.rows) {
      const scores = [...columns].map(([column, { passed, total }]) => `${column} ${passed}/${total}`)
      console.log(`${row.padEnd(44)} ${scores.join("   ")}`)
    }
    for (const deviation of this.deviations) console.log(`deviation: ${deviation}`)
    console.log(`${this.deviations.length} deviations`)
  }
}

const kindOf = ({ file }: SuiteGroup): string => {
  if (file.startsWith("optional/format/ecmascript-regex") || file === "optional/ecmascript-regex.json") {
    return "optional ecmascript-regex"
  }
  if (file.startsWith("optional/format")) return "optional formats"
  return file.startsWith("optional/") ? "optional, others" : "mandatory"
}

const validator = createJsonSchemaArgumentValidator()

const isRefused = (schema: unknown): boolean => {
  const answer = validator.validate(schema as Parameters<typeof validator.validate>[0], null)
  return answer.code === "schema_rejected"
}

const runGroup = (group: SuiteGroup, scores: Scores): void => {
  const { draft, file, description, schema, tests } = group
  const name = `${draft}/${file}, ${description}`
  if (isNonLocal(group)) {
    // A meta-schema of one's own is never fetched: such a schema is read as 2020-12, the others are refused.
    const isForeignDialect = file === "vocabulary.json" || file === "optional/format-assertion.json"
    if (isForeignDialect) return tests.forEach(() => scores.count("own meta-schemas (never fetched)", "skipped", true))
    return tests.forEach((test) =>
      scores.judge(["non-local references refused"], "validator", isRefused(schema), `${name}: ${test.description}`)
    )
  }
  const isAsserted = file.startsWith("optional/format")
  const node = readSchema(schema, { maxSchemaRefs: 1_000, formats: isAsserted ? "assert" : "annotate" })
  const rows = [`${kindOf(group)}, ${draft}`, ...(usesPrototypeNames(group) ? ["prototype names"] : [])]
  for (const [tier, judgeOf] of Object.entries(tiers)) {
    const judge = Result.isSuccess(node) ? judgeOf(node.success) : undefined
    for (const test of tests) {
      const verdict = judge?.(test.data)
      scores.judge(rows, tier, verdict === test.valid, `${name}: ${test.description}: ${String(verdict ?? node)}`)
    }
  }
}

const { values } = parseArgs({ options: { suite: { type: "string" } } })
if (values.suite === undefined) {
  console.error("usage: npm run conformance -- --suite <folder of the JSON Schema Test Suite>")
  process.exitCode = 2
} else {
  const scores = new Scores()
  for (const group of await readSuite(values.suite)) runGroup(group, scores)
  scores.print()
  if (scores.deviations.length > 0) process.exitCode = 1
}
