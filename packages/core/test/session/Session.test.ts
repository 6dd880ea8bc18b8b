import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { makeAgent } from "../../src/agent/Agent.ts"
import type { AgentConfig } from "../../src/ports/AgentPort.ts"
import { createSessionEntry } from "../../src/store/createSessionEntry.ts"
import { createMemorySessionStore } from "../../src/store/memory/MemorySessionStore.ts"
import { createScriptedProvider, type ScriptedTurn } from "../../src/testing/ScriptedProvider.ts"
import { openSession } from "../../src/session/openSession.ts"
import type { Session } from "../../src/session/Session.ts"
import {
  gate,
  gist,
  messageOf,
  model,
  recordingLedger,
  run,
  scripted,
  storedGist,
  text,
  untyped,
  user
} from "../run/runs.ts"
import { hostStores, shapeOf } from "./stores.ts"

const says: ReadonlyArray<ScriptedTurn> = [[text("a")]]
const agentOf = (config: Partial<AgentConfig> = {}) =>
  makeAgent({ model, provider: createScriptedProvider(says), ...config })
const leafOf = ({ leafId }: Session): string => {
  if (leafId === undefined) throw new Error("the branch is empty")
  return leafId
}
const checkout = (session: Session, leafId?: string) => Effect.runPromise(session.checkout(leafId))
const entriesOf = (session: Session) => Effect.runPromise(session.entries())

describe("openSession", () => {
  it("refuses ids that are none", () => {
    for (const field of ["id", "leafId"]) {
      for (const bad of ["", 7, null]) {
        assert.throws(
          () => openSession(agentOf(), untyped({ [field]: bad })),
          TypeError,
          `${field} must be a string that is not empty`
        )
      }
    }
  })

  it("S29: a leaf that is unknown fails the first run, says so, and the session can be checked out elsewhere", async () => {
    const store = createMemorySessionStore()
    await run(openSession(agentOf({ store }), { id: "s" }))
    const session = openSession(agentOf({ store }), { id: "s", leafId: "gone" })
    assert.strictEqual(await messageOf(run(session)), "Unknown session leaf: gone")
    await checkout(session)
    assert.strictEqual((await run(session)).status, "succeeded")
  })
})

