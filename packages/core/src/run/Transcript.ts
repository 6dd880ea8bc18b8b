/** A session's place on its branch of stored entries, and the history that this branch amounts to. */
import { ProviderView } from "../input/providerView.ts"
import { type Driver, drivePromise, isPending, type Steps, waitFor } from "../ports/Steps.ts"
import { isWireName } from "../provider/wireNames.ts"
import type { SessionEntry } from "../records/SessionEntry.ts"
import type { Message } from "../schema/Message.ts"
import { contextOf } from "../store/branchContext.ts"
import { readBranchSteps } from "../store/branches.ts"
import type { SessionLog } from "../store/SessionStore.ts"

/** What was rebuilt from a branch. `messages` is live: a loop adds to it what it appends. */
export interface History {
  readonly messages: Array<Message>
  readonly summaries: ReadonlyArray<string>
  readonly view: ProviderView
  /** True when the transcript may hold tool names that no provider accepts: they must be looked for in every request. */
  readonly hasForeignNames: boolean
}

export class Transcript {
  readonly sessionId: string
  readonly log: SessionLog
  /** Where the next entry goes. Absent on an empty branch, and before a resumed session was first read. */
  leafId: string | undefined
  /** A session that was just made up has nothing to read. */
  #isNew: boolean
  #history: History | undefined

  constructor(sessionId: string, log: SessionLog, leafId: string | undefined, isNew: boolean) {
    this.sessionId = sessionId
    this.log = log
    this.leafId = leafId
    this.#isNew = isNew
  }

  /** The entries of the branch, root first, as the store gave them: not to be changed. Finds the leaf of a resumed session. */
  *branch(leafId = this.leafId): Steps<ReadonlyArray<SessionEntry>> {
    if (this.#isNew && leafId === undefined) return []
    const entries = yield* readBranchSteps(this.log, { sessionId: this.sessionId, leafId })
    if (this.leafId === undefined) this.leafId = entries.at(-1)?.id
    this.#isNew = false
    return entries
  }

  /** The history of the branch; read from the store unless it is known. */
  *load(): Steps<History> {
    if (this.#history !== undefined) return this.#history
    const { messages, summaries } = contextOf(yield* this.branch())
    this.#history = { messages, summaries, view: new ProviderView(), hasForeignNames: messages.some(namesForeignTool) }
    return this.#history
  }

  /** Appends under `parentId` and moves the leaf along, unless somebody has checked out another one meanwhile. */
  append(entry: SessionEntry, idempotencyKey: string | undefined, driver: Driver): void | Promise<void> {
    const { parentId } = entry
    const answer = this.log.append(entry, {
      ...(parentId === undefined ? undefined : { expectedParentId: parentId }),
      ...(idempotencyKey === undefined ? undefined : { idempotencyKey })
    })
    if (!isPending(answer)) return this.#appended(entry)
    return drivePromise(waitFor(answer), driver).then(() => this.#appended(entry))
  }

  /** Stands on another leaf. */
  moveTo(leafId: string | undefined): void {
    this.leafId = leafId
    this.forget()
  }

  /** What a run left half-way is not to be trusted: the store is. */
  forget(): void {
    this.#history = undefined
  }

  #appended({ id, parentId }: SessionEntry): void {
    if (this.leafId === parentId) this.leafId = id
    this.#isNew = false
  }
}

const namesForeignTool = (message: Message): boolean =>
  message.content.some(
    (block) => (block.type === "tool_call" || block.type === "tool_result") && !isWireName(block.name)
  )
