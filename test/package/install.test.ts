import { execFile } from "node:child_process"
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { publint } from "publint"
import { repository } from "./imports.ts"

const run = promisify(execFile)

/** The Node that npm itself runs on: the machine's own, where the tests run on the pinned one. */
const nodes = [...new Set([process.execPath, process.env["npm_node_execpath"] ?? process.execPath])]

const NAMES = ["@arnilo/prism-core", "@arnilo/prism", "@arnilo/prism-coding-tools", "@arnilo/prism-mcp"]

describe("the packed packages", () => {
  let folder = ""

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "prism-install-"))
    const packed: Array<string> = []
    for (const name of ["core", "prism", "coding-tools", "mcp"]) {
      const { stdout } = await run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], {
        cwd: join(repository, "packages", name)
      })
      // npm prints a list, or since 12 an object of packages.
      const [entry] = Object.values(JSON.parse(stdout)) as ReadonlyArray<{ readonly filename: string }>
      packed.push(join(folder, entry?.filename ?? ""))
    }
    await writeFile(join(folder, "package.json"), JSON.stringify({ name: "host", private: true, type: "module" }))
    await run("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", ...packed], { cwd: folder })
  }, 180_000)

  afterAll(() => rm(folder, { recursive: true, force: true }))

  it.each(NAMES)("are published right: %s", async (name) => {
    const { messages } = await publint({ pkgDir: join(folder, "node_modules", name) })
    assert.deepStrictEqual(
      messages.filter(({ type }) => type !== "suggestion").map(({ code, path }) => `${code} ${path.join(".")}`),
      []
    )
  })

  it.each(nodes)("import by every entry on %s", async (node) => {
    const entries: Array<string> = []
    for (const name of NAMES) {
      const { exports } = JSON.parse(await readFile(join(folder, "node_modules", name, "package.json"), "utf8"))
      for (const entry of Object.keys(exports as object)) {
        if (entry !== "./package.json") entries.push(name + entry.slice(1))
      }
    }
    const code = `for (const entry of ${JSON.stringify(entries)}) await import(entry); console.log("loaded")`
    const { stdout } = await run(node, ["--input-type=module", "-e", code], { cwd: folder })
    assert.strictEqual(stdout, "loaded\n")
  })

  it.each(nodes)("have a prism command that runs on %s", async (node) => {
    const command = join(folder, "node_modules/@arnilo/prism/bin/prism.js")
    assert.strictEqual((await run(node, [command, "--version"], { cwd: folder })).stdout, "prism v0.0.0\n")
    const { stdout } = await run(node, [command, "--provider", "mock", "-p", "Hi"], { cwd: folder })
    assert.strictEqual(stdout, "Hello")
  })

  it.each(nodes)("have a prism mcp that finds the bridge on %s, and says what to install without it", async (node) => {
    // The server is TypeScript, which not every Node reads.
    const args = [join(repository, "test/perf/mcpEchoServer.ts")]
    const transport = { type: "stdio", command: process.execPath, args }
    await writeFile(join(folder, "mcp.json"), JSON.stringify({ serverId: "s", transport }))
    const call = ["mcp", "call", join(folder, "mcp.json"), "echo", '{"text":"hello"}']
    const prism = "node_modules/@arnilo/prism"
    const { stdout } = await run(node, [join(folder, prism, "bin/prism.js"), ...call], { cwd: folder })
    assert.strictEqual(stdout, "hello\n")
    // There the bridge lies beside the config alone.
    const elsewhere = await mkdtemp(join(tmpdir(), "prism-alone-"))
    try {
      await cp(join(folder, prism), join(elsewhere, prism), { recursive: true })
      const missing = await run(node, [join(elsewhere, prism, "bin/prism.js"), ...call], { cwd: elsewhere }).then(
        () => assert.fail("was found"),
        (error: { readonly code: unknown; readonly stderr: string }) => error
      )
      assert.strictEqual(missing.code, 2)
      assert.match(missing.stderr, /^prism mcp needs @arnilo\/prism-mcp: npm install @arnilo\/prism-mcp\n/)
    } finally {
      await rm(elsewhere, { recursive: true, force: true })
    }
  })

  it.each(nodes)("have a shell tool that asks its policy on %s", async (node) => {
    const code = `
      import { createShellTool } from "@arnilo/prism-coding-tools/agent"
      import { createCodingApprovalPolicy } from "@arnilo/prism-coding-tools/security"
      const executionPolicy = createCodingApprovalPolicy({
        roots: ["."],
        commandAnalysis: "shell",
        commandRules: [{ pattern: /^echo /, action: "allow" }]
      })
      const tool = createShellTool(".", { executionPolicy })
      for (const command of ["echo a | cat", "echo a; echo b"]) {
        const { content } = await tool.execute({ command }, { sessionId: "s", runId: "r", toolCallId: "c" })
        console.log(content[0].text.trim())
      }`
    const { stdout } = await run(node, ["--input-type=module", "-e", code], { cwd: folder })
    assert.strictEqual(stdout, "approval required\na\nb\n")
  })

  it("have one copy of effect", async () => {
    const { stdout } = await run("npm", ["ls", "effect", "--all", "--parseable"], { cwd: folder })
    assert.strictEqual(stdout.trim().split("\n").length, 1)
  })
})
