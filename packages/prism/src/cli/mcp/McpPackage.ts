/** `@arnilo/prism-mcp`, loaded when a command needs it: the command does not depend on it. */
import type { ToolDefinition } from "@arnilo/prism-core"
import * as Effect from "effect/Effect"
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
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
  readonly health: {
    readonly ignored: number
    readonly server?: { readonly name: string; readonly version: string; readonly protocolVersion: string }
    readonly stderr?: string
  }
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

/**
 * The path of its `package.json`: as a dependency of the command, else as one of the project in whose directory the command
 * is run. What a config says must not depend on code that lies beside it, so that is not looked at, nor are the folders
 * of a user or machine.
 */
export const findMcpPackage = (cwd: string): Effect.Effect<string, CliUsageError> => {
  const manifest = findFrom(dirname(fileURLToPath(import.meta.url))) ?? findFrom(cwd)
  return manifest === undefined
    ? Effect.fail(new CliUsageError({ message: `prism mcp needs ${NAME}: npm install ${NAME}` }))
    : Effect.succeed(manifest)
}

export const loadMcpPackage = (manifest: string): Effect.Effect<McpPackage, CliUsageError> =>
  Effect.tryPromise({
    // A package finds itself by its name.
    try: () => import(pathToFileURL(createRequire(manifest).resolve(NAME)).href) as Promise<McpPackage>,
    catch: (error) => new CliUsageError({ message: `${NAME} cannot be loaded: ${toCliFailure(error).message}` })
  })

const findFrom = (directory: string): string | undefined => {
  const manifest = join(directory, "node_modules", NAME, "package.json")
  if (existsSync(manifest)) return manifest
  const parent = dirname(directory)
  return parent === directory ? undefined : findFrom(parent)
}
