/** `prism mcp check`: whether a server can be used as it is, and how long it takes. */
import * as Effect from "effect/Effect"
import { toCliFailure } from "../CliFailure.ts"
import { listedTools, reasonOf } from "./listMcpTools.ts"
import { oneLine, printableJson } from "./printable.ts"
import type { McpSession } from "./McpSession.ts"
import { untilAborted } from "../untilAborted.ts"

/** Signs of a name in the text. */
const MAX_NAME = 100

/** 1 where a tool is refused. */
export const checkMcpServer = Effect.fnUntraced(function* (session: McpSession) {
  const { bridge, invocation, openedMs, runtime, stdout } = session
  const start = performance.now()
  yield* untilAborted(Effect.tryPromise({ try: () => bridge.refresh(), catch: toCliFailure }), runtime.signal)
  const listedMs = performance.now() - start
  const listed = listedTools(session)
  const refused = listed.filter(({ admission }) => admission.status === "refused")
  const unchecked = listed.filter(({ admission }) => admission.status === "ready_output_unchecked")
  const { ignored, server } = bridge.health
  const facts = {
    server,
    openedMs: Math.round(openedMs),
    listedMs: Math.round(listedMs),
    tools: listed.length,
    refused: refused.map(({ admission }) => admission),
    outputUnchecked: unchecked.map(({ admission }) => admission),
    ignoredMessages: ignored
  }
  const lines = [
    ...(server === undefined
      ? []
      : [
          `server                ${oneLine(`${server.name} ${server.version}`, MAX_NAME)}`,
          `protocol              ${oneLine(server.protocolVersion, MAX_NAME)}`
        ]),
    `connected and listed  ${facts.openedMs} ms`,
    `listed again          ${facts.listedMs} ms`,
    `tools                 ${facts.tools}`,
    `ignored messages      ${facts.ignoredMessages}`,
    ...[...refused, ...unchecked].map(
      ({ admission, name }) =>
        `${admission.status === "refused" ? "refused" : "output not checked"}: ${oneLine(name, MAX_NAME)}: ${reasonOf(admission)}`
    )
  ]
  const text = invocation.json ? printableJson(facts) : lines.join("\n")
  yield* stdout.write(`${text}\n`)
  return refused.length === 0 ? 0 : 1
})
