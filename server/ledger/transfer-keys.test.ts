import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { useDatabase } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import { aBuyer, atOnce, aWorker, balanceOf, outcomes, type TestUser } from '#tests/support/factories.ts'
import { transferPartitions } from '#tests/support/transfer-partitions.ts'
import { audit } from './audit.ts'

const TABLE = 'ledger_transfers'

describe('transfers by kind and reference', () => {
  const db = useDatabase()
  const { rows, transfer, approachNextPartition, partitionsOfAccount } = transferPartitions(db)
  const transferAll = (refs: string[], from: TestUser, to: TestUser) =>
    db.database.pool.query(`select transfer_all('swept_to_platform', $1, $2, $3, $4)`, [
      refs,
      refs.map(() => from.accountId),
      refs.map(() => to.accountId),
      refs.map(() => 1),
    ])

  test('happen once, also when a partition began between a transfer and its repetition', async () => {
    const [from, to] = [await aBuyer(db.database, { coins: 100 }), await aWorker(db.database)]
    const [ref, other] = [randomUUID(), randomUUID()]
    assert.equal(await transfer(ref, from, to, 20), true)
    assert.equal(await transfer(ref, from, to, 20), false)
    await approachNextPartition(0)
    assert.equal(await transfer(ref, from, to, 20), false)
    await assert.rejects(transfer(ref, from, to, 21), /booked with other values/)
    await assert.rejects(transfer(ref, to, from, 20), /booked with other values/)
    assert.equal(await transfer(ref, from, to, 20, 'card_reversed'), true, 'of another kind')
    assert.equal(await transfer(other, from, to, 5), true)
    assert.equal(await transfer(other, from, to, 5), false)
    assert.equal(await partitionsOfAccount(to), 2)
    assert.deepEqual([await balanceOf(db.database, from), await balanceOf(db.database, to)], [105, 55])
    assert.equal((await rows('select count(*)::int from transfer_keys where ref = $1', [ref]))[0].count, 2)
  })

  test('of one reference from many connections happen once on both sides of a bound', async () => {
    const [from, to] = [await aBuyer(db.database, { coins: 1000 }), await aWorker(db.database)]
    for (let round = 0; round < 10; round++) {
      await approachNextPartition(4)
      const ref = randomUUID()
      const results = await atOnce(8, () => transfer(ref, from, to, 10))
      assert.equal(outcomes(results).good, 8)
      assert.equal(
        results.filter((result) => result.status === 'fulfilled' && result.value === true).length,
        1,
      )
    }
    assert.equal(await balanceOf(db.database, to), 110)
  })

  test('wait for a transfer of the same reference that is not committed, and take its place when it is rolled back', async () => {
    const [from, to] = [await aBuyer(db.database, { coins: 1000 }), await aWorker(db.database)]
    for (const end of ['commit', 'rollback']) {
      await approachNextPartition(1)
      const ref = randomUUID()
      const client = await db.owner.connect()
      await client.query('begin')
      await client.query(`select transfer('swept_to_platform', $1, $2, $3, 10)`, [
        ref,
        from.accountId,
        to.accountId,
      ])
      const second = transfer(ref, from, to, 10)
      await eventually(
        async () =>
          (
            await rows(
              `select from pg_locks where locktype = 'transactionid' and not granted
                and pid in (select pid from pg_stat_activity where datname = current_database())`,
            )
          ).length > 0,
      )
      await client.query(end)
      client.release()
      assert.equal(await second, end === 'rollback')
      assert.equal((await rows(`select from ${TABLE} where ref = $1`, [ref])).length, 1)
    }
    assert.equal(await balanceOf(db.database, to), 30)
  })

  test('of a set are all made or none, also when one is in an earlier partition', async () => {
    const [from, to] = [await aBuyer(db.database, { coins: 100 }), await aWorker(db.database)]
    const ref = randomUUID()
    await transferAll([ref, randomUUID()], from, to)
    const again = { code: '23505' }
    await assert.rejects(transferAll([randomUUID(), ref], from, to), again)
    await approachNextPartition(0)
    await assert.rejects(transferAll([randomUUID(), ref], from, to), again)
    const twice = randomUUID()
    await assert.rejects(transferAll([twice, twice], from, to), again)
    await approachNextPartition(1)
    await assert.rejects(transferAll([twice, twice], from, to), again)
    await approachNextPartition(2)
    await transferAll(
      [1, 2, 3, 4].map(() => randomUUID()),
      from,
      to,
    )
    assert.deepEqual([await balanceOf(db.database, from), await balanceOf(db.database, to)], [144, 16])
  })

  test('of functions of the previous version happen once', async () => {
    // As version 0.3 has them: they find the first transfer by its kind and reference.
    await db.owner.query(`
      create schema previous;
      create function previous.transfer(p_kind transfer_kind, p_ref uuid, p_debit bigint, p_credit bigint, p_amount bigint)
      returns boolean language plpgsql as $$
      declare
        existing ledger_transfers;
      begin
        insert into ledger_transfers (kind, ref, debit, credit, amount)
        values (p_kind, p_ref, p_debit, p_credit, p_amount)
        on conflict on constraint ledger_transfers_once do nothing;
        if found then
          return true;
        end if;
        select * into strict existing from ledger_transfers where kind = p_kind and ref = p_ref;
        if (existing.debit, existing.credit, existing.amount) is distinct from (p_debit, p_credit, p_amount) then
          raise exception 'transfer % % is already booked with other values', p_kind, p_ref;
        end if;
        return false;
      end $$`)
    try {
      const [from, to] = [await aBuyer(db.database, { coins: 1000 }), await aWorker(db.database)]
      const previous = async (ref: string, amount = 10) =>
        (
          await rows(`select previous.transfer('swept_to_platform', $1, $2, $3, $4) as is_first`, [
            ref,
            from.accountId,
            to.accountId,
            amount,
          ])
        )[0]?.is_first
      const ref = randomUUID()
      assert.deepEqual(
        [await previous(ref), await previous(ref), await transfer(ref, from, to, 10)],
        [true, false, false],
      )
      await assert.rejects(previous(ref, 11), /booked with other values/)
      for (let round = 0; round < 5; round++) {
        await approachNextPartition(3)
        const both = randomUUID()
        const results = await atOnce(8, (index) =>
          index % 2 === 0 ? previous(both) : transfer(both, from, to, 10),
        )
        const made = results.filter((result) => result.status === 'fulfilled' && result.value === true)
        assert.deepEqual([outcomes(results).good, made.length], [8, 1])
      }
      assert.equal(await previous(ref), false, 'in an earlier partition')
      assert.equal(await balanceOf(db.database, to), 70)
      // Without `on conflict`, as transfer_all was.
      const insert = `insert into ${TABLE} (kind, ref, debit, credit, amount) values ('swept_to_platform', $1, $2, $3, 10)`
      const one = randomUUID()
      await db.owner.query(insert, [one, from.accountId, to.accountId])
      await assert.rejects(db.owner.query(insert, [one, from.accountId, to.accountId]), { code: '23505' })
    } finally {
      await db.owner.query('drop schema previous cascade')
    }
  })

  test('without a key, and keys without a transfer, are found by the audit', async () => {
    const [from, to] = [await aBuyer(db.database), await aWorker(db.database)]
    const ref = randomUUID()
    await transfer(ref, from, to, 5)
    const found = async () =>
      (await audit(db.database)).checks
        .filter(({ wrong }) => wrong > 0)
        .map(({ name, wrong }) => [name, wrong])
    const insert = 'insert into transfer_keys (kind, ref, transfer_id) values ($1, $2, $3)'
    const other = randomUUID()
    await db.owner.query(insert, ['swept_to_platform', other, 999_999_999])
    await assert.rejects(transfer(other, from, to, 5), /no rows/)
    await db.owner.query('alter table transfer_keys disable trigger transfer_keys_immutable')
    try {
      const check = 'every transfer has its key, and every key its transfer'
      assert.deepEqual(await found(), [[check, 1]])
      await db.owner.query('delete from transfer_keys where ref = $1', [other])
      const [key] = await rows(
        'delete from transfer_keys where ref = $1 returning kind, ref, transfer_id as id',
        [ref],
      )
      assert.deepEqual(await found(), [[check, 1]])
      await db.owner.query(insert, [key.kind, key.ref, Number(key.id) + 1])
      assert.deepEqual(await found(), [[check, 2]])
      await db.owner.query('delete from transfer_keys where ref = $1', [ref])
      await db.owner.query(insert, [key.kind, key.ref, key.id])
    } finally {
      await db.owner.query('alter table transfer_keys enable trigger transfer_keys_immutable')
    }
  })
})
