import { type AddressRules, isStandardHttps, requestPublic } from '#server/http/public-request.ts'

const FETCH_MS = 10_000
const MAX_BYTES = 10 * 1024 * 1024

/** `anyOrigin` allows http and other ports than the standard one. */
export type FetchRules = AddressRules & { anyOrigin: boolean }

/** The URL or the response is refused, and would be again. */
export class PictureRefused extends Error {}

/** Statuses after which the same request can succeed. */
const isTemporary = (status: number) => status >= 500 || status === 408 || status === 429

/**
 * Fetches a file from another site. Redirects are not followed.
 * @throws PictureRefused or AddressRefused; another Error for a failure that may be temporary.
 */
export async function fetchPicture(url: string, { anyOrigin, ...rules }: FetchRules): Promise<Buffer> {
  if (!anyOrigin && !isStandardHttps(new URL(url)))
    throw new PictureRefused('Only https on its standard port')
  const options = { headers: { accept: 'image/*' }, timeoutMs: FETCH_MS }
  return requestPublic(url, rules, options, async (response) => {
    const { statusCode = 0 } = response
    if (isTemporary(statusCode)) throw new Error(`Status ${statusCode}`)
    if (statusCode !== 200) throw new PictureRefused(`Status ${statusCode}`)
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > MAX_BYTES) throw new PictureRefused('Too large')
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  })
}
