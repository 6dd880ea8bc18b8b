/** The replacements that a model asks for, from the forms in which models send them. */
import type { JsonObject } from "@arnilo/prism-core"
import { ToolFailure } from "../results.ts"

export interface Edit {
  readonly oldText: string
  /** Inserted as it is. */
  readonly newText: string
}

interface ParseEditsLimits {
  readonly maxEdits: number
  /** UTF-8 bytes of all texts together. */
  readonly maxInputBytes: number
}

/**
 * `edits` is a list or the JSON text of one; `oldText` and `newText` beside it are one more edit, the last. Throws
 * `ToolFailure` for a list that is empty, too long or too large, and for an edit without both texts.
 */
export const parseEdits = (
  { edits, oldText, newText }: JsonObject,
  { maxEdits, maxInputBytes }: ParseEditsLimits
): ReadonlyArray<Edit> => {
  const listed = listOf(edits, maxInputBytes)
  const items: ReadonlyArray<unknown> =
    oldText === undefined && newText === undefined ? listed : [...listed, { oldText, newText }]
  if (items.length === 0) throw new ToolFailure("edits must contain at least one replacement.")
  if (items.length > maxEdits) {
    throw new ToolFailure(`edits contains ${items.length} replacements, exceeds ${maxEdits} limit.`)
  }
  const parsed = items.map(toEdit)
  const bytes = parsed.reduce((sum, edit) => sum + Buffer.byteLength(edit.oldText) + Buffer.byteLength(edit.newText), 0)
  if (bytes > maxInputBytes) throw tooLarge(bytes, maxInputBytes)
  return parsed
}

const listOf = (edits: unknown, maxInputBytes: number): ReadonlyArray<unknown> => {
  if (edits === undefined || edits === null) return []
  const list = typeof edits === "string" ? parseJson(edits, maxInputBytes) : edits
  if (!Array.isArray(list)) throw new ToolFailure("edits must be a list of replacements or the JSON text of one.")
  return list
}

const parseJson = (text: string, maxInputBytes: number): unknown => {
  const bytes = Buffer.byteLength(text)
  if (bytes > maxInputBytes) throw tooLarge(bytes, maxInputBytes)
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const toEdit = (item: unknown, index: number): Edit => {
  const { oldText, newText }: { readonly oldText?: unknown; readonly newText?: unknown } = Object(item)
  if (typeof oldText !== "string" || typeof newText !== "string") {
    throw new ToolFailure(`edits[${index}] must have string oldText and newText.`)
  }
  return { oldText, newText }
}

const tooLarge = (bytes: number, maxInputBytes: number): ToolFailure =>
  new ToolFailure(`edit input is ${bytes} bytes, exceeds ${maxInputBytes} byte limit.`)
