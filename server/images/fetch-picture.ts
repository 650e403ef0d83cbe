import { type LookupAddress, lookup as resolve } from 'node:dns'
import { get as httpGet, type IncomingMessage } from 'node:http'
import { get as httpsGet } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { addressesIn } from '#server/http/address-ranges.ts'

const FETCH_MS = 10_000
const MAX_BYTES = 10 * 1024 * 1024

/** Addresses that are not on the public internet (the special-purpose registries of IANA), cloud metadata among them. */
const isSpecial = addressesIn([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
])
/** Global unicast, without the ranges that embed IPv4 addresses (Teredo, 6to4) and that of documentation. */
const isGlobal6 = addressesIn(['2000::/3'])
const isSpecial6 = addressesIn(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])

/** Returns whether an IP address is on the public internet. */
export function isPublicAddress(ip: string): boolean {
  return isIP(ip) === 6 ? isGlobal6(ip) && !isSpecial6(ip) : isIP(ip) === 4 && !isSpecial(ip)
}

export type FetchRules = {
  /** Allows http and other ports than the standard one. */
  anyOrigin: boolean
  isAllowed(ip: string): boolean
}

/**
 * Fetches a file from another site. The connection goes to the address that was checked, so that a second DNS response
 * cannot lead elsewhere; redirects are not followed.
 * @throws Error for a URL, an address or a response that is refused.
 */
export async function fetchPicture(url: string, { anyOrigin, isAllowed }: FetchRules): Promise<Buffer> {
  const { protocol, port, hostname, username, password } = new URL(url)
  if (!anyOrigin && (protocol !== 'https:' || port !== '')) throw new Error('Only https on its standard port')
  if (username !== '' || password !== '') throw new Error('A URL with a password')
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(host) !== 0 && !isAllowed(host)) throw new Error('Not a public address')

  // Names are resolved once, by the connection itself; every address must be allowed.
  const lookup: LookupFunction = (name, options, done) =>
    resolve(name, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      const [first] = addresses ?? []
      if (error !== null) done(error, '')
      else if (first === undefined || !addresses.every(({ address }) => isAllowed(address)))
        done(new Error('Not a public address'), '')
      else if (options.all) done(null, addresses)
      else done(null, first.address, first.family)
    })

  const signal = AbortSignal.timeout(FETCH_MS)
  const get = protocol === 'https:' ? httpsGet : httpGet
  const response = await new Promise<IncomingMessage>((fulfil, reject) => {
    get(url, { lookup, signal, agent: false, headers: { accept: 'image/*' } }, fulfil).on('error', reject)
  })
  const chunks: Buffer[] = []
  try {
    if (response.statusCode !== 200) throw new Error(`Status ${response.statusCode}`)
    let bytes = 0
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > MAX_BYTES) throw new Error('Too large')
      chunks.push(chunk)
    }
  } finally {
    response.destroy()
  }
  return Buffer.concat(chunks)
}
