/** What the demo came to, and whether that is what it has to come to. */
import type { AgentEvent, AgentRunResult, ToolCallContent } from "@arnilo/prism"

export interface Tally {
  readonly result: AgentRunResult
  readonly events: ReadonlyArray<AgentEvent>
  /** Calls in the order in which the model asked for them. */
  readonly requested: ReadonlyArray<ToolCallContent>
  /** Ids of the answered calls, in the order of the transcript. */
  readonly answered: ReadonlyArray<string>
  readonly peak: number
  readonly concurrency: number
  readonly httpRequests: number
}

const outcomes = (events: ReadonlyArray<AgentEvent>): Map<string, number> => {
  const counts = new Map<string, number>()
  const add = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1)
  for (const event of events) {
    if (event.type === "tool_execution_finished") add("finished")
    if (event.type === "tool_execution_blocked") add(`blocked: ${event.reason}`)
    if (event.type === "tool_execution_error") add(`error: ${event.error.code ?? "other"}`)
  }
  return counts
}

const isOrderKept = ({ answered, requested }: Tally): boolean =>
  requested.length > 0 && requested.map(({ id }) => id).join() === answered.join()

/** Whether some call finished before one that was asked for earlier: else order would be kept by chance. */
const finishedOutOfOrder = ({ events, requested }: Tally): boolean => {
  const place = new Map(requested.map(({ id }, at) => [id, at]))
  const order = events.flatMap((event) =>
    event.type === "tool_execution_finished"
      ? [place.get(event.result.toolCallId) ?? -1]
      : event.type === "tool_execution_error"
        ? [place.get(event.call.id) ?? -1]
        : []
  )
  return order.some((at, n) => n > 0 && at < (order[n - 1] ?? -1))
}

export const printSummary = (output: { write(text: string): unknown }, tally: Tally): void => {
  const { events, httpRequests, peak, concurrency, requested, result } = tally
  const { usage } = result
  const counts = [...outcomes(events)].map(([name, count]) => `${count} ${name}`).join(", ")
  output.write(
    [
      "",
      "summary",
      `  calls      ${requested.length}: ${counts}`,
      `  in flight  at most ${peak} of ${concurrency}`,
      `  order      ${isOrderKept(tally) ? "results stand in the order of the calls" : "LOST"}`,
      `  usage      ${usage?.inputTokens} in, ${usage?.outputTokens} out, ${usage?.totalTokens} in all`,
      `  events     ${events.length} over ${httpRequests} HTTP requests`,
      ""
    ].join("\n")
  )
}

/** Everything that is not as it has to be. */
export const check = (tally: Tally): ReadonlyArray<string> => {
  const counts = outcomes(tally.events)
  const problems: Array<string> = []
  const expect = (holds: boolean, problem: string): void => void (holds || problems.push(problem))
  const exactly = (name: string, count: number): void =>
    expect(counts.get(name) === count, `expected ${count} ${name}, saw ${counts.get(name) ?? 0}`)
  expect(tally.result.status === "succeeded", `the run ended as ${tally.result.status}`)
  expect(/^The docs have \d+ words on \d+ pages/.test(tally.result.text), `unexpected answer: ${tally.result.text}`)
  exactly("blocked: permission_denied", 1)
  exactly("blocked: validation_failed", 1)
  exactly("error: ERR_PRISM_TOOL_TIMEOUT", 1)
  exactly("finished", tally.requested.length - 3)
  expect(tally.peak === tally.concurrency, `${tally.peak} calls ran at once, not ${tally.concurrency}`)
  expect(isOrderKept(tally), "results are not in the order of the calls")
  expect(finishedOutOfOrder(tally), "every call finished in order: nothing was shown of keeping it")
  expect((tally.result.usage?.totalTokens ?? 0) > 0, "no usage was reported")
  expect(tally.events.at(-1)?.type === "agent_finished", "the last event is not agent_finished")
  expect(tally.httpRequests === 3, `${tally.httpRequests} HTTP requests instead of 3`)
  return problems
}
