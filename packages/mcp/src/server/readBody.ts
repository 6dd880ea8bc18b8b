/** The whole body of a request, within a bound. */

/** Nothing where it is longer than `maxBytes`; the rest is not read then. Rejects where the client leaves. */
export const readBody = async (request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | undefined> => {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) return undefined
  const pieces: Array<Uint8Array> = []
  let bytes = 0
  // A web stream can be iterated wherever this runs, which its DOM type does not say; leaving the loop cancels it.
  for await (const piece of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += piece.byteLength
    if (bytes > maxBytes) return undefined
    pieces.push(piece)
  }
  const body = new Uint8Array(bytes)
  let at = 0
  for (const piece of pieces) {
    body.set(piece, at)
    at += piece.byteLength
  }
  return body
}
