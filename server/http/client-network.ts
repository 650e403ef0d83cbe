import { isIPv4, isIPv6 } from 'node:net'

/** Returns the key under which a client's requests are counted: its IPv4 address, or the /64 network of its IPv6 address. */
export function clientNetwork(ip: string): string {
  const mapped = ip.replace(/^::ffff:(?=\d+\.)/i, '')
  if (isIPv4(mapped)) return mapped
  if (!isIPv6(ip)) return 'unknown'
  return `${prefixOf(ip, 4)}::/64`
}

/** A /48's limit, as a multiple of a /64's. */
export const NETWORKS_PER_SITE = 10

/** Returns the /48 network of an IPv6 address: a customer is often assigned a /48. Undefined for other clients. */
export function clientSite(ip: string): string | undefined {
  return clientNetwork(ip).endsWith('::/64') ? `${prefixOf(ip, 3)}::/48` : undefined
}

/** Returns the first groups of an IPv6 address. */
function prefixOf(ip: string, count: number): string {
  const [head = '', tail] = ip.replace(/%.*$/, '').split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0')
  const groups = [...left, ...(tail === undefined ? [] : zeros), ...right].slice(0, count)
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')
}
