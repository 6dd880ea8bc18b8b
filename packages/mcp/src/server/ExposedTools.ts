/** The tools that a server exposes: calls of clients, through the gates of a run. */
import {
  createToolRegistry,
  dispatchToolCall,
  type DispatchToolCallOptions,
  type JsonObject,
  resolveRedactor,
  type SecretRedactor,
  toolCallContent,
  type ToolDefinition,
  type ToolRegistry
} from "@arnilo/prism-core"
import { createJsonSchemaToolArgumentValidator } from "@arnilo/prism-core/validation/json-schema"
import { McpBridgeError } from "../errors/McpBridgeError.ts"
import { CallGate } from "./CallGate.ts"
import { type ExposedTool, exposeTools } from "./exposeTools.ts"
import { relayToClient } from "./relayToClient.ts"
import type { McpCall, McpToolDefinition } from "./sdk.ts"
import { ToolWork } from "./ToolWork.ts"
import { failedAnswer, type McpCallAnswer, toCallAnswer } from "./toCallAnswer.ts"

/** What a run has, too; see `dispatchToolCall`. */
export type DispatchGates = Pick<
  DispatchToolCallOptions,
  "permission" | "validate" | "middleware" | "filter" | "redactor" | "secrets" | "ledger" | "ownership" | "emit"
>

export interface ExposedToolsOptions extends DispatchGates {
  readonly tools: ReadonlyArray<ToolDefinition>
  readonly toolConcurrency: number
  readonly maxWaitingCalls: number
  readonly callTimeoutMs: number
  readonly maxResultBytes: number
}

export class ExposedTools {
  /** By client's name. */
  readonly definitions: ReadonlyMap<string, McpToolDefinition>
  readonly #byName: ReadonlyMap<string, ExposedTool>
  readonly #registry: ToolRegistry
  readonly #gate: CallGate
  readonly #redactor: SecretRedactor | undefined
  readonly #options: ExposedToolsOptions
  readonly #work = new ToolWork()

  /** Throws `McpBridgeError` for tools that no client could call. */
  constructor(options: ExposedToolsOptions) {
    this.#options = { ...options, validate: options.validate ?? createJsonSchemaToolArgumentValidator() }
    this.#redactor = resolveRedactor(options.redactor, options.secrets)
    this.#byName = exposeTools(options.tools, options.callTimeoutMs, this.#redactor)
    this.definitions = new Map([...this.#byName].map(([name, { described }]) => [name, described]))
    this.#registry = createToolRegistry(Array.from(this.#byName.values(), ({ tool }) => this.#work.watch(tool)))
    this.#gate = new CallGate(options.toolConcurrency, options.maxWaitingCalls)
  }

  /**
   * Never rejects. Answers at the deadline and on abort whether the tool has ended or not; its place is free when it has,
   * whatever a policy or the ledger still takes.
   */
  async call({ args, caller, name, progress, signal }: McpCall): Promise<McpCallAnswer> {
    const exposed = this.#byName.get(name)
    if (exposed === undefined) return failedAnswer(`Unknown tool: ${name}`)
    const { callTimeoutMs, maxResultBytes, ...gates } = this.#options
    const { release, signal: ends } = withDeadline(signal, callTimeoutMs)
    const call = toolCallContent(crypto.randomUUID(), exposed.tool.name, args as JsonObject)
    const relay = progress && relayToClient(progress, this.#redactor)
    const dispatch = () =>
      dispatchToolCall({
        ...gates,
        call,
        registry: this.#registry,
        context: {
          ...caller,
          runId: call.id,
          toolCallId: call.id,
          signal: ends,
          ...(relay !== undefined && { progress: relay.tell })
        }
      }).finally(() => this.#work.forget(call.id))
    try {
      const result = await this.#gate.run(dispatch, {
        isExclusive: exposed.tool.exclusive === true,
        signal: ends,
        // Dispatch begins no tool after an abort.
        whenIdle: () => this.#work.ended(call.id)
      })
      return toCallAnswer(result, maxResultBytes)
    } catch (error) {
      if (signal.aborted) return failedAnswer("The call was cancelled")
      if (ends.aborted) return failedAnswer(`The call timed out after ${callTimeoutMs}ms`)
      return failedAnswer(error instanceof McpBridgeError ? error.message : "The call failed")
    } finally {
      relay?.end()
      release()
    }
  }
}

/** Aborts with `signal`, or when the time is over. */
const withDeadline = (
  signal: AbortSignal,
  ms: number
): { readonly signal: AbortSignal; readonly release: () => void } => {
  const controller = new AbortController()
  const abort = (): void => controller.abort(signal.reason)
  const timer = setTimeout(() => controller.abort(new McpBridgeError(`The call timed out after ${ms}ms`)), ms)
  if (signal.aborted) abort()
  else signal.addEventListener("abort", abort, { once: true })
  const release = (): void => {
    clearTimeout(timer)
    signal.removeEventListener("abort", abort)
  }
  return { signal: controller.signal, release }
}
