/**
 * Blocks webhooks to private addresses (SSRF). Otherwise an administrator could use us to reach services of this
 * machine, its network or its cloud provider, such as databases or 169.254.169.254.
 */
import { BlockList, isIP } from 'node:net'

/**
 * IPv4: this network, private, shared, loopback, link-local, protocol assignments, documentation, benchmarks,
 * multicast, reserved.
 */
const PRIVATE_IPV4 = [
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
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const

/**
 * The only public IPv6 range. Excludes loopback, unique-local, link-local, multicast and embedded IPv4 addresses.
 */
const PUBLIC_IPV6 = ['2000::', 3] as const
/**
 * Exceptions within it: protocol assignments and Teredo, documentation, 6to4 (which embeds any IPv4 address),
 * documentation.
 */
const SPECIAL_IPV6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const

const blocked = new BlockList()
for (const [net, bits] of PRIVATE_IPV4) blocked.addSubnet(net, bits, 'ipv4')
for (const [net, bits] of SPECIAL_IPV6) blocked.addSubnet(net, bits, 'ipv6')
const publicIpv6 = new BlockList()
publicIpv6.addSubnet(...PUBLIC_IPV6, 'ipv6')

/** Returns true if requests to the address are allowed. */
export type MaySend = (address: string) => boolean

const kindOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/**
 * Checks resolved addresses. `allowed` are private addresses or ranges, such as 10.1.0.0/16, from
 * WEBHOOK_ALLOW_ADDRESSES.
 */
export function createAddressRule(allowed: readonly string[]): MaySend {
  const exceptions = new BlockList()
  for (const each of allowed) {
    const [net = '', bits] = each.split('/')
    if (bits === undefined) exceptions.addAddress(net, kindOf(net))
    else exceptions.addSubnet(net, Number(bits), kindOf(net))
  }
  return (address) => {
    const kind = isIP(address)
    if (kind === 0) return false
    if (exceptions.check(address, kindOf(address))) return true
    return kind === 4
      ? !blocked.check(address, 'ipv4')
      : publicIpv6.check(address, 'ipv6') && !blocked.check(address, 'ipv6')
  }
}
