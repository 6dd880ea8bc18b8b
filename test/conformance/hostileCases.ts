/** Schemas and values that were made to cost more than they look like. All are small enough to pass the limits. */
import { combinators } from "./hostile/combinators.ts"
import { containers } from "./hostile/containers.ts"
import { formats } from "./hostile/formats.ts"
import type { HostileCase } from "./hostile/HostileCase.ts"
import { members } from "./hostile/members.ts"
import { patterns } from "./hostile/patterns.ts"
import { scalars } from "./hostile/scalars.ts"

export { hostileValues } from "./hostile/values.ts"

export const hostileCases: ReadonlyArray<HostileCase> = [
  ...combinators,
  ...containers,
  ...members,
  ...scalars,
  ...patterns,
  ...formats
]
