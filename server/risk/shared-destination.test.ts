import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useDatabase } from '#tests/support/database.ts'
import { aWorker } from '#tests/support/factories.ts'

describe('the users of a destination', () => {
  const db = useDatabase()

  test('are those who asked for a payout to it, also beside one who asked a hundred times', async () => {
    const newUsers = await Promise.all(Array.from({ length: 3 }, () => aWorker(db.database)))
    const [busy = '', other = '', worker = ''] = newUsers.map(({ id }) => id).toSorted()
    const client = await db.owner.connect()
    try {
      await client.query('begin')
      // Without foreign keys: the requests have no accounts.
      await client.query('set local session_replication_role = replica')
      for (const [user, first, last] of [
        [busy, 1, 100],
        [other, 101, 101],
        [worker, 102, 102],
      ])
        await client.query(
          `insert into withdrawals (id, worker_id, coins, amount_cents, payment_system, account_number, hold_id, requested_on)
           select gen_random_uuid(), $1, 200, 1000, 'Bkash', '01712345678', -number, current_date
             from generate_series($2::int, $3::int) as number`,
          [user, first, last],
        )
      const { rows } = await client.query(
        'select users_with_destination(withdrawals) as users from withdrawals where worker_id = $1',
        [worker],
      )
      assert.deepEqual(rows, [{ users: [busy, other] }])
    } finally {
      await client.query('rollback')
      client.release()
    }
  })

  test('are also those who keep it, however it is written', async () => {
    const [worker, keeper] = [await aWorker(db.database), await aWorker(db.database)]
    const client = await db.owner.connect()
    try {
      await client.query('begin')
      await client.query('set local session_replication_role = replica')
      for (const [system, requested, kept, keptAs = system, isShared = true] of [
        ['Bkash', '01712345678', '01712345678', 'Nagad'],
        ['Bkash', '01712345678', '017123456789', 'Rocket'],
        ['Bank', 'City Bank, Rahim, 12345678901, routing 090261234', '12345678901'],
        ['Other', 'rahim@example.com', 'Rahim@Example.com'],
        ['Other', 'Payoneer 12345678', 'Payoneer: 1234-5678'],
        // The number of an account, whatever number its holder's name has, and never a routing number.
        ['Bank', 'City Bank, Rahim 100000000000001, 12345678901, routing 090261234', '12345678901'],
        ['Bank', 'Rahim 10000001, DBBL 1234567890123', '1234567890123'],
        ['Bank', 'DBBL, Routing No: 090264000, A/C 12345678', '12345678'],
        ['Bank', 'DBBL, routing 090264000 A/C 1234 5678 90123', '1234567890123'],
        ['Bank', 'DBBL, routing 090264000, A/C 1234567890123', '090264000', 'Bank', false],
        ['Other', 'Rahim 10000001, 1234567890123', '1234567890123 of Rahim, 10000001'],
        // Every long number counts: a longer one that is made up hides no account.
        ['Bank', 'DBBL 1234567890123, ref 99999999999999999', '1234567890123'],
        ['Bank', 'DBBL 1234567890123, 99999999999, routing 090261234', '1234567890123'],
        ['Other', 'A/C 1234567890123 99999999999', '88888888888888 and 1234567890123'],
        ['Other', 'হিসাব ১২৩৪৫৬৭৮৯০১২৩', 'Upay 1234567890123'],
        // Short ones beside it do not: a date, a branch code, a routing number without its word.
        ['Bank', 'DBBL 090264000, 1234567890123', '1234567890124, 090264000', 'Other', false],
        ['Other', '01-01-2026 1234567890123', '01-01-2026 1234567890124', 'Other', false],
        // A first part of a longer number does not either.
        ['Bank', '1234567890 1234567', '1234567890 7654321', 'Other', false],
      ] as [string, string, string, string?, boolean?][]) {
        await client.query('delete from withdrawals; delete from payout_destinations')
        await client.query(
          `insert into payout_destinations (id, user_id, slot, payment_system, account_number, holder_name, bank_name,
                                            routing_number, usable_at)
           values (gen_random_uuid(), $1, 1, $2, $3, 'Rahim', 'City Bank', '090261234', now())`,
          [keeper.id, keptAs, kept],
        )
        const { rows } = await client.query(
          `insert into withdrawals (id, worker_id, coins, amount_cents, payment_system, account_number, hold_id, requested_on)
           values (gen_random_uuid(), $1, 200, 1000, $2, $3, -1, current_date)
           returning users_with_destination(withdrawals) as users`,
          [worker.id, system, requested],
        )
        assert.deepEqual(rows, [{ users: isShared ? [keeper.id] : [] }], requested)
      }
    } finally {
      await client.query('rollback')
      client.release()
    }
  })
})
