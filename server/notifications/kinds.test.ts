import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { NOTIFICATION_KINDS, preferenceOf } from '#contract/notification-kinds.ts'
import { NOTIFICATION_TEXTS as BANGLA } from '#contract/notification-texts.bn.ts'
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
    "$1,234.56 of Ruma's card payment was reinstated because the refund or dispute was reversed. 70 coins were returned.",
  )
})

test('tasks that are closed for a debt say that all their coins came back, also those above the debt', () => {
  const closed = { state: 'closed', tasks: 1, coins: 500 } as const
  assert.match(
    NOTIFICATION_TEXTS.tasks_held(closed),
    /500 coins from free slots were refunded and repaid what you owed first\.$/,
  )
  assert.match(
    BANGLA.tasks_held(closed),
    /খালি স্লটের ৫০০টি কয়েন ফেরত দেওয়া হয়েছে এবং তা দিয়ে আগে আপনার দেনা শোধ হয়েছে।$/,
  )
})

test('coins that come back are not said to be in the balance, because a debt takes them first', () => {
  const params = { title: 'Count the shops', worker: 'Ruma', coins: 50, reason: 'Wrong number' }
  const rejection = { ...params, recipient: 'buyer', decidedBy: 'worker', refunded: 50 } as const
  const reversal = {
    buyer: 'Nadia',
    recipient: 'buyer',
    cause: 'won',
    cents: 100,
    coins: 10,
    owed: 0,
  } as const
  for (const texts of [NOTIFICATION_TEXTS, BANGLA]) {
    for (const text of [
      texts.task_refunded({ ...params, byAdmin: false }),
      texts.task_closed(params),
      texts.rejection_final(rejection),
      texts.worker_left({ ...params, refunded: true }),
      texts.withdrawal_declined(params),
      texts.payment_reversed(reversal),
    ])
      assert.doesNotMatch(text, /your balance|আপনার কাছে/)
  }
})

test('an account at another payment system is named by its number only', () => {
  const paid = { coins: 400, cents: 2000, system: 'Other', account: 'Ruma 42' } as const
  assert.match(NOTIFICATION_TEXTS.withdrawal_paid(paid), /sent to your account Ruma 42\.$/)
  assert.match(NOTIFICATION_TEXTS.account_number_corrected(paid), /corrected the account to Ruma 42;/)
  assert.match(
    NOTIFICATION_TEXTS.withdrawal_paid({ ...paid, system: 'Bkash' }),
    /your bKash account Ruma 42\.$/,
  )
  assert.match(BANGLA.withdrawal_paid(paid), /আপনার অ্যাকাউন্ট Ruma 42-এ পাঠানো/)
  assert.match(BANGLA.account_number_corrected(paid), /একজন অ্যাডমিন অ্যাকাউন্টটি সংশোধন করে Ruma 42 করেছেন/)
})
