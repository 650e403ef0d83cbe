import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { purgeUnusedImages } from '#server/images/purge-unused.ts'
import type { ImageStore } from '#server/images/store.ts'
import { settleDueSubmissions } from '#server/submissions/settle-due.ts'
import { deleteUser } from '#server/users/delete.ts'
import { useApi } from '#tests/support/api.ts'
import { anOpenBatch } from '#tests/support/batches.ts'
import { anAdmin, aWorker, balanceOf, type TestUser, testConfig } from '#tests/support/factories.ts'
import { ascending, itemWork, SHOP } from '#tests/support/items.ts'
import { makeDue } from '#tests/support/submissions.ts'

// The books, and the answers taken of every item, are audited after each test.
describe('the answers to the items of a batch', () => {
  const api = useApi()
  const { rows, aBatch, take, submit, work, slotsLeft } = itemWork(api)

  test('answers are checked by the form; only a reserved item can be submitted, once', async () => {
    const { taskId } = await aBatch(2)
    const worker = await aWorker(api.database)
    await take(worker, taskId)
    const wrong = await submit(worker, taskId, 1, { answers: { kind: 'School' } })
    assert.deepEqual(
      [wrong.status, wrong.body.error.fields],
      [422, { 'answers.kind': 'Choose one of the options' }],
    )
    assert.equal((await submit(worker, taskId, 1, { answers: { colour: 'Red' } })).status, 400)
    assert.equal((await submit(worker, taskId, 2)).body.error.code, 'state_conflict')
    const stranger = await aWorker(api.database)
    assert.equal((await submit(stranger, taskId, 1)).body.error.code, 'state_conflict')
    const results = await Promise.all([1, 2, 3, 4].map(() => submit(worker, taskId, 1)))
    assert.deepEqual(results.map(({ status }) => status).toSorted(ascending), [200, 409, 409, 409])
    assert.equal((await submit(worker, taskId, 1)).body.error.code, 'already_submitted')
  })

  test('a rejection that is final frees its item for another worker only', async () => {
    const { buyer, taskId } = await aBatch(1)
    const [worker, other] = [await aWorker(api.database), await aWorker(api.database)]
    const { id } = await work(worker, taskId)
    await api.as(buyer).delete(`/submission-reject/${id}`, { reason: 'Not a shop' })
    assert.equal((await take(other, taskId)).body.error.code, 'task_filled')
    await makeDue(api.owner, id)
    await settleDueSubmissions(api.database, api.instance.config)
    assert.equal((await take(worker, taskId)).body.error.code, 'task_filled')
    assert.equal((await take(other, taskId)).body.number, 1)
  })

  test('a reopened slot offers the item again, and the slot of the rejected work is withdrawn', async () => {
    const { buyer, taskId } = await anOpenBatch(api.database, {
      items: 1,
      content: { workersPerItem: 1 },
      coins: 30,
    })
    const [worker, other] = [await aWorker(api.database), await aWorker(api.database)]
    const { id } = await work(worker, taskId)
    await api.as(buyer).delete(`/submission-reject/${id}`, { reason: 'Not a shop' })
    assert.equal((await api.as(buyer).post(`/submissions/${id}/reopened-slot`)).status, 200)
    assert.equal((await take(other, taskId)).body.number, 1)
    await makeDue(api.owner, id)
    await settleDueSubmissions(api.database, api.instance.config)
    assert.equal((await api.as(buyer).post(`/submissions/${id}/reversal`)).status, 200)
    const [item] = await rows(
      'select answers_wanted, answers_taken from batch_items join tasks using (batch_id) where tasks.id = $1',
      [taskId],
    )
    assert.deepEqual(item, { answers_wanted: 2, answers_taken: 2 })
  })

  test('revised answers are checked by the form, and replace the earlier ones', async () => {
    const { buyer, taskId } = await aBatch(1)
    const worker = await aWorker(api.database)
    const { id } = await work(worker, taskId)
    await api.as(buyer).post(`/submissions/${id}/revision`, { text: 'Look again' })
    const as = api.as(worker)
    const text = await as.put(`/submissions/${id}`, { submissoin_data: 'Office' })
    assert.equal(text.body.error.code, 'state_conflict')
    assert.equal((await as.put(`/submissions/${id}/answers`, { answers: { kind: 'School' } })).status, 422)
    assert.equal((await as.put(`/submissions/${id}/answers`, { answers: { kind: 'Office' } })).status, 200)
    const [stored] = await rows('select text, answers, status from submissions where id = $1', [id])
    assert.deepEqual(stored, { text: 'Kind: Office', answers: { kind: 'Office' }, status: 'pending' })
    const other = api.as(await aWorker(api.database))
    assert.equal((await other.put(`/submissions/${id}/answers`, SHOP)).status, 404)
  })

  test('a worker whose role changed can still revise their answers', async () => {
    const { buyer, taskId } = await aBatch(1)
    const worker = await aWorker(api.database)
    const { id } = await work(worker, taskId)
    await api.as(buyer).post(`/submissions/${id}/revision`, { text: 'Look again' })
    await api.owner.query(`update users set role = 'Buyer' where id = $1`, [worker.id])
    const revised = await api.as(worker).put(`/submissions/${id}/answers`, { answers: { kind: 'Office' } })
    assert.equal(revised.status, 200, revised.text)
  })

  test('pictures of answers, and of those before a revision, are kept while unused ones are deleted', async () => {
    const { buyer, taskId } = await aBatch(1, {
      form: { fields: [{ name: 'photo', label: 'Photo', type: 'picture', required: true }] },
    })
    const worker = await aWorker(api.database)
    const url = (name: string) => `http://localhost:3000/images/${name}.webp`
    await api.owner.query(
      `insert into images (hash, url, thumb_url, uploader, uploaded_at)
       select repeat(letter, 40), $1 || letter || '.webp', '', $2, now() - interval '9 days' from unnest('{a,b,c}'::text[]) as letter`,
      ['http://localhost:3000/images/', worker.id],
    )
    await take(worker, taskId)
    const { body } = await submit(worker, taskId, 1, { answers: { photo: [url('a')] } })
    await api.as(buyer).post(`/submissions/${body.insertedId}/revision`, { text: 'Closer' })
    const answers = { photo: [url('b')] }
    const revised = await api.as(worker).put(`/submissions/${body.insertedId}/answers`, { answers })
    assert.equal(revised.status, 200)
    const removed: string[] = []
    const store = { remove: async (hash: string) => void removed.push(hash) } as ImageStore
    await purgeUnusedImages(api.database, store, testConfig.appealDays)
    assert.deepEqual(removed, ['c'.repeat(40)])
  })

  test('buyers see the row of the file, workers only what the instructions show', async () => {
    const { buyer, taskId } = await anOpenBatch(api.database, {
      items: 1,
      content: { workersPerItem: 1, instructions: 'Choose what the shop sells.' },
    })
    const worker = await aWorker(api.database)
    const { id } = await work(worker, taskId)
    const whole = 'Choose what the shop sells.\n\nname: Shop 1'
    for (const [user, detail, input] of [
      [buyer, whole, { name: 'Shop 1' }],
      [worker, 'Choose what the shop sells.', null],
    ] as const) {
      const client = api.as(user)
      const { body } = await client.get(`/submissions/${id}/case`)
      assert.deepEqual([body.task_detail, body.item], [detail, 1])
      assert.equal((await client.get(`/submissions/${id}/task`)).body.task_detail, detail)
      assert.deepEqual((await client.get(`/submissions/${id}/item`)).body.input, input)
    }
  })

  test('deleted users leave no item reserved and no work undecided', async () => {
    const { buyer, taskId } = await aBatch(4)
    const [worker, other] = [await aWorker(api.database), await aWorker(api.database)]
    const admin = await anAdmin(api.database)
    await work(worker, taskId)
    await take(worker, taskId)
    await work(other, taskId)
    await take(other, taskId)
    await deleteUser(api.database, worker.id, admin.id)
    assert.equal(await slotsLeft(taskId), 2)
    await deleteUser(api.database, buyer.id, admin.id)
    const [open] = await rows('select closed_at is null as open from tasks where id = $1', [taskId])
    assert.equal(open.open, false)
    assert.equal(await balanceOf(api.database, other), 13)
  })

  test('a deleted task stays visible to who has an item of it, or work that is not decided', async () => {
    const { buyer, taskId } = await aBatch(4)
    const [holder, worker, other] = [
      await aWorker(api.database),
      await aWorker(api.database),
      await aWorker(api.database),
    ]
    const { body: item } = await take(holder, taskId)
    const { id } = await work(worker, taskId)
    assert.equal((await api.as(buyer).delete(`/delete-task/${taskId}`)).status, 200)
    const statusFor = async (user: TestUser) => (await api.as(user).get(`/task-datails/${taskId}`)).status
    assert.deepEqual(
      [await statusFor(holder), await statusFor(worker), await statusFor(other)],
      [200, 200, 404],
    )
    assert.equal((await submit(holder, taskId, item.number)).status, 200)
    assert.equal(await statusFor(holder), 200)
    assert.equal(
      (await api.as(buyer).patch(`/update-submission-status/${id}`, { status: 'approved' })).status,
      200,
    )
    assert.equal(await statusFor(worker), 404)
  })
})
