import { randomUUID } from 'node:crypto'
import type { Database, Tx } from '#server/database/database.ts'
import type { TestUser } from './factories.ts'

type Options = { mode?: 'sandbox' | 'live'; cents?: number; coins?: number; fingerprint?: string }

/** Settles a card payment of this user and returns its id. */
export async function aPayment(
  db: Database | Tx,
  buyer: TestUser,
  { mode = 'sandbox', cents = 1000, coins = 150, fingerprint = '' }: Options = {},
): Promise<string> {
  const id = randomUUID()
  await db.run(
    {
      name: 'test_purchase',
      sql: `insert into purchases (id, user_id, coins, amount_cents, mode, intent_id, state, closed_at)
            values ($1, $2, $3, $4, $5, 'pi_' || gen_random_uuid(), 'closed', clock_time())`,
    },
    [id, buyer.id, coins, cents, mode],
  )
  await db.run({ name: 'test_settle', sql: `select settle_purchase($1, 0, 'Visa', '4242', $2, 0, '[]')` }, [
    id,
    fingerprint,
  ])
  return id
}

/** Books that the provider has refunded this much of a payment so far. */
export async function reverse(db: Database, payment: string, cents: number): Promise<void> {
  const sql = `select reverse_payment($1, users, $2, false) from users where id = (select user_id from payments where id = $1)`
  await db.run({ name: 'test_reverse', sql }, [payment, cents])
}
