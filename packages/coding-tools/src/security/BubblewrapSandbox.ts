/** Runs commands in a sandbox of namespaces, made by bubblewrap. Linux alone. */
import { existsSync, realpathSync, statSync } from "node:fs"
import { refuseUnknownOptions } from "../knownOptions.ts"
import { getShellConfig } from "../process/getShellConfig.ts"
import { runLocally } from "../process/runLocally.ts"
import { findBubblewrap, probeBubblewrap } from "./bubblewrap/findBubblewrap.ts"
import { isVisible, mountArguments, type SandboxPaths, sandboxView } from "./bubblewrap/SandboxView.ts"
import type { SandboxAdapter } from "./Sandbox.ts"

export interface BubblewrapSandboxOptions extends SandboxPaths {
  /** Whether commands reach the network, services on this machine included. Default false. */
  readonly network?: boolean | undefined
  /** Absolute path of `bwrap`; looked for on `PATH` by default. */
  readonly program?: string | undefined
  /** Instead of `$SHELL`, `/bin/bash` or `sh`. */
  readonly shellPath?: string | undefined
}

const KNOWN = { roots: true, readable: true, hide: true, network: true, program: true, shellPath: true } as const

/**
 * A sandbox in which commands write to `roots` alone, see no process but their own and reach no network. The rest of the
 * machine is there to be read, but for the home directory, `/run`, the temporary directories and what `hide` names: those
 * are empty; what is written to such a directory is kept in memory and forgotten. All of a command ends with it, background
 * children too, and with the thread that called.
 *
 * Throws a `RangeError` for options out of range, and `SandboxUnavailableError` where bubblewrap is missing or cannot make a
 * sandbox: it runs `true` in one to find out. Nothing ever runs outside of a sandbox. Links in paths are resolved here.
 */
export const createBubblewrapSandbox = (options: BubblewrapSandboxOptions): SandboxAdapter => {
  refuseUnknownOptions("The sandbox", options, KNOWN)
  const { network = false, shellPath } = options
  if (typeof network !== "boolean") throw new RangeError(`network must be true or false, got ${String(network)}`)
  const view = sandboxView(options)
  const program = findBubblewrap(options.program)
  const sandbox = (): ReadonlyArray<string> => [...isolation(network), ...mountArguments(view), ...resolver(network)]
  probeBubblewrap(program, [...sandbox(), "--"])
  return {
    exec: async ({ command, cwd, env, onData = () => undefined, signal, timeout }) => {
      if (signal?.aborted === true) throw new Error("aborted")
      if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true) {
        throw new Error(`Working directory does not exist: ${cwd}`)
      }
      const folder = realpathSync(cwd)
      if (!isVisible(view, folder)) throw new Error(`The sandbox does not show ${cwd}: name it in roots or readable`)
      const { shell, args } = getShellConfig(shellPath)
      const inside = [...sandbox(), "--chdir", folder, "--", shell, ...args, command]
      const { exitCode } = await runLocally(
        { shell: program, args: inside, cwd: "/" },
        { env, onData, signal, timeout }
      )
      return { exitCode }
    }
  }
}

/** Namespaces of its own, no right of the superuser, no terminal to type on, and an end with whoever started it. */
const isolation = (network: boolean): ReadonlyArray<string> =>
  [
    ["--unshare-all", network ? ["--share-net"] : []],
    ["--cap-drop", "ALL", "--new-session", "--die-with-parent"],
    ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    KERNEL_SETTINGS.flatMap((path) => ["--ro-bind-try", path, path]),
    ["--setenv", "TMPDIR", "/tmp"]
  ].flat(2)

/** What the superuser may write without any right of his: through some of it a machine can be taken over. */
const KERNEL_SETTINGS = ["sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "scsi", "driver"].map(
  (name) => `/proc/${name}`
)

/** Where names are looked up, if that file lies in a place that is hidden. */
const resolver = (network: boolean): ReadonlyArray<string> => {
  const file = "/etc/resolv.conf"
  if (!network || !existsSync(file)) return []
  const real = realpathSync(file)
  return real.startsWith("/run/") ? ["--ro-bind", real, real] : []
}
