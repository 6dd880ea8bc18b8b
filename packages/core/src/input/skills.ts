/** Which skills a run has. */
import type { Skill, SkillRegistry } from "../ports/Input.ts"
import { makeKeyedRegistry, type RegistryOptions } from "../ports/KeyedRegistry.ts"
import type { ToolDefinition, ToolRegistry } from "../ports/ToolDefinition.ts"

/**
 * Skills by name, in the order of their first registration. A second skill of a name takes the place of the first, or throws
 * `Duplicate skill: <name>`. Registering activates nothing.
 */
export const createSkillRegistry = (skills: ReadonlyArray<Skill> = [], options?: RegistryOptions): SkillRegistry => {
  const { get, list, put, resolve } = makeKeyedRegistry<Skill>("skill", options)
  for (const skill of skills) put(skill.name, skill)
  return { register: (skill) => put(skill.name, skill), get, resolve, list }
}

const known = (skill: Skill | undefined, name: string): Skill => {
  if (skill === undefined) throw new Error(`Unknown skill: ${name}`)
  return skill
}

type ActiveTools = ReadonlyArray<ToolDefinition> | Pick<ToolRegistry, "get">

const hasTool = (tools: ActiveTools, name: string): boolean =>
  "get" in tools ? tools.get(name) !== undefined : tools.some((tool) => tool.name === name)

const assertTools = (skills: ReadonlyArray<Skill>, tools: ActiveTools): ReadonlyArray<Skill> => {
  for (const { name, toolNames = [] } of skills) {
    const inactive = toolNames.find((tool) => !hasTool(tools, tool))
    if (inactive !== undefined) throw new Error(`Skill ${name} requires inactive tool: ${inactive}`)
  }
  return skills
}

export interface ResolveActiveSkillsOptions {
  readonly registry: Pick<SkillRegistry, "get">
  /** None are active unless named. */
  readonly names?: ReadonlyArray<string> | undefined
  /** The tools of the run. Without them a skill that needs one is refused. */
  readonly tools?: ActiveTools | undefined
}

/** The named skills, in the order of the names. Throws on an unknown skill and on one whose tools are not all active. */
export const resolveActiveSkills = ({
  names = [],
  registry,
  tools = []
}: ResolveActiveSkillsOptions): ReadonlyArray<Skill> =>
  assertTools(
    names.map((name) => known(registry.get(name), name)),
    tools
  )

export interface RunSkillsOptions {
  readonly configured: SkillRegistry | ReadonlyArray<Skill> | undefined
  /** Replaces what is configured. */
  readonly skills?: ReadonlyArray<Skill> | undefined
  readonly activeSkills?: ReadonlyArray<string> | undefined
  readonly activateAllSkills?: true | undefined
  readonly tools: ActiveTools
}

const isRegistry = (skills: SkillRegistry | ReadonlyArray<Skill>): skills is SkillRegistry => !Array.isArray(skills)

const selected = ({
  activateAllSkills,
  activeSkills = [],
  configured,
  skills
}: RunSkillsOptions): ReadonlyArray<Skill> => {
  const source = skills ?? configured ?? []
  const registry = isRegistry(source) ? source : createSkillRegistry(source)
  const named = activeSkills.map((name) => known(registry.get(name), name))
  return !isRegistry(source) ? source : activateAllSkills === true ? source.list() : named
}

/**
 * The skills of a run: its own list, else the agent's list, as a whole; else what is selected from the agent's registry.
 * Throws as `resolveActiveSkills` does; a selected name has to exist in a list, too.
 */
export const runSkills = (options: RunSkillsOptions): ReadonlyArray<Skill> =>
  options.skills === undefined && options.configured === undefined && options.activeSkills === undefined
    ? none
    : assertTools(selected(options), options.tools)

const none: ReadonlyArray<Skill> = []
