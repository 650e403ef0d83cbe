import { mkdtemp, readdir, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import type { ImageSettings } from '#server/config.ts'

/** A real S3-compatible server on loopback, with one empty bucket and one access key. */
export async function startBucket() {
  const directory = await mkdtemp(join(tmpdir(), 'tallywork-bucket-'))
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: 'pictures', configs: [] }],
  })
  const { port } = (await server.run()) as AddressInfo
  const settings: Extract<ImageSettings, { kind: 'bucket' }> = {
    kind: 'bucket',
    url: `http://127.0.0.1:${port}/pictures`,
    region: 'us-east-1',
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
    publicUrl: undefined,
  }
  return {
    settings,
    /** The names of the stored files. */
    async files(): Promise<string[]> {
      const names = await readdir(join(directory, 'pictures')).catch(() => [])
      return names
        .filter((name) => name.endsWith('_object'))
        .map((name) => name.replace(/\._S3rver_object$/, ''))
    },
    async close() {
      await server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
