/** Which shell runs commands, and how it is told one. */
import { existsSync } from "node:fs"

/** The shell that is asked for, else `$SHELL`, `/bin/bash`, `sh`. Throws when the one that is asked for does not exist. */
export const getShellConfig = (customShellPath?: string): { shell: string; args: string[] } => {
  if (customShellPath !== undefined) {
    if (!existsSync(customShellPath)) throw new Error(`Custom shell path not found: ${customShellPath}`)
    return { shell: customShellPath, args: ["-c"] }
  }
  const found = [process.env["SHELL"], "/bin/bash"].find(
    (path) => path !== undefined && path !== "" && existsSync(path)
  )
  return { shell: found ?? "sh", args: ["-c"] }
}
