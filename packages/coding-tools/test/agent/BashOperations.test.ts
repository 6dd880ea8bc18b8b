import { readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { createLocalBashOperations } from "../../src/agent/BashOperations.ts"
import { background, cwd, isAlive, pidIn, run, spills, text } from "./shell/runShell.ts"

afterAll(() => rmSync(cwd, { recursive: true, force: true }))

describe("createLocalBashOperations", () => {
  it("CT37, CT40, CT41: a listener that throws ends the command and all it started", async () => {
    const { exec } = createLocalBashOperations({ shellPath: "/bin/bash" })
    const onData = () => {
      throw new Error("listener broke")
    }
    const script = "setsid sleep 60 & echo $! > thrown; echo $$ > thrown2; echo x; sleep 60"
    const error = await exec(script, cwd, { onData }).then(
      () => assert.fail("resolved"),
      (reason: Error) => reason
    )
    assert.strictEqual(error.message, "listener broke")
    assert.deepEqual([isAlive(pidIn("thrown")), isAlive(pidIn("thrown2"))], [false, false])
  })

  it("CT41: a timeout rejects with timeout:<seconds>, a signal that is aborted starts nothing", async () => {
    const { exec } = createLocalBashOperations()
    const message = (promise: Promise<unknown>) =>
      promise.then(
        () => "resolved",
        (reason: Error) => reason.message
      )
    const onData = () => {}
    assert.match(await message(exec("sleep 60", cwd, { onData, timeout: 1 })), /^timeout:1/)
    assert.strictEqual(await message(exec("touch ran", cwd, { onData, signal: AbortSignal.abort() })), "aborted")
    assert.notInclude(readdirSync(cwd), "ran")
  })

  it("CT26: characters that both streams split stay whole; invalid bytes show as U+FFFD; a BOM goes", async () => {
    const script = `printf '\\357\\273\\277\\342\\202'; sleep 0.05; printf 'x\\303' >&2; sleep 0.05; printf '\\254'; sleep 0.05; printf '\\251\\377' >&2`
    assert.strictEqual(text(await run(script)), "x€é\uFFFD")
  })

  it("CT28: an outside signal is a normal result without an exit code", async () => {
    const result = await run("echo a; kill -KILL $$")
    assert.deepEqual([text(result), result.error, result.metadata?.["exitCode"]], ["a\n", undefined, null])
  })

  it("CT23: nothing asks: input is closed, there is no terminal, editors and pagers do not wait", async () => {
    assert.strictEqual(text(await run("cat; read x; echo done")), "done\n")
    assert.match(text(await run("tty; (: </dev/tty) 2>&1")), /not a tty[^]*\/dev\/tty/)
    const git = await run(
      "git init -q . && git -c user.name=a -c user.email=a@b commit --allow-empty; git --paginate help -a | tail -1 >/dev/null; $PAGER </dev/null && ! $EDITOR"
    )
    assert.match(text(git), /editor/)
    assert.strictEqual(git.metadata?.["exitCode"], 0)
  })

  it("CT38: children that hold the pipes do not hold the call; they live on and are named", async () => {
    const started = performance.now()
    const result = await run("sleep 60 & (setsid sleep 61 &) ; setsid sleep 62 >/dev/null 2>&1 & echo hi")
    const left = background(result)
    try {
      assert.isBelow(performance.now() - started, 5_000)
      assert.deepEqual([text(result), result.metadata?.["exitCode"]], ["hi\n", 0])
      assert.deepEqual(left.map(({ command }) => command).toSorted(), ["sleep 60", "sleep 61", "sleep 62"])
      for (const { pid } of left) {
        assert.isTrue(isAlive(pid))
        assert.include(text(result, 1), `${pid} sleep 6`)
      }
    } finally {
      for (const { pid } of left) process.kill(pid, "SIGKILL")
    }
  })

  it("CT29, CT37, CT39: a timeout kills the group and those who left it, whatever they trap", async () => {
    const script = `trap '' TERM INT HUP; echo partial; (trap '' TERM; echo $BASHPID > group; sleep 60) & setsid sh -c 'echo $$ > left; sleep 60' & (setsid env -i sh -c 'echo $$ > bare; trap "" TERM; sleep 60; :' & wait) & (setsid env -i sh -c 'echo $$ > orphan; sleep 60; :' &); wait; sleep 60`
    const started = performance.now()
    const result = await run({ command: script, timeout: 1 }, { shellPath: "/bin/bash" })
    assert.isBelow(performance.now() - started, 3_000)
    assert.strictEqual(result.error?.message, "Command timed out after 1 seconds")
    assert.strictEqual(text(result), "partial\n\n\n[Command timed out after 1 seconds]")
    assert.deepEqual(
      ["group", "left", "bare", "orphan"].map((file) => isAlive(pidIn(file))),
      [false, false, false, false]
    )
    assert.deepEqual(background(result), [])
  })

  it("CT39: a noisy orphan does not extend the call past its timeout", async () => {
    const started = performance.now()
    const result = await run({ command: "(while :; do echo x; done) & echo $! > noisy", timeout: 1 })
    assert.isBelow(performance.now() - started, 3_000)
    assert.strictEqual(result.error?.message, "Command timed out after 1 seconds")
    assert.isFalse(isAlive(pidIn("noisy")))
  })

  it("CT29, CT37: an abort kills what runs and keeps what it printed", async () => {
    const controller = new AbortController()
    const script = "echo $$ > aborted; setsid sleep 60 & echo $! > aborted2; seq 5000; kill -USR2 $PPID; sleep 60"
    process.once("SIGUSR2", () => controller.abort())
    const result = await run(script, { tempFilePrefix: "ct37" }, controller.signal)
    assert.strictEqual(result.error?.message, "Command aborted")
    assert.match(text(result), /\[Command aborted\]$/)
    assert.deepEqual([isAlive(pidIn("aborted")), isAlive(pidIn("aborted2"))], [false, false])
    assert.deepEqual(spills("ct37"), [])
  })

  it("CT29, CT31, CT36, CT37: a flood ends at the cap, with nothing left but its end", async () => {
    const options = { maxBytes: 1_000, maxTotalOutputBytes: 200_000, tempFilePrefix: "ct31" }
    const result = await run("echo $$ > flood; yes é", options)
    assert.strictEqual(result.error?.message, "Command output exceeded 195.3KB limit")
    assert.match(
      text(result),
      /é\n\n\[Showing lines .* \(1000B limit\)\.\]\n\n\[Command output exceeded 195.3KB limit\]$/
    )
    assert.deepEqual([result.metadata?.["totalOutputBytes"], result.metadata?.["outputLimitExceeded"]], [200_000, true])
    assert.notProperty(result.metadata, "fullOutputPath")
    assert.deepEqual([isAlive(pidIn("flood")), spills("ct31")], [false, []])
    const exact = await run("head -c 200000 /dev/zero", options)
    assert.isUndefined(exact.error)
    rmSync(exact.metadata?.["fullOutputPath"] as string)
  })

  it("CT29: output that cannot be stored ends the command", async () => {
    const before = process.env["TMPDIR"]
    process.env["TMPDIR"] = join(cwd, "missing")
    try {
      const result = await run("echo $$ > unstored; yes", { maxBytes: 100 })
      assert.strictEqual(result.error?.message, "Command output spill failed")
      assert.deepEqual([result.metadata?.["outputStorageFailed"], result.metadata?.["exitCode"]], [true, null])
      assert.isFalse(isAlive(pidIn("unstored")))
    } finally {
      if (before === undefined) delete process.env["TMPDIR"]
      else process.env["TMPDIR"] = before
    }
  })
})
