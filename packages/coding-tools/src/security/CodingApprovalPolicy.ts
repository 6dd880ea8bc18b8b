/** The execution policy of the coding tools: containment, command rules, and a person's approval. */
import { Execution, type ExecutionAction, type ExecutionDecision, type ExecutionPolicy } from "@arnilo/prism-core"
import * as Layer from "effect/Layer"
import { refuseUnknownOptions } from "../knownOptions.ts"
import { type ApprovalCacheScope, createApprovalCache } from "./ApprovalCache.ts"
import { type CodingApprovalFn, createApprovalWait } from "./approvalWait.ts"
import { analyzeCommand, type CommandAnalysis } from "./commandAnalysis.ts"
import { type CommandRule, judgeCommand } from "./CommandRules.ts"
import { assertPathInsideRoots } from "./PathContainment.ts"

export interface CodingApprovalPolicyOptions {
  /** What may be read and written, and where a shell may start. None: everything is refused. */
  readonly roots: ReadonlyArray<string>
  /** Asks a person. Without it, what needs approval is refused. */
  readonly approve?: CodingApprovalFn | undefined
  /** Default false. */
  readonly readOnly?: boolean | undefined
  readonly commandRules?: ReadonlyArray<CommandRule> | undefined
  /**
   * Default `"rules"`: rules read a command as text, and metacharacters ask. `"shell"`: the command is parsed as Bash, and
   * rules judge every program that would run.
   */
  readonly commandAnalysis?: "rules" | "shell" | undefined
  /** How long an answer holds for the same action. Default `"none"`. */
  readonly approvalCacheScope?: ApprovalCacheScope | undefined
  /** Default 30,000; at most 2,147,483,647. */
  readonly approvalTimeoutMs?: number | undefined
  /** Default true: in `"rules"`, a command with metacharacters needs approval whatever a rule allows. */
  readonly denyMetacharacters?: boolean | undefined
}

/** With `commandAnalysis: "shell"`, `analysis` lists the programs of a command and the rule that decided each. */
export interface CodingExecutionDecision extends ExecutionDecision {
  readonly analysis?: CommandAnalysis | undefined
}

export interface CodingApprovalPolicy extends ExecutionPolicy {
  readonly check: (action: ExecutionAction) => Promise<CodingExecutionDecision>
}

/** Kinds that a person has to approve. Reading needs none, nor do kinds that this policy knows nothing of. */
const NEEDS_APPROVAL = new Set(["shell", "write", "edit", "delete", "move"])

/** What is known of a command before anybody is asked. */
interface CommandVerdict {
  readonly decision: "allow" | "deny" | "ask"
  readonly reason?: string | undefined
  readonly analysis?: CommandAnalysis | undefined
}

/**
 * A policy whose every refusal is a decision: `check` neither throws nor rejects. The order is roots, read-only,
 * containment, command rules, approval, containment once more. Throws here, never later, for options that make no sense.
 */
