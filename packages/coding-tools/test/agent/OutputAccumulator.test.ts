import { readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { assert, describe, it } from "@effect/vitest"
import { OutputAccumulator } from "../../src/agent/OutputAccumulator.ts"
import { truncateTail } from "../../src/agent/truncate.ts"

const bounds = { maxLines: 10, maxBytes: 100, maxTotalOutputBytes: 100_000, tempFilePrefix: "accumulator" }
const accumulate = (bytes: Buffer, size: number, overrides: Partial<typeof bounds> = {}) => {
  const output = new OutputAccumulator({ ...bounds, ...overrides })
  for (let at = 0; at < bytes.length; at += size) output.append(bytes.subarray(at, at + size))
  return output
}

describe("OutputAccumulator", () => {
  it("CT26, CT31, CT32, CT34: shows the tail of the whole text, however it is cut into chunks", () => {
    const texts = [
      "",
      "\n",
      "short",
      "a\nb\n",
      "é\n".repeat(11),
      "x".repeat(101),
      `${"€".repeat(500)}\n`,
      "line of some length\n".repeat(300),
      `${"y".repeat(300)}\n\n`,
      `first\n${"𝒳".repeat(200)}`,
      "\uFEFFbom",
      `\uFEFF${"z\n".repeat(200)}`,
      "z".repeat(60) + "\uFEFF" + "z".repeat(57)
    ]
    const inputs = [...texts.map((text) => Buffer.from(text)), Buffer.alloc(150, 0xff), Buffer.alloc(40, 0xe2)]
    for (const input of inputs) {
      const whole = truncateTail(new TextDecoder().decode(input), bounds)
      for (const size of [1, 2, 3, 7, 64, 1_000_000]) {
        const output = accumulate(input, size)
        const { truncation, lastLineBytes } = output.close()
        assert.deepEqual(truncation, whole)
        if (output.path !== undefined) assert.isTrue(readFileSync(output.path).equals(input))
        assert.isTrue(output.path !== undefined || !truncation.truncated)
        output.discard()
        const lines = new TextDecoder().decode(input).replace(/\n$/, "").split("\n")
        assert.strictEqual(lastLineBytes, Buffer.byteLength(lines.at(-1) ?? ""))
      }
    }
    assert.deepEqual(
      readdirSync(tmpdir()).filter((name) => name.startsWith("accumulator-")),
      []
    )
  })

  it("CT31: takes exactly the cap, nothing after it, and no half of a character", () => {
    const output = accumulate(Buffer.from("é".repeat(100)), 9, { maxTotalOutputBytes: 101 })
    output.append(Buffer.from("more"))
    assert.deepEqual([output.overflowed, output.totalBytes], [true, 101])
    const { truncation } = output.close()
    assert.strictEqual(truncation.content, "é".repeat(50))
    output.discard()
    const exact = accumulate(Buffer.alloc(101, "x"), 10, { maxTotalOutputBytes: 101 })
    assert.isFalse(exact.overflowed)
    exact.discard()
  })

  it("CT34: keeps no buffer of the backend", () => {
    const output = new OutputAccumulator(bounds)
    const reused = Buffer.from("one\n")
    output.append(reused)
    reused.write("two\n")
    output.append(reused)
    assert.strictEqual(output.close().truncation.content, "one\ntwo\n")
  })

  it("CT35, CT36: a removed file is gone, a failed one is told", () => {
    const before = process.env["TMPDIR"]
    process.env["TMPDIR"] = "/no/such/directory"
    try {
      const output = accumulate(Buffer.alloc(101, "x"), 50)
      assert.deepEqual([output.storageFailed, output.path], [true, undefined])
      assert.strictEqual(output.close().truncation.outputBytes, 100)
    } finally {
      if (before === undefined) delete process.env["TMPDIR"]
      else process.env["TMPDIR"] = before
    }
    const output = accumulate(Buffer.alloc(101, "x"), 50)
    const path = output.path ?? assert.fail("no file")
    output.discard()
    assert.throws(() => readFileSync(path), /ENOENT/)
    rmSync(path, { force: true })
  })
})
