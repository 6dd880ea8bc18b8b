/** The file that holds all output of a command whose output does not fit the result. */
import { randomBytes } from "node:crypto"
import { closeSync, fchmodSync, openSync, rmSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Written synchronously, so that nothing waits in memory. Creating and writing throw what the system says. */
export class SpillFile {
  readonly path: string
  #descriptor: number | undefined

  /** A new file that only its owner may read, with a name nobody can guess; what exists is never opened. */
  constructor(prefix: string) {
    this.path = join(tmpdir(), `${prefix}-${randomBytes(16).toString("hex")}.log`)
    this.#descriptor = openSync(this.path, "wx", 0o600)
    // The umask may have taken the owner's own bits.
    try {
      if (process.platform !== "win32") fchmodSync(this.#descriptor, 0o600)
    } catch (error) {
      this.remove()
      throw error
    }
  }

  write(bytes: Uint8Array): void {
    if (this.#descriptor === undefined) return
    for (let at = 0; at < bytes.length;) at += writeSync(this.#descriptor, bytes, at)
  }

  close(): void {
    if (this.#descriptor === undefined) return
    const descriptor = this.#descriptor
    this.#descriptor = undefined
    closeSync(descriptor)
  }

  /** Closes and deletes. */
  remove(): void {
    try {
      this.close()
    } finally {
      rmSync(this.path, { force: true })
    }
  }
}
