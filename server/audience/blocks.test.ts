import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useApi } from '#tests/support/api.ts'
import { aPastWorker, aTaskFor } from '#tests/support/audience.ts'
import { anOpenBatch } from '#tests/support/batches.ts'
import {
  aBuyer,
  anAdmin,
  aTask,
  atOnce,
  aWorker,
  balanceOf,
  giveCoins,
  type TestUser,
} from '#tests/support/factories.ts'
import { slotsLeft, stateOf } from '#tests/support/submissions.ts'

const REASON = { reason: 'Submitted the same text ten times' }

describe('blocks of workers', () => {
  const api = useApi()
  const aBuyerWithCoins = () => aBuyer(api.database, { coins: 100 })
  const submit = (worker: TestUser, taskId: string) =>
    api.as(worker).post('/submiteted-task', { taskId, submissoin_data: 'Done' })
  const reserve = (worker: TestUser, taskId: string) => api.as(worker).post(`/tasks/${taskId}/reservation`)

  test('a blocked worker gets no slot of the buyer in any way, with a clear reason; other workers and slots are not affected', async () => {
    const buyer = await aBuyerWithCoins()
    const { worker, pseudonym } = await aPastWorker(api.database, buyer)
    const taskId = await aTask(api.database, buyer)
    assert.equal((await api.as(buyer).put(`/my-workers/${pseudonym}/block`, REASON)).status, 200)
    for (const response of [await submit(worker, taskId), await reserve(worker, taskId)]) {
      assert.deepEqual([response.status, response.body.error.code], [403, 'not_eligible'])
      assert.match(response.body.error.message, /no longer offers you work/)
      assert.ok(!response.text.includes(REASON.reason))
    }
    const { body: details } = await api.as(worker).get(`/task-datails/${taskId}`)
    assert.equal(details.ineligibility.reason, 'blocked')
    const other = await aTask(api.database, await aBuyerWithCoins())
    const { body: ineligible } = await api
      .as(worker)
      .get(`/my-ineligible-tasks?tasks=${[taskId, other].join()}`)
    assert.deepEqual(
      ineligible.map((one: { taskId: string; reason: string }) => [one.taskId, one.reason]),
      [[taskId, 'blocked']],
    )
    assert.equal((await submit(worker, other)).status, 200)
    assert.equal((await submit(await aWorker(api.database), taskId)).status, 200)
    assert.equal((await api.as(buyer).delete(`/my-workers/${pseudonym}/block`)).status, 200)
    assert.equal((await submit(worker, taskId)).status, 200)
  })

  test('work that was reserved or submitted before a block stays, and is paid', async () => {
    const buyer = await aBuyerWithCoins()
    const { worker, pseudonym, submissionId } = await aPastWorker(api.database, buyer)
    const taskId = await aTask(api.database, buyer)
    assert.equal((await reserve(worker, taskId)).status, 200)
    await api.as(buyer).put(`/my-workers/${pseudonym}/block`, REASON)
    assert.equal(await stateOf(api.database, submissionId), 'pending')
    const { status, body } = await submit(worker, taskId)
    assert.equal(status, 200)
    const before = await balanceOf(api.database, worker)
    await api.as(buyer).patch(`/update-submission-status/${body.insertedId}`, { status: 'approved' })
    assert.equal(await balanceOf(api.database, worker), before + 10)
  })

  test('a reserved item is submitted after a block, and the next one is refused', async () => {
    const { buyer, taskId } = await anOpenBatch(api.database, { items: 3, content: { workersPerItem: 1 } })
    await giveCoins(api.database, buyer.accountId, 5)
    const { worker, pseudonym } = await aPastWorker(api.database, buyer)
    const take = () => api.as(worker).post(`/tasks/${taskId}/items`)
    assert.equal((await take()).body.number, 1)
    await api.as(buyer).put(`/my-workers/${pseudonym}/block`, REASON)
    assert.equal((await take()).body.error.code, 'not_eligible')
    const sent = await api.as(worker).post(`/tasks/${taskId}/items/1/answers`, { answers: { kind: 'Shop' } })
    assert.equal(sent.status, 200)
    assert.equal(await slotsLeft(api.database, taskId), 2)
  })

  test('concurrent blocks and submissions: every slot is free or has work, and none is taken after the block', async () => {
    const buyer = await aBuyerWithCoins()
    const { worker, pseudonym } = await aPastWorker(api.database, buyer)
    const tasks = await Promise.all(
      Array.from({ length: 8 }, () => aTask(api.database, buyer, { slots: 1, reward: 1 })),
    )
    const sent = tasks.map((taskId) => submit(worker, taskId))
    const blocks = await atOnce(4, () => api.as(buyer).put(`/my-workers/${pseudonym}/block`, REASON))
    assert.ok(blocks.every((one) => one.status === 'fulfilled' && one.value.status === 200))
    const after = await submit(worker, await aTask(api.database, buyer, { slots: 1, reward: 1 }))
    assert.equal(after.status, 403)
    const codes = (await Promise.all(sent)).map(({ status }) => status)
    const left = await Promise.all(tasks.map((taskId) => slotsLeft(api.database, taskId)))
    assert.deepEqual(
      codes.map((status) => (status === 200 ? 0 : 1)),
      left,
    )
    const { rows } = await api.database.pool.query('select count(*) from worker_blocks where buyer_id = $1', [
      buyer.id,
    ])
    assert.equal(Number(rows[0].count), 1)
  })

  test('Admins see the block with its reason on both users, and lift it with a reason; it is logged', async () => {
    const buyer = await aBuyerWithCoins()
    const { worker, pseudonym } = await aPastWorker(api.database, buyer)
    await api.as(buyer).put(`/my-workers/${pseudonym}/block`, REASON)
    const admin = api.as(await anAdmin(api.database))
    const [block] = (await admin.get(`/users/${worker.id}/overview`)).body.blocks
    assert.deepEqual(
      [block.reason, block.by, block._id, block.endedAt],
      [REASON.reason, false, buyer.id, null],
    )
    assert.equal((await admin.get(`/users/${buyer.id}/overview`)).body.blocks[0].by, true)
    assert.equal((await api.as(buyer).post(`/worker-blocks/${block.blockId}/lift`, REASON)).status, 403)
    const lift = () => admin.post(`/worker-blocks/${block.blockId}/lift`, { reason: 'No ground for it' })
    assert.deepEqual([(await lift()).status, (await lift()).status], [200, 200])
    const { rows } = await api.owner.query(
      `select content from admin_audit_log where content::jsonb ->> 'act' = 'block_lifted'`,
    )
    assert.equal(rows.length, 1)
    const taskId = await aTaskFor(api.database, buyer, {})
    assert.equal((await submit(worker, taskId)).status, 200)
  })

  test('only workers who have worked for the buyer can be blocked or be favourites', async () => {
    const buyer = await aBuyerWithCoins()
    const other = await aBuyerWithCoins()
    const { pseudonym } = await aPastWorker(api.database, other)
    for (const response of [
      await api.as(buyer).put(`/my-workers/${pseudonym}/block`, REASON),
      await api.as(buyer).put(`/my-workers/${pseudonym}/favourite`, { favourite: true }),
      await api.as(buyer).delete(`/my-workers/${pseudonym}/block`),
    ])
      assert.equal(response.status, 404)
    assert.equal((await api.as(buyer).put('/my-workers/W000/block', REASON)).status, 404)
    assert.equal((await api.as(other).put(`/my-workers/${pseudonym}/block`, { reason: ' ' })).status, 422)
  })
})
