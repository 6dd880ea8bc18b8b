/** The path that a model wrote, as an absolute one. */
import { homedir } from "node:os"
import { resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { ToolFailure } from "./results.ts"

/** Spaces that look like one (Unicode Zs, without the Ogham mark). */
const SPACES = /[\u00A0\u2000-\u200A\u202F\u205F\u3000]/g

/**
 * Relative paths are below `cwd`; `~`, `~/x` and `file://` URLs expand; one leading `@` goes; Unicode spaces become plain
 * ones. Throws `ToolFailure` for anything but a non-empty string, for NUL, and for a `file:` URL that names no local file.
 */
export const resolvePath = (cwd: string, path: unknown): string => {
  if (typeof path !== "string" || path === "") throw new ToolFailure("path is required and must be a non-empty string.")
  if (path.includes("\0")) throw new ToolFailure("path must not contain a NUL character.")
  const named = (path.startsWith("@") ? path.slice(1) : path).replaceAll(SPACES, " ")
  if (named.startsWith("file://")) return fromUrl(named)
  if (named === "~") return homedir()
  return resolve(cwd, named.startsWith("~/") ? resolve(homedir(), named.slice(2)) : named)
}

const fromUrl = (url: string): string => {
  let path: string
  try {
    path = fileURLToPath(url)
  } catch {
    throw new ToolFailure(`path is no local file URL: ${url}`)
  }
  if (path.includes("\0")) throw new ToolFailure("path must not contain a NUL character.")
  return path
}
