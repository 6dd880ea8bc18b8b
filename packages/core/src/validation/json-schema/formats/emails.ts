/** `email` and `idn-email`. */
import { isLongerThan } from "../../../limits/byteLength.ts"
import { isIpv4, isIpv6 } from "./addresses.ts"
import { isHostname, isTypedHostname } from "./hostnames.ts"
import { once } from "./once.ts"

/** RFC 5321 §4.5.3.1. A path is 256 octets with its angle brackets. */
const MAX_LOCAL_OCTETS = 64
const MAX_MAILBOX_OCTETS = 254

const beyondAscii = "\\u0080-\\ud7ff\\ue000-\\uffff\\u{10000}-\\u{10ffff}"
const localPart = (extra: string): RegExp => {
  const atom = `[\\w!#$%&'*+\\-/=?^\`{|}~${extra}]+`
  return new RegExp(`^(?:${atom}(?:\\.${atom})*|"(?:[ !#-\\[\\]-~${extra}]|\\\\[ -~])*")$`, "u")
}
const asciiLocalPart = once(() => localPart(""))
const anyLocalPart = once(() => localPart(beyondAscii))

/** `Mailbox` (RFC 5321 §4.1.2): a dotted or quoted local part, and a domain or an address in brackets. No comments. */
export const isEmail = (text: string): boolean => isMailbox(text, asciiLocalPart, isHostname)

/**
 * `Mailbox` as RFC 6531 §3.3 extends it: any character beyond ASCII in the local part, U-labels in the domain. The domain is
 * taken in the form a person types, so it is normalised before it is looked at.
 */
export const isIdnEmail = (text: string): boolean => isMailbox(text, anyLocalPart, isTypedHostname)

const isMailbox = (text: string, local: () => RegExp, isDomain: (text: string) => boolean): boolean => {
  if (isLongerThan(text, MAX_MAILBOX_OCTETS)) return false
  const at = text.lastIndexOf("@")
  if (at < 1) return false
  const name = text.slice(0, at)
  const domain = text.slice(at + 1)
  if (isLongerThan(name, MAX_LOCAL_OCTETS) || !local().test(name)) return false
  return domain.startsWith("[") ? isAddressLiteral(domain) : isDomain(domain)
}

/** RFC 5321 §4.1.3. No other tag than `IPv6` has been registered. */
const isAddressLiteral = (text: string): boolean => {
  if (!text.endsWith("]")) return false
  const address = text.slice(1, -1)
  return /^ipv6:/i.test(address) ? isIpv6(address.slice(5)) : isIpv4(address)
}
