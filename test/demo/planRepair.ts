/** The model of part two repairs a project: it runs the check, looks, tries what it may not, edits and checks again. */
import type { Turn, WireMessage } from "./modelServer.ts"

export const CHECK = "node check.mjs"
const DENIED = "sudo chmod 777 total.mjs"
export const BROKEN = "prices.reduce((sum, price) => sum + price)"
export const REPAIRED = "prices.reduce((sum, price) => sum + price, 0)"

const TURNS: ReadonlyArray<Turn> = [
  { text: "First I see what fails.", calls: [{ name: "shell", arguments: { command: CHECK } }] },
  {
    text: "An empty list has no first price. I look at the code, and make sure that I may write it.",
    calls: [
      { name: "read", arguments: { path: "total.mjs" } },
      { name: "shell", arguments: { command: DENIED } }
    ]
  },
  {
    text: "I may not do that, and need not. The sum has to begin somewhere.",
    calls: [{ name: "edit", arguments: { path: "total.mjs", edits: [{ oldText: BROKEN, newText: REPAIRED }] } }]
  },
  { text: "Once more, with the change.", calls: [{ name: "shell", arguments: { command: CHECK } }] }
]

/** As many turns as there were answers; the last word depends on what the last check said. */
export const planRepair = (messages: ReadonlyArray<WireMessage>): Turn => {
  const turn = TURNS[messages.filter(({ role }) => role === "assistant").length]
  if (turn !== undefined) return turn
  const isRepaired = messages.at(-1)?.content?.includes("all is well") === true
  return { text: isRepaired ? "The check passes: the project is repaired." : "The check still fails.", calls: [] }
}
