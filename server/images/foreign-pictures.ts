import { LRUCache } from 'lru-cache'
import { LARGE_PICTURE_PX, SMALL_PICTURE_PX } from '#contract/picture-sizes.ts'
import type { Config } from '#server/config.ts'
import { type Database, query, queryOne } from '#server/database/database.ts'
import { createConcurrencyLimit } from '#server/http/concurrency-limit.ts'
import { AddressRefused, addressRules } from '#server/http/public-request.ts'
import { fetchPicture, PictureRefused } from './fetch-picture.ts'
import type { Picture, PictureDecoders } from './picture.ts'

const FETCHING_MAX = 4
const WAITING_MAX = 32
const CACHE_BYTES = 16 * 1024 * 1024
const CACHE_MS = 60_000
const PURGE_PAGE = 500
/** Longer keys do not fit into an index of PostgreSQL. Only URLs with many letters that are not ASCII are longer. */
const URL_BYTES_MAX = 2500

type Stored = { used: boolean; large: boolean; refused: boolean; picture: Buffer | null }

// Pictures in submissions and appeals are uploaded ones, which are at another site where an image host stores them.
const readStored = queryOne<Stored, [url: string, isLargeWanted: boolean]>(
  'foreign_pictures_read',
  `select uses.used, uses.large, stored.bytes is null and stored.url is not null as refused,
          case when uses.large then stored.large else stored.bytes end as picture
     from (select of_user or of_task or of_item or uploaded as used,
                  of_item or uploaded and not (of_user or of_task) or of_task and $2 as large
             from (select exists (select from users where image = $1 and image <> '') as of_user,
                          exists (select from tasks where image_url = $1 and image_url <> '') as of_task,
                          exists (select from item_pictures where item_pictures.url = $1) as of_item,
                          exists (select from images where images.url = $1 and images.url <> '') as uploaded) as found) as uses
     left join foreign_pictures as stored on stored.url = $1`,
)
// Where only the small size is stored and the site has no picture any more, the small one is shown.
const store = query<never, [url: string, small: Buffer | null, large: Buffer | null]>(
  'foreign_pictures_store',
  `insert into foreign_pictures (url, bytes, large) values ($1, $2, $3)
   on conflict (url) do update set bytes = coalesce(excluded.bytes, foreign_pictures.bytes),
     large = coalesce(excluded.large, foreign_pictures.large, case when excluded.bytes is null then foreign_pictures.bytes end),
     fetched_at = clock_time()`,
)
const purgePage = queryOne<{ last: string | null }, [after: string, limit: number]>(
  'foreign_pictures_purge',
  `with page as materialized (select url from foreign_pictures where url > $1 order by url limit $2),
   purged as (
     delete from foreign_pictures as stored using page
      where stored.url = page.url and fetched_at < clock_time() - interval '1 day'
        and (bytes is null
             or not exists (select from users where image = page.url and image <> '')
                and not exists (select from tasks where image_url = page.url and image_url <> '')
                and not exists (select from images where images.url = page.url)
                and not exists (select from item_pictures join batches on batches.id = batch_id left join tasks on tasks.id = task_id
                                 where item_pictures.url = page.url
                                   and (closed_at is null or closed_at > clock_time() - interval '60 days'))))
   select max(url) as last from page`,
)

/**
 * Deletes pictures that no user, task or submission names any more, nor an item of a batch that is open or closed less than 60 days ago, and
 * refusals of a day ago. What is looked at after that is fetched again.
 */
export async function purgeForeignPictures(database: Database): Promise<void> {
  for (let last: string | null = ''; last !== null; )
    last = (await purgePage(database, last, PURGE_PAGE)).last
}

/**
 * Returns a function that returns the picture at a URL which a user, a task, an item or a submission names, as WebP: fetched once and stored
 * (docs/decisions/0028-foreign-pictures.md). The picture of a task is stored large when it is wanted large. Undefined for other URLs,
 * and for what is no picture or must not be fetched.
 * @throws Refusal `unavailable` when too many are fetched.
 */
export function createForeignPictures(database: Database, config: Config, decoders: PictureDecoders) {
  const limit = createConcurrencyLimit({
    running: FETCHING_MAX,
    waiting: WAITING_MAX,
    refusal: 'unavailable.uploads',
  })
  const cache = new LRUCache<string, { bytes: Buffer | undefined }>({
    maxSize: CACHE_BYTES,
    ttl: CACHE_MS,
    sizeCalculation: ({ bytes }, url) => (bytes?.length ?? 0) + url.length + 200,
  })
  const fetching = new Map<string, Promise<Buffer | undefined>>()
  // On a developer's machine, the pictures of the demo's sign-in service are local.
  const rules = { ...addressRules(config), anyOrigin: config.isDevelopment }

  async function fetchAndStore(url: string, isLarge: boolean): Promise<Buffer | undefined> {
    const file = await limit(() => fetchPicture(url, rules).catch(refusedOrFailed))
    // Fetched again when the cache has forgotten it, after a minute.
    if (file === 'failed') return undefined
    const sizes = file && (await decode(file))
    const [small, large] = [SMALL_PICTURE_PX, LARGE_PICTURE_PX].map(
      (wanted) => sizes?.find(({ size }) => size === wanted)?.bytes,
    )
    await store(database, url, small ?? null, (isLarge ? large : undefined) ?? null)
    return isLarge ? large : small
  }

  const refusedOrFailed = (error: unknown) =>
    error instanceof PictureRefused || error instanceof AddressRefused ? undefined : 'failed'

  /** Decodes a picture. Too many waiting decoders are a reason to retry, not to refuse the picture. */
  async function decode(file: Buffer): Promise<Picture['sizes'] | undefined> {
    try {
      return (await decoders.read(file)).sizes
    } catch (error) {
      if ((error as { code?: string }).code === 'invalid_image') return undefined
      throw error
    }
  }

  return async (url: string, isLargeWanted: boolean): Promise<Buffer | undefined> => {
    const key = `${isLargeWanted} ${url}`
    const cached = cache.get(key)
    if (cached !== undefined) return cached.bytes
    if (Buffer.byteLength(url) > URL_BYTES_MAX) return undefined
    const stored = await readStored(database, url, isLargeWanted)
    if (!stored.used) return undefined
    let picture = stored.picture ?? undefined
    if (picture === undefined && !stored.refused) {
      const running =
        fetching.get(key) ?? fetchAndStore(url, stored.large).finally(() => fetching.delete(key))
      fetching.set(key, running)
      picture = await running
    }
    cache.set(key, { bytes: picture })
    return picture
  }
}
