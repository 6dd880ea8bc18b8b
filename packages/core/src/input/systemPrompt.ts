/** The system prompt, laid together from its layers. */
import type { SystemPromptLayer } from "../ports/Input.ts"

/** No layer, one or several. `false` is none. */
export type SystemPromptOption = false | SystemPromptLayer | ReadonlyArray<SystemPromptLayer> | undefined

const ranks = { user: 0, package: 1, unknown: 1.5, app: 2, run: 3 } as const

const rankOf = ({ source = "unknown" }: SystemPromptLayer): number =>
  // JSON from a host may name any source: those the list does not have are unknown.
  Object.hasOwn(ranks, source) ? ranks[source] : ranks.unknown

const isList = (
  option: SystemPromptLayer | ReadonlyArray<SystemPromptLayer>
): option is ReadonlyArray<SystemPromptLayer> => Array.isArray(option)

const layersOf = (option: SystemPromptOption): ReadonlyArray<SystemPromptLayer> => {
  if (option === undefined || option === false) return []
  return isList(option) ? option : [option]
}

const layOver = (texts: ReadonlyArray<string>, { mode = "append", text }: SystemPromptLayer): ReadonlyArray<string> => {
  if (mode === "disable") return []
  if (text === "") return texts
  if (mode === "replace") return [text]
  return mode === "prepend" ? [text, ...texts] : [...texts, text]
}

/**
 * Base texts and layers as one text, parted by blank lines; `undefined` if nothing is left. Layers are laid over the base in
 * the order of their sources (user, package, unknown, app, run), those of one source in the given order.
 */
export const composeSystemPrompt = (
  layers: SystemPromptOption,
  { base = [] }: { readonly base?: string | ReadonlyArray<string> | undefined } = {}
): string | undefined => {
  const texts = (typeof base === "string" ? [base] : base).filter((text) => text !== "")
  const sorted = layersOf(layers).toSorted((one, other) => rankOf(one) - rankOf(other))
  const composed = sorted.reduce(layOver, texts)
  return composed.length === 0 ? undefined : composed.join("\n\n")
}

/** The system prompt of a run: the agent's instructions, its layers and the run's. A run's `false` leaves only the first. */
export const runSystemPrompt = (
  instructions: string | undefined,
  agent: SystemPromptOption,
  run: SystemPromptOption
): string | undefined =>
  instructions === undefined && agent === undefined && run === undefined
    ? undefined
    : composeSystemPrompt(run === false ? [] : [...layersOf(agent), ...layersOf(run)], { base: instructions })
