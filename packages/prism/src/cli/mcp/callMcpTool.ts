/** `prism mcp call`: one call, its arguments checked as before a call in a run. */
import {
  type ContentBlock,
  isJsonObject,
  type JsonObject,
  type ToolDefinition,
  type ToolResult
} from "@arnilo/prism-core"
import { createJsonSchemaArgumentValidator } from "@arnilo/prism-core/validation/json-schema"
import * as Effect from "effect/Effect"
import { addAbortSignal, type Readable } from "node:stream"
import { CliFailure, messageOf, toCliFailure } from "../CliFailure.ts"
import { CliUsageError } from "../CliOptions.ts"
import type { CliRuntime } from "../CliRuntime.ts"
import { listedTools, reasonOf } from "./listMcpTools.ts"
import { oneLine, printable, printableJson } from "./printable.ts"
import type { McpSession } from "./McpSession.ts"
import { untilAborted } from "../untilAborted.ts"

/** UTF-16 units of arguments from stdin. */
const MAX_ARGUMENTS = 16_777_216

export const callMcpTool = Effect.fnUntraced(function* (session: McpSession) {
  const { invocation, runtime, say, stdout } = session
  const tool = yield* toolOf(session)
  const args = yield* untilAborted(argumentsOf(invocation.args, runtime), runtime.signal)
  yield* checkArguments(tool, args)
  const start = performance.now()
  const result = yield* execute(session, tool, args)
  yield* say(`called in ${(performance.now() - start).toFixed(0)} ms`)
  yield* stdout.write(invocation.json ? `${printableJson(result)}\n` : textOf(result))
  if (result.error === undefined) return 0
  return yield* new CliFailure({ message: result.error.message })
})

const toolOf = Effect.fnUntraced(function* (session: McpSession) {
  const { tool: wanted = "" } = session.invocation
  const listed = listedTools(session)
  const found =
    listed.find(({ name }) => name === wanted) ?? listed.find(({ admission }) => admission.remoteName === wanted)
  if (found?.tool !== undefined) return found.tool
  const message =
    found === undefined
      ? `The server lists no tool ${oneLine(wanted, 100)}`
      : `The tool ${oneLine(wanted, 100)} is refused: ${reasonOf(found.admission)}`
  return yield* new CliFailure({ message })
})

const argumentsOf = Effect.fnUntraced(function* (given: string | undefined, runtime: CliRuntime) {
  // Looked at only then: a process opens its stdin by it.
  const text = given === "-" ? yield* readAll(runtime.stdin) : (given ?? "{}")
  const parsed = yield* Effect.try({
    try: (): unknown => JSON.parse(text),
    catch: (error) => new CliUsageError({ message: `The arguments are no JSON: ${messageOf(error)}` })
  })
  if (isJsonObject(parsed)) return parsed
  return yield* new CliUsageError({ message: "The arguments must be a JSON object" })
})

const readAll = (stdin: Readable): Effect.Effect<string, CliUsageError> =>
  Effect.tryPromise({
    try: async (signal) => {
      let text = ""
      for await (const piece of addAbortSignal(signal, stdin.setEncoding("utf8"))) {
        text += String(piece)
        if (text.length > MAX_ARGUMENTS) throw new Error(`more than ${MAX_ARGUMENTS} characters`)
      }
      return text
    },
    catch: (error) => new CliUsageError({ message: `The arguments cannot be read: ${messageOf(error)}` })
  })

const checkArguments = ({ parameters = {} }: ToolDefinition, args: JsonObject): Effect.Effect<void, CliFailure> => {
  const { errors = [], ok } = createJsonSchemaArgumentValidator().validate(parameters, args)
  if (ok) return Effect.void
  const faults = errors.map(({ message, path = "" }) => (path === "" ? message : `${path}: ${message}`))
  return Effect.fail(new CliFailure({ message: `The arguments do not match: ${faults.join("; ")}` }))
}

const CALL_ID = "prism-mcp-call"

const execute = ({ runtime, say }: McpSession, tool: ToolDefinition, args: JsonObject) =>
  Effect.tryPromise({
    try: async () =>
      (await tool.execute(args, {
        sessionId: CALL_ID,
        runId: CALL_ID,
        toolCallId: CALL_ID,
        signal: runtime.signal,
        progress: (told) => Effect.runPromise(say(`progress ${oneLine(JSON.stringify(told), 200)}`))
      })) as ToolResult,
    catch: toCliFailure
  })

const textOf = ({ content = [], value }: ToolResult): string =>
  [...content.map(blockText), ...(value === undefined ? [] : [printable(JSON.stringify(value, undefined, 2))])]
    .map((line) => `${line}\n`)
    .join("")

const blockText = (block: ContentBlock): string => {
  if (block.type === "text") return printable(block.text)
  const {
    data = "",
    mediaType,
    mimeType,
    type
  } = block as {
    readonly type: string
    readonly data?: unknown
    readonly mimeType?: string
    readonly mediaType?: string
  }
  return printable(`[${type} ${mimeType ?? mediaType ?? ""}, ${String(data).length} characters of base64]`)
}