export const createCodingApprovalPolicy = (options: CodingApprovalPolicyOptions): CodingApprovalPolicy => {
  const { roots, readOnly, commandRules, commandAnalysis, approvalCacheScope } = readOptions(options)
  const wait = createApprovalWait(options.approve, options.approvalTimeoutMs)
  const cache = createApprovalCache(approvalCacheScope)

  const verdictOf = (command: string | undefined): CommandVerdict => {
    if (command === undefined) return { decision: "ask" }
    if (commandAnalysis === "shell") {
      const analysis = analyzeCommand(command, commandRules)
      const { action, reason } = analysis
      return { decision: action === "requireApproval" ? "ask" : action, reason, analysis }
    }
    const { action, reason, rule } = judgeCommand(command, commandRules, options)
    if (action === "deny") return { decision: "deny", reason }
    return { decision: action === "allow" && rule !== undefined ? "allow" : "ask" }
  }

  const outside = async ({ paths = [] }: ExecutionAction): Promise<string | undefined> => {
    const inside = await Promise.all(paths.map((path) => assertPathInsideRoots(roots, path)))
    const path = paths[inside.indexOf(false)]
    return inside.includes(false) ? `path outside trusted roots: ${String(path)}` : undefined
  }

  const approval = async (
    action: ExecutionAction,
    analysis: CommandAnalysis | undefined
  ): Promise<string | undefined> => {
    if (wait === undefined) return "approval required"
    const key = cache.keyOf(action)
    const known = key === undefined ? undefined : cache.get(key)
    if (known !== undefined) return known ? undefined : "approval denied (cached)"
    const { approved, reason, decided } = await wait(action, analysis)
    if (decided && key !== undefined) cache.set(key, approved)
    // Whoever was asked took their time: what was inside may have moved.
    return approved ? outside(action) : reason
  }

  /** The reason of a refusal, and what is known of a command. */
  const judge = async (action: ExecutionAction): Promise<{ readonly reason?: string | undefined } & Judged> => {
    if (roots.length === 0) return { reason: "no trusted roots configured" }
    if (readOnly && action.kind !== "read") return { reason: "read-only mode" }
    const escaped = await outside(action)
    if (escaped !== undefined) return { reason: escaped }
    if (!NEEDS_APPROVAL.has(action.kind)) return {}
    const { decision, reason, analysis } = verdictOf(action.kind === "shell" ? action.command : undefined)
    if (decision === "allow") return { analysis }
    if (decision === "deny") return { reason: reason ?? "command denied by policy", analysis }
    return { reason: await approval(action, analysis), analysis }
  }

  return {
    check: async (given) => {
      try {
        const action = snapshot(given)
        if (typeof action === "string") return { allowed: false, reason: action }
        const { reason, analysis } = await judge(action)
        return {
          allowed: reason === undefined,
          ...(reason !== undefined && { reason }),
          ...(action.kind === "shell" && { exclusive: true }),
          ...(analysis !== undefined && { analysis })
        }
      } catch {
        return { allowed: false, reason: "approval denied" }
      }
    }
  }
}

/** The policy as core's execution policy, for hosts that compose layers. */
export const CodingApprovalPolicy = {
  /** What `yield* Execution` gives to everything below. Options that make no sense are a defect when it is built. */
  layer: (options: CodingApprovalPolicyOptions): Layer.Layer<never> =>
    Layer.sync(Execution, () => createCodingApprovalPolicy(options))
}

interface Judged {
  readonly analysis?: CommandAnalysis | undefined
}

/** A copy that neither the tool nor a prompt can change while it is decided on; the reason of a refusal if it is odd. */
const snapshot = (action: ExecutionAction): ExecutionAction | string => {
  const { paths, command } = action
  if (command !== undefined && typeof command !== "string") return "command denied by policy"
  if (paths === undefined) return Object.freeze({ ...action })
  if (!Array.isArray(paths)) return "path outside trusted roots"
  return Object.freeze({ ...action, paths: Object.freeze([...paths]) })
}

const KNOWN = {
  roots: true,
  approve: true,
  readOnly: true,
  commandRules: true,
  commandAnalysis: true,
  approvalCacheScope: true,
  approvalTimeoutMs: true,
  denyMetacharacters: true
} as const

const readOptions = (options: CodingApprovalPolicyOptions) => {
  refuseUnknownOptions("The approval policy", options, KNOWN)
  const { roots, readOnly = false, commandRules = [], commandAnalysis = "rules", approvalCacheScope = "none" } = options
  if (!Array.isArray(roots)) throw new TypeError("roots must be an array of paths")
  if (!["rules", "shell"].includes(commandAnalysis)) throw new TypeError('commandAnalysis must be "rules" or "shell"')
  if (!["none", "run", "session"].includes(approvalCacheScope)) {
    throw new TypeError('approvalCacheScope must be "none", "run" or "session"')
  }
  for (const { pattern, action } of commandRules) {
    if (typeof pattern !== "string" && !(pattern instanceof RegExp)) {
      throw new TypeError("the pattern of a command rule must be a string or a RegExp")
    }
    if (!["allow", "deny", "requireApproval"].includes(action)) {
      throw new TypeError('the action of a command rule must be "allow", "deny" or "requireApproval"')
    }
  }
  return {
    roots: [...roots],
    readOnly,
    commandRules: structuredClone(commandRules),
    commandAnalysis,
    approvalCacheScope
  }
}
