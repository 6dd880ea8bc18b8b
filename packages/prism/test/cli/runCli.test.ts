import {
  createMockProvider,
  providerDone,
  providerTextDelta,
  providerThinkingDelta,
  providerToolCall,
  toolCallContent
} from "@arnilo/prism-core"
import { createScriptedProvider, type ScriptedTurn } from "@arnilo/prism-core/testing"
import { assert, describe, it } from "@effect/vitest"
import { Readable } from "node:stream"
import { setImmediate } from "node:timers/promises"
import { type CliOptions, type CliRuntime, runCli } from "../../src/cli/index.ts"
import {
  type AgentConfig,
  type AgentSession,
  createAgent,
  createToolRegistry,
  type ToolDefinition
} from "../../src/index.ts"
import { Sink, systemError } from "./Sink.ts"

const open = (more: Partial<CliRuntime> = {}) => {
  const stdout = new Sink()
  const stderr = new Sink()
  const runtime: CliRuntime = { stdin: Readable.from([]), stdout, stderr, ...more }
  return { stdout, stderr, run: (...argv: ReadonlyArray<string>) => runCli(argv, runtime) }
}

const model = { provider: "mock", model: "m" }
const USAGE = "Usage: prism -p <text> (--provider mock | --host <file>) [flags]\nRun prism --help for all flags.\n"

const locked = () => {
  throw new Error("the store is locked")
}

/** A command whose sessions are the given agent's. */
const hosted = (config: Omit<AgentConfig, "model">, more: Partial<CliRuntime> = {}) => {
  const seen: Array<CliOptions> = []
  const createSession = (options: CliOptions) => {
    seen.push(options)
    return createAgent({ model, ...config }).createSession({ id: options.session ?? "s1" })
  }
  return { ...open({ createSession, ...more }), seen }
}

const scripted = (turns: ReadonlyArray<ScriptedTurn>, more?: Partial<CliRuntime>) => {
  const provider = createScriptedProvider(turns)
  return { ...hosted({ provider }, more), provider }
}

const echo: ToolDefinition = { name: "echo", execute: () => ({ toolCallId: "", name: "", value: "secret tool text" }) }
const types = (lines: ReadonlyArray<unknown>): ReadonlyArray<unknown> =>
  lines.map((line) => (line as { readonly event?: { readonly type: string } }).event?.type)

const refused = async (mode: string) => {
  const { run, stderr, stdout } = open()
  assert.strictEqual(await run("--provider", "mock", "-p", "Hi", "--mode", mode, "--bogus"), 2)
  assert.strictEqual(stdout.text, "")
  assert.strictEqual(stderr.text, `Unknown flag: --bogus\n\n${USAGE}`)
}

describe("runCli, refusals", () => {
  it("C1, C2: a usage error exits 2 with message and usage on stderr, and nothing on stdout", async () => {
    await Promise.all([refused("print"), refused("json")])
  })

  it("C3: without a provider, a host module or a session of the host it exits 2 with a hint, whatever the environment says", async () => {
    const { run, stderr, stdout } = open()
    process.env["OPENAI_API_KEY"] = "sk-none"
    try {
      assert.strictEqual(await run("-p", "Hi"), 2)
    } finally {
      delete process.env["OPENAI_API_KEY"]
    }
    assert.strictEqual(stdout.text, "")
    assert.match(stderr.text, /^No provider configured\. Use --provider mock, or --host <file> /)
    assert.isTrue(stderr.text.endsWith(`\n\n${USAGE}`))
  })

  it("C3: a provider that is not built in exits 2 and names it", async () => {
    const { run, stderr } = open()
    assert.strictEqual(await run("--provider", "openai", "-p", "Hi"), 2)
    assert.match(stderr.text, /^Unknown provider: openai\. /)
  })

  it("C6: a failed run exits 1 with one line on stderr, behind the text that came before", async () => {
    const { run, stderr, stdout } = scripted([
      [providerTextDelta("so "), { fail: new Error("first\nsecond\u001b[31m\r\n") }]
    ])
    assert.strictEqual(await run("-p", "Hi"), 1)
    assert.strictEqual(stdout.text, "so ")
    assert.strictEqual(stderr.text, "first second [31m\n")
  })

  it("C6: in json mode the last line on stdout says why, and stderr stays empty", async () => {
    const { run, stderr, stdout } = scripted([[{ fail: new Error("first\nsecond") }]])
    assert.strictEqual(await run("-p", "Hi", "--mode", "json"), 1)
    assert.strictEqual(stderr.text, "")
    assert.deepStrictEqual(types(stdout.lines).slice(-2), ["error", undefined])
    assert.deepStrictEqual(stdout.lines.at(-1), { type: "error", error: { message: "first\nsecond" } })
  })

  it("C6: a session that cannot be created is a failure, not a usage error", async () => {
    const print = open({ createSession: locked })
    assert.strictEqual(await print.run("-p", "Hi"), 1)
    assert.strictEqual(print.stderr.text, "the store is locked\n")
    const json = open({ createSession: locked })
    assert.strictEqual(await json.run("-p", "Hi", "--mode", "json"), 1)
    assert.deepStrictEqual(json.stdout.lines, [{ type: "error", error: { message: "the store is locked" } }])
  })

  it("C2: more tool rounds than a run may have are refused before anything is sent", async () => {
    const { provider, run, stderr } = scripted([[providerDone()]])
    assert.strictEqual(await run("-p", "Hi", "--max-tool-rounds", "65"), 2)
    assert.match(stderr.text, /^Invalid value for --max-tool-rounds: 65\n/)
    assert.strictEqual(provider.requests.length, 0)
  })

  it("C6: an event that is no JSON, of a session that is not ours, ends its stream and is told", async () => {
    let closed = false
    const stream = async function* () {
      try {
        yield { type: "tool_execution_progress", progress: 10n }
        yield { type: "agent_finished" }
      } finally {
        closed = true
      }
    }
    const session = createAgent({ model }).createSession()
    // Else it would have to name every method of a session.
    const createSession = (): AgentSession => Object.create(session, { stream: { value: stream } })
    const { run, stdout } = open({ createSession })
    assert.strictEqual(await run("-p", "Hi", "--mode", "json"), 1)
    assert.deepStrictEqual(stdout.lines, [
      { type: "error", error: { message: "Do not know how to serialize a BigInt" } }
    ])
    assert.isTrue(closed)
  })
})

