/** What a JSON Schema may weigh, what a value that is checked against it may, and how much work a check may be. */
import * as Limits from "./Limits.ts"

export const SchemaLimits = Limits.define({
  /** Errors that one validation tells. */
  maxErrors: { unit: "count", default: 8, hardCap: 64 },
  /** Levels of a value; the root is level 0. */
  maxDepth: { unit: "count", default: 64, hardCap: 128 },
  /** Own properties of one object of a value. */
  maxProperties: { unit: "count", default: 1_000, hardCap: 100_000 },
  /** UTF-16 units of one string of a value. */
  maxStringLength: { unit: "count", default: 1_000_000, hardCap: 8_388_608 },
  maxArrayLength: { unit: "count", default: 10_000, hardCap: 100_000 },
  /** UTF-8 size of a schema's JSON text. */
  maxSchemaBytes: { unit: "bytes", default: 262_144, hardCap: 1_048_576 },
  maxSchemaDepth: { unit: "count", default: 64, hardCap: 128 },
  /** Own keys of all objects of a schema together. */
  maxSchemaProperties: { unit: "count", default: 10_000, hardCap: 100_000 },
  /** The same keys, counted as keywords. */
  maxSchemaKeywords: { unit: "count", default: 10_000, hardCap: 100_000 },
  maxSchemaRefs: { unit: "count", default: 128, hardCap: 1_024 },
  /** Compiled schemas that one validator keeps. */
  maxCompiledSchemas: { unit: "count", default: 256, hardCap: 1_024 }
})

export type SchemaLimitValues = Limits.ValuesOf<typeof SchemaLimits.table>

/** What no option widens. */
export const ValidationLimits = Limits.define({
  /** Steps of one validation, some ten nanoseconds each. */
  steps: { unit: "count", default: 750_000, hardCap: 750_000 },
  /** Steps to read one schema and to screen its patterns. */
  compileSteps: { unit: "count", default: 1_500_000, hardCap: 1_500_000 },
  /** Schemas that judge one and the same value, references expanded. */
  fanOut: { unit: "count", default: 10_000, hardCap: 10_000 },
  /** Schemas between a schema and what it applies to the same value, references followed. */
  inPlaceDepth: { unit: "count", default: 256, hardCap: 256 },
  /** Validations after which code is generated for a schema. */
  hotAfter: { unit: "count", default: 64, hardCap: 64 }
})