describe("checkout", () => {
  it("S26: an unknown id rejects and leaves the session where it was", async () => {
    const { provider, session } = scripted(says)
    await run(session)
    const leafId = session.leafId
    assert.strictEqual(await messageOf(checkout(session, "gone")), "Unknown session leaf: gone")
    assert.strictEqual(session.leafId, leafId)
    await run(session, "next")
    assert.deepStrictEqual(gist(provider.requests[1]?.messages ?? []), ["user: hi", "assistant: a", "user: next"])
  })

  it("S26: an entry of another session of the same store is unknown", async () => {
    const store = createMemorySessionStore()
    const [one, other] = [openSession(agentOf({ store })), openSession(agentOf({ store }))]
    await run(one)
    await run(other)
    assert.strictEqual(await messageOf(checkout(one, leafOf(other))), `Unknown session leaf: ${leafOf(other)}`)
  })

  it("S26: moves to an entry, rebuilds the history of its branch, and goes on from there", async () => {
    const { provider, session } = scripted(says)
    await run(session, "one")
    const one = leafOf(session)
    await run(session, "two")
    await checkout(session, one)
    assert.strictEqual(session.leafId, one)
    await run(session, "other two")
    assert.deepStrictEqual(gist(provider.requests[2]?.messages ?? []), ["user: one", "assistant: a", "user: other two"])
    assert.deepStrictEqual(await storedGist(session), ["user: one", "assistant: a", "user: other two", "assistant: a"])
  })

  it("S56: without an id stands on the newest entry; a session without entries stays as it is", async () => {
    const { session } = scripted(says)
    await checkout(session)
    assert.isUndefined(session.leafId)
    await run(session, "one")
    const one = leafOf(session)
    await run(session, "two")
    const two = leafOf(session)
    await checkout(session, one)
    await checkout(session, undefined)
    assert.strictEqual(session.leafId, two)
  })

  it("S26: during a run the run stays on its own branch, and the session stands where it was told to", async () => {
    const [asked, opened] = [gate(), gate()]
    const { provider, session } = scripted([
      [text("a")],
      [{ run: () => asked.open() }, text("b"), { run: () => opened.open() }, text("c")],
      [text("d")]
    ])
    await run(session, "one")
    const one = leafOf(session)
    const before = (await entriesOf(session))[0]?.id
    const running = run(session, "two")
    await asked.promise
    await checkout(session, before)
    const { leafId } = await running
    assert.strictEqual(session.leafId, before)
    assert.deepStrictEqual(await storedGist(session), ["user: one"])
    await run(session, "three")
    assert.deepStrictEqual(gist(provider.requests[2]?.messages ?? []), ["user: one", "user: three"])
    await checkout(session, leafId)
    assert.deepStrictEqual(await storedGist(session), ["user: one", "assistant: a", "user: two", "assistant: bc"])
    assert.notStrictEqual(one, before)
  })

  it("S26: while a run still reads its history from a slow store, the run keeps its own place", async () => {
    const store = hostStores["Promises"]?.()
    if (store === undefined) throw new Error("no store")
    await run(openSession(agentOf({ store }), { id: "s" }), "one")
    const first = store.entries[0]?.id
    const provider = createScriptedProvider(says)
    const session = openSession(agentOf({ store, provider }), { id: "s", leafId: store.entries[1]?.id })
    const running = run(session, "two")
    await checkout(session, first)
    await running
    assert.deepStrictEqual(gist(provider.requests[0]?.messages ?? []), ["user: one", "assistant: a", "user: two"])
    assert.strictEqual(shapeOf(store.entries), "- 0 1 2")
    assert.strictEqual(session.leafId, first)
  })
})

describe("checkout while a run begins", () => {
  it("S26: while the ledger still takes the start of a run, the run keeps its own place", async () => {
    const taken = gate()
    const { ledger } = recordingLedger((row) => (row === "event agent_started" ? taken.promise : undefined))
    const { provider, session } = scripted(says)
    await run(session, "one")
    const first = (await entriesOf(session))[0]?.id
    const running = run(session, "two", { runLedger: ledger })
    await checkout(session, first)
    taken.open()
    await running
    assert.deepStrictEqual(gist(provider.requests[1]?.messages ?? []), ["user: one", "assistant: a", "user: two"])
    assert.deepStrictEqual([session.leafId, await storedGist(session)], [first, ["user: one"]])
  })
})

