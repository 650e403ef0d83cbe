import { PICTURE_SIZES } from '#contract/picture-sizes.ts'
import { type BucketSettings, openBucket } from './bucket.ts'
import { fileName, type ImageStore, imageUrls } from './store.ts'

/**
 * Stores pictures in an S3-compatible bucket. They are public below `publicUrl` if it is configured; otherwise this
 * server fetches and serves them, and the bucket can stay private.
 */
export function bucketStore(settings: BucketSettings, siteUrl: string): ImageStore {
  const { publicUrl } = settings
  const bucket = openBucket(settings)
  return {
    async put(hash, sizes) {
      for (const { size, bytes } of sizes) await bucket.write(fileName(hash, size), bytes)
      return imageUrls(publicUrl ?? `${siteUrl}/images`, hash)
    },
    get: async (name) => (publicUrl === undefined ? bucket.read(name) : undefined),
    async remove(hash) {
      for (const size of PICTURE_SIZES) await bucket.remove(fileName(hash, size))
    },
  }
}
