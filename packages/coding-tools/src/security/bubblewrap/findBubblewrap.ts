/** Finds the `bwrap` program, and makes sure that it can do here what it is for. */
import { spawnSync } from "node:child_process"
import { accessSync, constants, statSync } from "node:fs"
import { delimiter, isAbsolute, join } from "node:path"
import { SandboxUnavailableError } from "../Sandbox.ts"

const PROBE_MS = 10_000

/** The absolute path of the program: what a command's environment says about `PATH` does not matter later. */
export const findBubblewrap = (program: string | undefined): string => {
  if (process.platform !== "linux")
    throw new SandboxUnavailableError(`bubblewrap needs Linux, this is ${process.platform}`)
  if (program !== undefined && !isAbsolute(program)) {
    throw new RangeError(`program must be an absolute path, got ${JSON.stringify(program)}`)
  }
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter(isAbsolute)
  const found = (program === undefined ? folders.map((folder) => join(folder, "bwrap")) : [program]).find(isProgram)
  if (found !== undefined) return found
  const where = program ?? "bwrap on PATH"
  throw new SandboxUnavailableError(`bubblewrap is missing (looked for ${where}): install the package "bubblewrap"`)
}

/** Runs `true` with the given arguments. */
export const probeBubblewrap = (program: string, args: ReadonlyArray<string>): void => {
  const { error, status, stderr } = spawnSync(program, [...args, "true"], {
    encoding: "utf8",
    stdio: ["ignore", "ignore", "pipe"],
    timeout: PROBE_MS
  })
  if (status === 0) return
  const reason = error?.message ?? stderr.trim().slice(0, 500)
  throw new SandboxUnavailableError(`bubblewrap cannot make a sandbox here (${program}): ${reason}`)
}

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
