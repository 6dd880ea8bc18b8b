/** `ipv4` and `ipv6`. */

const dottedQuad = /^(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}$/
const hexGroup = /^[\dA-Fa-f]{1,4}$/
const GROUPS = 8
/** `ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255` */
const MAX_IPV6_LENGTH = 45

/** Four decimal octets without leading zeros (RFC 2673 §3.2 as RFC 3986 §3.2.2 narrows it: some read `010` as eight). */
export const isIpv4 = (text: string): boolean => text.length <= 15 && dottedQuad.test(text)

/** The three text forms of RFC 4291 §2.2. Neither a zone (RFC 4007) nor a prefix length is part of an address. */
export const isIpv6 = (text: string): boolean => {
  if (text.length < 2 || text.length > MAX_IPV6_LENGTH) return false
  const gap = text.indexOf("::")
  if (gap < 0) return countGroups(text) === GROUPS
  const before = text.slice(0, gap)
  const after = text.slice(gap + 2)
  // A dotted quad takes the last place of the address, so it cannot stand before the gap.
  if (before.includes(".")) return false
  const left = before === "" ? 0 : countGroups(before)
  const right = after === "" ? 0 : countGroups(after)
  // The gap stands for one group at least (RFC 4291 §2.2: "one or more groups").
  return left + right < GROUPS
}

/** How many groups of sixteen bits `a:b:…` is, a dotted quad at the end counting two; infinitely many if it is malformed. */
const countGroups = (text: string): number => {
  const groups = text.split(":")
  const last = groups.length - 1
  const isQuad = isIpv4(groups[last] ?? "")
  const isValid = groups.every((group, index) => hexGroup.test(group) || (isQuad && index === last))
  return isValid ? groups.length + (isQuad ? 1 : 0) : Infinity
}
