/** The tools that a server exposes: what clients are told of them, and calls through the gates of a run. */
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
import { relayToClient } from "./relayToClient.ts"
import type { McpCall, McpToolDefinition } from "./sdk.ts"
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

/** Whose call it is: what permission policies, tools and the ledger are told. */
export interface Caller {
  readonly sessionId: string
  readonly metadata: JsonObject | undefined
}

export class ExposedTools {
  readonly definitions: ReadonlyArray<McpToolDefinition>
  readonly #byName: ReadonlyMap<string, ToolDefinition>
  readonly #registry: ToolRegistry
  readonly #gate: CallGate
  readonly #redactor: SecretRedactor | undefined
  readonly #options: ExposedToolsOptions

  /** Throws `McpBridgeError` for tools that no client could call. */
  constructor(options: ExposedToolsOptions) {
    this.#options = { ...options, validate: options.validate ?? createJsonSchemaToolArgumentValidator() }
    this.#redactor = resolveRedactor(options.redactor, options.secrets)
    this.#registry = createToolRegistry(options.tools)
    this.#byName = byClientName(options.tools)
    this.definitions = [...this.#byName].map(([name, tool]) => describe(name, tool))
    this.#gate = new CallGate(options.toolConcurrency, options.maxWaitingCalls)
  }

  /** Never rejects. Answers at the deadline and on abort whether the tool has ended or not; its place is free when it has. */
  async call({ args, name, progress, signal }: McpCall, { metadata, sessionId }: Caller): Promise<McpCallAnswer> {
    const tool = this.#byName.get(name)
    if (tool === undefined) return failedAnswer(`Unknown tool: ${name}`)
    const { callTimeoutMs, maxResultBytes, ...gates } = this.#options
    const { release, signal: ends } = withDeadline(signal, callTimeoutMs)
    const call = toolCallContent(crypto.randomUUID(), tool.name, args as JsonObject)
    const dispatch = () =>
      dispatchToolCall({
        ...gates,
        call,
        registry: this.#registry,
        context: {
          sessionId,
          runId: call.id,
          toolCallId: call.id,
          signal: ends,
          metadata,
          ...(progress !== undefined && { progress: relayToClient(progress, this.#redactor) })
        }
      })
    try {
      const result = await this.#gate.run(dispatch, { isExclusive: tool.exclusive === true, signal: ends })
      return toCallAnswer(result, maxResultBytes)
    } catch (error) {
      if (signal.aborted) return failedAnswer("The call was cancelled")
      if (ends.aborted) return failedAnswer(`The call timed out after ${callTimeoutMs}ms`)
      return failedAnswer(error instanceof McpBridgeError ? error.message : "The call failed")
    } finally {
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
  const timer = setTimeout(() => controller.abort(new McpBridgeError("timeout")), ms)
  if (signal.aborted) abort()
  else signal.addEventListener("abort", abort, { once: true })
  const release = (): void => {
    clearTimeout(timer)
    signal.removeEventListener("abort", abort)
  }
  return { signal: controller.signal, release }
}

const MAX_NAME = 128

/** Clients accept letters, digits, `_`, `-` and `.`; whatever else a name has becomes `_`. */
const byClientName = (tools: ReadonlyArray<ToolDefinition>): ReadonlyMap<string, ToolDefinition> => {
  const named = new Map<string, ToolDefinition>()
  for (const tool of tools) {
    const name = tool.name.replaceAll(/[^A-Za-z0-9_.-]/g, "_")
    if (name.length > MAX_NAME) throw new McpBridgeError(`tool ${tool.name}: the name exceeds ${MAX_NAME} characters`)
    const other = named.get(name)
    if (other !== undefined)
      throw new McpBridgeError(`tools ${other.name} and ${tool.name} would both be called ${name}`)
    named.set(name, tool)
  }
  return named
}

const describe = (name: string, { description, name: own, parameters = {} }: ToolDefinition): McpToolDefinition => {
  const { type = "object" } = parameters
  if (type !== "object") throw new McpBridgeError(`tool ${own}: parameters must be of type "object"`)
  return { name, ...(description !== undefined && { description }), inputSchema: Object.assign({ type }, parameters) }
}
