/** Values that no JSON text gives. */
import { nest } from "./HostileCase.ts"

const revoked = (): object => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}
const cycle = (): object => {
  const value: Record<string, unknown> = {}
  value["a"] = value
  return value
}
const throwing = (): never => {
  throw new Error("no")
}

export const hostileValues: ReadonlyArray<readonly [string, () => unknown]> = [
  ["a cycle", cycle],
  ["a getter that throws", () => Object.defineProperty({}, "a", { enumerable: true, get: throwing })],
  ["a proxy that throws", () => new Proxy({}, { ownKeys: throwing, getPrototypeOf: throwing, get: throwing })],
  ["a revoked proxy", revoked],
  [
    "a list of four billion holes",
    () => Array.from({ length: 0 }).concat(Object.assign([], { length: 4_294_967_295 }))
  ],
  ["a hole", () => Object.assign([], { length: 1 })],
  ["a big integer", () => ({ a: 1n })],
  ["a symbol", () => ({ a: Symbol("a") })],
  ["undefined", () => ({ a: undefined })],
  ["a function", () => ({ a: throwing })],
  ["a date", () => ({ a: new Date(0) })],
  ["a map", () => new Map([["a", 1]])],
  ["an object with another prototype", () => Object.create({ a: 1 }) as unknown],
  ["a boxed text", () => ({ a: Object("text") as unknown })],
  ["an endless number", () => ({ a: [Number.NaN, Infinity] })],
  ["a tower of 100,000 lists", () => nest(100_000, (item) => [item], 1)],
  ["an own __proto__", () => JSON.parse('{"a":{"__proto__":{"polluted":true}}}') as unknown],
  ["a constructor", () => ({ constructor: { prototype: { polluted: true } } })]
]
