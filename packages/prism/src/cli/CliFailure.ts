import * as Data from "effect/Data"

/** An invocation failed, though its command line is right: exit code 1. */
export class CliFailure extends Data.TaggedError("CliFailure")<{
  readonly message: string
  readonly cause?: unknown
}> {}

/** What somebody else's program threw, in its own words. */
export const toCliFailure = (cause: unknown): CliFailure => new CliFailure({ message: messageOf(cause), cause })

/** What a thrown value says. */
export const messageOf = (thrown: unknown): string => {
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return message === "" ? "Agent run failed" : message
}
