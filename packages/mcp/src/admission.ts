/** Which of the listed tools can be used, each judged on its own. */
import type { JsonObject } from "@arnilo/prism-core"
import type { CompiledSchema, JsonSchemaValidator } from "@arnilo/prism-core/validation/json-schema"
import type * as Context from "effect/Context"
import * as Result from "effect/Result"
import { boundText } from "./boundText.ts"
import { definitionHash } from "./definitionHash.ts"
import type { McpLimitValues } from "./McpLimits.ts"
import { type JsonFault, measureJson } from "./measureJson.ts"
import type { RemoteTool } from "./Remote.ts"
import { toolNameFault } from "./toolNames.ts"

/** What became of one listed tool. */
export interface McpToolAdmission {
  /** As the server says it, cut to `maxToolNameBytes`. */
  readonly remoteName: string
  /**
   * `ready`: usable. `ready_output_unchecked`: usable, but its output schema is not, so that structured content passes
   * unchecked. `refused`: left out of `tools`.
   */
  readonly status: "ready" | "ready_output_unchecked" | "refused"
  /** JSON Pointer into the definition, as `/inputSchema/properties/id`. */
  readonly pointer?: string
  readonly reason?: string
  /** Hash of name, description and schemas. Absent where these are out of bounds. */
  readonly definitionHash?: string
  /** The hash that was approved before, where the definition has changed since. */
  readonly approvedHash?: string
}

/** A tool that can be used. */
export interface AdmittedTool {
  readonly remoteName: string
  readonly description: string | undefined
  readonly parameters: JsonObject
  /** Absent: structured content passes as it is. */
  readonly output: CompiledSchema | undefined
}

export interface Judgement {
  readonly admission: McpToolAdmission
  /** Absent where the tool is refused. */
  readonly tool?: AdmittedTool
}

type Validator = Context.Service.Shape<typeof JsonSchemaValidator>

/** Judges one listed tool. Never throws, whatever the server listed. */
export const admitTool = (listed: unknown, limits: McpLimitValues, validator: Validator): Judgement => {
  if (typeof listed !== "object" || listed === null || Array.isArray(listed)) return refuse("", "", "is no object")
  // Each member is checked below.
  const { description, inputSchema, name, outputSchema } = listed as { readonly [Name in keyof RemoteTool]: unknown }
  if (typeof name !== "string") return refuse("", "/name", "name is no string")
  const remoteName = boundText(name, limits.maxToolNameBytes)
  const nameFault = toolNameFault(name, limits.maxToolNameBytes)
  if (nameFault !== undefined) return refuse(remoteName, "/name", nameFault)
  const text = description ?? undefined
  if (text !== undefined && typeof text !== "string") {
    return refuse(remoteName, "/description", "description is no string")
  }
  if (text !== undefined && Buffer.byteLength(text) > limits.maxToolDescriptionBytes) {
    return refuse(remoteName, "/description", `description exceeds ${limits.maxToolDescriptionBytes} bytes`)
  }
  const fault = schemaFault(inputSchema, outputSchema, limits)
  if (fault !== undefined) return refuse(remoteName, fault.pointer, fault.reason)
  const tool = { name, ...(text !== undefined && { description: text }), inputSchema, outputSchema }
  return judgeSchemas(tool, validator)
}

const refuse = (remoteName: string, pointer: string, reason: string, hash?: string): Judgement => ({
  admission: {
    remoteName,
    status: "refused",
    pointer,
    reason,
    ...(hash !== undefined && { definitionHash: hash })
  }
})

/** Both schemas within bounds, before anything walks them. */
const schemaFault = (
  inputSchema: unknown,
  outputSchema: unknown,
  limits: McpLimitValues
): Pick<JsonFault, "pointer" | "reason"> | undefined => {
  let left: number = limits.maxToolSchemaBytes
  for (const [key, schema] of [
    ["inputSchema", inputSchema],
    ["outputSchema", outputSchema]
  ] as const) {
    if (schema === undefined) continue
    const measured = measureJson(schema, {
      maxBytes: left,
      maxDepth: limits.maxJsonDepth,
      maxProperties: limits.maxJsonProperties
    })
    if (typeof measured === "number") left -= measured
    else {
      const reason =
        measured.kind === "bytes" ? `schemas exceed ${limits.maxToolSchemaBytes} bytes` : `schema is ${measured.reason}`
      return { pointer: `/${key}${measured.pointer}`, reason }
    }
  }
  return undefined
}

const judgeSchemas = (tool: RemoteTool, validator: Validator): Judgement => {
  const hash = definitionHash(tool)
  const { inputSchema, name: remoteName, outputSchema } = tool
  if (typeof inputSchema !== "object" || inputSchema === null || Array.isArray(inputSchema)) {
    return refuse(remoteName, "/inputSchema", "input schema is no object", hash)
  }
  if (!takesObjects((inputSchema as { readonly type?: unknown }).type)) {
    return refuse(remoteName, "/inputSchema/type", "input schema takes no object", hash)
  }
  const input = validator.compile(inputSchema)
  if (Result.isFailure(input)) {
    return refuse(remoteName, `/inputSchema${input.failure.pointer}`, input.failure.reason, hash)
  }
  const usable = {
    remoteName,
    description: tool.description,
    // Measured and compiled: it is a JSON object.
    parameters: inputSchema as JsonObject
  }
  const admission = { remoteName, definitionHash: hash }
  if (outputSchema === undefined || outputSchema === null) {
    return { admission: { ...admission, status: "ready" }, tool: { ...usable, output: undefined } }
  }
  const output = validator.compile(outputSchema)
  if (Result.isSuccess(output)) {
    return { admission: { ...admission, status: "ready" }, tool: { ...usable, output: output.success } }
  }
  const { pointer, reason } = output.failure
  return {
    admission: { ...admission, status: "ready_output_unchecked", pointer: `/outputSchema${pointer}`, reason },
    tool: { ...usable, output: undefined }
  }
}

/** Arguments are always an object: a tool that takes none could never be called, and providers refuse to send it. */
const takesObjects = (type: unknown): boolean =>
  type === undefined || type === "object" || (Array.isArray(type) && type.includes("object"))
