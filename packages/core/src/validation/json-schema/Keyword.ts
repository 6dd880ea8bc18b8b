/** How a keyword is declared, by the type of instance that it looks at. */
import type { Check, Keyword, Kind, Members } from "./SchemaNode.ts"

/** The check of what every instance passes, known by identity: nobody calls it. */
export const always: Check = () => true

type Definition<Value, Instance> = Omit<Keyword<Value, Instance>, "on">

/** Laid below every keyword: objects with the same fields in the same order are read faster. */
const blank = {
  name: undefined,
  on: undefined,
  shape: undefined,
  check: undefined,
  message: undefined,
  explain: undefined,
  source: undefined,
  inPlace: undefined
}

/** What is `undefined` is as good as absent. */
const make = <Value, Instance>(on: Kind | "any", keyword: Definition<Value, Instance>): Keyword<Value, Instance> =>
  ({ ...blank, ...keyword, on }) as Keyword<Value, Instance>

export const onAny = <Value>(keyword: Definition<Value, unknown>): Keyword<Value, unknown> => make("any", keyword)
export const onString = <Value>(keyword: Definition<Value, string>): Keyword<Value, string> => make("string", keyword)
export const onNumber = <Value>(keyword: Definition<Value, number>): Keyword<Value, number> => make("number", keyword)
export const onArray = <Value>(
  keyword: Definition<Value, ReadonlyArray<unknown>>
): Keyword<Value, ReadonlyArray<unknown>> => make("array", keyword)
export const onObject = <Value>(keyword: Definition<Value, Members>): Keyword<Value, Members> => make("object", keyword)
