/** `npm run demo`: agents at work over real HTTP; prints what happens and checks that it is so. */
import { readDocs } from "./readDocs.ts"
import { repairProject } from "./repairProject.ts"

const problems = [...(await readDocs()), ...(await repairProject())]
for (const problem of problems) process.stderr.write(`demo: ${problem}\n`)
process.exitCode = problems.length === 0 ? 0 : 1
