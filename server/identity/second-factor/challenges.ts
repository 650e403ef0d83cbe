import { type Db, query } from '#server/database/database.ts'

/** `sign-in` has no identity yet: the passkey says who signs in. */
type Purpose = 'register' | 'second-factor' | 'sign-in' | 'step-up'

const CHALLENGE_MINUTES = 5

const insertChallenge = query<
  never,
  [challenge: string, purpose: Purpose, identityId: string | null, minutes: number]
>(
  'webauthn_challenge_insert',
  `insert into webauthn_challenges (challenge, purpose, identity_id, expires_at)
   values ($1, $2, $3, now() + make_interval(mins => $4))`,
)
const consumeChallenge = query<
  { challenge: string },
  [challenge: string, purpose: Purpose, identityId: string | null]
>(
  'webauthn_challenge_consume',
  `delete from webauthn_challenges where challenge = $1 and purpose = $2 and identity_id is not distinct from $3
      and expires_at > now() returning challenge`,
)

export async function storeChallenge(
  db: Db,
  challenge: string,
  purpose: Purpose,
  identityId: string | null,
): Promise<void> {
  await insertChallenge(db, challenge, purpose, identityId, CHALLENGE_MINUTES)
}

/** Consumes a challenge. Returns false when it is unknown, used, expired or for something else. */
export async function acceptChallenge(
  db: Db,
  challenge: string,
  purpose: Purpose,
  identityId: string | null,
): Promise<boolean> {
  return (await consumeChallenge(db, challenge, purpose, identityId)).length > 0
}
