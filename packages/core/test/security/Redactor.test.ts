import { assert, describe, it } from "@effect/vitest"
import * as Data from "effect/Data"
import type { AgentEvent } from "../../src/events/AgentEvent.ts"
import type { ProviderRequest } from "../../src/ports/AIProvider.ts"
import type { SecretRedactor } from "../../src/ports/Redaction.ts"
import type { ToolDefinition } from "../../src/ports/ToolDefinition.ts"
import type { ToolCallRecord } from "../../src/records/LedgerRecords.ts"
import type { SessionEntry } from "../../src/records/SessionEntry.ts"
import type { Message } from "../../src/schema/Message.ts"
import {
  createSecretRedactor,
  errorToErrorInfo,
  redactAgentEvent,
  redactMessage,
  redactProviderRequest,
  redactRunLedgerRecord,
  redactSecrets,
  redactSessionEntry,
  resolveRedactor
} from "../../src/security/Redactor.ts"

const redactor = createSecretRedactor(["sk-1"])

describe("createSecretRedactor", () => {
  it("R1: no known secret is left, at any depth, and other text is untouched", () => {
    assert.deepEqual<unknown>(redactor.redact({ a: "x sk-1 y", b: [{ "sk-1": "SK-1" }] }), {
      a: "x [REDACTED] y",
      b: [{ "[REDACTED]": "SK-1" }]
    })
  })

  it("R2: with no secret left to know, the very value comes back", () => {
    const value = { a: { b: "text" } }
    assert.strictEqual(createSecretRedactor([]).redact(value), value)
    assert.strictEqual(createSecretRedactor(["", undefined]).redact(value), value)
    assert.strictEqual(redactSecrets(value, [undefined]), value)
  })

  it("R7: with a secret the value is copied even where nothing occurs", () => {
    const value = { a: { b: "text" } }
    const result = redactor.redact(value)
    assert.deepEqual(result, value)
    assert.notStrictEqual(result, value)
    assert.notStrictEqual(result.a, value.a)
  })

  it("R3: redactSecrets applies all secrets to the original text", () => {
    assert.deepEqual(redactSecrets({ a: "abcdef abc" }, ["abc", "abcdef"]), { a: "[REDACTED] [REDACTED]" })
  })

  it("R14: two redactors know nothing of each other", () => {
    createSecretRedactor(["other"])
    assert.strictEqual(redactor.redact("other"), "other")
  })
})

describe("resolveRedactor", () => {
  it("R2: nothing to redact is no redactor", () => {
    assert.isUndefined(resolveRedactor())
    assert.isUndefined(resolveRedactor(undefined, ["", undefined]))
  })

  it("R15: secrets are redacted in addition to the redactor", () => {
    const both = resolveRedactor(redactor, ["sk-2"])
    assert.strictEqual(both?.redact("sk-1 sk-2"), "[REDACTED] [REDACTED]")
    assert.strictEqual(resolveRedactor(undefined, ["sk-2"])?.redact("sk-1 sk-2"), "sk-1 [REDACTED]")
    assert.strictEqual(resolveRedactor(redactor, [""]), redactor)
    assert.strictEqual(resolveRedactor(redactor), redactor)
  })
})

describe("errorToErrorInfo", () => {
  it("R9, R13: name, message, code and cause of an error are redacted, and its stack is left out", () => {
    const error = Object.assign(new TypeError("bad sk-1", { cause: new Error("of sk-1") }), { code: "E-sk-1" })
    assert.deepEqual(errorToErrorInfo(error, ["sk-1"]), {
      name: "TypeError",
      message: "bad [REDACTED]",
      code: "E-[REDACTED]",
      cause: "Error: of [REDACTED]"
    })
    assert.deepEqual(errorToErrorInfo(new Error("plain")), { name: "Error", message: "plain" })
  })

  it("R9: a code that is neither text nor number is dropped, a usable delay is carried", () => {
    assert.deepEqual(errorToErrorInfo({ message: "m", code: {}, name: "N", cause: 1 }), { message: "m" })
    assert.deepEqual(errorToErrorInfo({ message: "m", code: 429, retryAfterMs: 0 }), {
      message: "m",
      code: 429,
      retryAfterMs: 0
    })
    for (const retryAfterMs of [-1, Number.NaN, Infinity, "5"]) {
      assert.deepEqual(errorToErrorInfo({ message: "m", retryAfterMs }), { message: "m" })
    }
    assert.deepEqual(errorToErrorInfo(Object.assign(new Error("m"), { retryAfterMs: 5 })), {
      name: "Error",
      message: "m",
      retryAfterMs: 5
    })
  })

  it("R9: anything else is its text", () => {
    assert.deepEqual(errorToErrorInfo(null), { message: "null" })
    assert.deepEqual(errorToErrorInfo(undefined), { message: "undefined" })
    assert.deepEqual(errorToErrorInfo("with sk-1", ["sk-1"]), { message: "with [REDACTED]" })
    assert.deepEqual(errorToErrorInfo(Symbol("s")), { message: "Symbol(s)" })
    assert.deepEqual(errorToErrorInfo({ reason: "no" }), { message: "[object Object]" })
  })

  it("R9: tagged errors are errors", () => {
    class Refused extends Data.TaggedError("Refused")<{ readonly message: string }> {}
    assert.deepEqual(errorToErrorInfo(new Refused({ message: "no" })), { name: "Refused", message: "no" })
  })

  it("R10: what cannot be read is still described", () => {
    const unreadable = {
      get message(): string {
        throw new Error("no")
      }
    }
    assert.deepEqual(errorToErrorInfo(unreadable), { message: "[Unreadable]" })
    assert.deepEqual(errorToErrorInfo(Object.create(null)), { message: "[Unreadable]" })
  })
})

