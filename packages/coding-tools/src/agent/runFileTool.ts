/** What `write` and `edit` share: who may change which file, and what a failure becomes. */
import { resolve } from "node:path"
import type { ExecutionAction, ExecutionPolicy, Metadata, ToolExecutionContext, ToolResult } from "@arnilo/prism-core"
import { propose, type ProposedChange } from "../proposedChange.ts"
import { authorize } from "./authorize.ts"
import { failure, messageOf, OPERATION_ABORTED, ToolFailure } from "./results.ts"

/** Resolves with the result of `run`, or with the failure that anything it throws becomes. */
export const settleTool = async (
  name: string,
  context: ToolExecutionContext,
  run: () => Promise<ToolResult>
): Promise<ToolResult> => {
  try {
    return await run()
  } catch (error) {
    return failure(name, context, isAbort(error, context.signal) ? OPERATION_ABORTED : messageOf(error))
  }
}

/** An operation that heeds the signal rejects with its reason or with an `AbortError`. */
const isAbort = (error: unknown, signal: AbortSignal | undefined): boolean =>
  signal?.aborted === true && (error === signal.reason || (error instanceof Error && error.name === "AbortError"))

interface FileChange {
  readonly kind: "write" | "edit"
  readonly cwd: string
  /** Absolute. */
  readonly path: string
  readonly metadata: Metadata
  readonly proposal: ProposedChange
}

/** Asks the policy about a change of one file. Resolves with the path that it leaves; throws `ToolFailure` otherwise. */
export const authorizeFileChange = async (
  policy: ExecutionPolicy | undefined,
  { kind, cwd, path, metadata, proposal }: FileChange,
  { sessionId, runId, signal }: ToolExecutionContext
): Promise<string> => {
  const action = {
    kind,
    operation: kind,
    paths: [path],
    risk: "medium",
    metadata: { ...metadata, sessionId, runId, signal }
  } satisfies ExecutionAction
  propose(action.metadata, proposal)
  const allowed: unknown = (await authorize(policy, action)).paths?.[0]
  if (typeof allowed !== "string" || allowed === "") throw new ToolFailure("The execution policy left no path.")
  return resolve(cwd, allowed)
}
