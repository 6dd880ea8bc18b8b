/** The whole body of a request, within a bound. */

/** Nothing where it is longer than `maxBytes`; the rest is not read then. Rejects where the client leaves. */
export const readBody = async (
  { body, headers }: Request,
  maxBytes: number,
  signal: AbortSignal
): Promise<Uint8Array<ArrayBuffer> | undefined> => {
  if (Number(headers.get("content-length") ?? 0) > maxBytes) return undefined
  if (body === null) return new Uint8Array()
  const reader = body.getReader()
  // Not waited for: it may take as long as its sender likes.
  const stop = (): void => void reader.cancel(signal.reason).catch(() => undefined)
  signal.addEventListener("abort", stop, { once: true })
  try {
    const pieces: Array<Uint8Array> = []
    let bytes = 0
    // One piece comes after the other.
    // oxlint-disable-next-line no-await-in-loop
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      bytes += piece.value.byteLength
      if (bytes > maxBytes) {
        stop()
        return undefined
      }
      pieces.push(piece.value)
    }
    // What was cancelled has ended as well.
    signal.throwIfAborted()
    return joined(pieces, bytes)
  } finally {
    signal.removeEventListener("abort", stop)
  }
}

const joined = (pieces: ReadonlyArray<Uint8Array>, bytes: number): Uint8Array<ArrayBuffer> => {
  const body = new Uint8Array(bytes)
  let at = 0
  for (const piece of pieces) {
    body.set(piece, at)
    at += piece.byteLength
  }
  return body
}
