/** Every promise of the docs, once: what proves it, or what part it waits for. */
import { codingSecurity, codingTools } from "./codingToolBehaviours.ts"

/** A part that is not built yet. */
type Part = "compaction" | "artifact loop"

export interface Behaviour {
  readonly id: string
  /** The docs page that promises it. */
  readonly source: string
  readonly behaviour: string
  /** Absent: a test of that id proves it. */
  readonly waitsFor?: Part
}

const page =
  (source: string) =>
  (rows: Readonly<Record<string, string | readonly [string, Part]>>): ReadonlyArray<Behaviour> =>
    Object.entries(rows).map(([id, row]) =>
      typeof row === "string" ? { id, source, behaviour: row } : { id, source, behaviour: row[0], waitsFor: row[1] }
    )

const providers = page("docs/providers.md")({
  D1: "a JSON object is a plain object whose whole tree is JSON",
  D2: "a forbidden key at any depth is refused, with its path",
  D3: "what is no object is refused under its label",
  D4: "the mock replays its events on every turn",
  D5: "the mock tells the request once, before its first event",
  D6: "the mock checks the signal before every event",
  D7: "usage of done overrides earlier usage of the turn",
  D8: "fragments are put together by index; calls come out in ascending order",
  D9: "blank argument text is {}; unreadable text makes a blocked call",
  D10: "a fragment group without id or name fails the turn",
  D11: "a call whose id already came complete is not run twice",
  D12: "done ends the turn and closes the iterator; a stream that just ends is finished",
  D13: "an error event or a throw fails the turn",
  D14: "the first content opens a message; no content, no message",
  D15: "a registry replaces, or refuses duplicates when told to",
  D16: "an unknown provider or model throws on resolve only",
  D17: "a resolver over a list looks up by the model's provider",
  D18: "ids are a prefix and a random uuid",
  D19: "media that a model does not take is refused before generation",
  D20: "native structured output is refused for a model without it, and in a bad form",
  S30: "retry is off unless configured, and reuses the prepared request",
  S31: "what was observed, aborted or is no provider failure is never retried",
  S32: "decision, middleware, event, wait, next attempt: in this order",
  S33: "the default policy has three attempts and exact delays",
  S34: "known codes and messages are transient, an abort never",
  S35: "secrets are removed from what a retry tells",
  S40: "request options merge: scalars win, records merge, breakpoints concatenate",
  S41: "the secrets of a request policy are removed from the turn's errors",
  S42: "the session cache policy sets session id, key and retention"
})

const tools = page("docs/tools.md")({
  T1: "tools are listed in order of first registration",
  T2: "a duplicate name throws when asked to",
  T3: "an unknown tool throws on resolve",
  T4: "filters match exact names; deny wins; an empty allow restricts nothing",
  T5: "several filters must all allow; nothing is added or moved",
  T6: "every gate sees the call as call middleware left it",
  T7: "a blocked call has one of five reasons, that of the first gate",
  T8: "a blocked call has one event, one row, an error result and never starts",
  T9: "refusals say which tool or that arguments must be an object",
  T10: "arguments are checked even without a validator",
  T11: "permission is asked as tool, execute, name; a policy that throws denies",
  T12: "a denial without reason names its key",
  T13: "the validator runs after permission; text and ErrorInfo block, redacted",
  T14: "a validator that throws blocks the call",
  T15: "the start is told just before the tool runs",
  T16: "a tool that throws becomes an error result; dispatch does not reject",
  T17: "a tool that returns an error has finished",
  T18: "what result middleware returns is what everybody sees",
  T19: "progress reaches host, subscribers and ledger",
  T20: "a tool sees the call's id, the run's signal and the merged metadata",
  T21: "known secrets are removed from every error that leaves dispatch",
  T22: "closing events carry duration and status",
  T23: "middleware that throws is skipped and can open no gate",
  T24: "tool concurrency is read leniently, the run's loop first",
  T25: "at most N calls run at once, claimed in order",
  T26: "an exclusive tool serialises its turn and only that",
  T27: "transcript rows stand in call order",
  T28: "a blocked or failed call keeps its slot",
  T29: "after an abort nothing starts and nothing is appended",
  T30: "the tool message holds the result block, then content and metadata",
  T31: "no calls, nothing to do",
  T32: "no policy allows; a denied assertion carries request and decision",
  T33: "static policies know keys; deny beats allow",
  T34: "the execution policy is asked inside the tool, after the gates",
  T35: "an allowed action comes back, modified if the policy says so",
  T36: "the static marker serialises, a decision's flag does not",
  T37: "a tool without schema passes, or is refused when told to",
  T38: "validation messages are joined; a code is kept",
  T39: "the conformance suite probes every gate and success",
  T40: "its probes can be used one by one",
  T41: "a deadline ends a call at once, and only that call",
  T42: "only the calls of this turn are queued, and each is checked when claimed",
  T43: "the kernel knows no tool, protocol or package by name"
})

