import { spawn } from "node:child_process"
import { once } from "node:events"
import { assert, describe, it } from "@effect/vitest"
import { killProcessTree } from "../../src/process/killProcessTree.ts"
import { findProcesses } from "../../src/process/processes.ts"

describe("killProcessTree", () => {
  it("CT37: ignores numbers that name no single process", () => {
    for (const pid of [0, 1, -1, -process.pid, Number.NaN, 1.5]) killProcessTree(pid)
  })

  it("CT37: kills the group and descendants that left it", async () => {
    const script = "sleep 60 & setsid sh -c 'sleep 60 & wait' & echo started; wait"
    const child = spawn("/bin/bash", ["-c", script], { detached: true, stdio: ["ignore", "pipe", "ignore"] })
    await once(child.stdout, "data")
    const pid = child.pid ?? assert.fail("no process")
    // setsid and its shell may not have forked yet.
    while (findProcesses({ pid }).length < 4) await new Promise((resolve) => setTimeout(resolve, 5))
    const tree = findProcesses({ pid })
    assert.include(
      tree.map(({ command }) => command),
      "sleep 60"
    )
    const exited = once(child, "exit")
    killProcessTree(pid)
    assert.deepEqual(await exited, [null, "SIGKILL"])
    // The pipe ends when the last process that holds it does.
    await once(child, "close")
    assert.deepEqual(findProcesses({ pid }), [])
  })
})
