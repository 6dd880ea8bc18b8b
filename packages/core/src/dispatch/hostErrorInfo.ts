import type { ErrorInfo } from "../schema/ErrorInfo.ts"
import { errorToErrorInfo } from "../security/Redactor.ts"
import { detach } from "./detach.ts"
import { toWritable } from "./toWritable.ts"

/** An error in a host's own words: an `ErrorInfo` keeps all its fields, anything else is described. Never throws. */
export const hostErrorInfo = (error: unknown): ErrorInfo => {
  const described = errorToErrorInfo(error)
  if (typeof error !== "object" || error === null || error instanceof Error) return described
  try {
    // Each field is checked before it is believed.
    const { cause, name } = error as Partial<ErrorInfo>
    const written = toWritable(detach(cause))
    return {
      ...(typeof name === "string" ? { name } : undefined),
      ...described,
      ...(written === undefined ? undefined : { cause: written })
    }
  } catch {
    return described
  }
}
