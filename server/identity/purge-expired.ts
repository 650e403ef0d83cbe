import { type Database, query } from '#server/database/database.ts'
import { RETIRED_KEY_VERIFIES } from './signing-keys.ts'

/** An ended session is kept this long: a person is known where they signed in before (see sign-in.ts). */
const SESSION_KEPT_DAYS = 60
const BATCH = 5000

const cleanSessions = query<{ id: string }, [days: number, batch: number]>(
  'clean_sessions',
  `delete from sessions where id in (select id from sessions
     where expires_at < now() - make_interval(days => $1) order by expires_at limit $2) returning id`,
)
const cleanTokens = query<{ hash: Buffer }, [batch: number]>(
  'clean_mail_tokens',
  `delete from identity_tokens where hash in (select hash from identity_tokens
     where expires_at < now() order by expires_at limit $1) returning hash`,
)
const cleanAttempts = query<{ state_hash: Buffer }, [batch: number]>(
  'clean_openid_attempts',
  `delete from openid_attempts where state_hash in (select state_hash from openid_attempts
     where expires_at < now() order by expires_at limit $1) returning state_hash`,
)
const cleanThrottles = query<{ key: string }, [batch: number]>(
  'clean_throttles',
  `delete from rate_limits where key in (select key from rate_limits
     where resets_at < now() order by resets_at limit $1) and resets_at < now() returning key`,
)
const cleanKeys = query<{ kid: string }, [verifies: string]>(
  'clean_signing_keys',
  'delete from signing_keys where retired_at < now() - $1::interval returning kid',
)

/** Deletes what has expired, in small batches; answers how many rows went. To be run every hour or so. */
export async function purgeExpiredIdentityRows(database: Database): Promise<number> {
  let cleaned = (await cleanKeys(database, RETIRED_KEY_VERIFIES)).length
  const steps = [
    () => cleanSessions(database, SESSION_KEPT_DAYS, BATCH),
    () => cleanTokens(database, BATCH),
    () => cleanAttempts(database, BATCH),
    () => cleanThrottles(database, BATCH),
  ]
  for (const step of steps) {
    for (let rows = BATCH; rows === BATCH; cleaned += rows) rows = (await step()).length
  }
  return cleaned
}
