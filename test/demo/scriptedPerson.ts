/** Somebody at a terminal who says yes to every question. What the terminal shows is shown on the screen, too. */
import { PassThrough } from "node:stream"
import { createTerminalApproval } from "@arnilo/prism-coding-tools/security"

export const createScriptedPerson = (screen: { write(text: string): unknown }) => {
  const input = Object.assign(new PassThrough(), { isTTY: true })
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 100 })
  const shown: Array<string> = []
  output.on("data", (piece: Buffer) => {
    shown.push(piece.toString())
    screen.write(piece.toString().replaceAll("\n", "\n  "))
    if (!piece.toString().endsWith("] ")) return
    screen.write("y\n\n")
    // The terminal listens once the question stands there.
    setImmediate(() => input.write("y\n"))
  })
  return { approve: createTerminalApproval({ input, output }), shown }
}