const told = async (flag: string, part: string) => {
  const { run, stderr, stdout } = open()
  assert.strictEqual(await run(flag), 0)
  assert.include(stdout.text, part)
  assert.strictEqual(stderr.text, "")
}

const requestsWithin = async (rounds: string) => {
  const provider = createScriptedProvider([[providerToolCall(toolCallContent("c1", "echo")), providerDone()]])
  const { run } = hosted({ provider, tools: [echo] })
  assert.strictEqual(await run("-p", "Hi", "--max-tool-rounds", rounds), 0)
  return provider.requests.length
}

describe("runCli", () => {
  it("C1, C4: the built-in provider answers Hello, and nothing else is written", async () => {
    const { run, stderr, stdout } = open()
    assert.strictEqual(await run("--provider", "mock", "-p", "Hi"), 0)
    assert.strictEqual(stdout.text, "Hello")
    assert.strictEqual(stderr.text, "")
  })

  it("C1: help, version and completions go to stdout and exit 0", async () => {
    const completions = told("--completions=zsh", "#compdef")
    await Promise.all([
      told("--help", "--prompt, -p <text>"),
      told("-h", "USAGE"),
      told("--version", "prism v"),
      completions
    ])
  })

  it("C4: print mode leaves out thinking, tool calls and tool results", async () => {
    const provider = createScriptedProvider([
      [
        providerThinkingDelta("hm"),
        providerTextDelta("one "),
        providerToolCall(toolCallContent("c1", "echo")),
        providerDone()
      ],
      [providerTextDelta("two"), providerDone()]
    ])
    const { run, stderr, stdout } = hosted({ provider, tools: createToolRegistry([echo]) })
    assert.strictEqual(await run("-p", "Hi"), 0)
    assert.strictEqual(stdout.text, "one two")
    assert.strictEqual(stderr.text, "")
  })

  it("C5: json mode writes one event per line, in order, with the ids of session and run", async () => {
    const { run, stdout } = scripted([[providerTextDelta("a\n\u2028b"), providerDone()]])
    assert.strictEqual(await run("-p", "Hi", "--mode", "json"), 0)
    const lines = stdout.text.split("\n")
    assert.strictEqual(lines.pop(), "")
    assert.deepStrictEqual(types(stdout.lines), [
      "agent_started",
      "turn_started",
      "provider_turn_started",
      "message_started",
      "message_delta",
      "provider_turn_finished",
      "message_finished",
      "turn_finished",
      "agent_finished"
    ])
    const { runId } = stdout.lines[0] as { readonly runId: string }
    assert.match(runId, /^run_/)
    assert.deepStrictEqual(stdout.lines[4], {
      type: "event",
      sessionId: "s1",
      runId,
      event: { type: "message_delta", sessionId: "s1", runId, content: { type: "text", text: "a\n\u2028b" } }
    })
  })

  it("C5: --session names the session", async () => {
    const { run, stdout } = open()
    assert.strictEqual(await run("--provider", "mock", "-p", "Hi", "--mode", "json", "--session", "s7"), 0)
    assert.deepInclude(stdout.lines[0], { sessionId: "s7" })
  })

  it("C3: a host's own sessions stand in for providers and see every option", async () => {
    const { run, seen, stdout } = hosted({ provider: createMockProvider([providerTextDelta("Hey"), providerDone()]) })
    assert.strictEqual(
      await run("-p", "Hi", "--provider", "theirs", "--session", "s9", "--context", "x", "--tool", "t"),
      0
    )
    assert.strictEqual(stdout.text, "Hey")
    const lists = { config: [], resource: [], extension: [], context: ["x"], tool: ["t"] }
    assert.deepStrictEqual(seen, [{ ...lists, mode: "print", prompt: "Hi", provider: "theirs", session: "s9" }])
  })

  it("says on stderr that calls were left unanswered, so that an empty answer is no riddle", async () => {
    const { run, stderr, stdout } = hosted({
      provider: createScriptedProvider([[providerToolCall(toolCallContent("c1", "echo")), providerDone()]]),
      tools: [echo]
    })
    assert.strictEqual(await run("-p", "Hi"), 0)
    assert.strictEqual(stdout.text, "")
    assert.strictEqual(stderr.text, "1 tool call was not run: no tool round is left (--max-tool-rounds)\n")
  })

  it("--max-tool-rounds bounds the run, 0 included", async () => {
    assert.deepStrictEqual(await Promise.all([requestsWithin("0"), requestsWithin("3")]), [1, 4])
  })

  it("keeps no listener on the streams it was given", async () => {
    const { run, stderr, stdout } = open()
    await run("--provider", "mock", "-p", "Hi")
    await run("--bogus")
    assert.deepStrictEqual([stdout.listenerCount("error"), stderr.listenerCount("error")], [0, 0])
  })

  it("loses no event of a host's own session while the reader lags", async () => {
    const text = `${"x".repeat(1000)}\n`
    const deltas = Array.from({ length: 5000 }, () => providerTextDelta(text))
    const { run, stdout } = hosted({ provider: createMockProvider([...deltas, providerDone()]) })
    stdout.stall()
    const code = run("-p", "Hi")
    // The mock waits for nothing: when this comes back it has told everything.
    await setImmediate()
    stdout.resume()
    assert.strictEqual(await code, 0)
    assert.strictEqual(stdout.text, text.repeat(5000))
  })
})

