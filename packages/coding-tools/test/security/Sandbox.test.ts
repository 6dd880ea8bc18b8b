import { assert, describe, it } from "@effect/vitest"
import {
  createSandboxBashOperations,
  type SandboxExecRequest,
  SandboxExecutionError
} from "../../src/security/Sandbox.ts"

describe("createSandboxBashOperations", () => {
  it("CS32: a command goes to the adapter with all that it was given, and its exit code comes back", async () => {
    const requests: Array<SandboxExecRequest> = []
    const output: Array<string> = []
    const operations = createSandboxBashOperations({
      exec: (request) => {
        requests.push(request)
        request.onData?.(Buffer.from("a"))
        request.onData?.(Buffer.from("b"))
        return Promise.resolve({ exitCode: 3 })
      }
    })
    const onData = (data: Buffer): void => void output.push(data.toString())
    const { signal } = new AbortController()
    const options = { onData, signal, timeout: 9, env: { A: "1" } }
    assert.deepEqual(await operations.exec("ls", "/tmp", options), { exitCode: 3 })
    assert.deepEqual(requests, [{ command: "ls", cwd: "/tmp", ...options }])
    assert.deepEqual(output, ["a", "b"])
  })

  it("CS34: a failure keeps the adapter's message and is its cause, also when it is thrown at once", async () => {
    const cause = new Error("timeout:5")
    const failures = [
      () => Promise.reject(cause),
      () => {
        throw cause
      }
    ]
    for (const exec of failures) {
      const error = await createSandboxBashOperations({ exec })
        .exec("ls", "/", { onData: () => undefined })
        .then(
          () => assert.fail("did not reject"),
          (reason: unknown) => reason
        )
      assert.instanceOf(error, SandboxExecutionError)
      assert.include(error, { code: "ERR_PRISM_SANDBOX_EXECUTION", message: "timeout:5", cause })
    }
  })
})
