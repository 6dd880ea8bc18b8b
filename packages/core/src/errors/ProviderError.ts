import * as Data from "effect/Data"
import type { ErrorInfo } from "../schema/ErrorInfo.ts"

/** A provider turn failed. `error` is what the provider said, or what was wrong with what it said. */
export class ProviderError extends Data.TaggedError("ProviderError")<{
  readonly error: ErrorInfo
  readonly cause?: unknown
}> {
  override get message(): string {
    return this.error.message
  }
}
