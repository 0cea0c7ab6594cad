import { BlockList, isIPv6 } from 'node:net'

// Special-purpose address ranges (RFC 6890 and its updates).
const reserved = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  reserved.addSubnet(network, bits, 'ipv4')
// Special ranges within 2000::/3: Teredo, documentation and 6to4.
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  reserved.addSubnet(network, bits, 'ipv6')
const publicIPv6 = new BlockList()
publicIPv6.addSubnet('2000::', 3, 'ipv6')

/** Whether an IP address is not public: loopback, link-local, private, shared, reserved or multicast. */
export function isPrivate(address: string): boolean {
  if (isIPv6(address) && address.includes('%')) return true
  if (!isIPv6(address)) return reserved.check(address, 'ipv4')
  return !publicIPv6.check(address, 'ipv6') || reserved.check(address, 'ipv6')
}
