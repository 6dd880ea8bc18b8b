import crypto from "node:crypto"
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { SpillFile } from "../../../src/agent/shell/SpillFile.ts"

/** Makes the next names known, for as long as `run` takes. */
const withRandomBytes = (bytes: Buffer, run: () => void): void => {
  const { randomBytes } = crypto
  Object.assign(crypto, { randomBytes: () => bytes })
  syncBuiltinESMExports()
  try {
    run()
  } finally {
    Object.assign(crypto, { randomBytes })
    syncBuiltinESMExports()
  }
}

const folder = mkdtempSync(join(tmpdir(), "spill-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("SpillFile", () => {
  it("CT35: is its owner's alone whatever the umask, with a name of 32 hex digits", () => {
    for (const mask of [0o000, 0o777]) {
      const before = process.umask(mask)
      const file = new SpillFile("ct35")
      process.umask(before)
      try {
        file.write(Buffer.from("kept"))
        file.close()
        assert.match(file.path, /\/ct35-[0-9a-f]{32}\.log$/)
        assert.strictEqual(statSync(file.path).mode & 0o777, 0o600)
        assert.strictEqual(readFileSync(file.path, "utf8"), "kept")
      } finally {
        file.remove()
      }
    }
  })

  it("CT35: follows no link and opens no file that has its name", () => {
    const victim = join(folder, "victim")
    writeFileSync(victim, "untouched")
    const taken = join(tmpdir(), `ct35-${"07".repeat(16)}.log`)
    withRandomBytes(Buffer.alloc(16, 7), () => {
      try {
        symlinkSync(victim, taken)
        assert.throws(() => new SpillFile("ct35"), "EEXIST")
        rmSync(taken)
        writeFileSync(taken, "untouched")
        assert.throws(() => new SpillFile("ct35"), "EEXIST")
        assert.deepEqual([readFileSync(victim, "utf8"), readFileSync(taken, "utf8")], ["untouched", "untouched"])
      } finally {
        rmSync(taken, { force: true })
      }
    })
  })
})
