/** `prism mcp` as `effect/cli` reads it. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import type { McpInvocation } from "./McpInvocation.ts"

const config = Argument.String("config").pipe(
  Argument.withDescription("A JSON file, or a module with a default export: the options of connectMcpTools")
)
const json = Flag.Boolean("json").pipe(
  Flag.withoutNegation,
  Flag.withDescription("One JSON document on stdout"),
  Flag.withDefault(false)
)
const timeoutMs = Flag.String("timeout").pipe(
  Flag.withMetavar("<ms>"),
  Flag.withDescription("Milliseconds for connecting and for each request, in place of the config's callTimeoutMs"),
  Flag.filterMap(
    (value) => (/^[1-9]\d*$/.test(value) ? Option.some(Number(value)) : Option.none()),
    () => "a whole number"
  ),
  Flag.optional
)

/** Calls `take` with what was read. */
export const mcpCommand = (take: (invocation: McpInvocation) => void) => {
  const taking = (action: McpInvocation["action"]) => (given: { readonly [name: string]: unknown }) =>
    Effect.sync(() => {
      const values = Object.entries(given).map(([name, value]) => [
        name,
        Option.isOption(value) ? Option.getOrUndefined(value) : value
      ])
      take({ action, ...Object.fromEntries(values) } as McpInvocation)
    })
  return Command.make("mcp").pipe(
    Command.withDescription("Looks at a server of the Model Context Protocol"),
    Command.withSubcommands([
      Command.make("list", { config, json, timeoutMs }, taking("list")).pipe(
        Command.withDescription("Lists the server's tools, and which of them can be used")
      ),
      Command.make(
        "call",
        {
          config,
          tool: Argument.String("tool").pipe(Argument.withDescription("Name of the tool, with or without its prefix")),
          args: Argument.String("arguments").pipe(
            Argument.withDescription("A JSON object, or - to read one from stdin; {} by default"),
            Argument.optional
          ),
          json,
          timeoutMs
        },
        taking("call")
      ).pipe(Command.withDescription("Calls a tool once")),
      Command.make("check", { config, json, timeoutMs }, taking("check")).pipe(
        Command.withDescription("Connects, lists twice, disconnects, and says what took how long and what is refused")
      )
    ])
  )
}