const left = async (mode: string) => {
  const turn: ScriptedTurn = [providerTextDelta("one"), { wait: 1 }, providerTextDelta("two"), { hang: true }]
  const { provider, run, stderr, stdout } = scripted([turn])
  stdout.refusal = systemError("EPIPE")
  assert.strictEqual(await run("-p", "Hi", "--mode", mode), 141)
  assert.strictEqual(provider.open, 0)
  assert.strictEqual(stderr.text, "")
}

describe("runCli, aborted", () => {
  const hanging: ScriptedTurn = [providerTextDelta("begun"), { hang: true }]

  /** Aborts once the first text is out. */
  const abortWhenBegun = async (reason: string, ...argv: ReadonlyArray<string>) => {
    const controller = new AbortController()
    const { provider, run, stderr, stdout } = scripted([hanging], { signal: controller.signal })
    const code = run("-p", "Hi", ...argv)
    stdout.write = (...args: ReadonlyArray<unknown>) => {
      if (String(args[0]).includes("begun")) queueMicrotask(() => controller.abort(reason))
      return Sink.prototype.write.apply(stdout, args as Parameters<Sink["write"]>)
    }
    return { code: await code, provider, stderr, stdout }
  }

  it("C1: exits 130 once the run has settled, and says so on stderr", async () => {
    const { code, provider, stderr, stdout } = await abortWhenBegun("SIGINT")
    assert.strictEqual(code, 130)
    assert.strictEqual(provider.open, 0)
    assert.strictEqual(stdout.text, "begun")
    assert.strictEqual(stderr.text, "Agent run aborted\n")
  })

  it("C1: exits 143 after SIGTERM", async () => {
    const { code } = await abortWhenBegun("SIGTERM")
    assert.strictEqual(code, 143)
  })

  it("C1, C6: in json mode the run's last event and the final error line are still written", async () => {
    const { code, stderr, stdout } = await abortWhenBegun("SIGINT", "--mode", "json")
    assert.strictEqual(code, 130)
    assert.deepStrictEqual(types(stdout.lines).slice(-2), ["error", undefined])
    assert.deepStrictEqual(stdout.lines.at(-1), { type: "error", error: { message: "Agent run aborted" } })
    assert.strictEqual(stderr.text, "")
  })

  it("C1: a signal that came first lets nothing start", async () => {
    const { provider, run } = scripted([hanging], { signal: AbortSignal.abort("SIGINT") })
    assert.strictEqual(await run("-p", "Hi"), 130)
    assert.strictEqual(provider.requests.length, 0)
  })

  it("C1: a reader that left aborts the run, quietly, and the code is 141", async () => {
    await Promise.all([left("print"), left("json")])
  })

  it("C1, C6: a disk that is full is a failure and is told on stderr", async () => {
    const { run, stderr, stdout } = open()
    stdout.refusal = systemError("ENOSPC")
    assert.strictEqual(await run("--provider", "mock", "-p", "Hi"), 1)
    assert.strictEqual(stderr.text, "Cannot write output: write ENOSPC\n")
  })
})
