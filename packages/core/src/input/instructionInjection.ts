/** Text and context that a host's injectors add to a turn. They grant nothing. */
import type { InstructionInjection, InstructionInjector, InstructionInjectorContext } from "../ports/Input.ts"
import { drivePromise, unstoppable, waitFor, type Steps } from "../ports/Steps.ts"
import type { ContextBlock } from "../schema/ProviderRequest.ts"
import { throwIfAborted } from "./contextProviders.ts"

/** What the injectors of a turn came to, in their order. */
export interface InjectedInstructions {
  readonly instructions: ReadonlyArray<string>
  readonly contextBlocks: ReadonlyArray<ContextBlock>
}

const applies = (injection: InstructionInjection, context: InstructionInjectorContext): boolean => {
  switch (injection.when) {
    case "first_turn":
      return context.turn === 1
    case "every_turn":
      return true
    case "on_input":
      return injection.predicate === undefined || injection.predicate(context)
    default:
      return false
  }
}

/** `runInstructionInjectors` as steps. */
export function* injectionSteps(
  injectors: ReadonlyArray<InstructionInjector>,
  context: InstructionInjectorContext
): Steps<InjectedInstructions> {
  const instructions: Array<string> = []
  const contextBlocks: Array<ContextBlock> = []
  for (const injector of injectors) {
    throwIfAborted(context.signal)
    const injection = yield* waitFor(injector.apply(context))
    if (injection === undefined || !applies(injection, context)) continue
    if (injection.instructions !== undefined && injection.instructions !== "") instructions.push(injection.instructions)
    contextBlocks.push(...(injection.contextBlocks ?? []))
  }
  return { instructions, contextBlocks }
}

/**
 * Asks every injector once, one after the other, and keeps what applies to this turn: `first_turn` on turn 1, `every_turn`
 * always, `on_input` when its predicate is absent or true. Only text and context blocks are read of an answer. What an
 * injector throws rejects.
 */
export const runInstructionInjectors = (
  injectors: ReadonlyArray<InstructionInjector>,
  context: InstructionInjectorContext
): Promise<InjectedInstructions> => drivePromise(injectionSteps(injectors, context), unstoppable)

export interface ResolveInstructionInjectorsOptions {
  readonly configured?: ReadonlyArray<InstructionInjector> | undefined
  readonly registry?: { get(name: string): InstructionInjector | undefined } | undefined
  readonly names?: ReadonlyArray<string> | undefined
}

/** The configured injectors, then the named ones of the registry. Throws `Unknown instruction injector: <name>`. */
export const resolveInstructionInjectors = ({
  configured = [],
  names = [],
  registry
}: ResolveInstructionInjectorsOptions): ReadonlyArray<InstructionInjector> => [
  ...configured,
  ...names.map((name) => {
    const injector = registry?.get(name)
    if (injector === undefined) throw new Error(`Unknown instruction injector: ${name}`)
    return injector
  })
]
