import { type Db, query, type Tx } from '#server/database/database.ts'
import { Refusal } from '#server/http/refusal.ts'
import { newSecret, secretHash } from '#server/secrets.ts'

export type Purpose = 'verify-email' | 'change-email' | 'reset-password'

/** How long a link is valid, in minutes. */
export const LINK_MINUTES: Record<Purpose, number> = {
  'verify-email': 3 * 24 * 60,
  'change-email': 24 * 60,
  'reset-password': 60,
}

export type EmailWithKey = { email: string; emailKey: string }
type TokenRow = { identity_id: string; purpose: Purpose; email: string; email_key: string }

const insertToken = query<
  never,
  [hash: Buffer, identityId: string, purpose: Purpose, email: string, emailKey: string, minutes: number]
>(
  'mail_token_insert',
  `insert into identity_tokens (hash, identity_id, purpose, email, email_key, expires_at)
   values ($1, $2, $3, $4, $5, now() + make_interval(mins => $6))`,
)
/** Links of a deleted user are unusable: a changed email would free the one that the user had. */
const IS_USABLE = `hash = $1 and purpose = any ($2) and expires_at > now()
  and (select deleted_at from users where users.id = identity_id) is null`

const readToken = query<TokenRow, [hash: Buffer, purposes: readonly Purpose[]]>(
  'mail_token_read',
  `select identity_id, purpose, email, email_key from identity_tokens where ${IS_USABLE}`,
)
const consumeToken = query<TokenRow, [hash: Buffer, purposes: readonly Purpose[]]>(
  'mail_token_take',
  `delete from identity_tokens where ${IS_USABLE} returning identity_id, purpose, email, email_key`,
)
const deleteAll = query<never, [identityId: string]>(
  'mail_tokens_delete',
  'delete from identity_tokens where identity_id = $1',
)

/** Creates a token for a link sent to this email address. Only the hash of the token is stored. */
export async function createToken(
  tx: Tx,
  identityId: string,
  purpose: Purpose,
  { email, emailKey }: EmailWithKey,
): Promise<string> {
  const token = newSecret()
  await insertToken(tx, secretHash(token), identityId, purpose, email, emailKey, LINK_MINUTES[purpose])
  return token
}

/** Consumes a token and returns its row. @throws Refusal `link_expired` for an unknown, used or expired token, or a deleted user's. */
export async function redeemToken(tx: Tx, token: string, ...purposes: Purpose[]): Promise<TokenRow> {
  const [row] = await consumeToken(tx, secretHash(token), purposes)
  if (row === undefined) throw linkExpired()
  return row
}

/** Returns the row of a token without consuming it. @throws Refusal `link_expired`. */
export async function peekToken(db: Db, token: string, ...purposes: Purpose[]): Promise<TokenRow> {
  const [row] = await readToken(db, secretHash(token), purposes)
  if (row === undefined) throw linkExpired()
  return row
}

/** Returns whether a token is known and has not expired. */
export async function isUsableToken(db: Db, token: string, purposes: readonly Purpose[]): Promise<boolean> {
  return (await readToken(db, secretHash(token), purposes)).length > 0
}

/** Invalidates all pending links of an identity, so that no earlier link works after its credentials change. */
export async function deleteTokens(tx: Tx, identityId: string): Promise<void> {
  await deleteAll(tx, identityId)
}

export function linkExpired(): Refusal {
  return new Refusal('link_expired')
}
