/** The reference servers of the protocol, as children or on a port of this machine. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { type AddressInfo, createServer } from "node:net"
import { dirname, join } from "node:path"
import type { McpStdioTransport, McpStreamableHttpTransport } from "@arnilo/prism-mcp"

const entryOf = (name: string): string => {
  const manifest = createRequire(import.meta.url).resolve(`@modelcontextprotocol/${name}/package.json`)
  return join(dirname(manifest), "dist", "index.js")
}

const everything = entryOf("server-everything")
const filesystem = entryOf("server-filesystem")

export const everythingOnStdio = (): McpStdioTransport => ({
  type: "stdio",
  command: process.execPath,
  args: [everything, "stdio"]
})

export const filesystemOnStdio = (folder: string): McpStdioTransport => ({
  type: "stdio",
  command: process.execPath,
  args: [filesystem, folder]
})

export interface HttpServer {
  readonly transport: McpStreamableHttpTransport
  readonly stop: () => Promise<void>
}

export const everythingOnHttp = async (): Promise<HttpServer> => {
  const port = await freePort()
  const env = { ...process.env, PORT: String(port) }
  const child = spawn(process.execPath, [everything, "streamableHttp"], { env, stdio: ["ignore", "ignore", "pipe"] })
  await ready(child)
  const origin = `http://127.0.0.1:${port}`
  return {
    transport: { type: "streamable-http", url: `${origin}/mcp`, allowedOrigins: [origin], allowLoopbackHttp: true },
    stop: async () => {
      child.kill("SIGKILL")
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit")
    }
  }
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, "close")
  return port
}

/** It says on stderr that it listens. */
const ready = async (child: ChildProcess): Promise<void> => {
  let said = ""
  for await (const chunk of child.stderr ?? []) {
    said += String(chunk)
    if (/listening/i.test(said)) break
  }
  if (!/listening/i.test(said)) throw new Error(`the reference server did not start: ${said}`)
}

/** Living children of this process that run a reference server. */
export const orphans = (): ReadonlyArray<string> =>
  readdirSync("/proc").flatMap((pid) => {
    try {
      if (!/^\d+$/.test(pid)) return []
      const [, parent] = /\) \S+ (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? []
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")
      return Number(parent) === process.pid && /server-(?:everything|filesystem)/.test(command) ? [command] : []
    } catch {
      return []
    }
  })

/** What may grow from one connection to the next. */
export const listeners = (): Readonly<Record<string, number>> =>
  Object.fromEntries(
    ["exit", "SIGINT", "SIGTERM", "SIGHUP", "uncaughtException", "unhandledRejection", "warning"].map((name) => [
      name,
      process.listenerCount(name)
    ])
  )
