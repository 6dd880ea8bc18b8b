/** Which image a file is, by its first bytes alone. */
import { openRegularFile } from "./openRegularFile.ts"

export interface TransformImageInput {
  readonly buffer: Buffer
  readonly mimeType: string
}

/** Makes another image of one. A rejection becomes an error result; the type is read off what it returns. */
export type TransformImage = (input: TransformImageInput) => Promise<Buffer>

/** As much of a file as is looked at. */
const SNIFF_BYTES = 4_100

/**
 * `image/png`, `image/jpeg`, `image/gif`, `image/webp` or `image/bmp`; `null` for anything else, for headers that are cut
 * off and for animated PNG.
 */
export const detectSupportedImageMimeType = (buffer: Buffer): string | null => {
  if (isPng(buffer)) return isAnimatedPng(buffer) ? null : "image/png"
  if (isJpeg(buffer)) return "image/jpeg"
  if (hasText(buffer, 0, "GIF87a") || hasText(buffer, 0, "GIF89a")) return "image/gif"
  if (hasText(buffer, 0, "RIFF") && hasText(buffer, 8, "WEBP")) return "image/webp"
  return isBmp(buffer) ? "image/bmp" : null
}

/** The same for a file. Rejects for what cannot be read and for anything but a regular file. */
export const detectSupportedImageMimeTypeFromFile = async (path: string): Promise<string | null> => {
  const { handle } = await openRegularFile(path)
  try {
    const buffer = Buffer.alloc(SNIFF_BYTES)
    const { bytesRead } = await handle.read(buffer, 0, SNIFF_BYTES, 0)
    return detectSupportedImageMimeType(buffer.subarray(0, bytesRead))
  } finally {
    await handle.close()
  }
}

const hasText = (buffer: Buffer, at: number, text: string): boolean =>
  buffer.length >= at + text.length && buffer.toString("latin1", at, at + text.length) === text

const isPng = (buffer: Buffer): boolean =>
  hasText(buffer, 0, "\u0089PNG\r\n\u001A\n") &&
  buffer.length >= 16 &&
  buffer.readUInt32BE(8) === 13 &&
  hasText(buffer, 12, "IHDR")

/** Chunk after chunk: `acTL` before the first `IDAT` makes a PNG an animation. */
const isAnimatedPng = (buffer: Buffer): boolean => {
  for (let at = 8; at + 8 <= buffer.length; at += 12 + buffer.readUInt32BE(at)) {
    if (hasText(buffer, at + 4, "acTL")) return true
    if (hasText(buffer, at + 4, "IDAT")) return false
  }
  return false
}

/** `FF D8 FF F7` is JPEG-LS, which models do not read. */
const isJpeg = (buffer: Buffer): boolean =>
  buffer.length >= 4 && buffer[0] === 0xff && buffer[1] === 0xd8 && buffer[2] === 0xff && buffer[3] !== 0xf7

const BITS_PER_PIXEL: ReadonlySet<number> = new Set([1, 4, 8, 16, 24, 32])

/** "BM" begins ordinary text, too: the whole header has to agree with itself. */
const isBmp = (buffer: Buffer): boolean => {
  if (!hasText(buffer, 0, "BM") || buffer.length < 26) return false
  const declaredSize = buffer.readUInt32LE(2)
  const pixelOffset = buffer.readUInt32LE(10)
  const dibSize = buffer.readUInt32LE(14)
  if (dibSize !== 12 && (dibSize < 40 || dibSize > 124)) return false
  const planesAt = dibSize === 12 ? 22 : 26
  if (buffer.length < planesAt + 4) return false
  return (
    buffer.readUInt16LE(planesAt) === 1 &&
    BITS_PER_PIXEL.has(buffer.readUInt16LE(planesAt + 2)) &&
    pixelOffset >= 14 + dibSize &&
    (declaredSize === 0 || pixelOffset < declaredSize)
  )
}
