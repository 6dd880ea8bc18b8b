/** Turn, tools, turn, … until the model asks for no more tools or its rounds are used up. */
import { dispatchToolCallsInOrder } from "../dispatch/dispatchToolCallsInOrder.ts"
import type { ProviderRequest, ProviderTurnResult } from "../ports/AIProvider.ts"
import type { AgentLoopStrategy, LoopContext } from "../ports/LoopStrategy.ts"
import { drivePromise, type Steps, unstoppable, waitFor } from "../ports/Steps.ts"
import type { Message } from "../schema/Message.ts"
import type { Usage } from "../schema/Usage.ts"

/** The default loop. One round is one turn that has calls, however many; a turn beyond the last round ends the run well. */
export const singleShotLoop: AgentLoopStrategy = {
  name: "single-shot",
  run: (context) => drivePromise(singleShot(context), unstoppable)
}

/** The same, as steps of the run itself. They are resumed with what a yielded Promise comes to: hence the two casts. */
export function* singleShot(context: LoopContext): Steps<Usage | undefined> {
  const { history, inputMessages, maxToolRounds, runId, sessionId, signal } = context
  for (let turn = 1, toolRounds = 0; ; turn += 1) {
    signal.throwIfAborted()
    context.emit({ type: "turn_started", sessionId, runId, turn })
    const request = (yield context.assemble(turn === 1 ? inputMessages : [], [], turn)) as ProviderRequest
    signal.throwIfAborted()
    const result = (yield context.generate(request)) as ProviderTurnResult
    if (turn === 1) history.push(...inputMessages)
    if (result.started) {
      // The turn's message becomes part of the transcript, then is told.
      const message = assistantMessage(result)
      history.push(message)
      yield context.appendMessage(message)
      context.emit({ type: "message_finished", sessionId, runId, message })
    }
    context.emit({ type: "turn_finished", sessionId, runId, turn })
    if (result.calls.length === 0 || toolRounds >= maxToolRounds) return result.usage
    toolRounds += 1
    yield* waitFor(dispatchToolCallsInOrder(result.calls, context))
  }
}

/** What a turn said, as a message. */
export const assistantMessage = ({ content, messageId }: ProviderTurnResult): Message =>
  messageId === undefined ? { role: "assistant", content } : { id: messageId, role: "assistant", content }
