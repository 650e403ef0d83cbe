import { LRUCache } from 'lru-cache'
import type { Config } from '#server/config.ts'
import { type Database, query, queryOne } from '#server/database/database.ts'
import { createConcurrencyLimit } from '#server/http/concurrency-limit.ts'
import { addressRules } from '#server/http/public-request.ts'
import { fetchPicture } from './fetch-picture.ts'
import type { PictureDecoders } from './picture.ts'

/** The stored size: twice that of the largest place where one is shown. */
const SIZE = 400
const FETCHING_MAX = 4
const WAITING_MAX = 32
const CACHE_BYTES = 16 * 1024 * 1024
const CACHE_MS = 60_000

const readStored = queryOne<{ used: boolean; known: boolean; bytes: Buffer | null }, [url: string]>(
  'foreign_pictures_read',
  `select exists (select from users where image = $1 and image <> '')
            or exists (select from tasks where image_url = $1 and image_url <> '') as used,
          exists (select from foreign_pictures where url = $1) as known,
          (select bytes from foreign_pictures where url = $1) as bytes`,
)
const store = query<never, [url: string, bytes: Buffer | null]>(
  'foreign_pictures_store',
  `insert into foreign_pictures (url, bytes) values ($1, $2)
   on conflict (url) do update set bytes = excluded.bytes, fetched_at = clock_time()`,
)
const purge = query<never, []>(
  'foreign_pictures_purge',
  `delete from foreign_pictures
    where fetched_at < clock_time() - interval '1 day'
      and (bytes is null
           or not exists (select from users where image = url and image <> '')
              and not exists (select from tasks where image_url = url and image_url <> ''))`,
)

/** Deletes pictures that no user and no task names any more, and refusals of a day ago, which are then tried again. */
export async function purgeForeignPictures(database: Database): Promise<void> {
  await purge(database)
}

/**
 * Returns a function that returns the picture at a URL which a user or a task names, as WebP: fetched once and stored
 * (docs/decisions/0028-foreign-pictures.md). Undefined for other URLs, and for what is no picture or must not be fetched.
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
  const rules = { ...addressRules(config), anyOrigin: !config.production }

  async function fetchAndStore(url: string): Promise<Buffer | undefined> {
    const file = await limit(() => fetchPicture(url, rules).catch(() => undefined))
    const bytes = file && (await decode(file))
    await store(database, url, bytes ?? null)
    return bytes
  }

  /** Decodes a picture. Too many waiting decoders are a reason to retry, not to refuse the picture. */
  async function decode(file: Buffer): Promise<Buffer | undefined> {
    try {
      const { sizes } = await decoders.read(file)
      return sizes.find(({ size }) => size === SIZE)?.bytes
    } catch (error) {
      if ((error as { code?: string }).code === 'invalid_image') return undefined
      throw error
    }
  }

  return async (url: string): Promise<Buffer | undefined> => {
    const cached = cache.get(url)
    if (cached !== undefined) return cached.bytes
    const { used, known, bytes } = await readStored(database, url)
    if (!used) return undefined
    let picture = bytes ?? undefined
    if (!known) {
      const running = fetching.get(url) ?? fetchAndStore(url).finally(() => fetching.delete(url))
      fetching.set(url, running)
      picture = await running
    }
    cache.set(url, { bytes: picture })
    return picture
  }
}
