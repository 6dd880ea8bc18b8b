/** The OpenAI-compatible provider: Chat Completions over `fetch`, in any environment that has one. */
export { createOpenAICompatibleProvider, layer, type OpenAICompatibleOptions } from "./OpenAICompatibleProvider.ts"
