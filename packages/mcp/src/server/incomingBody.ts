/** The body of a request of `node:http` as a web stream, which leaves the connection to the requests after it. */
import type { IncomingMessage } from "node:http"

export interface IncomingBody {
  /** Read no faster than it is read. */
  readonly stream: ReadableStream<Uint8Array>
  /** Reads over what is left of it, and keeps nothing: the next request comes behind it. */
  readonly discard: () => void
}

export const incomingBody = (incoming: IncomingMessage): IncomingBody => {
  let isOver = false
  let reader: ReadableStreamDefaultController<Uint8Array> | undefined
  const end = (settle: () => void): void => {
    if (!isOver) settle()
    isOver = true
  }
  const fail = (error: Error): void => end(() => reader?.error(error))
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        reader = controller
        incoming.pause()
        incoming.on("data", (chunk: Buffer) => {
          if (isOver) return
          controller.enqueue(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.length))
          if ((controller.desiredSize ?? 0) <= 0) incoming.pause()
        })
        incoming.once("end", () => end(() => controller.close()))
        incoming.once("error", fail)
        incoming.once("close", () => fail(new Error("The request was cut off")))
      },
      pull() {
        incoming.resume()
      },
      cancel() {
        isOver = true
        incoming.resume()
      }
    },
    { highWaterMark: 65_536, size: (chunk) => chunk?.byteLength ?? 0 }
  )
  const discard = (): void => {
    fail(new Error("The request is answered"))
    incoming.resume()
  }
  return { stream, discard }
}
