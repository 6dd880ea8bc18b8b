/** A host's operations replace the local ones whole: what they lack is missing, not taken from elsewhere. */
import { ToolFailure } from "./results.ts"

/** Throws `ToolFailure` that names the first of the members which is no function. */
export const requireMembers = <Operations extends object>(
  name: string,
  operations: Operations,
  members: ReadonlyArray<keyof Operations & string>
): void => {
  for (const member of members) {
    if (typeof operations[member] !== "function") throw new ToolFailure(`${name}.${member} is missing`)
  }
}
