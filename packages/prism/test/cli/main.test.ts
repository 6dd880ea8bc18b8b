import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setImmediate } from "node:timers/promises"
import { finishCommand, keep, killCommands, packageRoot, repository, startCommand, written } from "./command.ts"

const HOSTS: Readonly<Record<string, string>> = {
  "hung.mjs": `export default { model: { provider: "h", model: "m" }, provider: { id: "h", async *generate() {
    yield { type: "content_delta", content: { type: "text", text: "begun" } }
    await new Promise(() => {})
  } } }`,
  // Its tool tells on stderr that it was asked to stop, and goes on all the same.
  "stubborn.mjs": `import * as Effect from "effect/Effect"
  const tool = { name: "stay", execute: (_, { signal }) => {
    signal.addEventListener("abort", () => process.stderr.write("asked to stop"))
    process.stderr.write("started ")
    return Effect.uninterruptible(Effect.never)
  } }
  export default { model: { provider: "s", model: "m" }, tools: [tool], provider: { id: "s", async *generate() {
    yield { type: "tool_call", call: { type: "tool_call", id: "c1", name: "stay", arguments: {} } }
    yield { type: "done" }
  } } }`,
  "flood.mjs": `import { writeFileSync } from "node:fs"
  let asked = 0
  process.on("exit", () => writeFileSync(new URL("asked.txt", import.meta.url), String(asked)))
  export default { model: { provider: "f", model: "m" }, provider: { id: "f", async *generate() {
    for (asked = 1; asked <= 300000; asked++) yield { type: "content_delta", content: { type: "text", text: asked + "\\n" } }
    yield { type: "done" }
  } } }`,
  "lingering.mjs": `import { createServer } from "node:net"
  setInterval(() => {}, 1000)
  createServer().listen(0)
  export default { model: { provider: "l", model: "m" }, provider: { id: "l", async *generate() {
    yield { type: "content_delta", content: { type: "text", text: "done" } }
    yield { type: "done" }
  } } }`,
  "tools.mjs": `import { createMockProvider, createToolRegistry } from "@arnilo/prism"
  import * as Effect from "effect/Effect"
  import * as Fiber from "effect/Fiber"
  const effectful = { name: "effectful", execute: ({ n }) => Effect.gen(function* () {
    yield* Effect.log("logged")
    yield* Effect.sleep(1)
    const fiber = yield* Effect.forkChild(Effect.succeed(n + 1))
    return { toolCallId: "", name: "", value: yield* Fiber.join(fiber) }
  }).pipe(Effect.ensuring(Effect.sync(() => console.log("released")))) }
  const promised = { name: "promised", execute: async ({ n }) => ({ toolCallId: "", name: "", value: n * 2 }) }
  const call = (id, name) => ({ type: "tool_call", call: { type: "tool_call", id, name, arguments: { n: 20 } } })
  let turn = 0
  const first = createMockProvider([call("c1", "effectful"), call("c2", "promised"), { type: "done" }])
  console.table([{ noisy: true }])
  console.dir({ noisy: true })
  export default { model: { provider: "t", model: "m" }, tools: createToolRegistry([effectful, promised]), provider: {
    id: "t",
    async *generate(request) {
      if (turn++ === 0) return yield* first.generate(request)
      const results = request.messages.filter(({ role }) => role === "tool").flatMap(({ content }) => content)
      yield { type: "content_delta", content: { type: "text", text: JSON.stringify(results.map(({ result }) => result)) } }
      yield { type: "done" }
    }
  } }`
}

let folder = ""

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "prism-command-"))
  // A host has its own copies of effect and of this package.
  await symlink(join(repository, "node_modules"), join(folder, "node_modules"))
  await Promise.all(Object.entries(HOSTS).map(([name, source]) => writeFile(join(folder, name), source)))
}, 60_000)
afterAll(() => {
  killCommands()
  return rm(folder, { recursive: true, force: true })
})

const start = (argv: ReadonlyArray<string>) => startCommand(argv, { cwd: folder })

const finish = (argv: ReadonlyArray<string>, nodeFlags: ReadonlyArray<string> = [], cwd = folder) =>
  finishCommand(argv, { cwd, nodeFlags })

const stop = async (signal: "SIGINT" | "SIGTERM", code: number) => {
  const started = start(["-p", "Hi", "--host", "hung.mjs"])
  keep(started)
  await written(started.child, "stdout", "begun")
  started.child.kill(signal)
  assert.deepStrictEqual(await started.closed, [code, null])
  assert.deepStrictEqual(started.text, { stdout: "begun", stderr: "Agent run aborted\n" })
}

