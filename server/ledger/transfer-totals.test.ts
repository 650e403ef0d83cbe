import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useDatabase } from '#tests/support/database.ts'
import { aBuyer, atOnce, giveCoins } from '#tests/support/factories.ts'
import { updateTransferTotals } from './transfer-totals.ts'

describe('the kept sums of all transfers', () => {
  const db = useDatabase()
  const sql = (text: string, values: unknown[] = []) => db.database.pool.query(text, values)
  const bought = async () => {
    const { rows } = await sql(`select amount from current_transfer_totals() where kind = 'coins_bought'`)
    return Number(rows[0]?.amount ?? 0)
  }
  const upTo = async () => Number((await sql('select up_to from transfer_totals_watermark')).rows[0].up_to)
  const giveMany = (accountId: number, times: number) =>
    sql(
      `select transfer('coins_bought', gen_random_uuid(), card_clearing_account(), $1, 1) from generate_series(1, $2)`,
      [accountId, times],
    )

  test('the sums are the same before and after they are moved forward, and nothing is counted twice', async () => {
    const buyer = await aBuyer(db.database)
    await giveMany(buyer.accountId, 3000)
    assert.equal(await bought(), 3000)
    await updateTransferTotals(db.database)
    assert.equal(await upTo(), 0, 'the first call only marks')
    assert.ok((await updateTransferTotals(db.database)) > 1500)
    assert.ok((await upTo()) > 1500)
    assert.equal(await bought(), 3000)
    await Promise.all([
      atOnce(6, () => updateTransferTotals(db.database)),
      atOnce(20, () => giveCoins(db.database, buyer.accountId, 1)),
    ])
    assert.equal(await bought(), 3020)
  })

  test('a transfer that was numbered early and committed late is not lost', async () => {
    const buyer = await aBuyer(db.database)
    const before = await bought()
    const late = await db.database.pool.connect()
    try {
      await late.query('begin')
      await late.query(`select transfer('coins_bought', gen_random_uuid(), card_clearing_account(), $1, 7)`, [
        (await aBuyer(db.database)).accountId,
      ])
      await giveMany(buyer.accountId, 2500)
      await updateTransferTotals(db.database)
      const settled = await upTo()
      await updateTransferTotals(db.database)
      assert.equal(await upTo(), settled, 'while it is under way, nothing moves beyond it')
      await late.query('commit')
    } finally {
      late.release()
    }
    assert.equal(await bought(), before + 2507)
    await updateTransferTotals(db.database)
    await updateTransferTotals(db.database)
    assert.equal(await bought(), before + 2507)
  })
})
