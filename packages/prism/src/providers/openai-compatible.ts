/** Any server that speaks Chat Completions, as a provider. */
export {
  createOpenAICompatibleProvider,
  type OpenAICompatibleOptions
} from "@arnilo/prism-core/providers/openai-compatible"
