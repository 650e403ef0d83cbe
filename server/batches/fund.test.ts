import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { PROJECT } from '#tests/api/samples.ts'
import { useApi } from '#tests/support/api.ts'
import { atTime, later } from '#tests/support/clock.ts'
import { eventually } from '#tests/support/eventually.ts'
import {
  aBuyer,
  atOnce,
  aWorker,
  balanceOf,
  dayFromNow,
  giveCoins,
  type TestUser,
  testConfig,
} from '#tests/support/factories.ts'
import { lockWaits } from '#tests/support/lock-waits.ts'
import { checkDueBatches, purgeUnpaidBatches } from './check.ts'
import { beginFunding, fundDueBatches } from './fund.ts'

describe('the funding of batches', () => {
  const api = useApi()
  const rows = async (sql: string, values: unknown[] = []) =>
    (await api.database.pool.query(sql, values)).rows
  const fund = () => fundDueBatches(api.database, testConfig)

  /** A checked batch of `items` rows; two workers per item for 3 coins each. */
  async function aCheckedBatch(
    items: number,
    coins = items * 6,
  ): Promise<{ buyer: TestUser; id: string; total: number }> {
    const buyer = await aBuyer(api.database, { coins })
    const project = (await api.as(buyer).post('/projects', PROJECT)).body._id
    const id = (await api.as(buyer).post(`/projects/${project}/batches`, { fileName: 'shops.csv' })).body._id
    const file = Buffer.from(
      `name\n${Array.from({ length: items }, (_, index) => `Shop ${index + 1}\n`).join('')}`,
    )
    await api.as(buyer).put(`/batches/${id}/chunks/0`, { content: file.toString('base64') })
    await api.as(buyer).post(`/batches/${id}/check`, { bytes: file.length })
    await checkDueBatches(api.database)
    return { buyer, id, total: items * 6 }
  }
  const begin = (buyer: TestUser, id: string, total: number) =>
    api.as(buyer).post(`/batches/${id}/funding`, { completion_date: dayFromNow(7), total })

  /** Fails unless each row of the file is exactly one item. */
  async function expectItems(id: string, items: number): Promise<void> {
    const [found] = await rows(
      `select count(*) as items, count(distinct input->>'name') as names, min(number) as first, max(number) as last,
              bool_and(input->>'name' = 'Shop ' || number) as in_order
         from batch_items where batch_id = $1`,
      [id],
    )
    assert.deepEqual(found, { items, names: items, first: 1, last: items, in_order: true })
  }

  test('a batch becomes one task, each row one item, and its coins move once', async () => {
    const { buyer, id, total } = await aCheckedBatch(2500)
    const before = await balanceOf(api.database, buyer)
    assert.equal((await begin(buyer, id, total)).status, 202)
    assert.equal((await begin(buyer, id, total)).body.state, 'funding')
    assert.equal(await balanceOf(api.database, buyer), before)
    await Promise.all([fund(), fund(), fund()])
    await fund()
    const { body } = await api.as(buyer).get(`/batches/${id}`)
    assert.deepEqual([body.state, body.itemsWritten], ['open', 2500])
    await expectItems(id, 2500)
    assert.equal(await balanceOf(api.database, buyer), before - total)
    const [task] = await rows('select slots, slots_left, reward, batch_id from tasks where id = $1', [
      body.taskId,
    ])
    assert.deepEqual(task, { slots: 5000, slots_left: 5000, reward: 3, batch_id: id })
    assert.deepEqual(await rows('select from batch_chunks where batch_id = $1', [id]), [])

    const worker = api.as(await aWorker(api.database))
    assert.equal((await worker.post(`/tasks/${body.taskId}/reservation`)).status, 409)
    assert.equal(
      (await worker.post('/submiteted-task', { taskId: body.taskId, submissoin_data: 'Done' })).status,
      409,
    )
  })

  test('a funding that is interrupted between two writes continues, and writes no row twice', async () => {
    const { buyer, id, total } = await aCheckedBatch(3500)
    await begin(buyer, id, total)
    await api.owner.query(`
      create function fail_third() returns trigger language plpgsql as $$ begin
        if new.items_written > 2000 then raise exception 'planted failure'; end if; return new; end $$;
      create trigger fail_third before update on batches for each row execute function fail_third()`)
    await assert.rejects(fund(), /planted failure/)
    await api.owner.query('drop trigger fail_third on batches; drop function fail_third')
    const [{ items_written }] = await rows('select items_written from batches where id = $1', [id])
    assert.equal(items_written, 2000)
    await fund()
    await expectItems(id, 3500)
    assert.equal((await api.as(buyer).get(`/batches/${id}`)).body.state, 'open')
  })

  test('without the coins nothing is paid; the items stay for the next attempt', async () => {
    const { buyer, id, total } = await aCheckedBatch(100, 0)
    const before = await balanceOf(api.database, buyer)
    await begin(buyer, id, total)
    await fund()
    const { body } = await api.as(buyer).get(`/batches/${id}`)
    assert.deepEqual([body.state, body.taskId, body.itemsWritten], ['checked', null, 100])
    assert.match(body.fundingRefusal, /coin/i)
    const inBangla = await api.as(buyer).get(`/batches/${id}`, { 'accept-language': 'bn' })
    assert.match(inBangla.body.fundingRefusal, /কয়েন/)
    assert.equal(await balanceOf(api.database, buyer), before)
    await giveCoins(api.database, buyer.accountId, total)
    await begin(buyer, id, total)
    await fund()
    assert.equal((await api.as(buyer).get(`/batches/${id}`)).body.state, 'open')
    await expectItems(id, 100)
  })

  for (const [name, more] of [
    ['fewer', 1],
    ['more', -1],
  ] as const)
    test(`a file that is read as ${name} rows than its check found is checked again, and nothing is paid`, async () => {
      const { buyer, id, total } = await aCheckedBatch(1500)
      await rows('update batches set items = items + $2 where id = $1', [id, more])
      const before = await balanceOf(api.database, buyer)
      assert.equal((await begin(buyer, id, total + 6 * more)).status, 202)
      await fund()
      const { body } = await api.as(buyer).get(`/batches/${id}`)
      assert.deepEqual([body.state, body.cost, body.itemsWritten], ['checking', null, 0])
      assert.deepEqual(await rows('select from batch_items where batch_id = $1', [id]), [])
      assert.equal(await balanceOf(api.database, buyer), before)

      await checkDueBatches(api.database)
      const { body: checked } = await api.as(buyer).get(`/batches/${id}`)
      assert.deepEqual([checked.state, checked.cost.total], ['checked', total])
      assert.match(checked.fundingRefusal, /cost has changed/)
      await begin(buyer, id, total)
      await fund()
      assert.equal((await api.as(buyer).get(`/batches/${id}`)).body.state, 'open')
      await expectItems(id, 1500)
      assert.equal(await balanceOf(api.database, buyer), before - total)
    })

  test('another cost, a file with errors and a past day are refused', async () => {
    const { buyer, id, total } = await aCheckedBatch(5)
    assert.equal((await begin(buyer, id, total - 1)).status, 422)
    const late = await api.as(buyer).post(`/batches/${id}/funding`, { completion_date: '2020-01-01', total })
    assert.equal(late.status, 409)
    await rows('update batches set errors = 1 where id = $1', [id])
    assert.equal((await begin(buyer, id, total)).status, 409)
    assert.equal((await begin(await aBuyer(api.database), id, total)).status, 404)
  })

  test('a batch whose funding begins while unpaid batches are deleted stays', async () => {
    const { buyer, id, total } = await aCheckedBatch(5)
    const { deleting } = await api.database.transaction(async (tx) => {
      await beginFunding(tx, testConfig, id, buyer.id, { completion_date: dayFromNow(7), total })
      let hasEnded = false
      const deleting = atTime(api.url, later(new Date(), { days: 8 }), purgeUnpaidBatches).finally(() => {
        hasEnded = true
      })
      await eventually(async () => hasEnded || (await lockWaits(api.owner)) > 0)
      return { deleting }
    })
    await deleting
    assert.deepEqual(await rows('select state from batches where id = $1', [id]), [{ state: 'funding' }])
  })

  test('concurrent funding and cancelling end in one of the results', async () => {
    for (let round = 0; round < 6; round++) {
      const { buyer, id, total } = await aCheckedBatch(20)
      await begin(buyer, id, total)
      await atOnce<unknown>(4, (index) =>
        index === 0 ? api.as(buyer).post(`/batches/${id}/cancel`) : fund(),
      )
      const [{ state, task_id }] = await rows('select state, task_id from batches where id = $1', [id])
      assert.ok(['open', 'funding', 'cancelled'].includes(state) && (state === 'open') === (task_id !== null))
    }
  })
})
