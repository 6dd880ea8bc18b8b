/** The body of an HTTP answer as a web stream that ends in an error where it is too long. */
import type { IncomingMessage } from "node:http"
import { McpBridgeError } from "../errors/McpBridgeError.ts"
import { OversizedResponseError } from "../errors/OversizedResponseError.ts"

/** Reads no faster than it is read. Cancelling ends the connection. */
export const boundedBody = (answer: IncomingMessage, maxBytes: number): ReadableStream<Uint8Array> => {
  let bytes = 0
  let isOver = false
  const end = (settle: () => void): void => {
    if (isOver) return
    isOver = true
    settle()
  }
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        answer.pause()
        answer.on("data", (chunk: Buffer) => {
          bytes += chunk.length
          if (isOver) return
          if (bytes > maxBytes) {
            end(() => controller.error(new OversizedResponseError(maxBytes)))
            answer.destroy()
            return
          }
          controller.enqueue(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.length))
          if ((controller.desiredSize ?? 0) <= 0) answer.pause()
        })
        answer.once("end", () => end(() => controller.close()))
        answer.once("error", (error) => end(() => controller.error(error)))
        answer.once("close", () => end(() => controller.error(new McpBridgeError("MCP HTTP response was cut off"))))
      },
      pull() {
        answer.resume()
      },
      cancel() {
        isOver = true
        answer.destroy()
      }
    },
    { highWaterMark: 65_536, size: (chunk) => chunk?.byteLength ?? 0 }
  )
}
