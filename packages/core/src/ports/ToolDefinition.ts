/** A tool as a host declares it, and what dispatch needs around it. */
import type { ErrorInfo } from "../schema/ErrorInfo.ts"
import type { JsonObject, Metadata } from "../schema/Json.ts"
import type { ToolResult } from "../schema/ToolResult.ts"
import type { HostValue } from "./HostValue.ts"

export interface ToolExecutionContext {
  readonly sessionId: string
  readonly runId: string
  readonly toolCallId: string
  /** Aborts with the run and at the deadline of this call. */
  readonly signal?: AbortSignal | undefined
  /** Metadata of agent, session and run, later ones winning. */
  readonly metadata?: Metadata | undefined
  /** Tells subscribers and the ledger how far the call is. */
  progress?(progress?: unknown, metadata?: Metadata): void | Promise<void>
}

/** One capability that a model may ask for. */
export interface ToolDefinition {
  readonly name: string
  readonly description?: string | undefined
  /** JSON Schema of the arguments. Opaque to core: a `ToolValidator` reads it. */
  readonly parameters?: JsonObject | undefined
  /** Serialises the turn that contains a call of this tool, and only that turn. */
  readonly exclusive?: boolean | undefined
  /** Deadline of one call in milliseconds, 1 to 2,147,483,647; none by default. */
  readonly timeoutMs?: number | undefined
  /**
   * Runs after every gate has passed. A throw, rejection or failure becomes an error result; it never fails the run.
   * An Effect is run in a fiber of its own, interrupted when the call is aborted or times out.
   */
  execute(args: JsonObject, context: ToolExecutionContext): HostValue<ToolResult>
}

/** Exact names; a missing or empty `allow` restricts nothing and `deny` always wins. */
export interface ToolFilter {
  readonly allow?: ReadonlyArray<string> | undefined
  readonly deny?: ReadonlyArray<string> | undefined
}

/** The tools an agent may call. `list` is in order of first registration. */
export interface ToolRegistry {
  register(tool: ToolDefinition): void
  get(name: string): ToolDefinition | undefined
  resolve(name: string): ToolDefinition
  list(): ReadonlyArray<ToolDefinition>
  /**
   * Waited for before each provider turn, which then sends what `list` says: for a registry whose tools come and go. What
   * it fails with fails the run.
   */
  prepareTurn?(): HostValue<void>
}

/** Judges the arguments of a permitted call. Nothing passes it; text or an `ErrorInfo` blocks the call. */
export type ToolValidator = (
  tool: ToolDefinition,
  args: JsonObject,
  context: ToolExecutionContext
) => HostValue<void | undefined | string | ErrorInfo>

export interface ToolArgumentValidationError {
  readonly path?: string | undefined
  readonly message: string
}

export interface ToolArgumentValidationResult {
  readonly ok: boolean
  readonly errors?: ReadonlyArray<ToolArgumentValidationError> | undefined
  /** Becomes the code of the blocked call's error, such as `schema_rejected`. */
  readonly code?: string | undefined
}

/** Checks a value against a JSON Schema. */
export interface ToolArgumentValidator {
  validate(schema: JsonObject, value: unknown): ToolArgumentValidationResult
}
