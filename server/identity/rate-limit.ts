import { createHash } from 'node:crypto'
import { isIPv4, isIPv6 } from 'node:net'
import { type Db, query } from '#server/database/database.ts'
import { Refusal } from '#server/http/refusal.ts'

/** `max` attempts in a window of `seconds`, counted under `key`. A `soft` one may be exceeded and yet let somebody in. */
export type Limit = { key: string; max: number; seconds: number; soft?: true }

const count = query<{ key: string; hits: number; resets_at: string }, [keys: string[], seconds: number[]]>(
  'throttle_count',
  `insert into rate_limits as known (key, hits, resets_at)
   select key, 1, now() + make_interval(secs => seconds) from unnest($1::text[], $2::int[]) as wanted (key, seconds)
    order by key
   on conflict (key) do update set
     hits = case when known.resets_at <= now() then 1 else known.hits + 1 end,
     resets_at = case when known.resets_at <= now() then excluded.resets_at else known.resets_at end
   returning key, hits, resets_at`,
)
const giveBack = query<never, [keys: string[]]>(
  'throttle_give_back',
  'update rate_limits set hits = greatest(hits - 1, 0) where key in (select key from rate_limits where key = any ($1) order by key for update)',
)
const clear = query<never, [keys: string[]]>('throttle_clear', 'delete from rate_limits where key = any ($1)')

/**
 * What was exceeded a moment ago is exceeded still: a flood is refused from here and costs the database nothing. For
 * moments only, because another instance may have cleared it.
 */
const REMEMBERED_MS = 3000
const REMEMBERED_MAX = 10_000
type Exceeded = Map<string, { resetsAt: Date; until: number }>
const exceededOf = new WeakMap<Db, Exceeded>()

function exceededLately(db: Db): Exceeded {
  const known = exceededOf.get(db) ?? new Map()
  exceededOf.set(db, known)
  return known
}

/** Counts an attempt under each limit, and answers those that it exceeds, with when they end. */
export async function consumeRateLimit(db: Db, limits: Limit[]): Promise<{ limit: Limit; resetsAt: Date }[]> {
  const lately = exceededLately(db)
  const remembered = limits.flatMap((limit) => {
    const known = lately.get(limit.key)
    return known !== undefined && known.until > Date.now() ? [{ limit, resetsAt: known.resetsAt }] : []
  })
  if (remembered.length > 0) return remembered

  const rows = await count(
    db,
    limits.map(({ key }) => key),
    limits.map(({ seconds }) => seconds),
  )
  const exceeded = limits.flatMap((limit) => {
    const row = rows.find(({ key }) => key === limit.key)
    return row !== undefined && row.hits > limit.max ? [{ limit, resetsAt: new Date(row.resets_at) }] : []
  })
  if (lately.size > REMEMBERED_MAX) lately.clear()
  for (const { limit, resetsAt } of exceeded) {
    if (limit.soft) continue // whoever is let in past it must be counted under the others
    lately.set(limit.key, {
      resetsAt,
      until: Math.min(Date.now() + REMEMBERED_MS, resetsAt.getTime()),
    })
  }
  return exceeded
}

/** Takes back an attempt that turned out to be an honest one. */
export async function refundRateLimit(db: Db, limits: Limit[]): Promise<void> {
  await giveBack(
    db,
    limits.map(({ key }) => key),
  )
}

/** Forgets what was counted under these keys. */
export async function resetRateLimit(db: Db, ...keys: string[]): Promise<void> {
  for (const key of keys) exceededLately(db).delete(key)
  await clear(db, keys)
}

/** @throws Refusal `too_many_requests` that says how long to wait. */
export function throwRateLimited(resetsAt: Date): never {
  const seconds = Math.max(1, Math.ceil((resetsAt.getTime() - Date.now()) / 1000))
  const minutes = Math.ceil(seconds / 60)
  const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`
  throw new Refusal(
    'too_many_requests',
    `Too many attempts. Please try again in ${wait}.`,
    undefined,
    seconds,
  )
}

/** The name of an address in a key: the table holds no list of who tried. */
export function hashed(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

/** Where a request comes from, as it is counted: an IPv4 address, or the /64 that one IPv6 customer holds. */
export function networkOf(ip: string): string {
  const mapped = ip.replace(/^::ffff:(?=\d+\.)/i, '')
  if (isIPv4(mapped)) return mapped
  if (!isIPv6(ip)) return 'unknown'
  const [head = '', tail] = ip.replace(/%.*$/, '').split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0')
  const groups = [...left, ...(tail === undefined ? [] : zeros), ...right].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
