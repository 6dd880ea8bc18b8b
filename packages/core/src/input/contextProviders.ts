/** What the host's providers of context add to a turn. */
import type { AssemblyContext, ContextProvider, Skill } from "../ports/Input.ts"
import { blocksOf } from "./hostAnswers.ts"
import { waitFor, type Steps } from "../ports/Steps.ts"
import type { ContextBlock } from "../schema/ProviderRequest.ts"

/** Throws what ended the run: the reason of its signal if that is an error. */
export const throwIfAborted = ({ aborted, reason }: AbortSignal): void => {
  if (aborted) throw reason instanceof Error ? reason : new Error("Agent run aborted")
}

const isList = (blocks: ContextBlock | ReadonlyArray<ContextBlock>): blocks is ReadonlyArray<ContextBlock> =>
  Array.isArray(blocks)

/** The providers of a turn: those of the agent, then those of its active skills. */
export const providersOf = (
  context: ReadonlyArray<ContextProvider> = [],
  skills: ReadonlyArray<Skill> = []
): ReadonlyArray<ContextProvider> => [...context, ...skills.flatMap((skill) => skill.context ?? [])]

/** The blocks of all providers, one asked after the other; none is asked once the run was aborted. */
export function* contextSteps(
  providers: ReadonlyArray<ContextProvider>,
  context: AssemblyContext
): Steps<ReadonlyArray<ContextBlock>> {
  const blocks: Array<ContextBlock> = []
  for (const [at, provider] of providers.entries()) {
    throwIfAborted(context.signal)
    const resolved = yield* waitFor(provider.resolve(context))
    if (resolved === undefined) continue
    const who = provider.name === undefined ? `context[${at}]` : `Context provider ${provider.name}`
    blocks.push(...blocksOf(who, isList(resolved) ? resolved : [resolved]))
  }
  return blocks
}
