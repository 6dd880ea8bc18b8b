/** An image, as the model sees it. */
import type { ToolExecutionContext, ToolResult } from "@arnilo/prism-core"
import { detectSupportedImageMimeType } from "./images.ts"
import { callOperation, type ReadSettings } from "./ReadSettings.ts"
import { throwIfAborted, ToolFailure } from "./results.ts"
import { formatSize } from "./truncate.ts"
import { untilAborted } from "./untilAborted.ts"

/** Its size is checked before it is read, when it is read and when it is transformed. */
export const readImage = async (
  name: string,
  path: string,
  mimeType: string,
  settings: ReadSettings,
  { toolCallId, signal }: ToolExecutionContext
): Promise<ToolResult> => {
  const { operations, maxImageBytes, transformImage } = settings
  const withSignal = { ...(signal !== undefined && { signal }) }
  const { size } = await callOperation(operations, "statFile", signal, (on) => on.statFile(path, withSignal))
  throwIfAborted(signal)
  if (typeof size !== "number") throw new ToolFailure("ReadOperations.statFile returned no size")
  assertWithin("Image file", size, maxImageBytes)
  const original = await callOperation(operations, "readFile", signal, (on) =>
    on.readFile(path, { maxBytes: maxImageBytes, ...withSignal })
  )
  throwIfAborted(signal)
  let image = { buffer: asBytes(original, "ReadOperations.readFile"), mimeType }
  assertWithin("Image file", image.buffer.length, maxImageBytes)
  if (transformImage !== undefined) {
    const buffer = asBytes(await untilAborted(signal, async () => transformImage(image)), "transformImage")
    throwIfAborted(signal)
    if (buffer.length === 0) throw new ToolFailure("transformImage returned no bytes")
    assertWithin("Transformed image", buffer.length, maxImageBytes)
    image = { buffer, mimeType: detectSupportedImageMimeType(buffer) ?? mimeType }
  }
  return {
    toolCallId,
    name,
    content: [
      { type: "text", text: `Read image file [${image.mimeType}]` },
      { type: "image", data: image.buffer.toString("base64"), mimeType: image.mimeType }
    ],
    metadata: {
      image: { mimeType: image.mimeType, resized: transformImage !== undefined, bytes: image.buffer.length }
    }
  }
}

const asBytes = (value: unknown, source: string): Buffer => {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  throw new ToolFailure(`${source} must return a Buffer`)
}

const assertWithin = (what: string, size: number, maxBytes: number): void => {
  // Not `size > maxBytes`, which a backend's NaN would pass.
  if (size <= maxBytes) return
  throw new ToolFailure(`${what} is ${formatSize(size)}, exceeds ${formatSize(maxBytes)} limit.`)
}
