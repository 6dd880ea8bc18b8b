/** What is compared, and what each of the compared can be asked to do. */

export const subjectNames = ["bare", "prism", "pi"] as const
export type SubjectName = (typeof subjectNames)[number]

/** Deltas of one text turn, and their text. */
export const TURN_DELTAS = 20
export const DELTA = "tok "

/** The arguments of every tool call. */
export const probeArguments = { path: "src/a.ts", limit: 10 }

/** JSON Schema of `probeArguments`, for who reads one. */
export const probeParameters = {
  type: "object",
  properties: { path: { type: "string", minLength: 1 }, limit: { type: "integer", minimum: 1, maximum: 5000 } },
  required: ["path"],
  additionalProperties: false
}

/** The same rules by hand: what is wrong with the arguments, or `undefined`. */
export const probeFault = (args: Readonly<Record<string, unknown>>): string | undefined => {
  for (const name in args) if (name !== "path" && name !== "limit") return `${name} is not known`
  const { limit, path } = args
  if (typeof path !== "string" || path.length === 0) return "path must be text"
  if (limit === undefined) return undefined
  const fits = typeof limit === "number" && Number.isInteger(limit) && limit >= 1 && limit <= 5000
  return fits ? undefined : "limit must be an integer from 1 to 5000"
}

export type Execute = (args: Readonly<Record<string, unknown>>) => string | Promise<string>

/** Sessions that live beside each other. Bivariant on purpose: the caller only passes on what `create` gave it. */
export interface Sessions {
  create(id: string): unknown
  /** One text turn, kept in the session's history. */
  run(session: unknown, input: string): Promise<unknown>
}

/**
 * Each method sets something up, which is not timed, and answers with the function that is. A model answers at once,
 * so that only the runtime is measured.
 */
export interface Subject {
  /** One run of one text turn; the result is all that is looked at. Answers with the text. */
  textTurn(): () => Promise<string>
  /** The same, the text put together from every delta as it comes. */
  textStream(): () => Promise<string>
  /** One run of so many turns with one tool call each, then a text turn. */
  toolRounds(rounds: number, execute: Execute): () => Promise<unknown>
  /** One run of a turn with so many tool calls, then a text turn. `pi` has no bound and runs all at once. */
  toolBatch(calls: number, concurrency: number, execute: Execute): () => Promise<unknown>
  /** One run of so many deltas, each read by every subscriber. Answers with the number of deltas that arrived. */
  fanOut(deltas: number, subscribers: number): () => Promise<number>
  /** One run beside a subscriber that never reads. Answers with what a host would hold on to. */
  stalled?(deltas: number, bound: number, attach: boolean): () => Promise<unknown>
  sessions(): Sessions
  /** One more text turn of a session that already holds so many messages. Answers with the number sent to the model. */
  longSession(messages: number): () => Promise<number>
}
