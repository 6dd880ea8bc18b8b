import { assert, describe, it } from "@effect/vitest"
import { createReadTool } from "../../src/agent/readTool.ts"
import { backend, call, image, makeDirectory, metadataOf, PNG, textOf } from "./readFixtures.ts"

describe("readImage", () => {
  it("CT55: an image over the cap is neither read nor in the result", async () => {
    const { operations, calls } = backend({ ...image, statFile: async () => ({ size: 17 }), readFile: async () => PNG })
    const result = await call(createReadTool("/", { operations, maxImageBytes: 16 }), { path: "f" })
    assert.strictEqual(result.error?.message, "Image file is 17B, exceeds 16B limit.")
    assert.deepStrictEqual(calls, ["access", "detectImageMimeType", "statFile"])
    assert.strictEqual(result.content?.length, 1)
  })
  it("CT55, CT57: a buffer or a transformed image over the cap is an error", async () => {
    const { operations } = backend({
      ...image,
      statFile: async () => ({ size: 1 }),
      readFile: async () => Buffer.alloc(17)
    })
    const grown = await call(createReadTool("/", { operations, maxImageBytes: 16 }), { path: "f" })
    assert.strictEqual(textOf(grown), "Image file is 17B, exceeds 16B limit.")
    await using directory = await makeDirectory()
    await directory.write("f", PNG)
    const transformImage = async () => Buffer.alloc(17)
    const large = await call(createReadTool(directory.path, { transformImage, maxImageBytes: 16 }), { path: "f" })
    assert.strictEqual(textOf(large), "Transformed image is 17B, exceeds 16B limit.")
  })
  it("CT56: a transform that rejects, or returns no bytes, is an error", async () => {
    await using directory = await makeDirectory()
    await directory.write("f", PNG)
    const transforms = [
      async () => "text" as never,
      async () => Buffer.alloc(0),
      () => {
        throw new Error("transform broke")
      }
    ]
    const errors = []
    for (const transformImage of transforms) {
      const result = await call(createReadTool(directory.path, { transformImage }), { path: "f" })
      assert.strictEqual(result.content?.length, 1)
      errors.push(result.error?.message)
    }
    assert.deepStrictEqual(errors, [
      "transformImage must return a Buffer",
      "transformImage returned no bytes",
      "transform broke"
    ])
  })
  it("CT54, CT55: an image of exactly the cap comes as base64, offset and limit aside", async () => {
    await using directory = await makeDirectory()
    await directory.write("f.txt", PNG)
    const result = await call(createReadTool(directory.path, { maxImageBytes: 16 }), {
      path: "f.txt",
      offset: 9,
      limit: 1
    })
    assert.deepStrictEqual(result, {
      toolCallId: "call",
      name: "read",
      content: [
        { type: "text", text: "Read image file [image/png]" },
        { type: "image", data: PNG.toString("base64"), mimeType: "image/png" }
      ],
      metadata: { image: { mimeType: "image/png", resized: false, bytes: 16 } }
    })
  })
  it("CT54, CT56: a transformed image has the type that its bytes say, or else the one it had", async () => {
    await using directory = await makeDirectory()
    await directory.write("f", PNG)
    const transformed = async (buffer: Buffer) => {
      const transformImage = async () => buffer
      return metadataOf(await call(createReadTool(directory.path, { transformImage }), { path: "f" })).image
    }
    const gif = await transformed(Buffer.from("GIF89a"))
    assert.deepStrictEqual(gif, { mimeType: "image/gif", resized: true, bytes: 6 })
    assert.deepStrictEqual(await transformed(Buffer.from("?")), {
      mimeType: "image/png",
      resized: true,
      bytes: 1
    })
  })
})
