/** A provider request → the body of `POST /chat/completions`. Pure; throws before anything is sent. */
import type { ProviderRequest } from "../../ports/AIProvider.ts"
import type { ToolDefinition } from "../../ports/ToolDefinition.ts"
import type { JsonObject, JsonValue } from "../../schema/Json.ts"
import type { ProviderRequestOptions } from "../../schema/ProviderRequest.ts"
import { toMessages } from "./toMessages.ts"
import type { WireRequest, WireTool } from "./wire.ts"

/**
 * Later ones win: `model.parameters` (with `maxTokens` as `max_tokens`), `options.compat`, `options.extra`, then model, messages,
 * tools, structured output and streaming. `stream_options: null` in `extra` is for servers that refuse the field.
 */
export const toRequest = (request: ProviderRequest): WireRequest => {
  const { model, options } = request
  const { maxTokens, ...parameters } = model.parameters ?? {}
  const given: Readonly<Record<string, unknown>> = {
    ...(maxTokens === undefined ? undefined : { max_tokens: maxTokens }),
    ...parameters,
    ...options?.compat,
    ...options?.extra
  }
  const { stream_options, ...rest } = given
  return {
    ...rest,
    ...(stream_options === null ? undefined : { stream_options: toStreamOptions(stream_options) }),
    model: model.model,
    messages: toMessages(model, request.messages),
    ...(request.tools === undefined || request.tools.length === 0 ? undefined : { tools: request.tools.map(toTool) }),
    ...toResponseFormat(options),
    stream: true
  }
}

type Fields = Readonly<Record<string, JsonValue>>

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Without `include_usage` no usage would ever come. */
const toStreamOptions = (given: unknown): unknown => ({
  ...(isObject(given) ? given : undefined),
  include_usage: true
})

const toTool = (tool: ToolDefinition): WireTool => ({
  type: "function",
  function: {
    name: tool.name,
    ...(tool.description === undefined ? undefined : { description: tool.description }),
    parameters: toParameters(tool.parameters)
  }
})

/** Servers want an object with `properties` at the root, whatever else the schema says there. All of it is kept. */
const toParameters = (schema: Fields = {}): JsonObject => {
  const properties = schema["properties"]
  if (schema["type"] === "object" && isObject(properties)) return schema
  return { ...schema, type: "object", properties: isObject(properties) ? properties : {} }
}

const toResponseFormat = (options: ProviderRequestOptions | undefined) => {
  const structured = options?.structuredOutput
  if (structured === undefined) return undefined
  const { name, schema, strict } = structured
  const json_schema = { name, schema, ...(strict === undefined ? undefined : { strict }) }
  return { response_format: { type: "json_schema", json_schema } }
}