const agents = page("docs/agents.md")({
  S1: "a second run is refused and told; the first goes on",
  S2: "a session is reusable as soon as its run has settled",
  S3: "provider, run's resolver, agent's resolver; none fails the run before it starts",
  S4: "a run resolves, tells, records, rebuilds, appends, loops",
  S5: "input is text, a message or messages, kept as given",
  S6: "the result is that of this run's last message",
  S7: "a failed or aborted run tells its error, then rejects with the result so far",
  S8: "tool rounds: 1 unless set, the smallest counts, bad values reject at once",
  S9: "a turn beyond the last round is stored and ends the run well",
  S10: "usage is summed over attempts; cost only in one currency",
  S11: "result and last event carry the sum; a loop's own usage is a fallback",
  S12: "prompt is run",
  S13: "session and signal abort the same run",
  S14: "the signal reaches assembly, provider, tools and waits",
  S15: "the thrown value is the reason, or says that the run was aborted",
  S16: "an aborted signal rejects before the run starts",
  S17: "after an abort in a tool no provider turn follows",
  S18: "an abort ends a retry's wait",
  S19: "an aborted run has one terminal error and no finish",
  S20: "a stream starts its one run at the first next",
  S21: "it ends after the terminal event, and rejects for a failed run",
  S22: "leaving a stream aborts its run and waits for it",
  S23: "on a busy session a stream rejects and shows nothing",
  S24: "queue options belong to the stream's own subscription",
  S25: "entries are copies of the branch, root first",
  S26: "checkout moves to a known entry; an unknown one changes nothing",
  S27: "a fork shares the session and advances on its own",
  S28: "a clone has new ids and the same context",
  S29: "a known id resumes at its leaf or its latest entry",
  S36: ["compact rejects during a run", "compaction"],
  S37: ["compaction has its order of events, hooks and one entry", "compaction"],
  S38: ["a compaction returns its entry", "compaction"],
  S39: ["auto-compaction runs once per run above its threshold", "compaction"],
  S39a: ["the default strategy keeps recent messages and whole exchanges", "compaction"],
  S43: "hooks cannot change the tools that are sent",
  S44: "two layouts order the sections of a request",
  S45: "each section has its wording",
  S46: "the tool list is text only for models without tools",
  S47: "context providers are asked in order, and not after an abort",
  S48: "skills of a list are active, of a registry only when selected",
  S49: "a resource needs a loader and permission",
  S50: "templates replace names, and throw for missing ones",
  S51: "system prompt layers stack by source and mode",
  S52: "instructions are the base, and alone when a run says false",
  S53: "middleware is registered by hook, and removed again",
  S54: "a value returned or passed to next once",
  S55: "middleware errors are told or thrown, by policy",
  S56: "checkout without id stands on the latest entry",
  S57: ["compaction middleware may change summary and data only", "compaction"],
  S58: "input assembly is one exported function, called once per turn"
})

const events = page("docs/events.md")({
  E1: "every event is redacted before anybody sees it",
  E2: "a started run has exactly one end",
  E3: "a message starts before its deltas; none without content",
  E4: "fragments are shown, the whole call is stored",
  E5: "blocked calls have no other event, failed ones start and fail, error results start and finish",
  E6: ["a failed validation is no error event", "artifact loop"],
  E7: "single-shot runs have no artifact events",
  E8: ["attempt counts candidates", "artifact loop"],
  E9: ["artifact events are bounded", "artifact loop"],
  E10: ["a tool request beyond the limit fails the artifact", "artifact loop"],
  E11: "unknown event types are tolerated",
  E12: "subscriptions are live, and all see all",
  E13: "an iterator is its own iterable; a waiting next gets the event directly",
  E14: "a queue has 1,024 places unless set, leniently read",
  E15: "close discards, tells once and ends",
  E16: "drop_oldest keeps the newest, drop_newest the oldest",
  E17: "subscriptions end with the run unless they stay open",
  E18: "return ends one subscriber and its waits, nothing else",
  E19: "a slow subscriber slows nobody",
  E20: "a refused run is told without ending anybody",
  E21: "without a redactor an event is passed as it is",
  E22: "with one every string and key is clean",
  E23: "cycles become text, shared values are expanded",
  E24: "events stay in their session handle"
})

