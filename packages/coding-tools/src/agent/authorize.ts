/** A tool asks its execution policy, behind its argument checks and before any side effect. */
import { assertExecutionAllowed, type ExecutionAction, type ExecutionPolicy } from "@arnilo/prism-core"
import { messageOf, ToolFailure } from "./results.ts"

/**
 * The action as the policy leaves it. Throws `ToolFailure` with the reason of a refusal; a policy that throws or rejects
 * is a refusal with that error's message.
 */
export const authorize = async (
  policy: ExecutionPolicy | undefined,
  action: ExecutionAction
): Promise<ExecutionAction> => {
  try {
    return await assertExecutionAllowed(policy, action)
  } catch (error) {
    throw new ToolFailure(messageOf(error))
  }
}
