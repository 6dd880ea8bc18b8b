/** `uri`, `uri-reference`, `iri`, `iri-reference` and `url`. */
import { isIpv4, isIpv6 } from "./addresses.ts"
import { isTypedHostname } from "./hostnames.ts"
import { once } from "./once.ts"

/** What may not stand in each part, so that a part is checked by one search and nothing backtracks. */
interface Alphabet {
  readonly notName: RegExp
  readonly notUserinfo: RegExp
  readonly notPath: RegExp
  readonly notQuery: RegExp
  readonly notFragment: RegExp
}

/** A reference taken apart (RFC 3986 §3, §4); `host` keeps the brackets of an address. */
interface Reference {
  readonly scheme: string | undefined
  readonly authority: Authority | undefined
}
interface Authority {
  readonly host: string
  readonly port: string
}

/** `ucschar` and `iprivate` (RFC 3987 §2.2), as parts of a character class. */
export const ucschar =
  "\\u{a0}-\\u{d7ff}\\u{f900}-\\u{fdcf}\\u{fdf0}-\\u{ffef}" +
  "\\u{10000}-\\u{1fffd}\\u{20000}-\\u{2fffd}\\u{30000}-\\u{3fffd}\\u{40000}-\\u{4fffd}\\u{50000}-\\u{5fffd}" +
  "\\u{60000}-\\u{6fffd}\\u{70000}-\\u{7fffd}\\u{80000}-\\u{8fffd}\\u{90000}-\\u{9fffd}\\u{a0000}-\\u{afffd}" +
  "\\u{b0000}-\\u{bfffd}\\u{c0000}-\\u{cfffd}\\u{d0000}-\\u{dfffd}\\u{e1000}-\\u{efffd}"
export const iprivate = "\\u{e000}-\\u{f8ff}\\u{f0000}-\\u{ffffd}\\u{100000}-\\u{10fffd}"

const toAlphabet = (extra: string, extraOfQuery: string): Alphabet => {
  const unreserved = `\\w\\-.~!$&'()*+,;=%${extra}`
  return {
    notName: new RegExp(`[^${unreserved}]`, "u"),
    notUserinfo: new RegExp(`[^${unreserved}:]`, "u"),
    notPath: new RegExp(`[^${unreserved}:@/]`, "u"),
    notQuery: new RegExp(`[^${unreserved}:@/?${extraOfQuery}]`, "u"),
    notFragment: new RegExp(`[^${unreserved}:@/?]`, "u")
  }
}
const ascii = once(() => toAlphabet("", ""))
const international = once(() => toAlphabet(ucschar, iprivate))

const MAX_PORT = 65_535
const notScheme = /[^A-Za-z\d+.-]/
const brokenEscape = /%(?![\dA-Fa-f]{2})/
const futureAddress = /^v[\dA-F]+\.[\w\-.~!$&'()*+,;=:]+$/i

/** Whether every `%` begins an escape of two hexadecimal digits (RFC 3986 §2.1). */
export const areEscapesWhole = (text: string): boolean => !brokenEscape.test(text)

/** `URI` (RFC 3986 §3): a scheme is there; a fragment may be. */
export const isUri = (text: string): boolean => parse(text, ascii())?.scheme !== undefined

/** `URI-reference` (RFC 3986 §4.1), relative ones and the empty one included. */
export const isUriReference = (text: string): boolean => parse(text, ascii()) !== undefined

/** `IRI` (RFC 3987 §2.2). Bidirectional text (§4.2) is not judged. */
export const isIri = (text: string): boolean => parse(text, international())?.scheme !== undefined

/** `IRI-reference` (RFC 3987 §2.2). */
export const isIriReference = (text: string): boolean => parse(text, international()) !== undefined

/**
 * An absolute `http`, `https` or `ftp` IRI whose host a client could connect to: an address, or a name by `idn-hostname` after
 * lower-casing that does not end in a number; the port is at most 65535. Addresses of private networks are not refused, as
 * where a host may connect is for its policy to say.
 */
export const isUrl = (text: string): boolean => {
  const { scheme = "", authority } = parse(text, international()) ?? {}
  if (authority === undefined || !/^(?:https?|ftp)$/i.test(scheme)) return false
  return isPortNumber(authority.port) && isReachable(authority.host)
}

const isPortNumber = (port: string): boolean => port.length <= 5 && Number(port) <= MAX_PORT

const isReachable = (host: string): boolean =>
  host.startsWith("[")
    ? isIpv6(host.slice(1, -1))
    : isIpv4(host) || (isTypedHostname(host) && !/(?:^|\.)\d+$/.test(host))

/** RFC 3986 appendix B, with each part held against its grammar. `undefined` if one does not conform. */
const parse = (text: string, alphabet: Alphabet): Reference | undefined => {
  if (!areEscapesWhole(text)) return undefined
  const [beforeFragment, fragment] = cut(text, "#")
  const [hierarchy, query] = cut(beforeFragment, "?")
  if (alphabet.notFragment.test(fragment) || alphabet.notQuery.test(query)) return undefined
  const colon = hierarchy.indexOf(":")
  const slash = hierarchy.indexOf("/")
  // A colon in the first segment ends a scheme, else it would have to be written `./a:b` (RFC 3986 §4.2).
  const scheme = colon < 0 || (slash >= 0 && slash < colon) ? undefined : hierarchy.slice(0, colon)
  if (scheme !== undefined && !isScheme(scheme)) return undefined
  const rest = scheme === undefined ? hierarchy : hierarchy.slice(colon + 1)
  if (!rest.startsWith("//")) return alphabet.notPath.test(rest) ? undefined : { scheme, authority: undefined }
  const pathStart = rest.indexOf("/", 2)
  if (pathStart >= 0 && alphabet.notPath.test(rest.slice(pathStart))) return undefined
  const authority = parseAuthority(rest.slice(2, pathStart < 0 ? undefined : pathStart), alphabet)
  return authority === undefined ? undefined : { scheme, authority }
}

/** The text before the first `mark` and the text after it; the latter is empty without one. */
const cut = (text: string, mark: string): readonly [string, string] => {
  const index = text.indexOf(mark)
  return index < 0 ? [text, ""] : [text.slice(0, index), text.slice(index + 1)]
}

const isScheme = (text: string): boolean => /^[A-Za-z]/.test(text) && !notScheme.test(text)

/** RFC 3986 §3.2. A name may be empty or look like a broken IPv4 address; what is in brackets must be an address. */
const parseAuthority = (text: string, alphabet: Alphabet): Authority | undefined => {
  const at = text.indexOf("@")
  if (at >= 0 && alphabet.notUserinfo.test(text.slice(0, at))) return undefined
  const hostAndPort = text.slice(at + 1)
  const close = hostAndPort.startsWith("[") ? hostAndPort.indexOf("]") : -1
  const colon = hostAndPort.indexOf(":", close + 1)
  const host = colon < 0 ? hostAndPort : hostAndPort.slice(0, colon)
  const port = colon < 0 ? "" : hostAndPort.slice(colon + 1)
  const isHost = close < 0 ? !alphabet.notName.test(host) : host.endsWith("]") && isAddress(host.slice(1, -1))
  return isHost && !/\D/.test(port) ? { host, port } : undefined
}

const isAddress = (text: string): boolean => isIpv6(text) || futureAddress.test(text)
