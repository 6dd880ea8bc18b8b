import { spawn } from "node:child_process"
import { once } from "node:events"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync
} from "node:fs"
import { writeFileSync } from "node:fs"
import { createServer, type AddressInfo } from "node:net"
import { homedir, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { ToolResult } from "@arnilo/prism-core"
import { afterAll, assert, describe, it, vi } from "@effect/vitest"
import { createShellTool } from "../../src/agent/shellTool.ts"
import { type BubblewrapSandboxOptions, createBubblewrapSandbox } from "../../src/security/BubblewrapSandbox.ts"
import { createCodingApprovalPolicy } from "../../src/security/CodingApprovalPolicy.ts"
import { createSandboxBashOperations, SandboxUnavailableError } from "../../src/security/Sandbox.ts"

const base = realpathSync(mkdtempSync(join(tmpdir(), "sandbox-")))
const root = join(base, "root")
const outside = join(base, "outside")
for (const folder of [root, outside]) mkdirSync(folder)
afterAll(() => rmSync(base, { recursive: true, force: true }))

interface Ended {
  readonly exitCode: number | null
  readonly output: string
}

/** Runs in `root` unless told otherwise. */
const run = async (
  command: string,
  {
    cwd = root,
    env,
    signal,
    timeout,
    ...options
  }: Partial<BubblewrapSandboxOptions> & {
    readonly cwd?: string
    readonly env?: NodeJS.ProcessEnv
    readonly signal?: AbortSignal
    readonly timeout?: number
  } = {}
): Promise<Ended> => {
  let output = ""
  const sandbox = createBubblewrapSandbox({ roots: [root], shellPath: "/bin/bash", ...options })
  const onData = (data: Buffer): void => void (output += data.toString())
  const { exitCode } = await sandbox.exec({ command, cwd, env, onData, signal, timeout })
  return { exitCode, output }
}

/** Living processes of the machine whose command line has that text. */
const living = (text: string): number =>
  readdirSync("/proc").filter((pid) => {
    try {
      return (
        /^\d+$/.test(pid) && Number(pid) !== process.pid && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(text)
      )
    } catch {
      return false
    }
  }).length

const gone = (text: string): Promise<void> => vi.waitFor(() => assert.strictEqual(living(text), 0), { timeout: 5_000 })

describe("the file system of the sandbox", () => {
  it("takes what is written to a root, and nothing elsewhere", async () => {
    writeFileSync(join(outside, "kept"), "as it was")
    const visible = mkdtempSync("/var/prism-sandbox-")
    try {
      const { exitCode, output } = await run(
        `echo in > file; for place in ${visible} /etc /usr; do (echo out > $place/x) 2>/dev/null && echo "wrote $place"; done
         setting=/proc/sys/kernel/core_pattern; value=$(cat $setting); (echo "$value" > $setting) 2>/dev/null && echo "wrote $setting"
         for entry in $(find /proc/sys /proc/irq /proc/bus /proc/fs /sys -type f -writable 2>/dev/null | head -3); do echo "may write $entry"; done
         mount -o remount,rw / 2>/dev/null; rm -rf ${visible} 2>/dev/null; cat file`
      )
      assert.deepEqual({ exitCode, output }, { exitCode: 0, output: "in\n" })
      assert.deepEqual(readdirSync(visible), [])
      assert.strictEqual(readFileSync(join(root, "file"), "utf8"), "in\n")
    } finally {
      rmSync(visible, { recursive: true })
    }
  })

  it("shows an empty home, and no temporary file or socket of the machine; what is written there is forgotten", async () => {
    const { output } = await run(
      `ls -A ${homedir()} /run /var/tmp; ls /tmp; echo x > ${homedir()}/x; echo x > "/tmp/of the sandbox"; cat ~/x`,
      {
        env: { ...process.env, HOME: homedir() }
      }
    )
    assert.include(output, `${homedir()}:\n\n/run:\n\n/var/tmp:\n${base.split("/")[2]}\nx\n`)
    assert.isFalse(existsSync(join(homedir(), "x")))
    assert.isFalse(existsSync("/tmp/of the sandbox"))
  })

  it("hides what the host names, also in a root, where it cannot be moved to be seen next time", async () => {
    mkdirSync(join(root, "deep", "er"), { recursive: true })
    writeFileSync(join(root, "deep", "er", "secret"), "key")
    writeFileSync(join(root, ".env"), "KEY=1")
    const hide = [join(root, "deep", "er", "secret"), join(root, ".env")]
    const look = "cat deep/er/secret .env; echo x > .env"
    const { output } = await run(`${look}; mv deep other; mkdir other; mv deep/er other; rm -rf deep .env; ${look}`, {
      hide
    })
    const { output: next } = await run(look, { hide })
    assert.notMatch(output + next, /key|KEY/)
    assert.strictEqual(readFileSync(join(root, "deep", "er", "secret"), "utf8"), "key")
    assert.strictEqual(readFileSync(join(root, ".env"), "utf8"), "KEY=1")
  })

  it("shows what is readable where all else is hidden, and keeps it from being written", async () => {
    writeFileSync(join(outside, "tool"), "of use")
    mkdirSync(join(root, "hooks"), { recursive: true })
    const readable = [join(outside, "tool"), join(root, "hooks")]
    const { output } = await run(
      `cat ${join(outside, "tool")}; ls ${outside}; echo x > hooks/post; echo x > ${join(outside, "tool")}`,
      {
        readable
      }
    )
    assert.include(output, "of usetool\n")
    assert.strictEqual(output.match(/Read-only file system/g)?.length, 2)
  })

  it("takes roots behind links, and names with spaces, quotes and line breaks", async () => {
    const name = join(base, `a "b" 'c'\n$(d) -e`)
    mkdirSync(name)
    const link = join(base, "link")
    symlinkSync(name, link)
    const { output } = await run("echo x > file; pwd", { roots: [link], cwd: link })
    assert.strictEqual(output, `${name}\n`)
    assert.strictEqual(readFileSync(join(name, "file"), "utf8"), "x\n")
  })

  it("stays the one that was named when a link is led elsewhere", async () => {
    const link = join(root, "moving")
    symlinkSync(root, link)
    const sandbox = createBubblewrapSandbox({ roots: [root, link] })
    rmSync(link)
    symlinkSync(outside, link)
    let output = ""
    await sandbox.exec({
      command: `echo x > ${outside}/led`,
      cwd: root,
      onData: (data) => void (output += data.toString())
    })
    assert.isFalse(existsSync(join(outside, "led")))
    assert.include(output, "No such file or directory")
    rmSync(link)
  })
})

describe("processes of the sandbox", () => {
  it("see none but their own, and have no right of the superuser", async () => {
    const { output } = await run("ls -d /proc/[0-9]* | wc -l; grep CapEff /proc/self/status; tty")
    const [count = "", rights] = output.split("\n")
    assert.isAtMost(Number(count), 6)
    assert.strictEqual(rights, "CapEff:\t0000000000000000")
  })

  it("keep exit code and environment", async () => {
    const env = { PATH: process.env["PATH"], GIVEN: "a b", TMPDIR: "/nowhere" }
    assert.deepEqual(await run('echo "$GIVEN $TMPDIR"; exit 7', { env }), { exitCode: 7, output: "a b /tmp\n" })
    assert.strictEqual((await run("kill -9 $$")).exitCode, 137)
  })

  it("end with the command: what it left behind does not go on", async () => {
    const { exitCode, output } = await run("sleep 4711 & setsid sleep 4711 & sleep 0.1; echo done")
    assert.deepEqual({ exitCode, output }, { exitCode: 0, output: "done\n" })
    await gone("sleep\x004711")
  })

  it("are all killed at the timeout and on abort, those that left their session too", async () => {
    const command = "(setsid nohup sleep 4712 >/dev/null 2>&1 &); echo up; sleep 4712"
    const rejection = (ended: Promise<unknown>): Promise<unknown> =>
      ended.then(
        () => assert.fail("did not reject"),
        (error: unknown) => error
      )
    assert.include(await rejection(run(command, { timeout: 1 })), { message: "timeout:1" })
    assert.strictEqual(living("sleep\x004712"), 0)
    const controller = new AbortController()
    const running = rejection(run(command, { signal: controller.signal }))
    await vi.waitFor(() => assert.strictEqual(living("sleep\x004712"), 2), { timeout: 5_000 })
    controller.abort()
    assert.include(await running, { message: "aborted" })
    assert.strictEqual(living("sleep\x004712"), 0)
    assert.include(await rejection(run("true", { signal: controller.signal })), { message: "aborted" })
  })

  it("end when the host is killed", async () => {
    const module = fileURLToPath(new URL("../../src/security/BubblewrapSandbox.ts", import.meta.url))
    const script = `import { createBubblewrapSandbox } from ${JSON.stringify(module)}
      const sandbox = createBubblewrapSandbox({ roots: [${JSON.stringify(root)}] })
      sandbox.exec({ command: "setsid sleep 4713 & echo up; sleep 4713", cwd: ${JSON.stringify(root)}, onData: () => process.stdout.write("up") })`
    const flags = [
      "-C",
      "@arnilo/source",
      "--disable-warning=ExperimentalWarning",
      "--input-type=module",
      "--eval",
      script
    ]
    const host = spawn(process.execPath, flags, { stdio: ["ignore", "pipe", "inherit"] })
    await once(host.stdout, "data")
    await vi.waitFor(() => assert.strictEqual(living("sleep\x004713"), 2), { timeout: 5_000 })
    host.kill("SIGKILL")
    await gone("sleep\x004713")
  })
})

describe("the network of the sandbox", () => {
  it("is none, unless the host grants its own", async () => {
    const server = createServer((socket) => socket.end("hello\n")).listen(0, "127.0.0.1")
    await once(server, "listening")
    try {
      const command = `cat < /dev/tcp/127.0.0.1/${(server.address() as AddressInfo).port}`
      assert.include((await run(command)).output, "Connection refused")
      assert.deepEqual(await run(command, { network: true }), { exitCode: 0, output: "hello\n" })
    } finally {
      server.close()
    }
  })
})

describe("the shell tool in the sandbox", () => {
  const shell = (command: string): Promise<ToolResult> => {
    const operations = createSandboxBashOperations(createBubblewrapSandbox({ roots: [root] }))
    const executionPolicy = createCodingApprovalPolicy({
      roots: [root],
      commandAnalysis: "shell",
      commandRules: [{ pattern: /^(?:echo|sleep)\b/, action: "allow" }]
    })
    const tool = createShellTool(root, { operations, executionPolicy })
    return tool.execute({ command, timeout: 1 }, { sessionId: "s", runId: "r", toolCallId: "c" }) as Promise<ToolResult>
  }
  const textOf = (result: ToolResult): string | undefined => (result.content?.[0] as { readonly text?: string })?.text

  it("CS32, CS33: runs what the policy allows, and never what it refuses", async () => {
    assert.include(textOf(await shell("echo hi")), "hi")
    const refused = await shell("touch refused")
    assert.isDefined(refused.error)
    assert.isFalse(existsSync(join(root, "refused")))
  })

  it("CS34: tells of a timeout as always", async () => {
    const { error } = await shell("sleep 4714")
    assert.include(error?.message, "timed out after 1 second")
  })
})

describe("a sandbox that cannot be made", () => {
  const refuse = (
    options: unknown,
    message: string | RegExp,
    kind: typeof RangeError | typeof SandboxUnavailableError = RangeError
  ): void => assert.throws(() => createBubblewrapSandbox(options as BubblewrapSandboxOptions), kind, message)

  it("says which option is wrong", () => {
    refuse({ roots: [] }, "roots must name 1 to 64 directories, got none")
    refuse({ roots: "x" }, "roots must be a list of at most 64 paths")
    refuse({ roots: Array.from({ length: 65 }, () => root) }, "roots must be a list of at most 64 paths")
    refuse({ roots: ["root"] }, 'roots[0] must be an absolute path, got "root"')
    refuse({ roots: [root, 7] }, "roots[1] must be an absolute path, got number")
    refuse({ roots: [`${root}\0`] }, "roots[0] must be an absolute path")
    refuse({ roots: ["/"] }, "roots[0] must not be the whole file system")
    refuse({ roots: [join(base, "none")] }, "roots[0] does not exist")
    refuse({ roots: ["/etc/passwd"] }, "roots[0] is not a directory")
    refuse({ roots: [root], hide: [root] }, "roots[0] and hide[0] are the same place")
    refuse({ roots: [root], readable: [join(base, "none")] }, "readable[0] does not exist")
    refuse({ roots: [root], hide: [join(base, "none")] }, "hide[0] does not exist")
    refuse({ roots: [root], network: "no" }, "network must be true or false, got no")
    refuse({ roots: [root], program: "bwrap" }, 'program must be an absolute path, got "bwrap"')
  })

  it("says that bubblewrap is missing, or why it fails; nothing runs without it", () => {
    refuse({ roots: [root], program: join(base, "none") }, 'install the package "bubblewrap"', SandboxUnavailableError)
    refuse(
      { roots: [root], program: "/bin/false" },
      "bubblewrap cannot make a sandbox here (/bin/false)",
      SandboxUnavailableError
    )
    vi.stubEnv("PATH", base)
    try {
      refuse({ roots: [root] }, "bubblewrap is missing (looked for bwrap on PATH)", SandboxUnavailableError)
    } finally {
      vi.unstubAllEnvs()
    }
  })

  it("takes no folder that it does not show", async () => {
    const refused = (cwd: string, message: string): Promise<void> =>
      run("true", { cwd }).then(
        () => assert.fail("did not reject"),
        (error: unknown) => assert.include((error as Error).message, message)
      )
    await refused(outside, `The sandbox does not show ${outside}`)
    await refused(join(base, "none"), "Working directory does not exist")
    const passing = join(base, "passing")
    mkdirSync(passing)
    const sandbox = createBubblewrapSandbox({ roots: [root, passing] })
    rmSync(passing, { recursive: true })
    const error = await sandbox.exec({ command: "true", cwd: root }).catch((reason: unknown) => reason)
    assert.include((error as Error).message, `The sandbox cannot show ${passing}`)
  })
})
