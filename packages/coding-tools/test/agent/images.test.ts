import { assert, describe, it } from "@effect/vitest"
import { detectSupportedImageMimeType, detectSupportedImageMimeTypeFromFile } from "../../src/agent/images.ts"
import { makeDirectory, PNG } from "./readFixtures.ts"

const chunk = (type: string, length = 0): Buffer => {
  const bytes = Buffer.alloc(12 + length)
  bytes.writeUInt32BE(length, 0)
  bytes.write(type, 4, "latin1")
  return bytes
}
/** A PNG up to the end of its IHDR. */
const png = Buffer.concat([PNG.subarray(0, 8), chunk("IHDR", 13)])
const bmp = (dibSize: number, planes: number, bits: number, pixelOffset: number, size: number): Buffer => {
  const bytes = Buffer.alloc(64)
  bytes.write("BM", 0, "latin1")
  bytes.writeUInt32LE(size, 2)
  bytes.writeUInt32LE(pixelOffset, 10)
  bytes.writeUInt32LE(dibSize, 14)
  const at = dibSize === 12 ? 22 : 26
  bytes.writeUInt16LE(planes, at)
  bytes.writeUInt16LE(bits, at + 2)
  return bytes
}
const text = (content: string): Buffer => Buffer.from(content, "latin1")

describe("detectSupportedImageMimeType", () => {
  it("CT53: text, cut headers, animations and look-alikes are no images", () => {
    const others: ReadonlyArray<[string, Buffer]> = [
      ["empty", Buffer.alloc(0)],
      ["the word GIF", text("GIF files are")],
      ["GIF88a", text("GIF88a______")],
      ["RIFF of sound", text("RIFF____WAVEfmt ")],
      ["cut WebP", text("RIFF____WEB")],
      ["cut PNG", PNG.subarray(0, 15)],
      ["PNG with another first chunk", Buffer.concat([PNG.subarray(0, 8), chunk("IDAT", 13)])],
      ["animated PNG", Buffer.concat([png, chunk("acTL", 8), chunk("IDAT")])],
      ["cut JPEG", Buffer.from("ffd8ff", "hex")],
      ["JPEG-LS", Buffer.from("ffd8fff7", "hex")],
      ["BM as text", text("BMW builds cars and motorcycles.")],
      ["cut BMP", bmp(40, 1, 24, 54, 0).subarray(0, 25)],
      ["BMP with two planes", bmp(40, 2, 24, 54, 0)],
      ["BMP of 5 bits", bmp(40, 1, 5, 54, 0)],
      ["BMP of an odd header", bmp(39, 1, 24, 54, 0)],
      ["BMP whose pixels lie in the header", bmp(40, 1, 24, 53, 0)],
      ["BMP whose pixels lie behind its end", bmp(40, 1, 24, 54, 54)]
    ]
    for (const [name, bytes] of others) assert.strictEqual(detectSupportedImageMimeType(bytes), null, name)
  })
  it("CT53: five types are known by their first bytes", () => {
    const known: ReadonlyArray<[string, Buffer]> = [
      ["image/png", PNG],
      ["image/png", Buffer.concat([png, chunk("IDAT"), chunk("acTL", 8)])],
      ["image/jpeg", Buffer.from("ffd8ffe0", "hex")],
      ["image/gif", text("GIF87a")],
      ["image/gif", text("GIF89a")],
      ["image/webp", text("RIFF____WEBP")],
      ["image/bmp", bmp(40, 1, 24, 54, 100)],
      ["image/bmp", bmp(124, 1, 32, 138, 0)],
      ["image/bmp", bmp(12, 1, 8, 26, 0).subarray(0, 26)]
    ]
    for (const [mimeType, bytes] of known) assert.strictEqual(detectSupportedImageMimeType(bytes), mimeType)
  })
})

describe("detectSupportedImageMimeTypeFromFile", () => {
  it("CT19, CT53: goes by the first bytes whatever the name, and refuses directories", async () => {
    await using directory = await makeDirectory()
    assert.strictEqual(await detectSupportedImageMimeTypeFromFile(await directory.write("a.txt", PNG)), "image/png")
    assert.strictEqual(await detectSupportedImageMimeTypeFromFile(await directory.write("a.png", "text")), null)
    const refusal = await detectSupportedImageMimeTypeFromFile(directory.path).catch(String)
    assert.include(refusal, "not a regular file")
  })
})
