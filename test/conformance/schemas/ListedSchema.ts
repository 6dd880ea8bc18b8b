import type { JsonObject } from "../../../packages/core/src/schema/Json.ts"

/** One input schema as a tool server lists it, with what must come of it. */
export type ListedSchema = ReadySchema | RefusedSchema

export interface ReadySchema {
  readonly name: string
  readonly schema: JsonObject
  readonly valid: unknown
  readonly invalid: unknown
}

export interface RefusedSchema {
  readonly name: string
  readonly schema: JsonObject
  /** JSON Pointer of the place in the schema. */
  readonly pointer: string
  readonly reason: string
}

export const ready = (name: string, schema: unknown, valid: unknown, invalid: unknown): ReadySchema => ({
  name,
  schema: schema as JsonObject, // what servers send is typed as this, whatever it is
  valid,
  invalid
})

export const refused = (name: string, schema: unknown, pointer: string, reason: string): RefusedSchema => ({
  name,
  schema: schema as JsonObject, // what servers send is typed as this, whatever it is
  pointer,
  reason
})
