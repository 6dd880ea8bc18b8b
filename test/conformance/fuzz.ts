/**
 * The validator against Ajv and against a literal reading of the specification, on random schemas and values.
 * By hand: `node -C @arnilo/source test/conformance/fuzz.ts --cases 100000 --seed 1`.
 */
import { Ajv, type ValidateFunction } from "ajv"
import { Ajv2020 } from "ajv/dist/2020.js"
import * as Result from "effect/Result"
import { isDeepStrictEqual, parseArgs } from "node:util"
import { SchemaLimits } from "../../packages/core/src/limits/SchemaLimits.ts"
import { admitSchema } from "../../packages/core/src/validation/json-schema/admitSchema.ts"
import { CompiledSchema } from "../../packages/core/src/validation/json-schema/CompiledSchema.ts"
import { readSchema } from "../../packages/core/src/validation/json-schema/readSchema.ts"
import { explain } from "./explanations.ts"
import { type Draft, type Json, judgeByTheBook } from "./judgeByTheBook.ts"
import { Random } from "./Random.ts"
import { randomSchema } from "./randomSchemas.ts"
import { valueFor } from "./randomValues.ts"
import { shrink } from "./shrink.ts"

const VALUES_PER_SCHEMA = 4
/** Unexplained cases that are made small: it takes some seconds each. */
const SHRUNK = 8

interface Outcome {
  /** Pairs of a schema and a value. */
  readonly cases: number
  readonly accepted: number
  /** How often each explanation was needed. */
  readonly explained: ReadonlyMap<string, number>
  /** One text for each disagreement that nothing explains: what was said, seed, schema and value. */
  readonly unexplained: ReadonlyArray<string>
}

/** What is wrong in one case. Cases of one `kind` have one cause, as far as a machine can tell. */
interface Finding {
  readonly kind: string
  readonly text: string
}

const limits = Result.getOrThrow(SchemaLimits.resolve({}))

/** A compiled schema that nobody else has. */
const compile = (schema: Json): Result.Result<CompiledSchema, Error> =>
  Result.flatMap(admitSchema(schema, limits), ({ schema: copy }) =>
    Result.map(
      readSchema(copy, { maxSchemaRefs: limits.maxSchemaRefs, formats: "annotate" }),
      (root) => new CompiledSchema(root, limits)
    )
  )

const ajvOptions = { strict: false, logger: false, validateFormats: false, ownProperties: true } as const
const ajvs = {
  // Siblings of `$ref` mean nothing in draft-07.
  "draft-07": new Ajv({ ...ajvOptions, ignoreKeywordsWithRef: true }),
  "2020-12": new Ajv2020(ajvOptions)
}

const compileAjv = (schema: Json, draft: Draft): ValidateFunction | Error => {
  const ajv = ajvs[draft]
  const document = typeof schema === "boolean" ? schema : (schema as object)
  try {
    return ajv.compile(document)
  } catch (error) {
    return toError(error)
  } finally {
    ajv.removeSchema(document)
  }
}

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

/** One schema in the hands of each judge. */
class Judges {
  readonly #schema: Json
  readonly #draft: Draft
  readonly #first: CompiledSchema
  readonly #generated: CompiledSchema
  readonly #ajv: ValidateFunction | Error

