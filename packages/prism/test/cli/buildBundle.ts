/** Before the tests of this package: what those start that run the command as a process. */
import { execFileSync } from "node:child_process"
import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { packageRoot, repository } from "./command.ts"

const bundle = join(packageRoot, "dist/bin.js")

const newest = (folder: string): number =>
  Math.max(
    ...readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs)
  )

/** The bundle of these sources: built again unless it is newer than all of them. */
export const setup = (): void => {
  const sources = Math.max(newest(join(packageRoot, "src")), newest(join(repository, "packages/core/src")))
  const built = statSync(bundle, { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (built > sources) return
  const rolldown = join(repository, "node_modules/rolldown/bin/cli.mjs")
  execFileSync(process.execPath, [rolldown, "-c", join(packageRoot, "rolldown.config.ts")])
}
