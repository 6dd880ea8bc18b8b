/** Which addresses the public internet routes. */
import { BlockList, isIP } from "node:net"

export interface Address {
  readonly address: string
  readonly family: 4 | 6
}

/** IANA's special-purpose registry (RFC 6890 and its successors), multicast and reserved space. */
const SPECIAL_V4 = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4]
] as const

/** Within 2000::/3, which is all of IPv6 that is routed: protocol assignments, documentation, 6to4. */
const SPECIAL_V6 = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20]
] as const

const special = new BlockList()
for (const [net, prefix] of SPECIAL_V4) special.addSubnet(net, prefix, "ipv4")
for (const [net, prefix] of SPECIAL_V6) special.addSubnet(net, prefix, "ipv6")

const routed = new BlockList()
routed.addSubnet("2000::", 3, "ipv6")

const loopback = new BlockList()
loopback.addSubnet("127.0.0.0", 8, "ipv4")
loopback.addAddress("::1", "ipv6")

/** Whether both members say the same: an IP address of that family. */
export const isAddress = (value: unknown): value is Address => {
  if (typeof value !== "object" || value === null) return false
  const { address, family } = value as Partial<Address>
  return typeof address === "string" && !address.includes("%") && isIP(address) !== 0 && isIP(address) === family
}

/** Mapped and other embedded IPv4 addresses are not public, whatever they stand for. */
export const isPublicAddress = ({ address, family }: Address): boolean =>
  family === 4 ? !special.check(address, "ipv4") : routed.check(address, "ipv6") && !special.check(address, "ipv6")

export const isLoopbackAddress = ({ address, family }: Address): boolean =>
  loopback.check(address, family === 4 ? "ipv4" : "ipv6")
