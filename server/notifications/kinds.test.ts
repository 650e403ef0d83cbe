import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { NOTIFICATION_KINDS, preferenceOf } from '#contract/notification-kinds.ts'
import { NOTIFICATION_TEXTS } from '#contract/notification-texts.en.ts'

const SERVER = join(import.meta.dirname, '..')
const CALL = /notify_(?:users?\([^,;]+,|(?:users_)?of_items\([^,;]+,|admins_of_payment\()\s*'(\w+)'/g

test('the SQL functions and the catalogue have the same kinds of notifications', async () => {
  const used = new Set<string>()
  for await (const path of glob('!(database)/**/*.sql', { cwd: SERVER })) {
    const sql = await readFile(join(SERVER, path), 'utf8')
    for (const [, kind = ''] of sql.matchAll(CALL)) used.add(kind)
  }
  assert.deepEqual([...used].sort(), Object.keys(NOTIFICATION_KINDS).sort())
})

test('a decision of a reviewer that makes a rejection final is mailed to both sides, other ends are not', () => {
  const preferences = (decidedBy: string) =>
    ['worker', 'buyer'].map((recipient) =>
      preferenceOf({ kind: 'rejection_final', params: { recipient, decidedBy } }),
    )
  assert.deepEqual(preferences('reviewer'), ['workDecided', 'workReceived'])
  for (const decidedBy of ['buyer', 'worker'])
    assert.deepEqual(preferences(decidedBy), [undefined, undefined], decidedBy)
})

test('a reversed payment says what happened to the money, the coins and the debt', () => {
  const reversed = { buyer: 'Ruma', cents: 123_456, coins: 70, owed: 0 } as const
  const { payment_reversed } = NOTIFICATION_TEXTS
  assert.equal(
    payment_reversed({ ...reversed, recipient: 'buyer', cause: 'refund', owed: 20 }),
    '$1,234.56 of your card payment was refunded. 50 coins were deducted. Another 20 coins had already been spent; the next coins you receive will repay them first.',
  )
  assert.equal(
    payment_reversed({ ...reversed, recipient: 'admin', cause: 'dispute', owed: 20 }),
    "$1,234.56 of Ruma's card payment was disputed with the card's bank. 50 coins were deducted. Another 20 coins had already been spent and must be repaid.",
  )
  assert.equal(
    payment_reversed({ ...reversed, recipient: 'admin', cause: 'won' }),
    "$1,234.56 of Ruma's card payment was reinstated because the refund or dispute was reversed. 70 coins were returned to the buyer's balance.",
  )
})
