/** A session's place on its branch of stored entries, and the history that this branch amounts to. */
import * as Effect from "effect/Effect"
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
  /** The tip of the branch as it was read; absent for an empty one. */
  readonly leafId: string | undefined
  readonly messages: Array<Message>
  readonly summaries: ReadonlyArray<string>
  readonly view: ProviderView
  /** True when the transcript may hold tool names that no provider accepts: they must be looked for in every request. */
  hasForeignNames: boolean
}

/** Where handles that nobody has read yet will stand: whichever looks first finds the newest entry for all of them. */
interface Origin {
  isKnown: boolean
  leafId: string | undefined
}

const none: ReadonlyArray<SessionEntry> = []

export class Transcript {
  readonly sessionId: string
  readonly log: SessionLog
  #leafId: string | undefined
  /** A session that was just made up has nothing to read. */
  #isNew: boolean
  #origin: Origin | undefined
  #history: History | undefined

  constructor(sessionId: string, log: SessionLog, leafId: string | undefined, isNew: boolean) {
    this.sessionId = sessionId
    this.log = log
    this.#leafId = leafId
    this.#isNew = isNew
  }

  /** Where the next entry goes. Absent on an empty branch, and before a resumed session was first read. */
  get leafId(): string | undefined {
    return this.#leafId ?? this.#origin?.leafId
  }

  /** Another place on the same log. From here on the two know nothing of each other. */
  fork(leafId = this.leafId): Transcript {
    const isEmpty = this.#isNew || this.#history !== undefined || this.#origin?.isKnown === true
    const fork = new Transcript(this.sessionId, this.log, leafId, leafId === undefined && isEmpty)
    if (leafId === undefined && !isEmpty) fork.#origin = this.#origin ??= { isKnown: false, leafId: undefined }
    return fork
  }

  /**
   * The entries of a branch, root first, as the store gave them: not to be changed. Without a leaf that of the newest entry,
   * which is where a resumed session then stands.
   */
  *branch(leafId: string | undefined): Steps<ReadonlyArray<SessionEntry>> {
    if (leafId === undefined && (this.#isNew || this.#origin?.isKnown === true)) return none
    const entries = yield* readBranchSteps(this.log, { sessionId: this.sessionId, leafId })
    if (leafId !== undefined) return entries
    const tip = entries.at(-1)?.id
    if (this.#origin === undefined) this.#leafId ??= tip
    else if (!this.#origin.isKnown) Object.assign(this.#origin, { isKnown: true, leafId: tip })
    // Another handle looked first, and what it has appended since is not on this branch.
    else if (this.leafId !== tip) return yield* this.branch(this.leafId)
    return entries
  }

  /** The history of the branch of a leaf; read from the store unless it is where the session stands and known. */
  *load(at: string | undefined): Steps<History> {
    if (this.#history !== undefined && at === this.leafId) return this.#history
    const entries = at === undefined && this.#isNew ? none : yield* this.branch(at)
    const context = contextOf(entries)
    const { summaries } = context
    const messages = context.messages.every(isMessage) ? context.messages : context.messages.filter(isMessage)
    const leafId = entries.at(-1)?.id
    const hasForeignNames = messages.some(namesForeignTool)
    const history: History = { leafId, messages, summaries, view: new ProviderView(), hasForeignNames }
    // Somebody may have checked out another leaf meanwhile.
    if (leafId === this.leafId) this.#history = history
    return history
  }

  /** Appends under `parentId` and moves the leaf along, unless somebody has checked out another one meanwhile. */
  append(entry: SessionEntry, idempotencyKey: string | undefined, driver: Driver): void | Promise<void> {
    const { parentId } = entry
    const answer = this.log.append(entry, { expectedParentId: parentId, idempotencyKey })
    if (!isPending(answer)) return this.#appended(entry)
    // An Effect ends with its run. A Promise goes on: what the store takes after all is where the branch stands, unless
    // something else has been appended meanwhile.
    const taken = Effect.isEffect(answer) ? drivePromise(waitFor(answer), driver) : Promise.resolve(answer)
    return taken.then(() => this.#appended(entry))
  }

  /** Stands on another entry, or on the newest one. Fails, and stays, when there is no such entry. */
  *moveTo(leafId: string | undefined): Steps<void> {
    // Others may wait to learn where this one stood.
    if (this.#origin?.isKnown === false) yield* this.branch(undefined)
    const entries = yield* readBranchSteps(this.log, { sessionId: this.sessionId, leafId })
    this.#leafId = entries.at(-1)?.id
    this.#origin = undefined
    this.forget()
  }

  /** What a run left half-way is not to be trusted: the store is. */
  forget(): void {
    this.#history = undefined
  }

  #appended({ id, parentId }: SessionEntry): void {
    if (this.leafId === parentId) this.#leafId = id
    this.#isNew = false
  }
}

/** A store comes from the host: what is no message at all is not sent as one. */
const isMessage = (message: Message | null): boolean => Array.isArray(message?.content)

/** Whether a call or result names a tool as no provider accepts it. */
export const namesForeignTool = (message: Message): boolean => message.content.some(namesForeign)

const namesForeign = (block: Message["content"][number] | null): boolean =>
  (block?.type === "tool_call" || block?.type === "tool_result") && !isWireName(block.name)