const loops = page("docs/agents.md")({
  L1: "the run's loop, the agent's, single-shot",
  L2: "an unknown strategy fails the run before its first turn",
  L3: "what has run is a loop, what has strategy is options",
  L4: "the loop is resolved once per run",
  L5: "a turn has its order",
  L6: "no calls or no rounds left ends the loop",
  L7: "a round is a turn with calls, however many",
  L8: "the next request has input, calls and results, each once",
  L9: "the loop returns the last turn's usage",
  L10: ["repair messages join the history after their turn", "artifact loop"],
  L11: ["calls are inert when tools are disabled", "artifact loop"],
  L12: ["bounded tools run one by one between candidates", "artifact loop"],
  L13: ["bounded rounds count over the run", "artifact loop"],
  L14: ["a call beyond the rounds fails the artifact", "artifact loop"],
  L15: ["a candidate is the text of its turn", "artifact loop"],
  L16: ["a parse failure is a failed candidate", "artifact loop"],
  L17: ["blank text is a parse failure", "artifact loop"],
  L18: ["validate, finish, fail or revise", "artifact loop"],
  L19: ["the default repairer joins the messages", "artifact loop"],
  L20: ["an instruction is seen once per request", "artifact loop"],
  L21: ["drafts and repairs are stored in order", "artifact loop"],
  L22: ["turns are bounded", "artifact loop"],
  L23: ["exhaustion is no exception", "artifact loop"],
  L24: ["no candidate follows an abort", "artifact loop"],
  L25: ["native structured output goes into the request", "artifact loop"],
  L26: ["artifact tools pass every gate", "artifact loop"],
  L27: "a custom loop stores and tells what it wants",
  L28: "generate works without assemble and counts usage",
  L29: "retry, abort, exclusivity and subscriptions stay the runtime's",
  L30: "a loop sees no provider, credential or secret",
  L31: "a loop that throws fails the run",
  L32: "a loop stands on the redacted side",
  L33: "the context is one object of bound functions",
  L34: "loop types are of no host's domain"
})

const security = page("docs/security.md")({
  R1: "known secrets are replaced exactly, everywhere",
  R2: "empty secrets are ignored; none left returns the value itself",
  R3: "no fragment of a longer secret survives",
  R4: "keys are redacted; collisions are numbered",
  R5: "ancestors become text, shared values are expanded",
  R6: "maps and sets become JSON, binary data passes",
  R7: "nothing is mutated",
  R8: "depth never overflows; below 1,024 levels it is cut",
  R9: "any thrown value has a wire form",
  R10: "event redaction never throws",
  R11: "the active redactor covers everything that leaves",
  R12: "the host's own result need not be redacted, but its error",
  R13: "an echoed secret is redacted wherever it goes",
  R14: "a run's redactor does not outlive it",
  R15: "retry secrets are removed beside the redactor's",
  R16: "environment credentials are looked up by provider and name in the given object",
  R17: "a hit says where it came from; a miss is nothing",
  R18: "chained resolvers stop at the first hit and cache nothing",
  R19: "a credential value is text, a function or a resolver",
  R20: "the memory store falls back to a record without provider",
  R21: "the runtime never resolves credentials",
  R22: "refreshed credentials are stored and returned",
  R23: "settings are looked up by dots, the first source wins"
})

const cli = page("docs/cli.md")({
  C1: "exit codes tell usage, failure and interruption apart",
  C2: "usage errors name the flag and leave stdout empty",
  C3: "no provider is a usage error; nothing is looked for",
  C4: "print mode writes the assistant's text and nothing else",
  C5: "JSON mode writes one event per line",
  C6: "a failure is one line",
  C8: "a run touches no contribution directory"
})

const validation = page("docs/validation.md")({
  J1: "a limit out of range throws a RangeError that names it",
  J2: "every hard cap is accepted",
  J3: "validate never throws",
  J4: "schema, then bounds of the value, then the value against the schema",
  J5: "a schema is looked over once and compiled from a private copy",
  J6: "what is not plain, refers outside or is too large is rejected before compilation",
  J7: "depth counts from the root, bytes are those of the text, keys count once each",
  J8: "a shared part is allowed and counted twice",
  J9: "references within the document are followed, others rejected",
  J10: "the value's bounds are checked whatever its schema says",
  J11: "a value out of bounds gives one error that begins with the path",
  J12: "a malformed schema is an error of the call; unknown keywords and formats are none",
  J13: "at most maxErrors errors, with JSON Pointers",
  J14: "compiled schemas are found by object, then by text",
  J15: "the least recently used schema is dropped",
  J16: "two validators share no cache",
  J17: "the value is never changed",
  J18: "a failure blocks the call and the handler does not run",
  J19: "a bad schema blocks its tool at the call, not at registration",
  J20: "one compilation per schema, none per call"
})

export const behaviours: ReadonlyArray<Behaviour> = [
  ...providers,
  ...tools,
  ...validation,
  ...agents,
  ...events,
  ...loops,
  ...security,
  ...cli,
  ...page("docs/coding-tools.md")({ ...codingTools, ...codingSecurity })
]
