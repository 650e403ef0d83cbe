import { type Database, query } from '#server/database/database.ts'
import { consumeRateLimit, throwRateLimited } from '#server/http/rate-limit.ts'
import { readPicture } from './picture.ts'
import type { Addresses, ImageStore } from './store.ts'

/** Decoding is dear whatever comes of it, so a picture that is none or was here before counts too. */
const UPLOADS_AN_HOUR_MAX = 60

const claimImage = query<never, [hash: string, uploader: string]>(
  'images_claim',
  `insert into images (hash, url, thumb_url, uploader) values ($1, '', '', $2)
   on conflict (hash) do update set uploaded_at = clock_time()`,
)
const addressImage = query<never, [hash: string, url: string, thumbUrl: string]>(
  'images_address',
  'update images set url = $2, thumb_url = $3 where hash = $1',
)

export type Uploaded = Addresses & { width: number; height: number }

/**
 * Stores a picture for a signed-in person and answers its addresses. The row comes first: it keeps the cleaner away
 * from a picture that somebody uploads again. Refuses what is no picture, and more than sixty tries an
 * hour.
 */
export async function uploadImage(
  database: Database,
  store: ImageStore,
  uploader: string,
  file: Buffer,
): Promise<Uploaded> {
  const limit = { key: `images:${uploader}`, max: UPLOADS_AN_HOUR_MAX, seconds: 3600 }
  const [exceeded] = await consumeRateLimit(database, [limit])
  if (exceeded) throwRateLimited(exceeded.resetsAt)
  const { hash, width, height, sizes } = await readPicture(file)
  await claimImage(database, hash, uploader)
  const addresses = await store.put(hash, sizes)
  await addressImage(database, hash, addresses.url, addresses.thumbUrl)
  return { ...addresses, width, height }
}
