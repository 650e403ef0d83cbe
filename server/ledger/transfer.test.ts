import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { useDatabase } from '#tests/support/database.ts'
import { aBuyer, atOnce, aWorker, balanceOf, giveCoins, outcomes } from '#tests/support/factories.ts'
import { audit } from './audit.ts'

describe('ledger transfers', () => {
  const db = useDatabase()
  const sql = (text: string, values: unknown[] = []) => db.database.pool.query(text, values)
  const transfer = (kind: string, ref: string, debit: number, credit: number, amount: unknown) =>
    sql('select transfer($1, $2, $3, $4, $5)', [kind, ref, debit, credit, amount])

  test('ten concurrent transfers with the same reference move the coins once', async () => {
    const [from, to] = [await aBuyer(db.database), await aWorker(db.database)]
    const ref = randomUUID()
    const results = await atOnce(10, () =>
      transfer('submission_paid_test', ref, from.accountId, to.accountId, 20),
    )
    assert.equal(outcomes(results).good, 0, 'an unknown kind of transfer is rejected')
    const transfers = await atOnce(10, () =>
      transfer('swept_to_platform', ref, from.accountId, to.accountId, 20),
    )
    assert.equal(outcomes(transfers).good, 10)
    assert.equal(await balanceOf(db.database, from), 30)
    assert.equal(await balanceOf(db.database, to), 30)
  })

  test('the same reference with another amount is rejected', async () => {
    const [from, to] = [await aBuyer(db.database), await aWorker(db.database)]
    const ref = randomUUID()
    await transfer('swept_to_platform', ref, from.accountId, to.accountId, 20)
    await assert.rejects(
      transfer('swept_to_platform', ref, from.accountId, to.accountId, 21),
      /booked with other values/,
    )
    assert.equal(await balanceOf(db.database, from), 30)
  })

  test('no statement can change transfers or balances directly, also of the owner', async () => {
    const { accountId } = await aBuyer(db.database)
    for (const attempt of [
      'update ledger_transfers set amount = amount + 1',
      'delete from ledger_transfers',
      'truncate ledger_transfers cascade',
      'truncate ledger_debts',
      `update ledger_accounts set balance = balance + 1 where id = ${accountId}`,
      `update ledger_accounts set kind = 'platform' where id = ${accountId}`,
      `delete from ledger_accounts where id = ${accountId}`,
      `insert into ledger_accounts (kind, balance) values ('user', 5)`,
    ]) {
      await assert.rejects(db.owner.query(attempt), /append-only|only a transfer|violates/, attempt)
      await assert.rejects(sql(attempt), /permission denied|only a transfer|violates/, attempt)
    }
  })

  test('a negative balance and an amount that is not a positive whole number are rejected', async () => {
    const [from, to] = [await aBuyer(db.database), await aWorker(db.database)]
    for (const amount of [51, 0, -1, 1.5, '1e30', 'Infinity', 'NaN', null]) {
      await assert.rejects(
        transfer('swept_to_platform', randomUUID(), from.accountId, to.accountId, amount),
        String(amount),
      )
    }
    await assert.rejects(
      transfer('swept_to_platform', randomUUID(), from.accountId, from.accountId, 5),
      /two_accounts/,
    )
    assert.equal(await balanceOf(db.database, from), 50)
  })

  test('a card reversal takes the available coins, and later coins pay the debt first', async () => {
    const buyer = await aBuyer(db.database)
    const reverse = (ref: string, coins: number) =>
      sql('select taken, owed from reverse_purchase($1, $2, $3)', [ref, buyer.accountId, coins])
    const ref = randomUUID()
    const first = await reverse(ref, 500)
    assert.deepEqual(first.rows[0], { taken: 50, owed: 450 })
    assert.deepEqual((await reverse(ref, 500)).rows[0], { taken: 0, owed: 0 })
    assert.equal(await balanceOf(db.database, buyer), 0)

    await giveCoins(db.database, buyer.accountId, 400)
    assert.equal(await balanceOf(db.database, buyer), 0)
    await giveCoins(db.database, buyer.accountId, 80)
    assert.equal(await balanceOf(db.database, buyer), 30)
  })

  test('the audit detects a changed balance', async () => {
    const { accountId } = await aBuyer(db.database)
    await db.owner.query('alter table ledger_accounts disable trigger ledger_accounts_guard')
    try {
      await sql('update ledger_accounts set balance = balance + 1 where id = $1', [accountId])
      const { balanced, checks } = await audit(db.database)
      assert.equal(balanced, false)
      assert.deepEqual(
        checks.filter((check) => check.wrong > 0).map((check) => check.name),
        ['every balance is the sum of its transfers', 'the sum over all accounts is zero'],
      )
    } finally {
      await sql('update ledger_accounts set balance = balance - 1 where id = $1', [accountId])
      await db.owner.query('alter table ledger_accounts enable trigger ledger_accounts_guard')
    }
  })
})
