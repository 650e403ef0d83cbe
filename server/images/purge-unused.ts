import { type Database, query } from '#server/database/database.ts'
import type { ImageStore } from './store.ts'

// Long enough to fill in a form with a picture and come back to it the next day.
const KEEP = '2 days'

const lockUnused = query<{ hash: string }, [keep: string, after: string]>(
  'images_unused',
  `select hash from images
    where uploaded_at < clock_time() - $1::interval and hash > $2
      and not exists (select from users where image <> '' and (image = images.url or image = images.thumb_url))
      and not exists (select from tasks where image_url <> '' and (image_url = images.url or image_url = images.thumb_url))
    order by hash limit 1 for update skip locked`,
)
const forget = query<never, [hash: string]>('images_forget', 'delete from images where hash = $1')

/**
 * Removes the pictures that no person and no task uses, some days after their upload. One at a time under its row's
 * lock, so that somebody who uploads the same picture at that moment waits and stores it anew.
 */
export async function purgeUnusedImages(database: Database, store: ImageStore): Promise<number> {
  let removed = 0
  for (let after: string | undefined = ''; after !== undefined; ) {
    const last: string = after
    after = await database.transaction(async (tx) => {
      const [unused] = await lockUnused(tx, KEEP, last)
      if (unused === undefined) return undefined
      await store.remove(unused.hash)
      await forget(tx, unused.hash)
      removed++
      return unused.hash
    })
  }
  return removed
}