describe("fork", () => {
  it("S27: is a handle of the same session, at the given or the current leaf; the two advance independently", async () => {
    const { session } = scripted(says, {}, { metadata: { m: 1 } })
    await run(session, "one")
    const one = leafOf(session)
    await run(session, "two")
    const [here, there] = [session.fork(), session.fork({ leafId: one })]
    assert.deepStrictEqual(
      [here.id, here.metadata, here.leafId, there.leafId],
      [session.id, { m: 1 }, session.leafId, one]
    )
    assert.lengthOf(await entriesOf(here), 4)
    await run(there, "other two")
    await run(here, "three")
    assert.deepStrictEqual(await storedGist(session), ["user: one", "assistant: a", "user: two", "assistant: a"])
    assert.deepStrictEqual(await storedGist(there), ["user: one", "assistant: a", "user: other two", "assistant: a"])
    assert.lengthOf(await entriesOf(here), 6)
  })

  it("S27: of an empty session stays empty when the other one advances", async () => {
    const { session } = scripted(says)
    const fork = session.fork()
    await run(session, "one")
    assert.deepStrictEqual(await entriesOf(fork), [])
    await run(fork, "other one")
    assert.deepStrictEqual(await storedGist(fork), ["user: other one", "assistant: a"])
    assert.deepStrictEqual(await storedGist(session), ["user: one", "assistant: a"])
  })

  it("S27: of a session that nobody has read yet stands where that one stands, whichever of them looks first", async () => {
    for (const first of ["session", "fork"] as const) {
      const store = createMemorySessionStore()
      await run(openSession(agentOf({ store }), { id: "s" }), "one")
      const session = openSession(agentOf({ store }), { id: "s" })
      const handles = { session, fork: session.fork(), other: session.fork().fork() }
      await run(handles[first], "two")
      const others = Object.entries(handles).filter(([name]) => name !== first)
      for (const [, handle] of others) {
        assert.deepStrictEqual(await storedGist(handle), ["user: one", "assistant: a"])
      }
    }
  })

  it("S27: of a session that found nothing to resume stays empty when the other one advances", async () => {
    const store = createMemorySessionStore()
    const session = openSession(agentOf({ store }), { id: "s" })
    await entriesOf(session)
    const fork = session.fork()
    await run(session, "one")
    assert.deepStrictEqual(await entriesOf(fork), [])
  })

  it("S27: stands where it stood although the other one has been checked out elsewhere before anybody looked", async () => {
    const store = createMemorySessionStore()
    await run(openSession(agentOf({ store }), { id: "s" }), "one")
    const session = openSession(agentOf({ store }), { id: "s" })
    const fork = session.fork()
    await checkout(session, (await store.list("s"))[0]?.id)
    await run(session, "other one")
    assert.deepStrictEqual(await storedGist(fork), ["user: one", "assistant: a"])
  })

  it("S1, S27: has a run of its own beside the other's", async () => {
    const opened = gate()
    const { session } = scripted([[text("a")], [{ run: () => opened.open() }, { hang: true }], [text("b")]])
    await run(session)
    const hung = run(session)
    await opened.promise
    assert.strictEqual((await run(session.fork())).text, "b")
    session.abort()
    await messageOf(hung)
  })
})

