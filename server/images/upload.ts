import { type Database, query } from '#server/database/database.ts'
import { consumeRateLimit, throwRateLimited } from '#server/http/rate-limit.ts'
import type { Picture } from './picture.ts'
import type { ImageStore, ImageUrls } from './store.ts'

/** Uploads per user and hour. Decoding is expensive, so invalid and known pictures count too. */
const UPLOADS_PER_HOUR_MAX = 60

const claimImage = query<never, [hash: string, uploader: string]>(
  'images_claim',
  `insert into images (hash, url, thumb_url, uploader) values ($1, '', '', $2)
   on conflict (hash) do update set uploaded_at = clock_time()`,
)
const setImageUrls = query<never, [hash: string, url: string, thumbUrl: string]>(
  'images_set_urls',
  'update images set url = $2, thumb_url = $3 where hash = $1',
)

export type UploadedImage = ImageUrls & { width: number; height: number }

/** Counts an upload, before its body is read. @throws Refusal `too_many_requests` above `UPLOADS_PER_HOUR_MAX`. */
export async function countUpload(database: Database, uploader: string): Promise<void> {
  const limit = { key: `images:${uploader}`, max: UPLOADS_PER_HOUR_MAX, seconds: 3600 }
  const [exceeded] = await consumeRateLimit(database, [limit])
  if (exceeded) throwRateLimited(exceeded.resetsAt)
}

/**
 * Stores a picture and returns its URLs. The row is written first, because it keeps `purgeUnusedImages` from deleting a
 * picture that is uploaded again.
 */
export async function storePicture(
  database: Database,
  store: ImageStore,
  uploader: string,
  { hash, width, height, sizes }: Picture,
): Promise<UploadedImage> {
  await claimImage(database, hash, uploader)
  const urls = await store.put(hash, sizes)
  await setImageUrls(database, hash, urls.url, urls.thumbUrl)
  return { ...urls, width, height }
}
