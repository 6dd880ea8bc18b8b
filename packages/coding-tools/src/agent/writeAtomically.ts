/** Replaces a file in one step: whoever reads it sees the old content or the new one. */
import { randomBytes } from "node:crypto"
import { constants, type Stats } from "node:fs"
import { access, open, rename, rm, stat, type FileHandle } from "node:fs/promises"
import { dirname, join } from "node:path"
import { realTarget } from "./realTarget.ts"
import { throwIfAborted, ToolFailure } from "./results.ts"

const PERMISSIONS = 0o7777

/**
 * Writes UTF-8 text to a temporary file beside the target and renames it. Links are written through and stay; an existing
 * file keeps its permission bits, and its owner where that is allowed. Throws `ToolFailure` for anything but a regular
 * file, without opening it, and when aborted before the rename. Whatever fails leaves the file as it was and nothing
 * beside it.
 */
export const writeAtomically = async (path: string, content: string, signal?: AbortSignal): Promise<void> => {
  const target = realTarget(path)
  const existing = await statOf(target)
  if (existing !== undefined) {
    if (!existing.isFile()) throw new ToolFailure(`${path} is not a regular file`)
    // A rename would not ask.
    await access(target, constants.W_OK)
  }
  const temporary = join(dirname(target), `.prism-${randomBytes(16).toString("hex")}.tmp`)
  const handle = await open(temporary, "wx", existing === undefined ? 0o666 : 0o600)
  try {
    try {
      await fill(handle, content, existing)
    } finally {
      await handle.close()
    }
    throwIfAborted(signal)
    await rename(temporary, target)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

const statOf = async (path: string): Promise<Stats | undefined> => {
  try {
    return await stat(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw error
  }
}

const fill = async (handle: FileHandle, content: string, existing: Stats | undefined): Promise<void> => {
  const bytes = Buffer.from(content)
  for (let written = 0; written < bytes.length;) {
    // oxlint-disable-next-line no-await-in-loop -- a file system may take less than it was given
    written += (await handle.write(bytes, written)).bytesWritten
  }
  if (existing === undefined) return
  await keepOwner(handle, existing)
  // Last, since a change of owner clears bits.
  await handle.chmod(existing.mode & PERMISSIONS)
}

const keepOwner = async (handle: FileHandle, { uid, gid }: Stats): Promise<void> => {
  const own = await handle.stat()
  if (own.uid === uid && own.gid === gid) return
  try {
    await handle.chown(uid, gid)
  } catch (error) {
    // Only the superuser may give files away. The writer then owns the new file, as with any other editor.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") throw error
  }
}
