import { createHash } from 'node:crypto'
import { type Db, query } from '#server/database/database.ts'
import { Refusal } from './refusal.ts'

/** Allows `max` attempts per window of `seconds`, counted under `key`. Exceeding a `soft` limit may still be admitted. */
export type Limit = { key: string; max: number; seconds: number; soft?: true }

const addToCounts = query<
  { key: string; hits: number; seconds_left: number },
  [keys: string[], hits: number[], seconds: number[]]
>(
  'rate_limit_add',
  `insert into rate_limits as known (key, hits, resets_at)
   select key, added, now() + make_interval(secs => seconds)
     from unnest($1::text[], $2::int[], $3::int[]) as wanted (key, added, seconds)
    order by key
   on conflict (key) do update set
     hits = case when known.resets_at <= now() then excluded.hits else known.hits + excluded.hits end,
     resets_at = case when known.resets_at <= now() then excluded.resets_at else known.resets_at end
   returning key, hits, extract(epoch from resets_at - now())::float8 as seconds_left`,
)
const refund = query<never, [keys: string[]]>(
  'rate_limit_refund',
  'update rate_limits set hits = greatest(hits - 1, 0) where key in (select key from rate_limits where key = any ($1) order by key for update)',
)
const reset = query<never, [keys: string[]]>(
  'rate_limit_reset',
  'delete from rate_limits where key = any ($1)',
)

/**
 * Exceeded limits are cached, so that a flood is refused without a query. Only briefly, because another instance may
 * have reset them.
 */
const CACHE_MS = 3000
const CACHE_ENTRIES_MAX = 10_000
type Exceeded = Map<string, { resetsAt: Date; until: number }>
const exceededOf = new WeakMap<Db, Exceeded>()

function cacheOf(db: Db): Exceeded {
  const cache = exceededOf.get(db) ?? new Map()
  exceededOf.set(db, cache)
  return cache
}

/**
 * Adds attempts to the counts under these keys. Returns each key's count and the end of its window on this instance's clock, which
 * may differ from the database's.
 */
export async function addHits(
  db: Db,
  added: { key: string; hits: number; seconds: number }[],
): Promise<{ key: string; hits: number; resetsAt: Date }[]> {
  const rows = await addToCounts(
    db,
    added.map(({ key }) => key),
    added.map(({ hits }) => hits),
    added.map(({ seconds }) => seconds),
  )
  return rows.map(({ key, hits, seconds_left }) => ({
    key,
    hits,
    resetsAt: new Date(Date.now() + seconds_left * 1000),
  }))
}

/** Counts an attempt under each limit. Returns the limits that are exceeded, with the ends of their windows. */
export async function consumeRateLimit(db: Db, limits: Limit[]): Promise<{ limit: Limit; resetsAt: Date }[]> {
  const cache = cacheOf(db)
  const cached = limits.flatMap((limit) => {
    const known = cache.get(limit.key)
    return known !== undefined && known.until > Date.now() ? [{ limit, resetsAt: known.resetsAt }] : []
  })
  if (cached.length > 0) return cached

  const counts = await addHits(
    db,
    limits.map(({ key, seconds }) => ({ key, hits: 1, seconds })),
  )
  const exceeded = limits.flatMap((limit) => {
    const count = counts.find(({ key }) => key === limit.key)
    return count !== undefined && count.hits > limit.max ? [{ limit, resetsAt: count.resetsAt }] : []
  })
  if (cache.size > CACHE_ENTRIES_MAX) cache.clear()
  for (const { limit, resetsAt } of exceeded) {
    if (limit.soft) continue // a request that it admits must be counted under the other limits
    cache.set(limit.key, {
      resetsAt,
      until: Math.min(Date.now() + CACHE_MS, resetsAt.getTime()),
    })
  }
  return exceeded
}

/** Uncounts an attempt that turned out to be legitimate. */
export async function refundRateLimit(db: Db, limits: Limit[]): Promise<void> {
  await refund(
    db,
    limits.map(({ key }) => key),
  )
}

/** Deletes the counts under these keys. */
export async function resetRateLimit(db: Db, ...keys: string[]): Promise<void> {
  for (const key of keys) cacheOf(db).delete(key)
  await reset(db, keys)
}

/** @throws Refusal `too_many_requests` that says how long to wait. */
export function throwRateLimited(resetsAt: Date): never {
  const seconds = Math.max(1, Math.ceil((resetsAt.getTime() - Date.now()) / 1000))
  throw new Refusal('too_many_requests', { params: { seconds }, waitSeconds: seconds })
}

/** Returns a hash for use in a key, so that the table holds no email addresses. */
export function hashed(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
