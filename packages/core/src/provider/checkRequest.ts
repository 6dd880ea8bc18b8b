/** What is refused before a request is sent. */
import { StructuredOutputError } from "../errors/StructuredOutputError.ts"
import { UnsupportedModalityError } from "../errors/UnsupportedModalityError.ts"
import { isLongerThan } from "../limits/byteLength.ts"
import { ProviderLimits } from "../limits/ProviderLimits.ts"
import type { Message } from "../schema/Message.ts"
import type { ModelConfig } from "../schema/Model.ts"
import type { ProviderRequestOptions } from "../schema/ProviderRequest.ts"
import { isJsonObject } from "../security/json.ts"

const MAX_SCHEMA_BYTES = ProviderLimits.table.structuredOutputSchemaBytes.hardCap
const MAX_NAME_LENGTH = ProviderLimits.table.structuredOutputNameLength.hardCap

/**
 * Throws `UnsupportedModalityError` for the first media block whose type the model's declared input lacks. No
 * declaration, no check.
 */
export const assertModalities = (model: ModelConfig, messages: ReadonlyArray<Message>): void => {
  const accepted = model.capabilities?.input
  if (accepted === undefined) return
  for (let at = 0; at < messages.length; at++) {
    const content = messages[at]?.content
    if (content === undefined) continue
    for (let index = 0; index < content.length; index++) {
      const type = content[index]?.type
      if (type !== undefined && isMedia(type) && !accepted.includes(type)) {
        throw new UnsupportedModalityError({ modality: type, provider: model.provider, model: model.model })
      }
    }
  }
}

const isMedia = (type: string): boolean =>
  type === "image" || type === "audio" || type === "file" || type === "document"

/**
 * Throws `StructuredOutputError` when structured output is asked for and the model does not declare it
 * (`unsupported_model`), its name is empty or longer than 128 characters (`invalid_name`), its schema is no JSON object
 * (`invalid_schema`) or weighs more than 65,536 bytes of JSON (`schema_too_large`).
 */
export const assertStructuredOutput = (model: ModelConfig, options: ProviderRequestOptions | undefined): void => {
  const wanted = options?.structuredOutput
  if (wanted === undefined) return
  const declared = model.capabilities?.structuredOutput
  if (declared !== true && declared !== "json_schema") {
    const message = `Model ${model.provider}/${model.model} does not declare structured output`
    throw new StructuredOutputError({ code: "unsupported_model", message })
  }
  const { name, schema } = wanted
  if (typeof name !== "string" || name.trim() === "" || name.length > MAX_NAME_LENGTH) {
    const message = `Structured output name must be text of 1 to ${MAX_NAME_LENGTH} characters`
    throw new StructuredOutputError({ code: "invalid_name", message })
  }
  if (!isJsonObject(schema)) {
    throw new StructuredOutputError({
      code: "invalid_schema",
      message: "Structured output schema must be a JSON object"
    })
  }
  if (isTooLarge(schema)) {
    const message = `Structured output schema exceeds ${MAX_SCHEMA_BYTES} bytes`
    throw new StructuredOutputError({ code: "schema_too_large", message })
  }
}

const isTooLarge = (schema: object): boolean => {
  try {
    return isLongerThan(JSON.stringify(schema), MAX_SCHEMA_BYTES)
  } catch {
    return true // so deep that it cannot be written
  }
}
