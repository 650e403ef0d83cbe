import { BlockList, isIP } from 'node:net'

/** Names that `TRUST_PROXY` accepts for ranges of addresses, as in Express. */
const NAMED_RANGES: Record<string, string[]> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** Returns whether `TRUST_PROXY` accepts this range: an address, an address with a prefix length, or a name. */
export function isAddressRange(range: string): boolean {
  const [network = '', prefix, ...rest] = range.split('/')
  if (Object.hasOwn(NAMED_RANGES, range)) return true
  if (isIP(network) === 0 || rest.length > 0) return false
  return (
    prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (isIP(network) === 6 ? 128 : 32))
  )
}

/** Returns a function that returns whether an IP address is in one of these ranges: addresses, CIDR, or names of ranges. */
export function addressesIn(ranges: readonly string[]): (ip: string) => boolean {
  const list = new BlockList()
  for (const range of ranges.flatMap((name) => NAMED_RANGES[name] ?? [name])) {
    const [network = '', prefix] = range.split('/')
    const family = isIP(network) === 6 ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(network, family)
    else list.addSubnet(network, Number(prefix), family)
  }
  // An IPv4 client of a socket that also accepts IPv6 has a mapped address, which BlockList compares as IPv4.
  return (ip) => isIP(ip) !== 0 && list.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4')
}
