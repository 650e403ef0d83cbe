import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useDatabase } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import { aBuyer, atOnce, giveCoins } from '#tests/support/factories.ts'
import { updateTransferTotals } from './transfer-totals.ts'

describe('transfer totals', () => {
  const db = useDatabase()
  const sql = (text: string, values: unknown[] = []) => db.database.pool.query(text, values)
  const bought = async () => {
    const { rows } = await sql(`select amount from current_transfer_totals() where kind = 'coins_bought'`)
    return Number(rows[0]?.amount ?? 0)
  }
  const watermark = async () =>
    Number((await sql('select up_to from transfer_totals_watermark')).rows[0].up_to)
  const giveMany = (accountId: number, times: number) =>
    sql(
      `select transfer('coins_bought', gen_random_uuid(), card_clearing_account(), $1, 1) from generate_series(1, $2)`,
      [accountId, times],
    )

  test('the totals are the same before and after an update, and no transfer is counted twice', async () => {
    const buyer = await aBuyer(db.database)
    await giveMany(buyer.accountId, 3000)
    assert.equal(await bought(), 3000)
    await updateTransferTotals(db.database)
    assert.equal(await watermark(), 0, 'the first update only sets the watermark')
    // Transactions of other databases of this server count as open too.
    await eventually(async () => (await updateTransferTotals(db.database)) > 1500)
    assert.ok((await watermark()) > 1500)
    assert.equal(await bought(), 3000)
    await Promise.all([
      atOnce(6, () => updateTransferTotals(db.database)),
      atOnce(20, () => giveCoins(db.database, buyer.accountId, 1)),
    ])
    assert.equal(await bought(), 3020)
  })

  test('a transfer with an early id that commits late is not lost', async () => {
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
      const before = await watermark()
      await updateTransferTotals(db.database)
      assert.equal(await watermark(), before, 'the watermark does not pass an open transaction')
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
