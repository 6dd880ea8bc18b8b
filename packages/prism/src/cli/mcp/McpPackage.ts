/** `@arnilo/prism-mcp`, loaded when a command needs it: the command does not depend on it. */
import type { ToolDefinition } from "@arnilo/prism-core"
import * as Effect from "effect/Effect"
import { createRequire } from "node:module"
import { pathToFileURL } from "node:url"
import { toCliFailure } from "../CliFailure.ts"
import { CliUsageError } from "../CliOptions.ts"

/** What is used of it. */
export interface McpPackage {
  readonly connectMcpTools: (options: object) => Promise<McpBridge>
  readonly defaultMcpNamePrefix: (serverId: string) => string
  readonly formatMcpToolName: (prefix: string, remoteName: string) => string
}

export interface McpBridge {
  readonly tools: ReadonlyArray<ToolDefinition>
  readonly admissions: ReadonlyArray<McpAdmission>
  readonly health: { readonly ignored: number }
  readonly refresh: () => Promise<void>
  readonly close: () => Promise<void>
}

export interface McpAdmission {
  readonly remoteName: string
  readonly status: "ready" | "ready_output_unchecked" | "refused"
  readonly pointer?: string
  readonly reason?: string
}

const NAME = "@arnilo/prism-mcp"

/** The one that the config's own folder would find, else the one beside this command. */
export const loadMcpPackage = (configPath: string): Effect.Effect<McpPackage, CliUsageError> => {
  const path = resolveFrom(configPath) ?? resolveFrom(import.meta.url)
  if (path === undefined) {
    return Effect.fail(new CliUsageError({ message: `prism mcp needs ${NAME}: npm install ${NAME}` }))
  }
  return Effect.tryPromise({
    try: () => import(pathToFileURL(path).href) as Promise<McpPackage>,
    catch: (error) => new CliUsageError({ message: `${NAME} cannot be loaded: ${toCliFailure(error).message}` })
  })
}

const resolveFrom = (place: string): string | undefined => {
  try {
    return createRequire(place).resolve(NAME)
  } catch {
    return undefined
  }
}