  /** Throws where we refuse the schema, or generate no code for it. */
  constructor(schema: Json, draft: Draft) {
    this.#schema = schema
    this.#draft = draft
    this.#first = Result.getOrThrow(compile(schema))
    this.#generated = Result.getOrThrow(compile(schema))
    if (!this.#generated.generate()) throw new Error("no code is generated")
    this.#ajv = compileAjv(schema, draft)
  }

  /** Our verdict, and where it differs from another. */
  ask(value: Json): {
    readonly isAccepted: boolean
    readonly findings: ReadonlyArray<Finding>
    readonly explanation?: string
  } {
    const problems = this.#first.problems(value)
    const again = this.#generated.problems(value)
    const isAccepted = problems === undefined
    const findings: Array<Finding> = []
    if (isAccepted !== (again === undefined)) {
      findings.push({ kind: "tiers", text: `our first tier says ${isAccepted}, the generated one ${!isAccepted}` })
    } else if (!isDeepStrictEqual(problems, again)) {
      findings.push({
        kind: "words",
        text: `our tiers explain in different words: ${textOf(problems)} and ${textOf(again)}`
      })
    }
    if (problems?.some(({ message }) => message === "must match the schema") === true) {
      findings.push({ kind: "unexplained refusal", text: "we refuse without a reason" })
    }
    const isMatch = judgeByTheBook(this.#schema, value, this.#draft)
    if (isMatch !== isAccepted)
      findings.push({ kind: "book", text: `we say ${isAccepted}, the specification ${isMatch}` })
    const ajv = ask(this.#ajv, value)
    if (ajv === isAccepted) return { isAccepted, findings }
    const askAjv = (schema: Json, about: Json): boolean | Error => ask(compileAjv(schema, this.#draft), about)
    const disagreement = { schema: this.#schema, value, draft: this.#draft, ours: isAccepted, ajv, askAjv }
    const explanation = isMatch === isAccepted ? explain(disagreement) : undefined
    if (explanation !== undefined) return { isAccepted, findings, explanation }
    findings.push({
      kind: ajv instanceof Error ? ajv.message : `ajv ${ajv}`,
      text: `we say ${isAccepted}, Ajv ${String(ajv)}`
    })
    return { isAccepted, findings }
  }
}

const ask = (ajv: ValidateFunction | Error, value: Json): boolean | Error => {
  if (ajv instanceof Error) return ajv
  try {
    return ajv(value)
  } catch (error) {
    return toError(error)
  }
}

const textOf = (value: unknown): string => JSON.stringify(value)

/** The same cases for the same arguments. The seed goes up by one for each schema, which is tried on a few values. */
export const fuzz = ({ cases, seed }: { readonly cases: number; readonly seed: number }): Outcome => {
  const explained = new Map<string, number>()
  const unexplained: Array<string> = []
  let accepted = 0
  let done = 0
  for (let own = seed; done < cases; own++) {
    const random = new Random(own)
    const draft: Draft = random.chance(0.5) ? "2020-12" : "draft-07"
    const schema = randomSchema(random, draft)
    const values = Array.from({ length: Math.min(VALUES_PER_SCHEMA, cases - done) }, () =>
      // A value never shares a part with the schema: identity would hide how parts are compared.
      structuredClone(valueFor(random, schema))
    )
    done += values.length
    let judges: Judges
    try {
      judges = new Judges(schema, draft)
    } catch (error) {
      unexplained.push(`${String(error)}\n  seed ${own}, ${draft}\n  schema ${textOf(schema)}`)
      continue
    }
    for (const value of values) {
      const { isAccepted, findings, explanation } = judges.ask(value)
      if (isAccepted) accepted++
      if (explanation !== undefined) explained.set(explanation, (explained.get(explanation) ?? 0) + 1)
      for (const finding of findings) {
        const small = unexplained.length < SHRUNK ? shrinkCase(schema, value, draft, finding) : ""
        unexplained.push(
          `${finding.text}\n  seed ${own}, ${draft}\n  schema ${textOf(schema)}\n  value ${textOf(value)}${small}`
        )
      }
    }
  }
  return { cases: done, accepted, explained, unexplained }
}

const shrinkCase = (schema: Json, value: Json, draft: Draft, { kind }: Finding): string => {
  const holds = (smaller: Json, with_: Json): boolean =>
    new Judges(smaller, draft).ask(with_).findings.some((finding) => finding.kind === kind)
  const smallSchema = shrink(schema, (smaller) => holds(smaller, value))
  const smallValue = shrink(value, (smaller) => holds(smallSchema, smaller))
  return `\n  in short ${textOf(smallSchema)} on ${textOf(smallValue)}`
}

const main = (): number => {
  const { values } = parseArgs({
    options: { cases: { type: "string", default: "100000" }, seed: { type: "string", default: "1" } }
  })
  const { cases, accepted, explained, unexplained } = fuzz({ cases: Number(values.cases), seed: Number(values.seed) })
  const say = (line: string): void => {
    process.stdout.write(`${line}\n`)
  }
  for (const text of unexplained.slice(0, 20)) say(text)
  say(`${cases} cases, ${accepted} accepted, ${cases - accepted} refused`)
  for (const [name, count] of explained) say(`${count} explained: ${name}`)
  say(`${unexplained.length} unexplained`)
  return unexplained.length === 0 ? 0 : 1
}

if (import.meta.main) process.exitCode = main()
