import { LRUCache } from 'lru-cache'
import { type Database, PIPELINED, query, queryOne } from '#server/database/database.ts'
import { LAG_MAX_MS } from '#server/database/replica.ts'

/** A user's reads go to the primary for this long after a write. */
const MARK_MS = 6_000
/** Another write within this time needs no new mark. */
const MARK_FRESH_MS = 2_000
/** A mark that is older when the write ends is made again. What is left of it then exceeds the lag of any replica. */
const MARK_OLD_MS = MARK_MS - 2 * LAG_MAX_MS
const USERS_MAX = 10_000

const markWriter = query<never, [user: string, ms: number]>(
  'recent_write_mark',
  `insert into recent_writes as known (user_id, until) values ($1, now() + make_interval(secs => $2 / 1000.0))
   on conflict (user_id) do update set until = greatest(known.until, excluded.until)`,
)
const hasMark = queryOne<{ found: boolean }, [user: string]>(
  'recent_write_exists',
  'select exists (select from recent_writes where user_id = $1 and until > now()) as found',
  PIPELINED,
)

export type RecentWrites = {
  /** Runs a write of a user, who reads from the primary from its response on, for longer than a replica may lag. */
  mark<Result>(userId: string, write: () => Promise<Result>): Promise<Result>
  /** Whether a user wrote a moment ago, through any instance. */
  has(userId: string): Promise<boolean>
}

/** Stores in the primary which users have just written, for all instances. A mark is made while its write runs. */
export function createRecentWrites(primary: Database, onError: (error: unknown) => void): RecentWrites {
  /** When this instance marked a user, by `performance.now()`. */
  const markedAt = new LRUCache<string, number>({ max: USERS_MAX })

  /** Resolves to whether the mark is stored. */
  async function store(userId: string): Promise<boolean> {
    const at = performance.now()
    try {
      await markWriter(primary, userId, MARK_MS)
      markedAt.set(userId, at)
      return true
    } catch (error) {
      onError(error)
      return false
    }
  }

  const ageOf = (userId: string) => performance.now() - (markedAt.get(userId) ?? Number.NEGATIVE_INFINITY)

  return {
    async mark(userId, write) {
      const storing = ageOf(userId) > MARK_FRESH_MS ? store(userId) : undefined
      const result = await write()
      await storing
      if (ageOf(userId) > MARK_OLD_MS) await store(userId)
      return result
    },
    async has(userId) {
      return ageOf(userId) <= MARK_OLD_MS || (await hasMark(primary, userId)).found
    },
  }
}