const ids = { sessionId: "s", runId: "r" }
const delta = (text: string): AgentEvent => ({ type: "message_delta", ...ids, content: { type: "text", text } })

/** A host's redactor that cannot walk values, only text, and not all of that. */
const brittle: SecretRedactor = {
  redact: (value) => {
    if (typeof value !== "string" || value === "break") throw new Error("not text")
    return value.replaceAll("sk-1", "<gone>") as typeof value
  }
}

describe("redactAgentEvent", () => {
  it("E21, R10: without a redactor the event itself comes back", () => {
    const event = delta("sk-1")
    assert.strictEqual(redactAgentEvent(event, undefined), event)
  })

  it("E22: every string and key of the event is redacted", () => {
    const event: AgentEvent = {
      type: "tool_execution_progress",
      ...ids,
      toolCallId: "c",
      name: "n",
      progress: { "sk-1": ["sk-1"] },
      metadata: { deep: { text: "sk-1" } }
    }
    assert.deepEqual(redactAgentEvent(event, redactor), {
      type: "tool_execution_progress",
      ...ids,
      toolCallId: "c",
      name: "n",
      progress: { "[REDACTED]": ["[REDACTED]"] },
      metadata: { deep: { text: "[REDACTED]" } }
    })
  })

  it("E23, R10: cycles, depth and odd values never throw", () => {
    const metadata: Record<string, unknown> = { text: "sk-1" }
    metadata["self"] = metadata
    const shared = { a: 1 }
    let deep: unknown = "sk-1"
    for (let level = 0; level < 100_000; level++) deep = [deep]
    const event: AgentEvent = {
      type: "artifact_failed",
      ...ids,
      turn: 1,
      attempt: 1,
      result: { ok: false, metadata: { metadata, left: shared, right: shared, deep, fn: () => 1, big: 1n } }
    }
    const result = redactAgentEvent(event, redactor)
    assert.strictEqual(result.type, "artifact_failed")
    const told = result.type === "artifact_failed" ? result.result.metadata : undefined
    assert.deepEqual(told?.["metadata"], { text: "[REDACTED]", self: "[Circular]" })
    assert.deepEqual([told?.["left"], told?.["right"]], [{ a: 1 }, { a: 1 }])
  })

  it("R10: a host's redactor that fails on the event is asked string by string, and what it fails on is masked", () => {
    assert.deepEqual(redactAgentEvent(delta("my sk-1"), brittle), delta("my <gone>"))
    assert.deepEqual(redactAgentEvent(delta("break"), brittle), delta("[REDACTED]"))
  })

  it("R10: what a host's redactor makes of text, if not text, is masked", () => {
    const odd: SecretRedactor = { redact: (value) => JSON.parse(typeof value === "string" ? "1" : "broken") }
    assert.notInclude(JSON.stringify(redactAgentEvent(delta("sk-1"), odd)), "sk-1")
  })

  it("R10: a host's redactor that always fails lets nothing out but type and ids", () => {
    const broken: SecretRedactor = {
      redact: () => {
        throw new Error("broken")
      }
    }
    const result = redactAgentEvent(delta("sk-1"), broken)
    assert.strictEqual(result.type, "message_delta")
    assert.deepInclude(result, ids)
    assert.notInclude(JSON.stringify(result), "sk-1")
  })
})

