/** Keywords that assert nothing, yet may not have any value. */
import { onAny } from "../Keyword.ts"
import { flag, list, schema, schemaMap, text } from "../shapes.ts"

const ofText = (name: string) => onAny({ name, shape: text })
const ofFlag = (name: string) => onAny({ name, shape: flag })

export const [$schema, title, description] = [ofText("$schema"), ofText("title"), ofText("description")]
export const examples = onAny({ name: "examples", shape: list })
export const [$comment, contentEncoding, contentMediaType] = [
  ofText("$comment"),
  ofText("contentEncoding"),
  ofText("contentMediaType")
]
export const [readOnly, writeOnly] = [ofFlag("readOnly"), ofFlag("writeOnly")]
export const [deprecated, $recursiveAnchor] = [ofFlag("deprecated"), ofFlag("$recursiveAnchor")]
export const contentSchema = onAny({ name: "contentSchema", shape: schema })

/** Schemas that only references reach. */
export const definitions = onAny({ name: "definitions", shape: schemaMap })
/** The same since 2019-09. */
export const $defs = onAny({ name: "$defs", shape: schemaMap })
