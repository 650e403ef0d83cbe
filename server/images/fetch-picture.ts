import { type AddressRules, requestPublic } from '#server/http/public-request.ts'

const FETCH_MS = 10_000
const MAX_BYTES = 10 * 1024 * 1024

/** `anyOrigin` allows http and other ports than the standard one. */
export type FetchRules = AddressRules & { anyOrigin: boolean }

/**
 * Fetches a file from another site. Redirects are not followed.
 * @throws Error for a URL, an address or a response that is refused.
 */
export async function fetchPicture(url: string, { anyOrigin, ...rules }: FetchRules): Promise<Buffer> {
  const { protocol, port } = new URL(url)
  if (!anyOrigin && (protocol !== 'https:' || port !== '')) throw new Error('Only https on its standard port')
  const options = { headers: { accept: 'image/*' }, timeoutMs: FETCH_MS }
  return requestPublic(url, rules, options, async (response) => {
    if (response.statusCode !== 200) throw new Error(`Status ${response.statusCode}`)
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > MAX_BYTES) throw new Error('Too large')
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  })
}
