/** Where a run may be when it is aborted, and what may abort it there. */
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { AgentConfig } from "../../src/ports/AgentPort.ts"
import type { LoopContext } from "../../src/ports/LoopStrategy.ts"
import type { SessionStorePort } from "../../src/ports/SessionStorePort.ts"
import type { ToolDefinition } from "../../src/ports/ToolDefinition.ts"
import type { SessionEntry } from "../../src/records/SessionEntry.ts"
import type { Session } from "../../src/session/Session.ts"
import { createMemorySessionStore } from "../../src/store/memory/MemorySessionStore.ts"
import type { ScriptedTurn } from "../../src/testing/ScriptedProvider.ts"
import { aMoment, failure, type Gate, gate, run, text, tool, toolCall } from "./runs.ts"

const never = new Promise<never>(() => undefined)
const pool = { strategy: "single-shot", toolConcurrency: 3 } as const

/** What a situation notes while the run is in it. */
export interface Notes {
  readonly reached: Gate<void>
  readonly signals: Array<AbortSignal | undefined>
  readonly finalized: Array<string>
  readonly ran: Array<string>
}

export interface Situation {
  readonly turns: ReadonlyArray<ScriptedTurn>
  readonly config?: Partial<AgentConfig>
  readonly store?: SessionStorePort
  /** Requests that were sent until then. */
  readonly requests: number
  /** Iterators that the abort closes. */
  readonly closes?: number
  readonly finalizes?: ReadonlyArray<string>
  readonly runs?: ReadonlyArray<string>
}

const hang = (notes: Notes, signal: AbortSignal | undefined, ran?: string): Promise<never> => {
  notes.signals.push(signal)
  if (ran !== undefined) notes.ran.push(ran)
  notes.reached.open()
  return never
}

const hangingTool = (notes: Notes, name: string): ToolDefinition => ({
  name,
  execute: (_, { signal }) => hang(notes, signal, name)
})

const effectTool = (notes: Notes, name: string): ToolDefinition => ({
  name,
  execute: (_, { signal }) =>
    Effect.sync(() => void hang(notes, signal, name)).pipe(
      Effect.andThen(Effect.never),
      // A finalizer that takes its time: the run waits for it.
      Effect.onInterrupt(() =>
        Effect.andThen(
          Effect.promise(aMoment),
          Effect.sync(() => notes.finalized.push(name))
        )
      )
    )
})

const hookedStore = (hooks: Partial<SessionStorePort>): SessionStorePort => {
  const store = createMemorySessionStore()
  return { append: store.append, list: store.list, ...hooks }
}

