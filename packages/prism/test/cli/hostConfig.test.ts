import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
import { setImmediate } from "node:timers/promises"
import { type CliRuntime, runCli } from "../../src/cli/index.ts"
import { Sink } from "./Sink.ts"

/** A config in plain JavaScript, as a host without dependencies may write it: it answers with what it was sent. */
const echoing = (fields = "") => `{
  model: { provider: "echo", model: "small", limits: { contextWindow: 1000 } },
  provider: { id: "echo", async *generate({ messages, model }) {
    const text = JSON.stringify([model, messages.map(({ content }) => content[0].text)])
    yield { type: "content_delta", content: { type: "text", text } }
    yield { type: "done" }
  } },
  ${fields}
}`

const MODULES: Readonly<Record<string, string>> = {
  "config.mjs": `export default ${echoing()}`,
  "typed.ts": `const id: string = "typed"; export default ${echoing("id, instructions: 'be brief'")}`,
  "function.mjs": `export default (options) => (${echoing("instructions: options.context.join(',')")})`,
  "async.mjs": `export default async () => (${echoing()})`,
  "throws.mjs": `throw new Error("no key")`,
  "rejects.mjs": `export default async () => { throw new Error("no vault") }`,
  "syntax.mjs": `export default {`,
  "getter.mjs": `export default { get provider() { throw new Error("no provider today") } }`,
  "nothing.mjs": `export const config = {}`,
  "text.mjs": `export default "config"`,
  "list.mjs": `export default []`,
  "null.mjs": `export default () => null`,
  "modelless.mjs": `export default { provider: { id: "x", generate() {} } }`,
  "providerless.mjs": `export default { model: { provider: "x", model: "m" } }`,
  "limits.mjs": `export default ${echoing("limits: { maxTurns: -1 }")}`,
  "flood.mjs": `export default { model: { provider: "f", model: "m" }, provider: { id: "f", async *generate() {
    for (globalThis.asked = 0; globalThis.asked < 20000; globalThis.asked++) {
      yield { type: "content_delta", content: { type: "text", text: "x".repeat(1000) } }
    }
    yield { type: "done" }
  } } }`,
  "forever.mjs": `export default () => new Promise(() => {})`
}

let folder = ""

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "prism-host-"))
  await Promise.all(Object.entries(MODULES).map(([name, source]) => writeFile(join(folder, name), source)))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const runHost = async (file: string, argv: ReadonlyArray<string> = [], more: Partial<CliRuntime> = {}) => {
  const stdout = new Sink()
  const stderr = new Sink()
  const runtime = { stdin: Readable.from([]), stdout, stderr, cwd: folder, ...more }
  const code = await runCli(["-p", "Hi", "--host", file, ...argv], runtime)
  return { code, stdout: stdout.text, stderr: stderr.text }
}

const failure = async (file: string): Promise<string> => {
  const { code, stderr, stdout } = await runHost(file)
  assert.deepStrictEqual([code, stdout], [1, ""], file)
  assert.match(stderr, /^[^\n]+\n$/)
  return stderr.trim()
}

describe("--host", () => {
  it("C1: a file that is not there is a usage error", async () => {
    const { code, stderr, stdout } = await runHost("missing.mjs")
    assert.strictEqual(code, 2)
    assert.strictEqual(stdout, "")
    assert.match(stderr, /^Host module not found: missing\.mjs\n\nUsage: prism/)
  })

  it("C6: a module that throws, rejects or does not parse fails with one line that names it", async () => {
    assert.strictEqual(await failure("throws.mjs"), "Host module throws.mjs: no key")
    assert.strictEqual(await failure("rejects.mjs"), "Host module rejects.mjs: no vault")
    assert.strictEqual(await failure("getter.mjs"), "Host module getter.mjs: no provider today")
    assert.match(await failure("syntax.mjs"), /^Host module syntax\.mjs: ./)
  })

  it("C6: a default export that is no config fails and says what it is", async () => {
    const expected = "the default export must be an AgentConfig, or a function that returns one, not"
    assert.strictEqual(await failure("nothing.mjs"), `Host module nothing.mjs: ${expected} nothing`)
    assert.strictEqual(await failure("text.mjs"), `Host module text.mjs: ${expected} a string`)
    assert.strictEqual(await failure("list.mjs"), `Host module list.mjs: ${expected} an array`)
    assert.strictEqual(await failure("null.mjs"), `Host module null.mjs: ${expected} null`)
  })

  it("C6: a config without model or provider, or that an agent refuses, fails with one line", async () => {
    const modelless = "Host module modelless.mjs: model must name a provider and a model"
    assert.strictEqual(await failure("modelless.mjs"), modelless)
    const providerless = "Host module providerless.mjs: the config has neither provider nor providerSource"
    assert.strictEqual(await failure("providerless.mjs"), providerless)
    assert.match(await failure("limits.mjs"), /^Host module limits\.mjs: maxTurns must be a positive safe integer/)
  })

  it("C1: a module that never finishes loading is given up on a signal", async () => {
    const controller = new AbortController()
    const running = runHost("forever.mjs", [], { signal: controller.signal })
    controller.abort("SIGINT")
    const { code, stderr } = await running
    assert.strictEqual(code, 130)
    assert.strictEqual(stderr, "Aborted before the run began\n")
  })

  it("runs the config that a module exports, or that its function returns at once or later, in JavaScript or TypeScript", async () => {
    const model = { provider: "echo", model: "small", limits: { contextWindow: 1000 } }
    const plain = JSON.stringify([model, ["Hi"]])
    assert.deepStrictEqual(await runHost("config.mjs"), { code: 0, stdout: plain, stderr: "" })
    assert.deepStrictEqual(await runHost("async.mjs"), { code: 0, stdout: plain, stderr: "" })
    assert.strictEqual((await runHost(join(folder, "config.mjs"))).stdout, plain)
    const briefly = JSON.stringify([model, ["System instruction:\nbe brief", "Hi"]])
    assert.strictEqual((await runHost("typed.ts")).stdout, briefly)
  })

  it("a host's provider is held up while the reader lags", async () => {
    const stdout = new Sink()
    stdout.stall()
    const runtime = { stdin: Readable.from([]), stdout, stderr: new Sink(), cwd: folder }
    const code = runCli(["-p", "Hi", "--host", "flood.mjs"], runtime)
    while (stdout.writableLength < 1_048_576) await setImmediate()
    for (let turn = 0; turn < 20; turn++) await setImmediate()
    assert.isBelow(Number(Reflect.get(globalThis, "asked")), 2000)
    stdout.resume()
    assert.strictEqual(await code, 0)
    assert.strictEqual(stdout.text.length, 20_000_000)
  })

  it("a function sees what else was on the command line", async () => {
    const { stdout } = await runHost("function.mjs", ["--context", "a", "--context", "b"])
    assert.include(stdout, "System instruction:\\na,b")
  })

  it("--model and --system replace what the config says, and nothing else of it", async () => {
    const { stdout } = await runHost("typed.ts", ["--model", "large", "--system", "be long"])
    const model = { provider: "echo", model: "large", limits: { contextWindow: 1000 } }
    assert.strictEqual(stdout, JSON.stringify([model, ["System instruction:\nbe long", "Hi"]]))
  })
})
