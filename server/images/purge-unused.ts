import { unusedPictureDays } from '#contract/product.ts'
import { type Database, query, queryOne } from '#server/database/database.ts'
import { daysInterval } from '#server/database/interval.ts'
import type { ImageStore } from './store.ts'

/** The condition of the index of answers with pictures. Stored pictures have absolute URLs (`server/images/store.ts`). */
const HAS_URL = `answers @? '$.*[*] ? (@ like_regex "^http" flag "i")'`

const PAGE = 500
/** Returns the last hash of a page of pictures, or null after the last one. */
const lastOfPage = queryOne<{ last: string | null }, [after: string, limit: number]>(
  'images_page_end',
  'select max(hash) as last from (select hash from images where hash > $1 order by hash limit $2) as page',
)
const lockUnused = query<{ hash: string }, [keep: string, after: string, last: string]>(
  'images_lock_unused',
  `select hash from images
    where uploaded_at < clock_time() - $1::interval and hash > $2 and hash <= $3
      and not exists (select from users where image <> '' and (image = images.url or image = images.thumb_url))
      and not exists (select from tasks where image_url <> '' and (image_url = images.url or image_url = images.thumb_url))
      and not exists (select from task_drafts where image_url <> '' and (image_url = images.url or image_url = images.thumb_url))
      and not exists (select from item_pictures where item_pictures.url = images.url or item_pictures.url = images.thumb_url)
      and not exists (select from batches where buyer_id = uploader and task_id is null and state <> 'cancelled')
      and not exists (select from appeals where pictures @> array[images.url])
      and not exists (select from submissions where ${HAS_URL}
                        and jsonb_path_query_array(answers, '$.*[*]') @> to_jsonb(images.url))
      and not exists (select from submission_revisions where answers_before is not null
                        and jsonb_path_query_array(answers_before, '$.*[*]') @> to_jsonb(images.url))
    order by hash limit 1 for update skip locked`,
)
const deleteImage = query<never, [hash: string]>('images_delete', 'delete from images where hash = $1')

/**
 * Deletes pictures that no user, task, draft, item, appeal or answer uses, and returns their number.
 * A file that is not paid yet may name any picture that its buyer has uploaded. Each is deleted under its row lock, so that a
 * concurrent upload of the same picture waits and stores it again. Looks at a page of pictures at a time, because very many are used.
 */
export async function purgeUnusedImages(
  database: Database,
  store: ImageStore,
  appealDays: number,
): Promise<number> {
  const keep = daysInterval(unusedPictureDays(appealDays))
  let deleted = 0
  for (let after = ''; ; ) {
    const from = after
    const { last } = await lastOfPage(database, from, PAGE)
    if (last === null) return deleted
    after = await database.transaction(async (tx) => {
      const [unused] = await lockUnused(tx, keep, from, last)
      if (unused === undefined) return last
      await store.remove(unused.hash)
      await deleteImage(tx, unused.hash)
      deleted++
      return unused.hash
    })
  }
}