describe("prism", () => {
  it("C1, C2: refuses an unknown flag with 2, and leaves stdout empty", async () => {
    const { code, stderr, stdout } = await finish(["--provider", "mock", "-p", "Hi", "--bogus"])
    assert.deepStrictEqual([code, stdout], [2, ""])
    assert.match(stderr, /^Unknown flag: --bogus\n\nUsage: prism /)
  })

  it("C1: a hung provider is left on SIGINT with 130, on SIGTERM with 143", async () => {
    await Promise.all([stop("SIGINT", 130), stop("SIGTERM", 143)])
  })

  it("C1: a second signal ends the process at once, though a tool cannot be stopped", async () => {
    const { child, closed } = start(["-p", "Hi", "--host", "stubborn.mjs"])
    await written(child, "stderr", "started")
    child.kill("SIGINT")
    await written(child, "stderr", "asked to stop")
    const at = performance.now()
    child.kill("SIGINT")
    assert.deepStrictEqual(await closed, [130, null])
    assert.isBelow(performance.now() - at, 4000)
  })

  it("C1: a tool that cannot be stopped keeps an aborted command for five seconds at most", async () => {
    const { child, closed } = start(["-p", "Hi", "--host", "stubborn.mjs"])
    await written(child, "stderr", "started")
    child.kill("SIGTERM")
    assert.deepStrictEqual(await closed, [143, null])
  }, 20_000)

  it("C5: 300,000 events reach a reader that is slow to read, in order and whole", async () => {
    const { child, closed } = start(["-p", "Hi", "--host", "flood.mjs", "--mode", "json"])
    let rest = ""
    let deltas = 0
    let last = ""
    for await (const chunk of child.stdout) {
      const lines = (rest + String(chunk)).split("\n")
      rest = lines.pop() ?? ""
      for (const line of lines) {
        if (!line.includes("message_delta")) continue
        deltas += 1
        if (!line.includes(`"text":"${deltas}\\n"`)) assert.fail(`expected delta ${deltas}, got ${line}`)
      }
      last = lines.at(-1) ?? last
      await setImmediate()
    }
    assert.deepStrictEqual([deltas, rest], [300_000, ""])
    assert.include(last, "agent_finished")
    assert.deepStrictEqual(await closed, [0, null])
  }, 60_000)

  it("C1: a reader that leaves, as head does, ends the run early and quietly with 141", async () => {
    const { child, closed, text } = start(["-p", "Hi", "--host", "flood.mjs"])
    await once(child.stdout, "data")
    child.stdout.destroy()
    assert.deepStrictEqual(await closed, [141, null])
    assert.strictEqual(text.stderr, "")
    assert.isBelow(Number(await readFile(join(folder, "asked.txt"), "utf8")), 300_000)
  })

  it("C1: timers and sockets that a host leaves open do not keep the process", async () => {
    assert.deepStrictEqual(await finish(["-p", "Hi", "--host", "lingering.mjs"]), {
      code: 0,
      stdout: "done",
      stderr: ""
    })
  })

  it("C4: tools of a host's own effect run, and what hosts print goes to stderr", async () => {
    const { code, stderr, stdout } = await finish(["-p", "Hi", "--host", "tools.mjs"])
    assert.deepStrictEqual([code, stdout], [0, "[21,40]"])
    for (const printed of ["noisy", "logged", "released"]) assert.include(stderr, printed)
  })

  it("C8: reads no file but its own, whatever lies in the directory", async () => {
    const cwd = join(folder, "workspace")
    await mkdir(join(cwd, "agents/x"), { recursive: true })
    await mkdir(join(cwd, "skills/y"), { recursive: true })
    await Promise.all(
      ["AGENTS.md", "SYSTEM.md", ".env", "agents/x/AGENT.md", "skills/y/SKILL.md"].map((name) =>
        writeFile(join(cwd, name), "x")
      )
    )
    const own = [
      "--permission",
      `--allow-fs-read=${join(packageRoot, "bin")}/*`,
      `--allow-fs-read=${join(packageRoot, "dist")}/*`
    ]
    own.push(`--allow-fs-read=${join(packageRoot, "package.json")}`)
    const { code, stdout } = await finish(["--provider", "mock", "-p", "Hi"], own, cwd)
    assert.deepStrictEqual([code, stdout], [0, "Hello"])
  })

  it("starts without the parser: the everyday command line loads four files", async () => {
    const preload = join(folder, "loaded.mjs")
    await writeFile(
      preload,
      `import { registerHooks } from "node:module"
      registerHooks({ load(url, context, next) {
        if (url.startsWith("file:")) process.stderr.write(url.split("/").at(-1) + "\\n")
        return next(url, context)
      } })`
    )
    const { stderr, stdout } = await finish(["--provider", "mock", "-p", "Hi"], ["--import", preload])
    assert.strictEqual(stdout, "Hello")
    const loaded = stderr.trim().split("\n")
    assert.deepStrictEqual(loaded.slice(0, 2), ["prism.js", "bin.js"])
    assert.strictEqual(loaded.length, 4)
    assert.notInclude(loaded, "parseCliArgs.js")
    assert.include((await finish(["--help"], ["--import", preload])).stderr, "parseCliArgs.js")
  })
})
