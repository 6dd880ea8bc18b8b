import { mapMcpContentToBlocks } from "@arnilo/prism-mcp"
import { assert, describe, it } from "@effect/vitest"

const map = (content: unknown, maxResultBytes = 10_000) => mapMcpContentToBlocks(content, { maxResultBytes })
const texts = (content: unknown) =>
  map(content).content.map((block) => (block.type === "text" ? block.text : block.type))

describe("mapMcpContentToBlocks", () => {
  it("M16: maps text and images to themselves", () => {
    assert.deepStrictEqual(
      map([
        { type: "text", text: "é" },
        { type: "image", data: "AAAA", mimeType: "image/png" }
      ]),
      {
        content: [
          { type: "text", text: "é" },
          { type: "image", data: "AAAA", mimeType: "image/png" }
        ],
        truncated: false,
        bytesUsed: 6
      }
    )
  })

  it("M16: tells of audio, then hands it over", () => {
    assert.deepStrictEqual(map([{ type: "audio", data: "AAECAw==", mimeType: "audio/wav" }]).content, [
      { type: "text", text: "[audio content audio/wav, 4 bytes]" },
      { type: "audio", mediaType: "audio/wav", data: "AAECAw==" }
    ])
  })

  it("M16: maps embedded resources: text as text, a blob as a line and a file", () => {
    const uri = "file:///a"
    assert.deepStrictEqual(
      map([
        { type: "resource", resource: { uri, mimeType: "text/x-log", text: "line" } },
        { type: "resource", resource: { uri, text: "plain" } },
        { type: "resource", resource: { uri, mimeType: "application/pdf", blob: "AAAA" } },
        { type: "resource", resource: { uri, blob: "AAAA" } }
      ]).content,
      [
        { type: "text", text: "Resource file:///a (text/x-log): line" },
        { type: "text", text: "Resource file:///a (text/plain): plain" },
        { type: "text", text: "Resource file:///a (application/pdf): [blob application/pdf]" },
        { type: "file", mediaType: "application/pdf", data: "AAAA", resourceUri: uri },
        { type: "text", text: "Resource file:///a (application/octet-stream): [blob application/octet-stream]" },
        { type: "file", mediaType: "application/octet-stream", data: "AAAA", resourceUri: uri }
      ]
    )
  })

  it("M16: maps links with what is known of them", () => {
    const link = { type: "resource_link", name: "log", uri: "file:///log" }
    assert.deepStrictEqual(
      texts([link, { ...link, description: "The log", mimeType: "text/plain", size: 3, title: "t" }]),
      ["Resource link log: file:///log", "Resource link log: file:///log — The log — mime=text/plain — size=3"]
    )
  })

  it("M16: says so of what it cannot map", () => {
    assert.deepStrictEqual(
      texts([
        { type: "video", data: "AAAA" },
        { type: "text", text: 7 },
        { type: "image", data: "AAAA" },
        { type: "resource", resource: {} },
        { type: "resource_link", name: "x" },
        null,
        "text"
      ]),
      [
        "[unsupported content of type video]",
        "[malformed text content]",
        "[malformed image content]",
        "[malformed resource content]",
        "[malformed resource_link content]",
        "[malformed content block]",
        "[malformed content block]"
      ]
    )
  })

  it("M16: cuts text between code points behind the bound, and leaves other blocks out", () => {
    const { bytesUsed, content, truncated } = map(
      [
        { type: "text", text: "ab" },
        { type: "image", data: "A".repeat(9), mimeType: "image/png" },
        { type: "text", text: "x😀y" }
      ],
      6
    )
    assert.deepStrictEqual(content, [
      { type: "text", text: "ab" },
      { type: "text", text: "x" }
    ])
    assert.strictEqual(bytesUsed, 3)
    assert.isTrue(truncated)
  })
})
