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
      `update ledger_accounts set owner_id = gen_random_uuid() where id = ${accountId}`,
      `update ledger_accounts set owner_id = null where id = ${accountId}`,
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

  type Move = [debit: { accountId: number }, credit: { accountId: number }, amount: number]
  const transferAll = (moves: Move[]) =>
    sql(`select transfer_all('swept_to_platform', $1, $2, $3, $4)`, [
      moves.map(() => randomUUID()),
      moves.map(([debit]) => debit.accountId),
      moves.map(([, credit]) => credit.accountId),
      moves.map(([, , amount]) => amount),
    ])

  test('many transfers of one statement change every balance by their sum', async () => {
    const [one, two] = [await aBuyer(db.database), await aBuyer(db.database, { coins: 5 })]
    const [three, four] = [await aWorker(db.database), await aWorker(db.database)]
    await transferAll([
      [one, three, 20],
      [two, three, 1],
      [one, four, 30],
      [two, four, 2],
      [two, three, 4],
    ])
    const balances = await Promise.all([one, two, three, four].map((user) => balanceOf(db.database, user)))
    assert.deepEqual(balances, [0, 48, 35, 42])
  })

  test('many transfers are refused together when their sum exceeds a balance', async () => {
    const [from, one, two] = [
      await aBuyer(db.database),
      await aWorker(db.database),
      await aWorker(db.database),
    ]
    const tooMany: Move[] = [
      [from, one, 30],
      [from, two, 21],
    ]
    await assert.rejects(transferAll(tooMany), { message: 'insufficient_coins' })
    const results = await atOnce(6, () =>
      transferAll([
        [from, one, 10],
        [from, two, 10],
      ]),
    )
    assert.equal(outcomes(results).good, 2)
    const balances = await Promise.all([from, one, two].map((user) => balanceOf(db.database, user)))
    assert.deepEqual(balances, [10, 30, 30])
  })

  test('transfers in opposite directions at the same time wait for each other', async () => {
    const [one, two] = [await aBuyer(db.database), await aBuyer(db.database)]
    const back: Move[] = [
      [one, two, 1],
      [two, one, 1],
    ]
    const results = await atOnce(20, (index) => transferAll(index % 2 === 0 ? back : back.toReversed()))
    assert.equal(outcomes(results).good, 20)
    assert.deepEqual([await balanceOf(db.database, one), await balanceOf(db.database, two)], [50, 50])
  })

  test('coins that users spend are not moved in a set', async () => {
    const [from, to] = [await aBuyer(db.database), await aWorker(db.database)]
    await assert.rejects(
      sql(`select transfer_all('task_funded', $1, $2, $3, '{5}')`, [
        [randomUUID()],
        [from.accountId],
        [to.accountId],
      ]),
      /task_funded transfers must be made one at a time/,
    )
  })

  test('coins of many transfers pay the debt of an account first', async () => {
    const [buyer, from] = [await aBuyer(db.database), await aBuyer(db.database, { coins: 100 })]
    await sql('select reverse_purchase($1, $2, $3)', [randomUUID(), buyer.accountId, 90])
    await transferAll([
      [from, buyer, 30],
      [from, buyer, 25],
    ])
    assert.equal(await balanceOf(db.database, buyer), 15)
    // The transfers are in the order of their references, which are random: the first may pay 30 or 25 of the debt.
    const { rows } = await sql(
      `select count(*)::int, sum(amount)::int from ledger_transfers where kind = 'debt_paid' and debit = $1`,
      [buyer.accountId],
    )
    assert.deepEqual(rows, [{ count: 2, sum: 40 }])
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
