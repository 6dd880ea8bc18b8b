/** Installs the rival for the run, outside the repository. */
import { execFile } from "node:child_process"
import { existsSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"

const VERSION = "0.74.2"
const scope = "@earendil-works"
// One module that says what the comparison uses, so that Node looks the packages up from where they are installed.
const entry = `export { Agent } from "${scope}/pi-agent-core"
export { createAssistantMessageEventStream } from "${scope}/pi-ai"
`

/** The folder is where every user may write: one that somebody else made is not run. */
const isOurs = (folder: string): boolean => existsSync(folder) && statSync(folder).uid === userInfo().uid

/** The URL of pi's entry. Fails when it cannot be installed. The first run needs the registry; later ones find it in the temp folder. */
export const installPi = async (): Promise<string> => {
  const folder = join(tmpdir(), `prism-bench-pi-${VERSION}-${userInfo().uid}`)
  if (existsSync(folder)) {
    if (!isOurs(folder)) throw new Error(`${folder} belongs to somebody else`)
    return pathToFileURL(join(folder, "entry.mjs")).href
  }
  const made = mkdtempSync(join(tmpdir(), "prism-bench-"))
  try {
    writeFileSync(join(made, "package.json"), '{ "private": true }\n')
    writeFileSync(join(made, "entry.mjs"), entry)
    const packages = [`${scope}/pi-agent-core@${VERSION}`, `${scope}/pi-ai@${VERSION}`]
    const args = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--fetch-retries=1", ...packages]
    await promisify(execFile)("npm", args, { cwd: made, timeout: 180_000 })
    // Whole or not at all: a run that is cut off leaves nothing that the next one would take for installed.
    renameSync(made, folder)
  } catch (error) {
    rmSync(made, { recursive: true, force: true })
    throw error
  }
  return pathToFileURL(join(folder, "entry.mjs")).href
}
