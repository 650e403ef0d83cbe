import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { approveSubmission } from '#server/submissions/approve.ts'
import { useApi } from '#tests/support/api.ts'
import { enableApiEvents, eventsOf } from '#tests/support/api-events.ts'
import { anOpenBatch } from '#tests/support/batches.ts'
import {
  aBuyer,
  atOnce,
  aWorker,
  balanceOf,
  dayFromNow,
  giveCoins,
  testConfig,
} from '#tests/support/factories.ts'
import { itemWork } from '#tests/support/items.ts'
import { announceBatchProgress } from './progress.ts'
import { raiseToppedUpItems, topUpBatch } from './top-up.ts'

const ONE_WORKER = { content: { workersPerItem: 1 } }

// The books, and the slots of every item, are audited after each test: also while a top up is in progress.
describe('the top up of a batch', () => {
  const api = useApi()
  const { rows, take, submit, work, slotsLeft } = itemWork(api)
  /** An open batch for 3 coins per item, whose buyer has `coins` left. */
  async function aBatch(items: number, coins: number) {
    const batch = await anOpenBatch(api.database, { items, ...ONE_WORKER })
    const rest = await balanceOf(api.database, batch.buyer)
    if (coins > rest) await giveCoins(api.database, batch.buyer.accountId, coins - rest)
    const topUp = (workersPerItem: number, total: number) =>
      api.as(batch.buyer).put(`/batches/${batch.id}/workers`, { workersPerItem, total })
    return { ...batch, topUp }
  }

  test('the whole cost moves at once, and each item goes to further workers, who have not had it', async () => {
    const { buyer, id, taskId, topUp } = await aBatch(2, 100)
    const before = await balanceOf(api.database, buyer)
    const worker = await aWorker(api.database)
    await work(worker, taskId)
    await work(worker, taskId)
    assert.equal((await take(worker, taskId)).body.error.code, 'task_filled')
    const { status, body } = await topUp(3, 12)
    assert.deepEqual([status, body.workersPerItem, body.itemsToppedUp], [200, 3, 0])
    assert.deepEqual(body.cost, { items: 2, workersPerItem: 3, reward: 3, pay: 18, fee: 0, total: 18 })
    assert.equal(await balanceOf(api.database, buyer), before - 12)
    assert.equal(await slotsLeft(taskId), 4)
    await raiseToppedUpItems(api.database)
    assert.equal((await api.as(buyer).get(`/batches/${id}`)).body.itemsToppedUp, null)
    assert.equal((await take(worker, taskId)).body.error.code, 'task_filled')
    const other = await aWorker(api.database)
    assert.deepEqual([(await work(other, taskId)).number, (await work(other, taskId)).number], [1, 2])
    assert.equal(await slotsLeft(taskId), 2)
  })

  test('a repeated request adds nothing; fewer workers, another cost and too few coins change nothing', async () => {
    const { buyer, taskId, topUp } = await aBatch(4, 30)
    const before = await balanceOf(api.database, buyer)
    assert.deepEqual((await topUp(2, 11)).body.error.code, 'invalid_fields')
    assert.equal((await topUp(21, 240)).status, 422)
    assert.equal((await topUp(20, 4 * 19 * 3)).body.error.code, 'insufficient_coins')
    assert.deepEqual([await balanceOf(api.database, buyer), await slotsLeft(taskId)], [before, 4])
    assert.equal((await topUp(2, 12)).status, 200)
    assert.equal((await topUp(2, 12)).status, 200)
    assert.equal((await topUp(3, 12)).body.error.code, 'state_conflict')
    await raiseToppedUpItems(api.database)
    assert.equal((await topUp(1, 12)).status, 422)
    assert.equal(await balanceOf(api.database, buyer), before - 12)
  })

  test('only the buyer tops up, an open batch before its deadline', async () => {
    const { buyer, id, taskId, topUp } = await aBatch(2, 50)
    const stranger = api.as(await aBuyer(api.database, { coins: 50 }))
    assert.equal((await stranger.put(`/batches/${id}/workers`, { workersPerItem: 2, total: 6 })).status, 404)
    assert.equal((await api.as(buyer).post(`/tasks/${taskId}/slots`, { slots: 2 })).status, 409)
    assert.equal(
      (await api.as(buyer).put(`/tasks/${taskId}/deadline`, { completion_date: dayFromNow(20) })).status,
      200,
    )
    assert.equal((await api.as(buyer).get(`/batches/${id}`)).body.completionDate, dayFromNow(20))
    await api.as(buyer).post(`/tasks/${taskId}/close`)
    assert.equal((await topUp(2, 6)).body.error.code, 'task_closed')
    assert.equal((await api.as(buyer).get(`/batches/${id}`)).body.isClosed, true)
    await api.as(buyer).post(`/tasks/${taskId}/reopen`, { completion_date: dayFromNow(9) })
    assert.equal((await topUp(2, 6)).status, 200)
  })

  test('the fee is charged on the added work, and the cost is what was paid', async () => {
    const { buyer, id } = await aBatch(5, 100)
    const config = { ...testConfig, taskFeePercent: 10 }
    await topUpBatch(api.database, config, id, buyer.id, { workersPerItem: 2, total: 15 + 2 })
    const { cost } = (await api.as(buyer).get(`/batches/${id}`)).body
    assert.deepEqual([cost.pay, cost.fee, cost.total], [30, 2, 32])
  })

  test('concurrent top ups, work, closing and background jobs lose no slot and no coin', async () => {
    for (let round = 0; round < 4; round++) {
      const { buyer, id, taskId, topUp } = await aBatch(6, 200)
      const workers = await Promise.all(Array.from({ length: 3 }, () => aWorker(api.database)))
      await atOnce<unknown>(24, async (index) => {
        const worker = workers[index % 3]
        if (index % 6 === 0) return topUp(2, 18)
        if (index % 6 === 1) return raiseToppedUpItems(api.database)
        if (index === 20 && round % 2 === 1) return api.as(buyer).post(`/tasks/${taskId}/close`)
        if (worker === undefined) return
        const { body } = await take(worker, taskId)
        return body.number === undefined || submit(worker, taskId, body.number)
      })
      await raiseToppedUpItems(api.database)
      const [{ agreed_total: paid }] = await rows('select agreed_total from batches where id = $1', [id])
      assert.ok([18, 36].includes(Number(paid)))
    }
  })

  test('a top up that is interrupted continues, and raises no item twice', async () => {
    const { buyer, id, topUp } = await aBatch(2300, 7000)
    assert.equal((await topUp(2, 6900)).status, 200)
    await api.owner.query(`
      create function fail_second() returns trigger language plpgsql as $$ begin
        if new.raised_items > 1000 then raise exception 'planted failure'; end if; return new; end $$;
      create trigger fail_second before update on batches for each row execute function fail_second()`)
    await assert.rejects(raiseToppedUpItems(api.database), /planted failure/)
    await api.owner.query('drop trigger fail_second on batches; drop function fail_second')
    assert.equal((await api.as(buyer).get(`/batches/${id}`)).body.itemsToppedUp, 1000)
    await Promise.all([raiseToppedUpItems(api.database), raiseToppedUpItems(api.database)])
    const wanted = await rows(
      'select answers_wanted, count(*)::int as count from batch_items where batch_id = $1 group by answers_wanted',
      [id],
    )
    assert.deepEqual(wanted, [{ answers_wanted: 2, count: 2300 }])
  })

  test('a batch that had finished announces its progress and its end again', async () => {
    const { buyer, taskId, topUp } = await aBatch(1, 50)
    await enableApiEvents(api.database, buyer)
    const finish = async () => {
      const { id } = await work(await aWorker(api.database), taskId)
      await approveSubmission(api.database, id, buyer.id)
      await announceBatchProgress(api.database)
    }
    await finish()
    await topUp(2, 3)
    await raiseToppedUpItems(api.database)
    assert.equal(await announceBatchProgress(api.database), 0)
    await finish()
    const types = (await eventsOf(api.database, buyer)).map(({ type }) => type)
    assert.equal(types.filter((type) => type === 'batch.finished').length, 2)
  })
})