describe("clone", () => {
  it("S28: refuses an id that is none, or the session's own", async () => {
    const { session } = scripted(says)
    await run(session)
    for (const id of ["", 7, null]) {
      assert.strictEqual(
        await messageOf(Effect.runPromise(session.clone(untyped({ id })))),
        "id must be a string that is not empty"
      )
    }
    assert.strictEqual(
      await messageOf(Effect.runPromise(session.clone({ id: session.id }))),
      "id must be that of another session"
    )
    assert.strictEqual(
      await messageOf(Effect.runPromise(session.clone({ leafId: "gone" }))),
      "Unknown session leaf: gone"
    )
    assert.lengthOf(await entriesOf(session), 2)
  })

  it("S28: copies the branch under a new session: new ids, remapped parents, the same payloads; the source stays", async () => {
    const { provider, session } = scripted(says, {}, { metadata: { m: 1 } })
    await run(session, "one")
    const one = leafOf(session)
    await run(session, "two")
    const source = await entriesOf(session)
    const clone = await Effect.runPromise(session.clone({ id: "copy" }))
    const copied = await entriesOf(clone)
    const bare = ({ id: _i, parentId: _p, sessionId: _s, ...rest }: (typeof source)[number]) => rest
    assert.deepStrictEqual([clone.id, clone.metadata, clone.leafId], ["copy", { m: 1 }, copied.at(-1)?.id])
    assert.deepStrictEqual(copied.map(bare), source.map(bare))
    assert.strictEqual(shapeOf(copied), shapeOf(source))
    assert.isTrue(copied.every(({ id, sessionId }) => sessionId === "copy" && source.every((entry) => entry.id !== id)))
    await run(clone, "three")
    assert.deepStrictEqual(gist(provider.requests[2]?.messages ?? []).slice(0, 3), [
      "user: one",
      "assistant: a",
      "user: two"
    ])
    assert.deepStrictEqual(await entriesOf(session), source)
    const early = await Effect.runPromise(session.clone({ leafId: one }))
    assert.match(early.id, /^session_/)
    assert.deepStrictEqual(await storedGist(early), ["user: one", "assistant: a"])
  })

  it("S28: of an empty branch has no leaf", async () => {
    const { session } = scripted(says)
    const clone = await Effect.runPromise(session.clone())
    assert.deepStrictEqual([clone.leafId, await entriesOf(clone)], [undefined, []])
    await run(clone)
    assert.deepStrictEqual(await entriesOf(session), [])
  })

  it("S28: at another leaf does not move a session that nobody has read yet", async () => {
    const store = createMemorySessionStore()
    await run(openSession(agentOf({ store }), { id: "s" }), "one")
    const session = openSession(agentOf({ store }), { id: "s" })
    await Effect.runPromise(session.clone({ leafId: (await store.list("s"))[0]?.id }))
    assert.deepStrictEqual(await storedGist(session), ["user: one", "assistant: a"])
  })

  it("S28: rebuilds the same context behind a compaction", async () => {
    const make = (id: string, parentId: string | undefined, more: object) =>
      createSessionEntry({
        id,
        sessionId: "s",
        ...(parentId === undefined ? {} : { parentId }),
        ...untyped<{ kind: "message" }>(more)
      })
    const store = createMemorySessionStore([
      make("1", undefined, { kind: "message", message: user("kept") }),
      make("2", "1", { kind: "message", message: user("gone") }),
      make("3", "2", { kind: "compaction", summary: "so far", data: { throughEntryId: "2", keepEntryIds: ["1"] } }),
      make("4", "3", { kind: "message", message: user("new") })
    ])
    const requestOf = async (session: Session, provider: ReturnType<typeof createScriptedProvider>) => {
      await run(session, "?")
      return gist(provider.requests.at(-1)?.messages ?? [])
    }
    const provider = createScriptedProvider(says)
    const session = openSession(agentOf({ store, provider }), { id: "s" })
    const clone = await Effect.runPromise(session.clone())
    const expected = ["system: Summary:\nso far", "user: kept", "user: new", "user: ?"]
    assert.deepStrictEqual(await requestOf(clone, provider), expected)
    assert.deepStrictEqual(await requestOf(session, provider), expected)
  })

  it("S28: on a store that refuses an entry fails with what the store said", async () => {
    const store = hostStores["values"]?.()
    if (store === undefined) throw new Error("no store")
    const session = openSession(
      agentOf({
        store: {
          ...store,
          append: (entry, options) => {
            if (entry.sessionId === "copy") throw new Error("read only")
            return store.append(entry, options)
          }
        }
      })
    )
    await run(session)
    assert.strictEqual(await messageOf(Effect.runPromise(session.clone({ id: "copy" }))), "read only")
    assert.strictEqual((await run(session)).status, "succeeded")
  })
})

describe("entries", () => {
  it("S25: are copies, root first; the leaf moves with every append", async () => {
    const { session } = scripted(says)
    assert.deepStrictEqual(await entriesOf(session), [])
    await run(session, user("one"))
    const entries = await entriesOf(session)
    assert.deepStrictEqual([shapeOf(entries), session.leafId], ["- 0", entries[1]?.id])
    const block = untyped<{ text: string }>(entries[0]?.message?.content[0])
    block.text = "changed"
    untyped<Array<unknown>>(entries).pop()
    assert.deepStrictEqual(await storedGist(session), ["user: one", "assistant: a"])
  })

  it("E24: a fork, a clone and another session hear nothing of this one's events", async () => {
    const { session } = scripted(says)
    await run(session)
    const clone = await Effect.runPromise(session.clone())
    const heard: Array<string> = []
    const others = [session.fork(), clone, scripted(says).session].map((other) => other.subscribe({ until: "closed" }))
    const listening = others.map(async (events) => {
      for await (const { type } of events) heard.push(type)
    })
    await run(session)
    for (const events of others) await events.return?.()
    await Promise.all(listening)
    assert.deepStrictEqual(heard, [])
  })

  it("S12: prompt has no code of its own: a session runs text and messages alike", async () => {
    const { session } = scripted(says)
    assert.strictEqual((await run(session, "text")).text, (await run(session, user("text"))).text)
  })
})
