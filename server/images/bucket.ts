import { AwsClient } from 'aws4fetch'
import type { ImageSettings } from '#server/config.ts'
import { Refusal } from '#server/http/refusal.ts'

export type BucketSettings = Extract<ImageSettings, { kind: 'bucket' }>

const TIMEOUT_MS = 10_000

/** Files of pictures in an S3-compatible bucket. Failures are refusals, whose cause is logged and not sent to the client. */
export type Bucket = {
  read(name: string): Promise<Buffer | undefined>
  write(name: string, bytes: Buffer): Promise<void>
  /** A missing file is not an error. */
  remove(name: string): Promise<void>
}

export function openBucket({ url, accessKeyId, secretAccessKey, region }: BucketSettings): Bucket {
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
      .catch(refuse)
    if (!response.ok && response.status !== 404) throw unavailable(`status ${response.status}`)
    return response
  }

  return {
    async read(name) {
      const response = await send('GET', name)
      return response.ok ? Buffer.from(await response.arrayBuffer().catch(refuse)) : undefined
    },
    async write(name, bytes) {
      const response = await send('PUT', name, bytes)
      if (!response.ok) throw unavailable('there is no such bucket')
    },
    async remove(name) {
      await send('DELETE', name)
    },
  }
}

function refuse(error: Error): never {
  throw unavailable(error.message)
}

function unavailable(reason: string): Refusal {
  return new Refusal('unavailable.image_store', { cause: `image bucket: ${reason}` })
}
