/** JSON values: what tool arguments, schemas and wire metadata are made of. */
import * as Schema from "effect/Schema"

export const JsonValue = Schema.Json
/** Any JSON value: string, boolean, null, finite number, array or object of these. */
export type JsonValue = Schema.Json

export const JsonObject = Schema.JsonObject
/** A JSON object. `isJsonObject` is the run-time check. */
export type JsonObject = Schema.JsonObject

export const Metadata = Schema.Record(Schema.String, Schema.Unknown)
/** Host data carried along unread. */
export type Metadata = { readonly [key: string]: unknown }
