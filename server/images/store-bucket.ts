import { AwsClient } from 'aws4fetch'
import type { ImageSettings } from '#server/config.ts'
import { Refusal } from '#server/http/refusal.ts'
import { SIZES } from './picture.ts'
import { addressesUnder, fileName, type ImageStore } from './store.ts'

type Bucket = Extract<ImageSettings, { kind: 'bucket' }>

const TIMEOUT_MS = 10_000

/**
 * Pictures in an S3-compatible bucket (`url` is the bucket's own address). The world finds them under `publicUrl` of
 * the settings where that is given; otherwise this program fetches and serves them, and the bucket can stay private.
 */
export function bucketStore(bucket: Bucket, ownUrl: string): ImageStore {
  const { url, accessKeyId, secretAccessKey, region, publicUrl } = bucket
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 2 })

  async function send(method: string, name: string, body?: Buffer): Promise<Response> {
    const headers = {
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
    }
    const answer = await client
      .fetch(`${url}/${name}`, {
        method,
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(body && { body: new Uint8Array(body), headers }),
      })
      .catch((error: Error) => {
        throw down(error.message)
      })
    if (!answer.ok && answer.status !== 404) throw down(`status ${answer.status}`)
    return answer
  }

  return {
    async put(hash, sizes) {
      for (const { size, bytes } of sizes) {
        const answer = await send('PUT', fileName(hash, size), bytes)
        if (!answer.ok) throw down('there is no such bucket')
      }
      return addressesUnder(publicUrl ?? `${ownUrl}/images`, hash)
    },
    async get(name) {
      if (publicUrl !== undefined) return undefined
      const answer = await send('GET', name)
      return answer.ok ? Buffer.from(await answer.arrayBuffer()) : undefined
    },
    async remove(hash) {
      for (const size of SIZES) await send('DELETE', fileName(hash, size))
    },
  }
}

/** Returns a refusal whose cause is logged and not sent to the client. */
function down(reason: string): Refusal {
  return new Refusal('unavailable.image_store', { cause: `image bucket: ${reason}` })
}
