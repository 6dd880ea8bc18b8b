import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { makeAgent } from "../../src/agent/Agent.ts"
import type { SessionStorePort } from "../../src/ports/SessionStorePort.ts"
import type { SessionEntry } from "../../src/records/SessionEntry.ts"
import { openSession } from "../../src/session/openSession.ts"
import type { Session } from "../../src/session/Session.ts"
import { createSessionEntry } from "../../src/store/createSessionEntry.ts"
import { createMemorySessionStore } from "../../src/store/memory/MemorySessionStore.ts"
import { createScriptedProvider } from "../../src/testing/ScriptedProvider.ts"
import { hostStores, shapeOf } from "../session/stores.ts"
import {
  assertAnswered,
  failure,
  gist,
  messageOf,
  model,
  run,
  scripted,
  storedGist,
  text,
  tool,
  toolCall,
  untyped,
  user,
  withoutStrayRejections
} from "./runs.ts"

const sessionOn = (store: SessionStorePort, id = "s") => {
  const provider = createScriptedProvider([[text("a")]])
  const session: Session = openSession(makeAgent({ model, provider, store }), { id })
  return { provider, session }
}

describe("a session over a store of the host", () => {
  for (const [kind, make] of Object.entries(hostStores)) {
    it(`S4, S25, S29, P12: that answers with ${kind}: runs, resumes, moves, forks and clones`, async () => {
      const store = make()
      const { provider, session } = scripted(
        [[toolCall("c", "t")], [text("a")]],
        { store, tools: [tool("t")] },
        { id: "s" }
      )
      await run(session, "one")
      assert.strictEqual(shapeOf(store.entries), "- 0 1 2")
      assert.deepStrictEqual(
        store.appends.map((options) => options?.expectedParentId),
        [undefined, ...store.entries.slice(0, 3).map(({ id }) => id)]
      )
      const resumed = sessionOn(store)
      await run(resumed.session, "two")
      assert.deepStrictEqual(gist(resumed.provider.requests[0]?.messages ?? []), [
        "user: one",
        "assistant: call t",
        'tool: result "done"',
        "assistant: a",
        "user: two"
      ])
      await Effect.runPromise(resumed.session.checkout(store.entries[0]?.id))
      const fork = resumed.session.fork()
      await run(fork, "other")
      assert.strictEqual(shapeOf(store.entries), "- 0 1 2 3 4 0 6")
      const clone = await Effect.runPromise(fork.clone({ id: "copy" }))
      assert.deepStrictEqual(await storedGist(clone), ["user: one", "user: other", "assistant: a"])
      await Effect.runPromise(resumed.session.checkout())
      assert.strictEqual(resumed.session.leafId, fork.leafId)
      assert.lengthOf(provider.requests, 2)
    })
  }

  it("P11, P12: a run's idempotency key goes with every append; a repeat from the same place conflicts", async () => {
    const store = createMemorySessionStore()
    const { session } = scripted([[text("a")]], { store })
    await run(session, "one", { idempotencyKey: "k" })
    await run(session, "two", { idempotencyKey: "k" })
    const entries = await Effect.runPromise(session.entries())
    await Effect.runPromise(session.checkout(entries[1]?.id))
    const error = await failure(run(session, "two", { idempotencyKey: "k" }))
    assert.strictEqual(error.result.error?.code, "session_append_conflict")
    assert.strictEqual(session.leafId, entries[1]?.id)
    assert.strictEqual((await run(session, "two", { idempotencyKey: "other" })).status, "succeeded")
  })

  it("P18: never sees a provider, request, credential or resolver", async () => {
    const store = hostStores["values"]?.()
    if (store === undefined) throw new Error("no store")
    const { session } = scripted([[toolCall("c", "t")], [text("a")]], {
      store,
      tools: [tool("t")],
      providerOptions: { headers: { authorization: "Bearer sk-1" } }
    })
    await run(session, "hi", { model: { ...model, model: "other" } })
    const allowed = ["id", "parentId", "sessionId", "timestamp", "kind", "runId", "message", "model", "previousModel"]
    for (const entry of store.entries) assert.includeMembers(allowed, Object.keys(entry))
    assert.notInclude(JSON.stringify(store.entries), "sk-1")
  })
})

