import type { IncomingMessage } from 'node:http'
import type { PictureFailure } from '#contract/batch-problems.ts'
import { type AddressRules, isStandardHttps, requestPublic } from '#server/http/public-request.ts'

const FETCH_MS = 10_000
const MAX_BYTES = 10 * 1024 * 1024
/** The bytes at the beginning of a file that show its format. */
const SIGNATURE_BYTES = 12

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
export async function fetchPicture(url: string, rules: FetchRules): Promise<Buffer> {
  return requestPicture(url, rules, FETCH_MS, async (response) => {
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

/**
 * Requests a file from another site as fetchPicture does, and reads its first bytes only. Returns why it would not be shown as a picture
 * (another status than 200 as a number), or null. What is behind the first bytes may still be broken.
 */
export async function pictureFailure(
  url: string,
  rules: FetchRules,
  timeoutMs = FETCH_MS,
): Promise<PictureFailure | number | null> {
  try {
    return await requestPicture(url, rules, timeoutMs, async (response) => {
      const { statusCode = 0, headers } = response
      if (statusCode !== 200) return statusCode
      if (Number(headers['content-length'] ?? 0) > MAX_BYTES) return 'too_large'
      let head = Buffer.alloc(0)
      for await (const chunk of response as AsyncIterable<Buffer>) {
        head = Buffer.concat([head, chunk])
        if (head.length >= SIGNATURE_BYTES) break
      }
      return hasSignature(head.subarray(0, SIGNATURE_BYTES)) ? null : 'not_picture'
    })
  } catch (error) {
    const { name } = error as Error
    return name === 'TimeoutError' || name === 'AbortError' ? 'timeout' : 'unreachable'
  }
}

/** Returns whether a file begins as one of the formats that are decoded (decoder.ts): JPEG, PNG, GIF, WebP, AVIF. */
const hasSignature = (head: Buffer) =>
  /^(?:\xff\xd8\xff|\x89PNG\r\n|GIF8|RIFF....WEBP|....ftyp)/s.test(head.toString('latin1'))

async function requestPicture<Result>(
  url: string,
  { anyOrigin, ...rules }: FetchRules,
  timeoutMs: number,
  read: (response: IncomingMessage) => Promise<Result>,
): Promise<Result> {
  if (!anyOrigin && !isStandardHttps(new URL(url)))
    throw new PictureRefused('Only https on its standard port')
  return requestPublic(url, rules, { headers: { accept: 'image/*' }, timeoutMs }, read)
}
