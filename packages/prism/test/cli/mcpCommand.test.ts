import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { finishCommand, keep, killCommands, packageRoot, repository, startCommand, written } from "./command.ts"
import { writeMcpServer } from "./mcpServer.ts"

/** `@arnilo/prism-mcp` from its sources. */
const nodeFlags = ["-C", "@arnilo/source"]

let folder = ""

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "prism-mcp-command-"))
  await symlink(join(repository, "node_modules"), join(folder, "node_modules"))
  await writeFile(join(folder, "mcp.json"), JSON.stringify(writeMcpServer(folder)))
})
afterAll(() => {
  killCommands()
  return rm(folder, { recursive: true, force: true })
})

/** The server of the last command does not live. */
const assertGone = async (): Promise<void> => {
  const pid = Number(await readFile(join(folder, "pid"), "utf8"))
  assert.throws(() => process.kill(pid, 0), "ESRCH")
}

describe("prism mcp as a process", { timeout: 20_000 }, () => {
  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143]
  ] as const)("C1: ends a call and its server on %s, with %i", async (signal, code) => {
    const started = startCommand(["mcp", "call", "mcp.json", "hang"], { cwd: folder, nodeFlags })
    keep(started)
    await written(started.child, "stderr", "progress")
    started.child.kill(signal)
    assert.deepStrictEqual(await started.closed, [code, null])
    assert.strictEqual(started.text.stdout, "")
    assert.match(started.text.stderr, /^progress \{"progress":0\}\n.*MCP tool call was aborted\n$/s)
    await assertGone()
  })

  it("C1: ends with 141 where nobody reads what it prints; its server is gone then", async () => {
    const { child, closed, text } = startCommand(["mcp", "list", "mcp.json"], { cwd: folder, nodeFlags })
    child.stdout.destroy()
    assert.deepStrictEqual(await closed, [141, null])
    // No word of the pipe.
    assert.match(text.stderr, /^(4 of 5 tools can be used; [^\n]+\n)?$/)
    await assertGone()
  })

  it("reads arguments from stdin to its end", async () => {
    const options = { cwd: folder, nodeFlags }
    const { code, stdout } = await finishCommand(["mcp", "call", "mcp.json", "add", "-"], options, '{"a":1,"b":2}')
    assert.strictEqual(code, 0)
    assert.include(stdout, '"sum": 3')
    const none = await finishCommand(["mcp", "call", "mcp.json", "add", "-"], options, "")
    assert.strictEqual(none.code, 2)
    assert.match(none.stderr, /^The arguments are no JSON: /)
  })

  it("finds the bridge beside the command or from where it is run, never beside a config", async () => {
    const alone = await mkdtemp(join(tmpdir(), "prism-alone-"))
    const installed = join(alone, "node_modules/@arnilo/prism")
    await mkdir(installed, { recursive: true })
    for (const part of ["bin", "dist", "package.json"]) {
      await cp(join(packageRoot, part), join(installed, part), { recursive: true })
    }
    const script = join(installed, "bin/prism.js")
    // The bridge lies beside this config.
    const args = ["mcp", "list", join(folder, "mcp.json")]
    try {
      const missing = await finishCommand(args, { cwd: alone, nodeFlags, script })
      assert.deepStrictEqual([missing.code, missing.stdout], [2, ""])
      assert.match(missing.stderr, /^prism mcp needs @arnilo\/prism-mcp: npm install @arnilo\/prism-mcp\n\nUsage: /)
      assert.strictEqual((await finishCommand(args, { cwd: folder, nodeFlags, script })).code, 0)
      const other = await finishCommand(["--provider", "mock", "-p", "Hi"], { cwd: alone, script })
      assert.deepStrictEqual(other, { code: 0, stdout: "Hello", stderr: "" })
    } finally {
      await rm(alone, { recursive: true, force: true })
    }
  })
})
