/** What the tests of the `read` tool share: a directory that goes away, a call, parts of its result. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { ToolDefinition, ToolResult } from "@arnilo/prism-core"
import type { ReadOperations } from "../../src/agent/ReadOperations.ts"

export interface Directory extends AsyncDisposable {
  readonly path: string
  /** Writes a file and names its path. */
  write(name: string, content: string | Uint8Array): Promise<string>
}

export const makeDirectory = async (): Promise<Directory> => {
  const path = await mkdtemp(join(tmpdir(), "prism-read-"))
  return {
    path,
    write: async (name, content) => {
      await writeFile(join(path, name), content)
      return join(path, name)
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true })
  }
}

export const call = async (tool: ToolDefinition, args: unknown, signal?: AbortSignal): Promise<ToolResult> =>
  (await tool.execute(args as never, {
    sessionId: "session",
    runId: "run",
    toolCallId: "call",
    ...(signal !== undefined && { signal })
  })) as ToolResult

export const textOf = (result: ToolResult): string => {
  const [block] = result.content ?? []
  return block?.type === "text" ? block.text : "no text"
}

export const metadataOf = (result: ToolResult): Record<string, unknown> => ({ ...result.metadata })

/** The smallest start of a PNG that counts as one. */
export const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex")

/** A backend that notes what it is asked; what a test does not give is missing. */
export const backend = (members: Partial<ReadOperations>) => {
  const calls: Array<string> = []
  const operations = Object.fromEntries(
    Object.entries(members).map(([name, member]) => [
      name,
      (...args: ReadonlyArray<never>) => {
        calls.push(name)
        return (member as (...args: ReadonlyArray<never>) => unknown)(...args)
      }
    ])
    // Entries lose the types of their values; the names and functions are those of the members.
  ) as unknown as ReadOperations
  return { calls, operations }
}

/** Members of a backend that takes every file for an image. */
export const image = { access: async () => {}, detectImageMimeType: async () => "image/png" }
