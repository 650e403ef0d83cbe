import { type LookupAddress, lookup } from 'node:dns'
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { Config } from '#server/config.ts'
import { addressesIn } from './address-ranges.ts'

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

/** Returns whether a URL is one of https on its standard port. */
export const isStandardHttps = ({ protocol, port }: URL): boolean => protocol === 'https:' && port === ''

const hasPassword = ({ username, password }: URL) => username !== '' || password !== ''

/** Returns whether the host of a URL is an IP address that is not allowed. A name is checked when it is resolved. */
function hasRefusedAddress({ hostname }: URL, isAllowed: AddressRules['isAllowed']): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(host) !== 0 && !isAllowed(host)
}

/** Returns whether requestPublic can succeed on the public internet, as far as the URL shows. */
export const isPublicUrl = (url: URL): boolean =>
  !hasPassword(url) && !hasRefusedAddress(url, isPublicAddress)

/** The host of a URL has an address that is not allowed. */
export class AddressRefused extends Error {
  constructor() {
    super('Not a public address')
  }
}

type Resolve = (
  name: string,
  options: { all: true },
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void

export type AddressRules = {
  isAllowed(ip: string): boolean
  /** Resolves names; by default as the operating system does. */
  resolve?: Resolve
}

/**
 * Returns which addresses this server sends requests to that users ask for. A developer's machine that no other can connect to may
 * use its own.
 */
export function addressRules({ isDevelopment }: Config): AddressRules {
  return { isAllowed: isDevelopment ? () => true : isPublicAddress }
}

type Options = Pick<RequestOptions, 'method' | 'headers'> & { body?: string | Buffer; timeoutMs: number }

/**
 * Sends a request to a URL that a user named and passes the response to `read`. The connection goes to the address that was
 * checked, so that a second DNS response cannot lead elsewhere; redirects are not followed. `timeoutMs` includes `read`.
 * @throws AddressRefused, or Error for a URL with a password, a connection that fails, no HTTP response, or the timeout.
 */
export async function requestPublic<Result>(
  url: string,
  { isAllowed, resolve = lookup }: AddressRules,
  { body, timeoutMs, ...options }: Options,
  read: (response: IncomingMessage) => Promise<Result>,
): Promise<Result> {
  const parsed = new URL(url)
  if (hasPassword(parsed)) throw new Error('A URL with a password')
  if (hasRefusedAddress(parsed, isAllowed)) throw new AddressRefused()

  // Names are resolved once, by the connection itself; every address must be allowed.
  const checkedLookup: LookupFunction = (name, { all, ...lookupOptions }, done) =>
    resolve(name, { ...lookupOptions, all: true }, (error, addresses) => {
      const [first] = addresses ?? []
      if (error !== null) done(error, '')
      else if (first === undefined || !addresses.every(({ address }) => isAllowed(address)))
        done(new AddressRefused(), '')
      else if (all) done(null, addresses)
      else done(null, first.address, first.family)
    })

  const signal = AbortSignal.timeout(timeoutMs)
  const send = parsed.protocol === 'https:' ? httpsRequest : httpRequest
  const response = await new Promise<IncomingMessage>((fulfil, reject) => {
    send(url, { ...options, lookup: checkedLookup, signal, agent: false }, fulfil)
      .on('error', reject)
      // Node closes the connection without an error when the response switches protocols.
      .on('close', () => reject(new Error('The connection ended without an HTTP response')))
      .end(body)
  })
  try {
    return await read(response)
  } finally {
    response.destroy()
  }
}