describe("a store that fails", () => {
  const failing = (which: "append" | "list", answers: () => unknown): SessionStorePort => {
    const store = createMemorySessionStore()
    let failed = false
    const once = (real: () => unknown) => {
      if (failed) return untyped<never>(real())
      failed = true
      return untyped<never>(answers())
    }
    return {
      append: (entry, options) =>
        which === "append" ? once(() => store.append(entry, options)) : store.append(entry, options),
      list: (id) => (which === "list" ? once(() => store.list(id)) : store.list(id))
    }
  }
  const refusals = {
    throws: () => {
      throw new Error("disk full")
    },
    rejects: () => Promise.reject(new Error("disk full")),
    fails: () => Effect.fail(new Error("disk full"))
  }
  for (const which of ["append", "list"] as const) {
    for (const [how, refuse] of Object.entries(refusals)) {
      it(`S2, S7: ${how} at ${which}: the run fails with what it said, and the next one works`, () =>
        withoutStrayRejections(async () => {
          const { session } = sessionOn(failing(which, refuse))
          const error = await failure(run(session, "one"))
          assert.deepStrictEqual([error.message, error.result.status], ["disk full", "failed"])
          assert.strictEqual((await run(session, "two")).text, "a")
          assert.deepStrictEqual(await storedGist(session), ["user: two", "assistant: a"])
        }))
    }
  }

  it("S7: that has lost a parent is told of, and an earlier entry is still a place to go on from", async () => {
    const store = hostStores["values"]?.()
    if (store === undefined) throw new Error("no store")
    await run(sessionOn(store).session, "one")
    await run(sessionOn(store).session, "two")
    const [lost] = store.entries.splice(1, 1)
    const { session } = sessionOn(store)
    assert.strictEqual(await messageOf(run(session)), `Missing session parent: ${lost?.id}`)
    store.entries.splice(1)
    await Effect.runPromise(session.checkout(store.entries[0]?.id))
    assert.strictEqual((await run(session, "again")).text, "a")
  })

  it("P24: an entry that the store takes and forgets does not stop a session that knows its history", async () => {
    const { session } = sessionOn({ append: () => undefined, list: () => [] })
    await run(session, "one")
    assert.strictEqual((await run(session, "two")).text, "a")
    assert.match(await messageOf(Effect.runPromise(session.entries())), /^Unknown session leaf: entry_/)
  })

  it("S29: what a store holds need not be a message: what is none is left out of the request", async () => {
    const entry = (id: string, parentId: string | undefined, message: unknown): SessionEntry =>
      untyped({ ...createSessionEntry({ id, sessionId: "s", kind: "message" }), parentId, message })
    const entries = [
      entry("1", undefined, user("one")),
      entry("2", "1", null),
      entry("3", "2", { role: "assistant" }),
      entry("4", "3", {
        role: "assistant",
        content: [null, { type: "tool_call", id: "c", name: "odd.name", arguments: {} }]
      })
    ]
    const { provider, session } = sessionOn({ append: () => undefined, list: () => entries })
    await run(session, "two")
    const { messages = [] } = provider.requests[0] ?? {}
    assertAnswered(messages.filter(({ content }) => Array.isArray(content)))
    assert.strictEqual(gist(messages.slice(-1))[0], "user: two")
    assert.notInclude(JSON.stringify(messages), "odd.name")
  })

  it("P12: what a slow store still has to write is waited for, one entry after the other, also when the loop does not wait", async () => {
    const store = hostStores["Promises"]?.()
    if (store === undefined) throw new Error("no store")
    const { session } = sessionOn(store)
    const loop = {
      name: "hasty",
      run: async (context: { appendMessage(message: unknown): Promise<void> }) => {
        await Promise.all(["one", "two", "three"].map((said) => context.appendMessage(user(said))))
      }
    }
    await run(session, [], { loop: untyped(loop) })
    assert.strictEqual(shapeOf(store.entries), "- 0 1")
    assert.deepStrictEqual(await storedGist(session), ["user: one", "user: two", "user: three"])
  })
})
