/** Stores as hosts write them: the same entries, answered with values, Promises or Effects. */
import * as Effect from "effect/Effect"
import type { HostValue } from "../../src/ports/HostValue.ts"
import type { SessionAppendOptions, SessionStorePort } from "../../src/ports/SessionStorePort.ts"
import type { SessionEntry } from "../../src/records/SessionEntry.ts"
import { aMoment } from "../run/runs.ts"

export interface HostStore extends SessionStorePort {
  readonly entries: Array<SessionEntry>
  readonly appends: Array<SessionAppendOptions | undefined>
}

type Answer = <A>(value: () => A) => HostValue<A>

/** Keeps what it is given as text, as a file would. */
const storeOf = (answer: Answer): HostStore => {
  const entries: Array<SessionEntry> = []
  const appends: Array<SessionAppendOptions | undefined> = []
  const copy = (entry: SessionEntry): SessionEntry => JSON.parse(JSON.stringify(entry))
  return {
    entries,
    appends,
    append: (entry, options) =>
      answer(() => {
        entries.push(copy(entry))
        appends.push(options)
      }),
    list: (sessionId) => answer(() => entries.filter((entry) => entry.sessionId === sessionId).map(copy))
  }
}

export const hostStores: Readonly<Record<string, () => HostStore>> = {
  values: () => storeOf((value) => value()),
  Promises: () => storeOf((value) => aMoment().then(value)),
  Effects: () => storeOf((value) => Effect.andThen(Effect.yieldNow, Effect.sync(value)))
}

/** The parent of every entry, by position: `-` for none. */
export const shapeOf = (entries: ReadonlyArray<SessionEntry>): string =>
  entries
    .map(({ parentId }) => (parentId === undefined ? "-" : entries.findIndex(({ id }) => id === parentId)))
    .join(" ")
