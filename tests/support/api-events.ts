import { randomBytes, randomUUID } from 'node:crypto'
import { ApiEvent } from '#contract/api-events.ts'
import type { Database } from '#server/database/database.ts'
import { relay } from '#server/notifications/relay.ts'
import { presentEvent } from '#server/webhooks/present.ts'
import type { TestUser } from './factories.ts'

/** Makes an API key of a user with the scope `events`, so that events of their changes are stored. */
export async function enableApiEvents(database: Database, ...users: TestUser[]): Promise<void> {
  for (const { id } of users) {
    await database.pool.query(
      `insert into api_keys (id, user_id, name, prefix, secret_hash, scopes, expires_at)
       values ($1, $2, 'Events', 'tw_abcdef', $3, '{events}', now() + interval '1 day')`,
      [randomUUID(), id, randomBytes(32)],
    )
  }
}

/** Relays the outbox. */
export async function relayAll(database: Database): Promise<void> {
  while ((await relay(database, async () => {})).moved > 0);
}

/** Returns the events of a user in their order. Each has the form that the contract promises. */
export async function eventsOf(database: Database, { id }: { id: string }): Promise<ApiEvent[]> {
  await relayAll(database)
  const { rows } = await database.pool.query(
    'select id, type, payload::text, created_at from api_events where user_id = $1 order by seq',
    [id],
  )
  return rows.map((row) => ApiEvent.parse(presentEvent(row)))
}
