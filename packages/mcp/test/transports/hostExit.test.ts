import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"
import { afterEach, assert, describe, it } from "@effect/vitest"
import { eventually, isAlive } from "../fixtures/stdio.ts"

const hosts: Array<ChildProcess> = []

afterEach(() => {
  for (const host of hosts.splice(0)) host.kill("SIGKILL")
})

/** A host with a bridge, as a process of its own; answers once it is connected. */
const startHost = async (mode: string) => {
  const file = join(import.meta.dirname, "../fixtures/bridgeHost.ts")
  const host = spawn(process.execPath, ["--no-warnings", "-C", "@arnilo/source", file, mode], {
    stdio: ["pipe", "pipe", "inherit"]
  })
  hosts.push(host)
  let printed = ""
  host.stdout.on("data", (chunk) => {
    printed += String(chunk)
  })
  await eventually(() => printed.includes("\n"), 15_000)
  const { child, pid } = JSON.parse(printed.split("\n")[0] ?? "")
  assert.isTrue(isAlive(pid) && isAlive(child))
  return { host, servers: [pid, child] as const, printed: () => printed }
}

const gone = (servers: ReadonlyArray<number>) => eventually(() => servers.every((pid) => !isAlive(pid)))

// A host is a process of its own, and the stubborn server takes its time to end.
describe("the servers of a host", { timeout: 60_000 }, () => {
  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "M25: end with it on %s, and it ends by that signal",
    async (signal) => {
      const { host, servers } = await startHost("plain")
      host.kill(signal)
      await eventually(() => host.signalCode !== null || host.exitCode !== null)
      assert.strictEqual(host.signalCode, signal)
      await gone(servers)
    }
  )

  it("M25: end when it exits", async () => {
    const { host, servers } = await startHost("plain")
    host.stdin?.write("exit\n")
    await eventually(() => host.exitCode === 5)
    await gone(servers)
  })

  it("M25: live on when it handles a signal itself and stays", async () => {
    const { host, printed, servers } = await startHost("handles")
    host.kill("SIGINT")
    await eventually(() => printed().includes("handled SIGINT"))
    host.stdin?.write("call\n")
    await eventually(() => printed().trim().split("\n").length === 3)
    assert.deepInclude(JSON.parse(printed().trim().split("\n")[2] ?? ""), { pid: servers[0] })
    assert.isTrue(servers.every(isAlive))
    host.stdin?.write("exit\n")
    await gone(servers)
  })

  it("M25: see the end of their input when it is killed", async () => {
    const { host, servers } = await startHost("plain-server")
    host.kill("SIGKILL")
    await gone([servers[0]])
  })

  it("M25: do not keep it from ending once the bridge is closed", async () => {
    const { host, servers } = await startHost("plain")
    host.stdin?.write("close\n")
    await eventually(() => host.exitCode === 0)
    await gone(servers)
  })
})
