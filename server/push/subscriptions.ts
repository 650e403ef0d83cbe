import { PUSH_SUBSCRIPTIONS_MAX, type PushSubscription } from '#contract/push-subscriptions.ts'
import { type Db, query } from '#server/database/database.ts'
import { Refusal } from '#server/http/refusal.ts'
import { isPublicKey } from './keys.ts'

const upsertSubscription = query<
  never,
  [user: string, session: string, endpoint: string, publicKey: string, secret: string, max: number]
>(
  'push_subscription_upsert',
  `with oldest as (
     delete from push_subscriptions where id = any (array(
       select id from (
         select id, row_number() over (order by created_at desc, id) as place
           from push_subscriptions where user_id = $1 and endpoint <> $3) as others
        where place >= $6))
   )
   insert into push_subscriptions (user_id, session_id, endpoint, public_key, auth_secret) values ($1, $2, $3, $4, $5)
   on conflict (endpoint) do update
     set user_id = $1, session_id = $2, public_key = $4, auth_secret = $5, created_at = now()`,
)
const deleteOfUser = query<{ id: string }, [user: string, endpoint: string]>(
  'push_subscription_delete_own',
  'delete from push_subscriptions where user_id = $1 and endpoint = $2 returning id',
)
const deleteOfEndedSessions = query<{ id: string }, []>(
  'push_subscriptions_purge',
  `delete from push_subscriptions where session_id in (
     select id from sessions where ended_at is not null or expires_at <= now())
   returning id`,
)

/**
 * Stores a device's subscription for the user of a session. The device's earlier user no longer gets notifications on it.
 * @throws Refusal `invalid_fields` for a key that is not on the curve.
 */
export async function subscribe(
  db: Db,
  userId: string,
  sessionId: string,
  { endpoint, keys }: PushSubscription,
): Promise<void> {
  if (!isPublicKey(keys.p256dh)) {
    const message = 'Not a public key'
    throw new Refusal('invalid_fields.validation', {
      params: { message },
      fields: { 'keys.p256dh': message },
    })
  }
  await upsertSubscription(db, userId, sessionId, endpoint, keys.p256dh, keys.auth, PUSH_SUBSCRIPTIONS_MAX)
}

/** Deletes a user's subscription. Returns how many there were: 0 or 1. */
export async function unsubscribe(db: Db, userId: string, endpoint: string): Promise<number> {
  return (await deleteOfUser(db, userId, endpoint)).length
}

/** Deletes a subscription that its push service no longer knows. */
export const removeSubscription = query<never, [id: string]>(
  'push_subscription_delete',
  'delete from push_subscriptions where id = $1',
)

/** Deletes the subscriptions of sessions that ended. Returns how many. */
export async function purgePushSubscriptions(db: Db): Promise<number> {
  return (await deleteOfEndedSessions(db)).length
}