/** Everything where a run may be when it is aborted. */
export const situations: Readonly<Record<string, (notes: Notes) => Situation>> = {
  "while the store reads": (notes) => {
    let reads = 0
    const store = hookedStore({})
    const list = (id: string) => {
      reads += 1
      return reads === 1 ? hang(notes, undefined) : store.list(id)
    }
    return { turns: [[text("never")]], store: { ...store, list }, requests: 0 }
  },
  "while the store appends the input": (notes) => {
    let appends = 0
    const store = hookedStore({})
    const append = (entry: SessionEntry) => {
      appends += 1
      return appends === 1 ? hang(notes, undefined) : store.append(entry)
    }
    return { turns: [[text("never")]], store: { ...store, append }, requests: 0 }
  },
  "while the store appends in an Effect": (notes) => {
    let appends = 0
    const store = hookedStore({})
    const append = (entry: SessionEntry) => {
      appends += 1
      if (appends > 1) return store.append(entry)
      const hung = Effect.andThen(
        Effect.sync(() => void hang(notes, undefined)),
        Effect.never
      )
      return Effect.onInterrupt(hung, () => Effect.sync(() => notes.finalized.push("append")))
    }
    return { turns: [[text("never")]], store: { ...store, append }, requests: 0, finalizes: ["append"] }
  },
  "while context is looked up": (notes) => {
    let asked = 0
    const resolve = ({ signal }: { readonly signal: AbortSignal }) => {
      asked += 1
      return asked === 1 ? hang(notes, signal) : undefined
    }
    return { turns: [[text("never")]], config: { context: [{ resolve }] }, requests: 0 }
  },
  "while a request policy thinks": (notes) => {
    let asked = 0
    return {
      turns: [[text("never")]],
      config: {
        providerRequestPolicies: {
          apply: (request, { signal }) => {
            asked += 1
            return asked === 1 ? hang(notes, signal) : request
          }
        }
      },
      requests: 0
    }
  },
  "while the provider says nothing": (notes) => ({
    turns: [[{ run: ({ signal }) => void hang(notes, signal) }, { hang: true }]],
    requests: 1,
    closes: 1
  }),
  "in the middle of a message": (notes) => ({
    turns: [[text("a"), { run: ({ signal }) => void hang(notes, signal) }, { hang: true }]],
    requests: 1,
    closes: 1
  }),
  "in the middle of a call": (notes) => ({
    turns: [
      [
        { type: "tool_call_delta", index: 0, id: "c", name: "t", argumentsText: '{"a"' },
        { run: ({ signal }) => void hang(notes, signal) },
        { hang: true }
      ]
    ],
    config: { tools: [tool("t")] },
    requests: 1,
    closes: 1
  }),
  "between two turns": (notes) => {
    let asked = 0
    return {
      turns: [[text("a"), toolCall("c", "t")], [text("never")]],
      config: {
        tools: [tool("t", () => notes.ran.push("t"))],
        providerRequestPolicies: {
          apply: (request, { signal }) => {
            asked += 1
            return asked === 2 ? hang(notes, signal) : request
          }
        }
      },
      requests: 1,
      runs: ["t"]
    }
  },
  "in the second turn": (notes) => ({
    turns: [[toolCall("c", "t")], [text("b"), { run: ({ signal }) => void hang(notes, signal) }, { hang: true }]],
    config: { tools: [tool("t")] },
    requests: 2,
    closes: 1
  }),
  "in a tool that is a Promise": (notes) => ({
    turns: [[toolCall("c", "p"), toolCall("d", "p")]],
    config: { tools: [hangingTool(notes, "p")] },
    requests: 1,
    runs: ["p"]
  }),
  "in a tool that is an Effect": (notes) => ({
    turns: [[toolCall("c", "e"), toolCall("d", "e")]],
    config: { tools: [effectTool(notes, "e")] },
    requests: 1,
    runs: ["e"],
    finalizes: ["e"]
  }),
  "in tools of all kinds at once": (notes) => {
    // It is the last of them that opens the gate.
    const others = { ...notes, reached: gate() }
    return {
      turns: [[toolCall("c", "e"), toolCall("d", "p"), toolCall("e", "s"), toolCall("f", "e2"), toolCall("g", "late")]],
      config: {
        loop: pool,
        tools: [
          effectTool(others, "e"),
          hangingTool(others, "p"),
          tool("s", () => notes.ran.push("s")),
          effectTool(notes, "e2"),
          tool("late", () => notes.ran.push("late"))
        ]
      },
      requests: 1,
      runs: ["e", "p", "s", "e2"],
      finalizes: ["e", "e2"]
    }
  },
  "in a tool that stays silent past its signal": (notes) => ({
    turns: [[toolCall("c", "p")]],
    config: { tools: [{ ...hangingTool(notes, "p"), timeoutMs: 60_000 }] },
    requests: 1,
    runs: ["p"]
  }),
  "in a loop of the host": (notes) => ({
    turns: [[text("never")]],
    config: { loop: { name: "own", run: ({ signal }: LoopContext) => hang(notes, signal) } },
    requests: 0
  }),
  "in a loop that is an Effect": (notes) => ({
    turns: [[text("never")]],
    config: {
      loop: {
        name: "own",
        run: ({ signal }: LoopContext) =>
          Effect.andThen(
            Effect.sync(() => void hang(notes, signal)),
            Effect.never
          ).pipe(Effect.onInterrupt(() => Effect.sync(() => notes.finalized.push("loop"))))
      }
    },
    requests: 0,
    finalizes: ["loop"]
  })
}

/** Answers with the message that the run then ends with. */
export type Trigger = (session: Session, notes: Notes) => Promise<string>

/** Everything that may abort it. Each resolves when the run has settled for whoever asked for it. */
export const triggers: Readonly<Record<string, Trigger>> = {
  "by the session": async (session, notes) => {
    const running = failure(run(session))
    await notes.reached.promise
    session.abort("stop")
    const { message, result } = await running
    assert.deepStrictEqual([message, result.status, result.abortReason], ["Agent run aborted", "aborted", "stop"])
    return message
  },
  "by the signal of the run": async (session, notes) => {
    const controller = new AbortController()
    const running = failure(run(session, "hi", { signal: controller.signal }))
    await notes.reached.promise
    controller.abort(new Error("mine"))
    const { message, result } = await running
    assert.deepStrictEqual([message, result.status, result.abortReason], ["mine", "aborted", "Error: mine"])
    return message
  },
  "by interrupting the host's fiber": async (session, notes) => {
    const fiber = Effect.runFork(session.run("hi"))
    await notes.reached.promise
    await Effect.runPromise(Fiber.interrupt(fiber))
    return "Agent run interrupted"
  },
  "by leaving its stream": async (session, notes) => {
    const stream = session.stream("hi")
    const pending: Array<Promise<unknown>> = []
    const pull = async () => {
      for (;;) {
        const next = stream.next()
        pending.push(next)
        if ((await next).done === true) return
      }
    }
    const reading = pull()
    await notes.reached.promise
    await stream.return?.()
    await reading
    return "stream consumer closed"
  }
}