describe("redactMessage, redactSessionEntry, redactRunLedgerRecord", () => {
  const message: Message = { id: "m", role: "user", content: [{ type: "text", text: "sk-1" }] }
  const entry: SessionEntry = {
    id: "e",
    sessionId: "s",
    timestamp: "t",
    kind: "compaction",
    summary: "sk-1",
    data: ["sk-1"]
  }
  const row: ToolCallRecord = {
    id: "i",
    sessionId: "s",
    toolCallId: "c",
    name: "n",
    arguments: { text: "sk-1" },
    result: { toolCallId: "c", name: "n", error: { message: "sk-1" } },
    startedAt: "t",
    redacted: true
  }

  it("R11: each is redacted through and through", () => {
    assert.deepEqual(redactMessage(message, redactor), {
      id: "m",
      role: "user",
      content: [{ type: "text", text: "[REDACTED]" }]
    })
    assert.deepEqual(redactSessionEntry(entry, redactor), { ...entry, summary: "[REDACTED]", data: ["[REDACTED]"] })
    assert.deepEqual(redactRunLedgerRecord(row, redactor), {
      ...row,
      arguments: { text: "[REDACTED]" },
      result: { toolCallId: "c", name: "n", error: { message: "[REDACTED]" } }
    })
  })

  it("R11: without a redactor the very value comes back", () => {
    assert.strictEqual(redactMessage(message), message)
    assert.strictEqual(redactSessionEntry(entry), entry)
    assert.strictEqual(redactRunLedgerRecord(row), row)
  })
})

class CountingTool implements ToolDefinition {
  readonly name = "count"
  readonly description = "counts sk-1"
  readonly parameters = { type: "object", description: "sk-1" }
  #calls = 0
  execute() {
    this.#calls++
    return { toolCallId: "c", name: "count", value: this.#calls }
  }
}

describe("redactProviderRequest", () => {
  const tool = new CountingTool()
  const controller = new AbortController()
  const request: ProviderRequest = {
    model: { provider: "p", model: "m", metadata: { note: "sk-1" } },
    messages: [{ role: "user", content: [{ type: "text", text: "sk-1" }] }],
    tools: [tool],
    context: [{ title: "sk-1", content: "sk-1" }],
    options: { headers: { "x-key": "sk-1" }, extra: { "sk-1": 1 } },
    metadata: { note: "sk-1" },
    signal: controller.signal
  }

  it("R11, R13: nothing that is sent holds the secret", () => {
    const result = redactProviderRequest(request, redactor)
    assert.notInclude(JSON.stringify(result), "sk-1")
    assert.deepEqual(result.messages, [{ role: "user", content: [{ type: "text", text: "[REDACTED]" }] }])
    assert.strictEqual(result.tools?.[0]?.description, "counts [REDACTED]")
    assert.deepEqual(result.tools?.[0]?.parameters, { type: "object", description: "[REDACTED]" })
  })

  it("R11: the signal is the same object and tools still work", () => {
    const result = redactProviderRequest(request, redactor)
    assert.strictEqual(result.signal, controller.signal)
    assert.strictEqual(result.tools?.[0]?.name, "count")
    const context = { ...ids, toolCallId: "c" }
    assert.deepEqual(result.tools?.[0]?.execute({}, context), { toolCallId: "c", name: "count", value: 1 })
  })

  it("R7: the request and its tools are not changed; without a redactor the very request comes back", () => {
    assert.strictEqual(redactProviderRequest(request), request)
    assert.strictEqual(tool.description, "counts sk-1")
    assert.deepEqual(request.context, [{ title: "sk-1", content: "sk-1" }])
  })

  it("R11, R14: a tool is redacted once per redactor, and anew when it says something else", () => {
    const first = redactProviderRequest(request, redactor).tools?.[0]
    assert.strictEqual(redactProviderRequest(request, redactor).tools?.[0], first)
    const other = redactProviderRequest(request, createSecretRedactor(["counts"])).tools?.[0]
    assert.strictEqual(other?.description, "[REDACTED] sk-1")
    const changing = { name: "t", description: "a sk-1", execute: () => ({ toolCallId: "c", name: "t" }) }
    const read = () => redactProviderRequest({ ...request, tools: [changing] }, redactor).tools?.[0]?.description
    assert.strictEqual(read(), "a [REDACTED]")
    changing.description = "b sk-1"
    assert.strictEqual(read(), "b [REDACTED]")
  })

  it("R11: members that the request lacks are not added", () => {
    const small: ProviderRequest = { model: { provider: "p", model: "m" }, messages: [] }
    assert.deepEqual(Object.keys(redactProviderRequest(small, redactor)), ["model", "messages"])
  })
})
