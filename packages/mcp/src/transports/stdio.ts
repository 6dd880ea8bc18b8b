/** A server as a child process: JSON-RPC messages as lines on its stdin and stdout. */
import { type ChildProcess, spawn } from "node:child_process"
import process from "node:process"
import { type Fields, JUDGED, TEXT, TEXTS } from "../checkFields.ts"
import { McpBridgeError } from "../errors/McpBridgeError.ts"
import { McpFixedLimits } from "../McpLimits.ts"
import type { Transport } from "../Remote.ts"
import { childEnvironment } from "../sdk.ts"
import { forgetChild, signalGroup, watchChild } from "./childProcesses.ts"
import { LineReader } from "./LineReader.ts"
import { TextTail } from "./TextTail.ts"

/** A program to start. Nothing is looked up but what the operating system finds for `command`. */
export interface McpStdioTransport {
  readonly type: "stdio"
  readonly command: string
  readonly args?: readonly string[]
  /** Besides the few variables every program needs; those of the host are not inherited. */
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** `pipe` unless set: read and kept for errors, nothing is printed. `inherit` prints where the host prints. */
  readonly stderr?: "inherit" | "pipe" | "ignore" | "overlapped"
}

export const STDIO_FIELDS: Fields<McpStdioTransport> = {
  type: JUDGED,
  command: JUDGED,
  args: JUDGED,
  env: TEXTS,
  cwd: TEXT,
  stderr: JUDGED
}

const { drainMs, frameBytes, stderrBytes, stopMs, unreadBytes } = McpFixedLimits

interface Message {
  readonly jsonrpc: "2.0"
  readonly id?: unknown
  readonly method?: unknown
}

/** Owns one child and whatever that starts in its process group. It is started once; `close` ends all of it. */
export class StdioChannel implements Transport {
  onclose: (() => void) | undefined
  onerror: ((error: Error) => void) | undefined
  onmessage: ((message: never) => void) | undefined
  /** Lines on stdout that are no JSON-RPC messages. */
  ignoredLines = 0
  readonly #config: McpStdioTransport
  readonly #lines = new LineReader(frameBytes.hardCap)
  readonly #stderr = new TextTail(stderrBytes.hardCap)
  #child: ChildProcess | undefined
  #ended: Promise<void> | undefined
  #reason: string | undefined
  /** The child and its streams are gone. */
  #isOver = false
  #isToldClosed = false

  constructor(config: McpStdioTransport) {
    this.#config = config
  }

