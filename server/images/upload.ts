import { type Database, query } from '#server/database/database.ts'
import type { Picture } from './picture.ts'
import type { ImageStore, ImageUrls } from './store.ts'

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
