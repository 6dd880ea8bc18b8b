/** Keywords that assert nothing, yet may not have any value. */
import { onAny } from "../Keyword.ts"
import { flag, list, schema, schemaMap, text } from "../shapes.ts"

const texts = ["$schema", "$comment", "title", "description", "contentEncoding", "contentMediaType"]
const flags = ["readOnly", "writeOnly", "deprecated", "$recursiveAnchor"]

export const annotations = [
  ...texts.map((name) => onAny({ name, shape: text })),
  ...flags.map((name) => onAny({ name, shape: flag })),
  onAny({ name: "examples", shape: list }),
  onAny({ name: "contentSchema", shape: schema })
]

/** Schemas that only references reach. */
export const definitions = [
  onAny({ name: "$defs", shape: schemaMap }),
  onAny({ name: "definitions", shape: schemaMap })
]
