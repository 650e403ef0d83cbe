import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { cp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import pg from 'pg'
import type { Database } from '#server/database/database.ts'
import { functionSet } from '#server/database/function-set.ts'
import { migrate } from '#server/database/migrate.ts'
import { partitionsOf } from '#server/database/partitions.ts'
import { grantServerPrivileges, SERVER_ROLE } from '#server/database/server-role.ts'
import { startBackgroundLoad } from '#tests/support/background-load.ts'
import { expectBooksToBalance } from '#tests/support/books.ts'
import { openPooled } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import { aBuyer, aWorker, balanceOf, type TestUser } from '#tests/support/factories.ts'
import {
  appliedFrom,
  earlierFiles,
  killUpgrade,
  MIGRATIONS,
  type OlderDatabase,
  useOlderDatabases,
  waitsForRow,
  waitsForTable,
} from '#tests/support/older-database.ts'

/** The first migration that the version before does not have. */
const FIRST = '0291'

/** The functions as the version before has them: a transfer is found by its kind and reference. */
function functionsBefore() {
  const withoutKeys = (sql: string) =>
    sql
      .replace(
        /select transfers\.\* into strict existing\s+from transfer_keys .*\s+where keys\.kind/,
        'select transfers.* into strict existing from ledger_transfers as transfers where transfers.kind',
      )
      .replace('and keys.ref = p_ref', 'and transfers.ref = p_ref')
      .replace(
        /(p_credit, p_amount\)\s+)-- .*\s+on conflict do nothing/,
        '$1on conflict on constraint ledger_transfers_once do nothing',
      )
      .replaceAll(
        /join transfer_keys as keys on keys\.kind = 'sign_up_bonus' and keys\.ref = users\.id\s+join ledger_transfers as bonus on bonus\.id = keys\.transfer_id/g,
        `join ledger_transfers as bonus on bonus.kind = 'sign_up_bonus' and bonus.ref = users.id`,
      )
  const files = earlierFiles()
    .filter(({ path }) => !/\/(transfer-keys|submission-keys|open-slots)\.sql$/.test(path))
    .map((file) => ({ ...file, sql: withoutKeys(file.sql) }))
  for (const { path, sql } of files)
    if (/\/(transfer|starting-coins)\.sql$/.test(path))
      assert.doesNotMatch(sql, /transfer_keys|on conflict do nothing/, path)
  return functionSet(files)
}

