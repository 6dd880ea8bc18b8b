/** Shows a run as it happens: the model's words, then a line per call with what became of it. */
import type { AgentEvent, ToolResult } from "@arnilo/prism"
import type { Gauge } from "./fileTools.ts"

interface Output {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/** A command that ran may have failed all the same. */
const done = ({ metadata }: ToolResult): string =>
  typeof metadata?.["exitCode"] === "number" ? `done, exit ${metadata["exitCode"]}` : "done"

export const createScreen = (output: Output, gauge: Gauge) => {
  const paint = (code: number, text: string): string =>
    output.isTTY === true ? `\u001b[${code}m${text}\u001b[0m` : text
  const line = (mark: string, call: string, what: string, ms?: number): void => {
    const bar = "▮".repeat(gauge.now).padEnd(4, "▯")
    output.write(`  ${bar} ${mark} ${call.padEnd(52)} ${what}${ms === undefined ? "" : paint(2, ` ${ms} ms`)}\n`)
  }
  const names = new Map<string, string>()
  const label = (id: string): string => names.get(id) ?? id
  let isSpeaking = false
  return {
    show(event: AgentEvent): void {
      if (event.type === "message_delta" && event.content.type === "text") {
        if (!isSpeaking) output.write(paint(36, "\nmodel  "))
        isSpeaking = true
        output.write(event.content.text)
        return
      }
      if (isSpeaking && event.type === "message_finished") output.write("\n\n")
      if (event.type === "message_finished") isSpeaking = false
      switch (event.type) {
        case "message_delta":
          if (event.content.type === "tool_call") {
            const { arguments: args, id, name } = event.content
            names.set(id, `${name} ${JSON.stringify(args)}`.slice(0, 52))
          }
          break
        case "tool_execution_started":
          line(paint(33, "→"), label(event.call.id), paint(2, "started"))
          break
        case "tool_execution_finished":
          if (event.result.error !== undefined) {
            line(paint(35, "✗"), label(event.result.toolCallId), paint(35, event.result.error.message))
            break
          }
          line(paint(32, "✓"), label(event.result.toolCallId), paint(32, done(event.result)), event.metadata.durationMs)
          break
        case "tool_execution_blocked":
          line(
            paint(35, "✗"),
            label(event.toolCallId),
            paint(35, `${event.reason}: ${event.error.message}`.slice(0, 90))
          )
          break
        case "tool_execution_error":
          line(paint(31, "!"), label(event.call.id), paint(31, event.error.message), event.metadata.durationMs)
          break
        default:
          break
      }
    }
  }
}
