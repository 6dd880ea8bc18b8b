/** The verdict on a candidate artifact. */
import * as Schema from "effect/Schema"
import { Metadata } from "./Json.ts"

export const ArtifactValidation = Schema.Struct({
  ok: Schema.Boolean,
  errors: Schema.optional(
    Schema.Array(Schema.Struct({ path: Schema.optional(Schema.String), message: Schema.String }))
  ),
  metadata: Schema.optional(Metadata)
})
export type ArtifactValidation = typeof ArtifactValidation.Type
