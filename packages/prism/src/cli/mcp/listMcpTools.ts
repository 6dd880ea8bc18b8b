/** `prism mcp list`: a table of what the server listed. */
import type { ToolDefinition } from "@arnilo/prism-core"
import * as Effect from "effect/Effect"
import type { McpAdmission } from "./McpPackage.ts"
import { oneLine, printable, printableJson } from "./printable.ts"
import type { McpSession } from "./McpSession.ts"

const STATUS = { ready: "ready", ready_output_unchecked: "ready, output not checked", refused: "refused" } as const

/** Signs of a description or reason in the table. */
const MAX_NOTE = 80
const MAX_NAME = 60

/** A listed tool as it can be called. */
export interface ListedTool {
  /** What Prism calls it, whether it can be used or not. */
  readonly name: string
  readonly admission: McpAdmission
  /** Absent where it is refused. */
  readonly tool?: ToolDefinition | undefined
}

/** In the order of the list. */
export const listedTools = ({ bridge, config, mcp }: McpSession): ReadonlyArray<ListedTool> => {
  const tools = new Map(bridge.tools.map((tool) => [tool.name, tool]))
  // Both were checked when the connection was opened.
  const { namePrefix, serverId } = config as { readonly namePrefix?: string; readonly serverId: string }
  const prefix = namePrefix ?? mcp.defaultMcpNamePrefix(serverId)
  return bridge.admissions.map((admission) => {
    const name = mcp.formatMcpToolName(prefix, admission.remoteName)
    return { name, admission, tool: admission.status === "refused" ? undefined : tools.get(name) }
  })
}

export const listMcpTools = (session: McpSession) => {
  const listed = listedTools(session)
  const { invocation, openedMs, say, stdout } = session
  const text = invocation.json ? `${printableJson(listed.map(asJson))}\n` : tableOf(listed)
  const usable = listed.filter(({ tool }) => tool !== undefined).length
  return Effect.as(
    Effect.andThen(
      stdout.write(text),
      say(`${usable} of ${listed.length} tools can be used; connected and listed in ${openedMs.toFixed(0)} ms`)
    ),
    0
  )
}

const asJson = ({ admission, name, tool }: ListedTool): object => ({
  name,
  ...admission,
  ...(tool !== undefined && { description: tool.description, parameters: tool.parameters })
})

/** Why a tool is not, or not wholly, what the server meant it to be. */
export const reasonOf = ({ pointer, reason }: McpAdmission): string =>
  reason === undefined ? "" : printable(pointer === undefined || pointer === "" ? reason : `${pointer}: ${reason}`)

const tableOf = (listed: ReadonlyArray<ListedTool>): string => {
  const rows = [
    ["NAME", "STATUS", "DESCRIPTION OR REASON"],
    ...listed.map(({ admission, name, tool }) => [
      oneLine(name, MAX_NAME),
      STATUS[admission.status],
      oneLine(admission.reason === undefined ? (tool?.description ?? "") : reasonOf(admission), MAX_NOTE)
    ])
  ]
  const widthOf = (column: number): number => Math.max(...rows.map((row) => lengthOf(row[column] ?? "")))
  const [nameWidth, statusWidth] = [widthOf(0), widthOf(1)]
  return rows
    .map(([name = "", status = "", note = ""]) =>
      `${pad(name, nameWidth)}  ${pad(status, statusWidth)}  ${note}`.trimEnd()
    )
    .map((line) => `${line}\n`)
    .join("")
}

/** In signs, not UTF-16 units. */
const lengthOf = (cell: string): number => Array.from(cell).length
const pad = (cell: string, width: number): string => cell + " ".repeat(width - lengthOf(cell))