  /** How the child ended, with the end of what it wrote to stderr; nothing while it runs. */
  get endReason(): string | undefined {
    if (this.#reason === undefined) return undefined
    const tail = this.stderr.trim()
    return tail === "" ? this.#reason : `${this.#reason}; stderr: ${tail}`
  }

  /** The end of what the child wrote to stderr, where that is read. */
  get stderr(): string {
    return this.#stderr.text
  }

  /** The child's process id while it runs. */
  get pid(): number | undefined {
    return this.#isOver ? undefined : this.#child?.pid
  }

  start(): Promise<void> {
    if (this.#child !== undefined) return Promise.reject(new McpBridgeError("MCP server is started already"))
    const { args = [], command, cwd, env, stderr = "pipe" } = this.#config
    const child = spawn(command, args, {
      env: { ...childEnvironment(), ...env },
      stdio: ["pipe", "pipe", stderr],
      // A group of its own, by which all of it can be ended.
      detached: process.platform !== "win32",
      windowsHide: true,
      ...(cwd !== undefined && { cwd })
    })
    this.#child = child
    if (child.pid !== undefined) watchChild(child.pid)
    child.stdout?.on("data", (chunk: Buffer) => this.#read(chunk))
    child.stderr?.on("data", (chunk: Buffer) => this.#stderr.add(chunk))
    // The end of the child tells what a broken pipe means.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.on("error", () => undefined)
    this.#ended = new Promise((resolve) => this.#awaitEnd(child, resolve))
    return new Promise((resolve, reject) => {
      child.once("spawn", resolve)
      child.once("error", reject)
    })
  }

  send(message: unknown): Promise<void> {
    const stdin = this.#child?.stdin
    if (stdin === null || stdin === undefined || this.#isToldClosed || !stdin.writable) {
      return Promise.reject(new McpBridgeError(this.endReason ?? "MCP server is not running"))
    }
    if (stdin.writableLength > unreadBytes.hardCap) {
      return Promise.reject(new McpBridgeError(`MCP server leaves more than ${unreadBytes.hardCap} bytes unread`))
    }
    return new Promise((resolve, reject) => {
      stdin.write(`${JSON.stringify(message)}\n`, (error) => {
        if (error) void this.#reasonOf(error).then(reject)
        else resolve()
      })
    })
  }

  /** A pipe breaks a moment before its child is known to have ended. */
  async #reasonOf(error: Error): Promise<Error> {
    await this.#endsWithin(stopMs.hardCap)
    return this.endReason === undefined ? error : new McpBridgeError(this.endReason, { cause: error })
  }

  /**
   * Ends the input, then asks, then kills, with `stopMs` in between. Whoever waits for an answer is told at once; settles
   * when the child is gone.
   */
  async close(): Promise<void> {
    const child = this.#child
    if (child === undefined || this.#isOver) return this.#ended
    this.#reason ??= "MCP server was closed"
    this.#tellClosed()
    child.stdin?.end()
    if (await this.#endsWithin(stopMs.hardCap)) return undefined
    if (child.pid !== undefined) signalGroup(child.pid, "SIGTERM")
    if (await this.#endsWithin(stopMs.hardCap)) return undefined
    if (child.pid !== undefined) signalGroup(child.pid, "SIGKILL")
    return this.#ended
  }

  async #endsWithin(ms: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), ms)
    })
    const ended = await Promise.race([this.#ended?.then(() => true) ?? true, late])
    clearTimeout(timer)
    return ended
  }

  #awaitEnd(child: ChildProcess, resolve: () => void): void {
    let drain: NodeJS.Timeout | undefined
    const finish = (): void => {
      if (this.#isOver) return
      clearTimeout(drain)
      this.#isOver = true
      if (child.pid !== undefined) forgetChild(child.pid)
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy()
      resolve()
      this.#tellClosed()
    }
    child.once("exit", (code, signal) => {
      this.#reason ??= signal === null ? `MCP server exited with code ${code}` : `MCP server was ended by ${signal}`
      // What it started dies with it; what it said last is still in the pipe.
      if (child.pid !== undefined) signalGroup(child.pid, "SIGKILL")
      drain = setTimeout(finish, drainMs.hardCap)
    })
    child.once("close", finish)
    child.once("error", (error) => {
      this.#reason ??= `MCP server could not be started: ${error.message}`
      if (child.pid === undefined) finish()
    })
  }

  #tellClosed(): void {
    if (this.#isToldClosed) return
    this.#isToldClosed = true
    this.onclose?.()
  }

  #read(chunk: Buffer): void {
    if (this.#isToldClosed || this.#lines.read(chunk, (line) => this.#receive(line))) return
    this.#reason ??= `MCP server sent a message of more than ${frameBytes.hardCap} bytes`
    this.#child?.stdout?.destroy()
    if (this.#child?.pid !== undefined) signalGroup(this.#child.pid, "SIGKILL")
  }

  #receive(line: string): void {
    if (line === "" || line === "\r") return
    const message = readMessage(line)
    if (message === undefined) {
      this.ignoredLines++
      return
    }
    try {
      // What the client does not understand of it, the client refuses.
      this.onmessage?.(message as never)
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new McpBridgeError(String(error)))
    }
  }
}

const readMessage = (line: string): Message | undefined => {
  if (!line.trimStart().startsWith("{")) return undefined
  try {
    const message = JSON.parse(line) as Partial<Message>
    return message.jsonrpc === "2.0" && !isForeignAnswer(message) ? (message as Message) : undefined
  } catch {
    return undefined
  }
}

/** The client counts its requests in numbers and would read `"7"` and `""` as such: nobody asked under these. */
const isForeignAnswer = ({ id, method }: Partial<Message>): boolean =>
  method === undefined && typeof id === "string" && Number.isFinite(Number(id))