describe('an upgrade from the version before partitions of transfers', () => {
  type Marketplace = OlderDatabase & { from: TestUser; to: TestUser }
  /** Makes transfers of several batches. */
  const databases = useOlderDatabases(FIRST, functionsBefore, async ({ older }) => {
    const [from, to] = [await aBuyer(older, { coins: 100_000 }), await aWorker(older)]
    await older.run(
      {
        name: 'test_transfer_all',
        sql: `select transfer_all('swept_to_platform', array_agg(gen_random_uuid()), array_agg($1::bigint), array_agg($2::bigint), array_agg(1::bigint))
                from generate_series(1, 25000)`,
      },
      [from.accountId, to.accountId],
    )
    return { from, to }
  })
  const { inAnOlderDatabase } = databases

  const transfer = async (instance: Database, ref: string, { from, to }: Marketplace, amount = 1) => {
    const [row] = await instance.run<{ is_first: boolean }>(
      {
        name: 'test_transfer',
        sql: `select transfer('swept_to_platform', $1, $2, $3, $4) as is_first`,
      },
      [ref, from.accountId, to.accountId, amount],
    )
    return row?.is_first
  }
  /** Makes transfers without a pause, each from two connections at the same time. */
  function transferAllTheTime(instance: Database, marketplace: Marketplace) {
    const refs: string[] = []
    const load = startBackgroundLoad(3, async () => {
      const ref = randomUUID()
      const both = await Promise.all([1, 2].map(() => transfer(instance, ref, marketplace)))
      assert.deepEqual(
        both.toSorted((one, other) => Number(one) - Number(other)),
        [false, true],
      )
      refs.push(ref)
    })
    return { refs, ...load }
  }
  /** Checks the books with an instance of this version. The worker has `made` coins of transfers, and 25,010 from before. */
  async function expectUpgraded(marketplace: Marketplace, refs: readonly string[], made: number) {
    const { url, owner, older, to } = marketplace
    await grantServerPrivileges(owner, SERVER_ROLE)
    const newer = openPooled(url)
    try {
      for (const instance of [newer, older])
        for (const ref of [refs[0], refs.at(-1)]) {
          assert.equal(await transfer(instance, ref ?? '', marketplace), false)
          await assert.rejects(transfer(instance, ref ?? '', marketplace, 2), /booked with other values/)
        }
      const ref = randomUUID()
      assert.equal(await transfer(older, ref, marketplace), true)
      assert.equal(await transfer(newer, ref, marketplace), false)
      assert.equal(await balanceOf(newer, to), 25_010 + made + 1)
      assert.equal((await partitionsOf(owner, 'ledger_transfers')).length, 1)
      await expectBooksToBalance(newer)
    } finally {
      await newer.close()
    }
  }

  test('runs while older instances make transfers: none fails, and each is made once', async () => {
    await inAnOlderDatabase(async (marketplace) => {
      const { owner, older } = marketplace
      const load = transferAllTheTime(older, marketplace)
      const lines: string[] = []
      let ran: string[]
      try {
        await eventually(() => load.completed() > 20)
        ran = await migrate(owner, undefined, undefined, (line) => lines.push(line))
        const enough = load.completed() + 20
        await eventually(() => load.completed() > enough)
      } finally {
        await load.stop()
      }
      assert.deepEqual(ran.toSorted(), (await readdir(MIGRATIONS)).filter((name) => name >= FIRST).toSorted())
      assert.match(lines.join(), /0292_earlier_transfer_keys.batches.sql runs in batches/)
      await expectUpgraded(marketplace, load.refs, load.refs.length)
      assert.deepEqual(await migrate(owner), [])
    })
  })

  test('of two instances at the same moment adds each key once', async () => {
    await inAnOlderDatabase(async (marketplace) => {
      const ref = randomUUID()
      await transfer(marketplace.older, ref, marketplace)
      const pools = [1, 2].map(() => new pg.Pool({ connectionString: marketplace.url, max: 1 }))
      await Promise.all(pools.map((pool) => migrate(pool)))
      await Promise.all(pools.map((pool) => pool.end()))
      await expectUpgraded(marketplace, [ref], 1)
    })
  })

  test('that is killed between two batches, and again before the swap, is continued', async () => {
    await inAnOlderDatabase(async (marketplace) => {
      const { url, owner, older } = marketplace
      const { folder } = databases
      const refs: string[] = []
      const another = async () => {
        refs.push(randomUUID())
        assert.equal(await transfer(older, refs.at(-1) ?? '', marketplace), true)
        for (const ref of refs) assert.equal(await transfer(older, ref, marketplace), false)
      }
      await another()
      const keys = async () => Number((await owner.query('select count(*) from transfer_keys')).rows[0].count)
      const applied = () => appliedFrom(owner, FIRST)
      const holder = await owner.connect()
      // The first migration waits for a writer.
      await holder.query('begin; lock table ledger_transfers in row exclusive mode')
      await killUpgrade(url, async () => {
        const { rows } = await owner.query(
          `select from pg_locks where relation = 'ledger_transfers'::regclass and mode = 'ShareRowExclusiveLock' and not granted`,
        )
        return rows.length > 0
      })
      await holder.query('commit')
      assert.deepEqual(await applied(), [])
      await another()

      // The second batch waits for a key that is not committed.
      await cp(join(MIGRATIONS, '0291_transfer_keys.sql'), join(folder, '0291_transfer_keys.sql'))
      await migrate(owner, folder, functionsBefore())
      await another()
      await holder.query('begin')
      await holder.query(
        `insert into transfer_keys (kind, ref, transfer_id)
         select kind, ref, id from ledger_transfers where id > 15000 order by id limit 1 on conflict do nothing`,
      )
      await killUpgrade(url, () => waitsForRow(owner))
      await holder.query('rollback')
      assert.deepEqual(await applied(), ['0291'])
      assert.ok((await keys()) >= 10_000 && (await keys()) < 25_000)
      await another()

      // A long read keeps the table from being renamed.
      await holder.query('begin; lock table ledger_transfers in access share mode')
      await killUpgrade(url, async () => (await applied()).includes('0292') && (await waitsForTable(owner)))
      await holder.query('commit')
      holder.release()
      assert.deepEqual(await applied(), ['0291', '0292'])
      await another()
      await assert.rejects(migrate(owner, folder, functionsBefore()), /newer version/)
      assert.equal((await migrate(owner))[0]?.slice(0, 4), '0293')
      await another()
      await expectUpgraded(marketplace, refs, refs.length)
    })
  })
})
