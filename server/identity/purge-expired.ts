import { type Database, query } from '#server/database/database.ts'
import { deleteInBatches } from '#server/database/delete-in-batches.ts'
import { RETIRED_KEY_VERIFIES } from './signing-keys.ts'

/** Sessions that have ended or expired are kept this long, because sign-in trusts networks with earlier sessions (see sign-in.ts). */
const SESSION_KEPT_DAYS = 60
const BATCH = 5000

const purgeSessions = query<{ id: string }, [days: number, batch: number]>(
  'purge_sessions',
  `delete from sessions where id in (select id from sessions
     where expires_at < now() - make_interval(days => $1) order by expires_at limit $2) returning id`,
)
const purgeEndedSessions = query<{ id: string }, [days: number, batch: number]>(
  'purge_ended_sessions',
  `delete from sessions where id in (select id from sessions
     where ended_at < now() - make_interval(days => $1) order by ended_at limit $2) returning id`,
)
const purgeTokens = query<{ hash: Buffer }, [batch: number]>(
  'purge_mail_tokens',
  `delete from identity_tokens where hash in (select hash from identity_tokens
     where expires_at < now() order by expires_at limit $1) returning hash`,
)
const purgeAttempts = query<{ state_hash: Buffer }, [batch: number]>(
  'purge_openid_attempts',
  `delete from openid_attempts where state_hash in (select state_hash from openid_attempts
     where expires_at < now() order by expires_at limit $1) returning state_hash`,
)
const purgePendingSignIns = query<{ secret_hash: Buffer }, [batch: number]>(
  'purge_pending_sign_ins',
  `delete from pending_sign_ins where secret_hash in (select secret_hash from pending_sign_ins
     where expires_at < now() order by expires_at limit $1) returning secret_hash`,
)
const purgeChallenges = query<{ challenge: string }, [batch: number]>(
  'purge_webauthn_challenges',
  `delete from webauthn_challenges where challenge in (select challenge from webauthn_challenges
     where expires_at < now() order by expires_at limit $1) returning challenge`,
)
const purgeUnconfirmed = query<{ id: string }, [batch: number]>(
  'purge_totp_secrets',
  `delete from totp_secrets where id in (select id from totp_secrets
     where confirmed_at is null and created_at < now() - interval '1 hour' limit $1) returning id`,
)
const purgeKeys = query<{ kid: string }, [verifies: string]>(
  'purge_signing_keys',
  'delete from signing_keys where retired_at < now() - $1::interval returning kid',
)

/** Deletes expired rows in batches and returns how many were deleted. Runs as an hourly job. */
export async function purgeExpiredIdentityRows(database: Database): Promise<number> {
  let deleted = (await purgeKeys(database, RETIRED_KEY_VERIFIES)).length
  const steps = [
    (batch: number) => purgeSessions(database, SESSION_KEPT_DAYS, batch),
    (batch: number) => purgeEndedSessions(database, SESSION_KEPT_DAYS, batch),
    (batch: number) => purgeTokens(database, batch),
    (batch: number) => purgeAttempts(database, batch),
    (batch: number) => purgePendingSignIns(database, batch),
    (batch: number) => purgeChallenges(database, batch),
    (batch: number) => purgeUnconfirmed(database, batch),
  ]
  for (const step of steps) {
    deleted += await deleteInBatches(BATCH, async (batch) => (await step(batch)).length)
  }
  return deleted
}
