/** What a redirection opens. */
import type { Redirect } from "unbash"
import { readWord, type ReadWord, staticWord, type Variables } from "./words.ts"

export type Redirected =
  | { readonly type: "harmless" }
  | { readonly type: "writes"; readonly words: ReadonlyArray<ReadWord> }
  | { readonly type: "undecided"; readonly reason: string }

const HARMLESS = new Set(["/dev/null", "/dev/stdout", "/dev/stderr"])

/** Descriptors, standard streams and `/dev/null` are harmless, and so is reading a file that is named. */
export const readRedirect = (node: Redirect, variables: Variables): Redirected => {
  const { operator, target, descriptor } = node
  if (target === undefined) return { type: "undecided", reason: "a redirection without a target" }
  if (descriptor?.type === "FileDescriptorVariable") {
    return { type: "undecided", reason: `a redirection sets ${descriptor.name}` }
  }
  const word = readWord(target, variables)
  if (/^\/dev\/(?:tcp|udp)\//.test(word.value)) return { type: "undecided", reason: `${word.text} opens a connection` }
  if (operator.endsWith("&") && word.isStatic && /^(?:\d+-?|-)$/.test(word.value)) return { type: "harmless" }
  if (word.isStatic && HARMLESS.has(word.value)) return { type: "harmless" }
  if (operator === "<") {
    // Where the beginning is open, or below `/`, it may turn out to be a connection.
    if (word.isStatic || (!word.mayBeOption && /^"?(?:[\w.~]|\$\{?HOME\b)/.test(word.text))) return { type: "harmless" }
    return { type: "undecided", reason: `what ${word.text} opens is known only when it runs` }
  }
  return { type: "writes", words: [{ ...staticWord(operator), text: operator }, word] }
}
