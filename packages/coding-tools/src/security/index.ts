/** What coding tools may do: containment, command rules, approval, sandboxes. */
export type { ApprovalCacheScope } from "./ApprovalCache.ts"
export type { CodingApprovalFn, CodingApprovalRequest } from "./approvalWait.ts"
export { createCodingApprovalPolicy } from "./CodingApprovalPolicy.ts"
export type {
  CodingApprovalPolicy,
  CodingApprovalPolicyOptions,
  CodingExecutionDecision
} from "./CodingApprovalPolicy.ts"
export { analyzeCommand } from "./commandAnalysis.ts"
export type { AnalyzedProgram, CommandAnalysis } from "./commandAnalysis.ts"
export { evaluateCommandRules, hasShellMetacharacters } from "./CommandRules.ts"
export type { CommandAction, CommandRule, CommandRulesOptions, CommandVerdict } from "./CommandRules.ts"
export { assertPathInsideRoots, isPathInside, isPathInsideReal } from "./PathContainment.ts"
export { readOnlyCommandRules } from "./readOnlyCommandRules.ts"
export { createSandboxBashOperations, SandboxExecutionError } from "./Sandbox.ts"
export type { SandboxAdapter, SandboxExecRequest } from "./Sandbox.ts"
