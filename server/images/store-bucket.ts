import { AwsClient } from 'aws4fetch'
import type { ImageSettings } from '#server/config.ts'
import { Refusal } from '#server/http/refusal.ts'
import { SIZES } from './picture.ts'
import { fileName, type ImageStore, imageUrls } from './store.ts'

type Bucket = Extract<ImageSettings, { kind: 'bucket' }>

const TIMEOUT_MS = 10_000

/**
 * Stores pictures in the S3-compatible bucket at `url`. They are public below `publicUrl` if it is configured; otherwise
 * this server fetches and serves them, and the bucket can stay private.
 */
export function bucketStore(bucket: Bucket, siteUrl: string): ImageStore {
  const { url, accessKeyId, secretAccessKey, region, publicUrl } = bucket
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 2 })

  async function send(method: string, name: string, body?: Buffer): Promise<Response> {
    const headers = {
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
    }
    const response = await client
      .fetch(`${url}/${name}`, {
        method,
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(body && { body: new Uint8Array(body), headers }),
      })
      .catch((error: Error) => {
        throw unavailable(error.message)
      })
    if (!response.ok && response.status !== 404) throw unavailable(`status ${response.status}`)
    return response
  }

  return {
    async put(hash, sizes) {
      for (const { size, bytes } of sizes) {
        const response = await send('PUT', fileName(hash, size), bytes)
        if (!response.ok) throw unavailable('there is no such bucket')
      }
      return imageUrls(publicUrl ?? `${siteUrl}/images`, hash)
    },
    async get(name) {
      if (publicUrl !== undefined) return undefined
      const response = await send('GET', name)
      return response.ok ? Buffer.from(await response.arrayBuffer()) : undefined
    },
    async remove(hash) {
      for (const size of SIZES) await send('DELETE', fileName(hash, size))
    },
  }
}

/** Returns a refusal whose cause is logged and not sent to the client. */
function unavailable(reason: string): Refusal {
  return new Refusal('unavailable.image_store', { cause: `image bucket: ${reason}` })
}
