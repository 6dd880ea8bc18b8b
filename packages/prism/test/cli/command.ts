/** The command as a child process; `buildBundle.ts` has made it of these sources. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { once } from "node:events"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

export const packageRoot = fileURLToPath(new URL("../..", import.meta.url))
export const repository = dirname(dirname(packageRoot.replace(/\/$/, "")))
const command = join(packageRoot, "bin/prism.js")

interface Options {
  readonly cwd: string
  readonly nodeFlags?: ReadonlyArray<string>
  /** What is run; the command of this package unless set. */
  readonly script?: string
}

const children: Array<ChildProcessWithoutNullStreams> = []

/** A test that failed may have left one that does not end. */
export const killCommands = (): void => {
  for (const child of children) child.kill("SIGKILL")
}

export const startCommand = (argv: ReadonlyArray<string>, { cwd, nodeFlags = [], script = command }: Options) => {
  const child = spawn(process.execPath, [...nodeFlags, script, ...argv], { cwd, stdio: "pipe" })
  children.push(child)
  const text = { stdout: "", stderr: "" }
  child.stderr.on("data", (chunk: Buffer) => (text.stderr += chunk.toString()))
  return { child, text, closed: once(child, "close") as Promise<[number | null, NodeJS.Signals | null]> }
}

export const keep = ({ child, text }: ReturnType<typeof startCommand>): void => {
  child.stdout.on("data", (chunk: Buffer) => (text.stdout += chunk.toString()))
}

export const finishCommand = async (argv: ReadonlyArray<string>, options: Options, stdin = "") => {
  const started = startCommand(argv, options)
  keep(started)
  // The command may end before it has read this.
  started.child.stdin.on("error", () => undefined)
  started.child.stdin.end(stdin)
  const [code] = await started.closed
  return { code, ...started.text }
}

/** Resolves when the child has written the text on one of its streams. */
export const written = (
  child: ChildProcessWithoutNullStreams,
  name: "stdout" | "stderr",
  text: string
): Promise<void> =>
  new Promise((resolve) => {
    let all = ""
    child[name].on("data", (chunk: Buffer) => {
      all += chunk.toString()
      if (all.includes(text)) resolve()
    })
  })
