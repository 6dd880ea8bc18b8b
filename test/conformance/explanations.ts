/** Why Ajv may differ from the specification where the validator does not. */
import { type Draft, isList, isMembers, isMultipleOf, type Json, judgeByTheBook, type Members } from "./judgeByTheBook.ts"

export interface Disagreement {
  readonly schema: Json
  readonly value: Json
  readonly draft: Draft
  /** The verdict, which is that of the specification as well. */
  readonly ours: boolean
  /** An error where Ajv has thrown one. */
  readonly ajv: boolean | Error
  readonly askAjv: (schema: Json) => boolean | Error
}

interface Explanation {
  readonly name: string
  readonly why: string
  readonly applies: (disagreement: Disagreement) => boolean
}

/** The schema with each object in it replaced. */
const mapObjects = (schema: Json, change: (members: Members) => Members): Json => {
  if (isList(schema)) return schema.map((item) => mapObjects(item, change))
  if (!isMembers(schema)) return schema
  const members = change(schema)
  return Object.fromEntries(Object.entries(members).map(([name, inner]) => [name, mapObjects(inner, change)]))
}

const leaveOut = (members: Members, ...names: ReadonlyArray<string>): Members =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)))

/** Whether the schema changes by `change`, and Ajv is right about what comes out. */
const isRightAfter = ({ schema, value, draft, askAjv }: Disagreement, change: (members: Members) => Members): boolean => {
  const changed = mapObjects(schema, change)
  return JSON.stringify(changed) !== JSON.stringify(schema) && askAjv(changed) === judgeByTheBook(changed, value, draft)
}

const numbersIn = (value: Json): ReadonlyArray<number> => {
  if (typeof value === "number") return [value]
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(numbersIn) : []
}

const divisorsIn = (schema: Json): ReadonlyArray<number> => {
  if (typeof schema !== "object" || schema === null) return []
  const own = isMembers(schema) ? schema["multipleOf"] : undefined
  const inner = Object.values(schema).flatMap(divisorsIn)
  return typeof own === "number" ? [own, ...inner] : inner
}

const isMultipleToAjv = (value: number, divisor: number): boolean => {
  const quotient = value / divisor
  return quotient === Number.parseInt(String(quotient), 10)
}

const threw = (ajv: boolean | Error, message: RegExp): boolean => ajv instanceof Error && message.test(ajv.message)

export const explanations: ReadonlyArray<Explanation> = [
  {
    name: "own methods",
    why: "Ajv compares objects through their `valueOf` and `toString`, and a member of such a name is no function.",
    applies: ({ ajv }) => threw(ajv, /^a\.(valueOf|toString) is not a function$/)
  },
  {
    name: "evaluated set is missing",
    why: "Ajv enters a property into a set of evaluated ones that a branch which did not run would have made.",
    applies: ({ ajv }) => threw(ajv, /^Cannot set properties of undefined/)
  },
  {
    name: "binary fractions",
    why: "Ajv divides floating-point numbers for `multipleOf`: 0.3 is no multiple of 0.1, and 1e21 one of 3.",
    applies: (disagreement) =>
      divisorsIn(disagreement.schema).some((divisor) =>
        numbersIn(disagreement.value).some((value) => isMultipleToAjv(value, divisor) !== isMultipleOf(value, divisor))
      ) && isRightAfter(disagreement, (members) => leaveOut(members, "multipleOf"))
  },
  {
    name: "type beside $ref",
    why: "Ajv asserts `type` beside `$ref` in draft-07, where siblings of `$ref` mean nothing.",
    applies: (disagreement) =>
      disagreement.draft === "draft-07" &&
      isRightAfter(disagreement, (members) =>
        typeof members["$ref"] === "string" ? leaveOut(members, "type", "nullable") : members
      )
  }
]

export const explain = (disagreement: Disagreement): string | undefined =>
  explanations.find(({ applies }) => applies(disagreement))?.name
