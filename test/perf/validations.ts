/** Works that check arguments against JSON Schemas. `bare` stands for Ajv, which the figures are compared with. */
import { Ajv } from "ajv"
import addFormats from "ajv-formats"
import { createJsonSchemaArgumentValidator } from "@arnilo/prism-core/validation/json-schema"
import { hostileCases } from "../conformance/hostileCases.ts"
import { median } from "./statistics.ts"
import type { SubjectName } from "./Subject.ts"
import { toolSchemas } from "./toolSchemas.ts"
import { type Measure, type Pace, timed } from "./works.ts"

/** True, or a message. */
type Check = (value: unknown) => true | string
type Compile = (schema: Readonly<Record<string, unknown>>) => Check

/** One instance, as a host of many tools has it; renewed now and then, since it never forgets a schema. */
const compileWithAjv = (): Compile => {
  const make = () => addFormats.default(new Ajv({ strict: false, allErrors: false }))
  let ajv = make()
  let used = 0
  return (schema) => {
    used += 1
    if (used % 256 === 0) ajv = make()
    const validate = ajv.compile(schema)
    return (value) => validate(value) || ajv.errorsText(validate.errors)
  }
}

const compileWithPrism = (): Compile => {
  const validator = createJsonSchemaArgumentValidator()
  return (schema) => (value) => {
    const { errors, ok } = validator.validate(schema as Parameters<typeof validator.validate>[0], value)
    return ok || (errors?.[0]?.message ?? "")
  }
}

const compilerOf = (subject: SubjectName): Compile => (subject === "bare" ? compileWithAjv() : compileWithPrism())

/** The same rules in a document that nobody has seen. A shallow copy: how long it takes to make one is not the question. */
let serial = 0
const unseen = (schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  serial += 1
  return { ...schema, description: `document ${serial}` }
}

const judge = (compile: Compile): void => {
  for (const { schema, valid, invalid } of toolSchemas) {
    const check = compile(unseen(schema))
    if (check(valid) !== true) throw new Error(`refused: ${JSON.stringify(valid)}`)
    if (check(invalid) === true) throw new Error(`accepted: ${JSON.stringify(invalid)}`)
  }
}

const unseenSchemas = (subject: SubjectName, pace: Pace): Promise<Measure> => {
  const compile = compilerOf(subject)
  judge(compile)
  return timed(async () => {
    for (const { schema, valid } of toolSchemas) compile(unseen(schema))(valid)
  }, pace)
}

const knownSchemas =
  (which: "valid" | "invalid") =>
  (subject: SubjectName, pace: Pace): Promise<Measure> => {
    const compile = compilerOf(subject)
    judge(compile)
    const checks = toolSchemas.map((item) => [compile(unseen(item.schema)), item[which]] as const)
    // Many at once, so that the await of the measurement does not count.
    return timed(async () => {
      for (let times = 0; times < 50; times += 1) for (const [check, value] of checks) check(value)
    }, pace)
  }

/** The longest that one call of `validate` holds the event loop, each the median of three with the code warm. */
const hostileSchemas = async (): Promise<Measure> => async () => {
  const timeOf = (schema: unknown, value: unknown): number => {
    const validator = createJsonSchemaArgumentValidator()
    const start = performance.now()
    validator.validate(schema as Parameters<typeof validator.validate>[0], value)
    return performance.now() - start
  }
  let longest = 0
  for (const { name, schema, value } of hostileCases) {
    const [given, hostile] = [schema(), value()]
    timeOf(given, hostile)
    const took = median([0, 1, 2].map(() => timeOf(given, hostile)))
    if (process.env["BENCH_DEBUG"] !== undefined) process.stderr.write(`${took.toFixed(1)} ms ${name}\n`)
    longest = Math.max(longest, took)
  }
  return { ms: longest }
}

export const validations = {
  unseenSchemas,
  validArguments: knownSchemas("valid"),
  invalidArguments: knownSchemas("invalid"),
  hostileSchemas
} satisfies Record<string, (subject: SubjectName, pace: Pace) => Promise<Measure>>

export type ValidationName = keyof typeof validations
