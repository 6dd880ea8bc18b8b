/** Why Ajv may differ from the specification where the validator does not. */
import {
  type Draft,
  isList,
  isMembers,
  isMultipleOf,
  type Json,
  judgeByTheBook,
  type Members
} from "./judgeByTheBook.ts"

export interface Disagreement {
  readonly schema: Json
  readonly value: Json
  readonly draft: Draft
  /** The verdict, which is that of the specification as well. */
  readonly ours: boolean
  /** An error where Ajv has thrown one. */
  readonly ajv: boolean | Error
  readonly askAjv: (schema: Json, value: Json) => boolean | Error
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
const isRightAfter = (
  { schema, value, draft, askAjv }: Disagreement,
  change: (members: Members) => Members
): boolean => {
  const changed = mapObjects(schema, change)
  return (
    JSON.stringify(changed) !== JSON.stringify(schema) &&
    askAjv(changed, value) === judgeByTheBook(changed, value, draft)
  )
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

/** Whether Ajv is right once the names that all objects inherit are spelled in capitals, in schema and value. */
const isRightInCapitals = ({ schema, value, draft, askAjv }: Disagreement): boolean => {
  const capitals = (json: Json): Json =>
    JSON.parse(JSON.stringify(json).replaceAll(/"(?:toString|valueOf)"/g, (name) => name.toUpperCase())) as Json
  const [renamed, about] = [capitals(schema), capitals(value)]
  return askAjv(renamed, about) === judgeByTheBook(renamed, about, draft)
}

/** What an object says of its items one by one, in an `allOf` of its own beside `keyword`, where it means the same. */
const setItemsApart =
  (keyword: "contains" | "uniqueItems") =>
  (members: Members): Members => {
    const { allOf, prefixItems, items, additionalItems } = members
    if (members[keyword] === undefined || (prefixItems === undefined && !isList(items))) return members
    const apart = Object.entries({ prefixItems, items, additionalItems }).filter(([, value]) => value !== undefined)
    const rest = leaveOut(members, "prefixItems", "items", "additionalItems")
    return { ...rest, allOf: [...(isList(allOf) ? allOf : []), Object.fromEntries(apart) as Members] }
  }

/** `if`, `then` and `else` as alternatives, which mean the same. */
const spellCondition = (members: Members): Members => {
  const { if: condition, then: whenTrue = true, else: whenFalse = true, allOf } = members
  if (condition === undefined) return members
  const alternatives = { anyOf: [{ allOf: [condition, whenTrue] }, { allOf: [{ not: condition }, whenFalse] }] }
  return { ...leaveOut(members, "if", "then", "else"), allOf: [...(isList(allOf) ? allOf : []), alternatives] }
}

/** `$dynamicRef` in an `allOf` of its own, where it means the same. */
const setDynamicReferenceApart = (members: Members): Members => {
  const { $dynamicRef, allOf } = members
  if ($dynamicRef === undefined || Object.keys(members).length === 1) return members
  return { ...leaveOut(members, "$dynamicRef"), allOf: [...(isList(allOf) ? allOf : []), { $dynamicRef }] }
}

const forgetUnevaluated = (members: Members): Members => leaveOut(members, "unevaluatedItems", "unevaluatedProperties")

/** Without the empty name in `required` and in the lists of dependents. */
const forgetEmptyName = (members: Members): Members => {
  const filtered = (names: Json): Json => (isList(names) ? names.filter((name) => name !== "") : names)
  const lists = Object.entries(members).map(([keyword, value]): [string, Json] => {
    if (keyword === "required") return [keyword, filtered(value)]
    if (!/^dependen(?:cies|tRequired)$/.test(keyword) || !isMembers(value)) return [keyword, value]
    return [keyword, Object.fromEntries(Object.entries(value).map(([name, names]) => [name, filtered(names)]))]
  })
  return Object.fromEntries(lists)
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
    why: "Ajv enters a property into a set of evaluated ones that only a branch which did not run makes.",
    applies: ({ ajv }) => threw(ajv, /^Cannot set properties of undefined|^(?:props|items)\d+ is not defined/)
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
    name: "contains behind a short tuple",
    why: "Ajv leaves out what follows a tuple, such as `contains`, where the array ends before the last item of the tuple.",
    applies: (disagreement) => isRightAfter(disagreement, setItemsApart("contains"))
  },
  {
    name: "unique behind a tuple",
    why: "Ajv compares items by the type that `items` names, although the first ones are not the business of `items`.",
    applies: (disagreement) => isRightAfter(disagreement, setItemsApart("uniqueItems"))
  },
  {
    name: "the empty name",
    why: "Ajv takes a missing property whose name is the empty string for none missing.",
    applies: (disagreement) => isRightAfter(disagreement, forgetEmptyName)
  },
  {
    name: "inherited names",
    why: "Ajv keeps evaluated properties in an object that inherits, so that `valueOf` seems to have been evaluated.",
    applies: isRightInCapitals
  },
  {
    name: "verdict lost to $dynamicRef",
    why: "Ajv forgets in front of a `$dynamicRef` that a keyword beside it has failed.",
    applies: (disagreement) => disagreement.ajv === true && isRightAfter(disagreement, setDynamicReferenceApart)
  },
  {
    name: "evaluated by a failed if",
    why: "Ajv counts what `if` has looked at as evaluated even where `if` does not hold.",
    applies: (disagreement) => isRightAfter(disagreement, spellCondition)
  },
  {
    name: "contains evaluates all",
    why: "Ajv counts all items as evaluated by `contains`, not only those that match it.",
    applies: (disagreement) =>
      disagreement.ajv === true && isRightAfter(disagreement, (members) => leaveOut(members, "contains", "minContains"))
  },
  {
    name: "evaluated by what did not match",
    why: "Ajv settles much of what is evaluated while it compiles, and keeps that of branches which then do not match.",
    applies: (disagreement) => disagreement.ajv === true && isRightAfter(disagreement, forgetUnevaluated)
  },
  {
    name: "evaluated and forgotten",
    why: "Ajv makes no code for a subschema that is always valid, and so forgets what it evaluates.",
    applies: (disagreement) => disagreement.ajv === false && isRightAfter(disagreement, forgetUnevaluated)
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
