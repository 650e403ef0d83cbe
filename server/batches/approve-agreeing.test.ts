import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ProjectContent } from '#contract/projects.ts'
import { settleDueSubmissions } from '#server/submissions/settle-due.ts'
import { deleteUser } from '#server/users/delete.ts'
import { PROJECT } from '#tests/api/samples.ts'
import { useApi } from '#tests/support/api.ts'
import { anOpenBatch } from '#tests/support/batches.ts'
import {
  aBuyer,
  anAdmin,
  atOnce,
  aWorker,
  balanceOf,
  type TestUser,
  testConfig,
} from '#tests/support/factories.ts'
import { makeDue } from '#tests/support/submissions.ts'

const QUALITY = { leastScore: null, scoreAfter: 5, approveShare: 60 }
const FIELDS: ProjectContent['form']['fields'] = [
  { type: 'choice', name: 'kind', label: 'Kind', required: false, options: ['Shop', 'Office'] },
  { type: 'choices', name: 'days', label: 'Open on', required: false, options: ['Mon', 'Tue'] },
  { type: 'text', name: 'note', label: 'Note', required: false },
]

// The books are audited after each test.
describe('the automatic approval of answers that agree', () => {
  const api = useApi()
  const aBatch = (content: Partial<ProjectContent> = {}) =>
    anOpenBatch(api.database, {
      items: 3,
      content: { workersPerItem: 3, quality: QUALITY, form: { fields: FIELDS }, ...content },
    })
  const workers = () => Promise.all([aWorker(api.database), aWorker(api.database), aWorker(api.database)])
  const take = async (worker: TestUser, taskId: string): Promise<number> =>
    (await api.as(worker).post(`/tasks/${taskId}/items`)).body.number
  const submit = (worker: TestUser, taskId: string, number: number, answers: object) =>
    api.as(worker).post(`/tasks/${taskId}/items/${number}/answers`, { answers })
  const work = async (worker: TestUser, taskId: string, answers: object): Promise<string> => {
    const { status, body, text } = await submit(worker, taskId, await take(worker, taskId), answers)
    assert.equal(status, 200, text)
    return body.insertedId
  }
  const decisionsOf = async (ids: string[]) =>
    (
      await api.owner.query(
        'select status, decided_by from submissions where id = any ($1) order by array_position($1, id)',
        [ids],
      )
    ).rows.map(({ status, decided_by: by }) => (by === null ? status : `${status} by ${by}`))

  test('pays those that agree when the item has all its answers, and leaves the others to the buyer', async () => {
    const { taskId } = await aBatch()
    const [one, two, three] = await workers()
    const before = await balanceOf(api.database, one)
    const ids = [
      await work(one, taskId, { kind: 'Shop', days: ['Mon', 'Tue'], note: 'Red door' }),
      await work(two, taskId, { kind: 'Shop', days: ['Tue', 'Mon'] }),
    ]
    assert.deepEqual(await decisionsOf(ids), ['pending', 'pending'])
    ids.push(await work(three, taskId, { kind: 'Office', days: ['Mon', 'Tue'] }))
    assert.deepEqual(await decisionsOf(ids), ['approved by agreement', 'approved by agreement', 'pending'])
    assert.equal(await balanceOf(api.database, one), before + 3)
    const [notice] = (await api.as(one).get(`/my-notifications`)).body
    assert.match(notice.message, /approved automatically because other workers gave the same answers/)
  })

  test('needs the share on all questions together, and an answer to one of them', async () => {
    const { taskId } = await aBatch()
    const [one, two, three] = await workers()
    // Two of three agree on each question, but no two on both.
    const apart = [
      await work(one, taskId, { kind: 'Shop', days: ['Mon'] }),
      await work(two, taskId, { kind: 'Shop', days: ['Tue'] }),
      await work(three, taskId, { kind: 'Office', days: ['Tue'] }),
    ]
    assert.deepEqual(await decisionsOf(apart), ['pending', 'pending', 'pending'])
    // Texts are not compared.
    const texts = [
      await work(one, taskId, { note: 'Closed' }),
      await work(two, taskId, { note: 'Open' }),
      await work(three, taskId, { note: 'Gone' }),
    ]
    assert.deepEqual(await decisionsOf(texts), ['pending', 'pending', 'pending'])
  })

  test('is off by default', async () => {
    const { taskId } = await aBatch({ quality: undefined as never })
    const [one, two, three] = await workers()
    const ids = [
      await work(one, taskId, { kind: 'Shop' }),
      await work(two, taskId, { kind: 'Shop' }),
      await work(three, taskId, { kind: 'Shop' }),
    ]
    assert.deepEqual(await decisionsOf(ids), ['pending', 'pending', 'pending'])
  })

  test('concurrent decisions of the buyer and of the review period pay each answer once', async () => {
    for (let round = 0; round < 5; round++) {
      const { buyer, taskId } = await aBatch()
      const [one, two, three] = await workers()
      const [first, second] = [
        await work(one, taskId, { kind: 'Shop' }),
        await work(two, taskId, { kind: 'Shop' }),
      ]
      const last = await take(three, taskId)
      await makeDue(api.owner, second)
      const before = await balanceOf(api.database, one)
      const [submitted, ...others] = await atOnce<unknown>(4, (place) => {
        if (place === 0) return submit(three, taskId, last, { kind: 'Shop' })
        if (place === 1)
          return api.as(buyer).patch(`/update-submission-status/${first}`, { status: 'approved' })
        if (place === 2) return settleDueSubmissions(api.database, testConfig)
        return api.as(buyer).post('/submissions/approvals', { ids: [first, second] })
      })
      assert.equal(submitted?.status, 'fulfilled')
      assert.ok(others.length === 3)
      assert.equal(await balanceOf(api.database, one), before + 3)
      const decisions = await decisionsOf([first, second])
      assert.ok(decisions.every((decision) => decision.startsWith('approved by')))
      const paid = await api.owner.query(
        `select ref from ledger_transfers where kind = 'submission_paid' and ref = any ($1)`,
        [[first, second]],
      )
      assert.equal(paid.rows.length, 2)
    }
  })

  test('a rejection at the same time is never undone: either all agree, or the buyer decides', async () => {
    for (let round = 0; round < 5; round++) {
      const { buyer, taskId } = await aBatch()
      const [one, two, three] = await workers()
      const first = await work(one, taskId, { kind: 'Shop' })
      const second = await work(two, taskId, { kind: 'Shop' })
      const last = await take(three, taskId)
      const [submitted, rejected] = await atOnce(2, (place) =>
        place === 0
          ? submit(three, taskId, last, { kind: 'Shop' })
          : api.as(buyer).delete(`/submission-reject/${first}`, { reason: 'Not a shop' }),
      )
      assert.equal(submitted?.status === 'fulfilled' && submitted.value.status, 200)
      const isRejected = rejected?.status === 'fulfilled' && rejected.value.status === 200
      assert.deepEqual(
        await decisionsOf([first, second]),
        isRejected ? ['rejection_open', 'pending'] : ['approved by agreement', 'approved by agreement'],
      )
    }
  })

  test('approves nothing of an item of which the buyer has rejected an answer for good', async () => {
    const { buyer, taskId } = await aBatch()
    const [one, two, three] = await workers()
    const first = await work(one, taskId, { kind: 'Shop' })
    await api.as(buyer).delete(`/submission-reject/${first}`, { reason: 'Not a shop' })
    assert.equal((await api.as(one).post(`/submissions/${first}/acceptance`)).status, 200)
    const others = [
      await work(two, taskId, { kind: 'Shop' }),
      await work(three, taskId, { kind: 'Shop' }),
      await work(await aWorker(api.database), taskId, { kind: 'Shop' }),
    ]
    assert.deepEqual(await decisionsOf([first, ...others]), [
      'rejected by worker',
      'pending',
      'pending',
      'pending',
    ])
  })

  test('a deleted worker does not keep the answers of the others from being approved', async () => {
    const { taskId } = await aBatch()
    const [one, two, three] = await workers()
    const first = await work(one, taskId, { kind: 'Office' })
    await deleteUser(api.database, one.id, (await anAdmin(api.database)).id)
    const others = [
      await work(two, taskId, { kind: 'Shop' }),
      await work(three, taskId, { kind: 'Shop' }),
      await work(await aWorker(api.database), taskId, { kind: 'Shop' }),
    ]
    assert.deepEqual(await decisionsOf([first, ...others]), [
      'rejected by worker_left',
      ...Array(3).fill('approved by agreement'),
    ])
  })

  test('the last two answers at the same time are approved together, once', async () => {
    const { taskId } = await aBatch()
    const [one, two, three] = await workers()
    const first = await work(one, taskId, { kind: 'Shop' })
    const [second, third] = [await take(two, taskId), await take(three, taskId)]
    await atOnce(2, (place) =>
      place === 0
        ? submit(two, taskId, second, { kind: 'Shop' })
        : submit(three, taskId, third, { kind: 'Shop' }),
    )
    const { rows } = await api.owner.query('select status from submissions where task_id = $1', [taskId])
    assert.deepEqual(
      rows.map(({ status }) => status),
      ['approved', 'approved', 'approved'],
    )
    assert.deepEqual(await decisionsOf([first]), ['approved by agreement'])
  })

  test('a revised answer counts when it is submitted', async () => {
    const { buyer, taskId } = await aBatch()
    const [one, two, three] = await workers()
    const first = await work(one, taskId, { kind: 'Office' })
    await api.as(buyer).post(`/submissions/${first}/revision`, { text: 'Look again' })
    const second = await work(two, taskId, { kind: 'Shop' })
    const third = await work(three, taskId, { kind: 'Shop' })
    assert.deepEqual(await decisionsOf([second, third]), ['pending', 'pending'])
    await api.as(one).put(`/submissions/${first}/answers`, { answers: { kind: 'Shop' } })
    assert.deepEqual(await decisionsOf([first, second, third]), Array(3).fill('approved by agreement'))
  })

  test('a frozen buyer approves nothing automatically', async () => {
    const { buyer, taskId } = await aBatch()
    const [one, two, three] = await workers()
    const frozen = await api
      .as(await anAdmin(api.database))
      .post(`/users/${buyer.id}/freezes`, { reason: 'Test' })
    assert.ok(frozen.status < 300, frozen.text)
    const ids = [
      await work(one, taskId, { kind: 'Shop' }),
      await work(two, taskId, { kind: 'Shop' }),
      await work(three, taskId, { kind: 'Shop' }),
    ]
    assert.deepEqual(await decisionsOf(ids), ['pending', 'pending', 'pending'])
  })

  test('needs a question with options and two workers per item', async () => {
    const buyer = api.as(await aBuyer(api.database))
    const alone = await buyer.post('/projects', { ...PROJECT, workersPerItem: 1, quality: QUALITY })
    assert.equal(alone.status, 422)
    assert.deepEqual(Object.keys(alone.body.error.fields), ['quality.approveShare'])
    const open = await buyer.post('/projects', {
      ...PROJECT,
      quality: QUALITY,
      form: { fields: [FIELDS[2]] },
    })
    assert.equal(open.status, 422)
    const half = await buyer.post('/projects', { ...PROJECT, quality: { ...QUALITY, approveShare: 50 } })
    assert.equal(half.status, 422)
    const known = await buyer.post('/projects', { ...PROJECT, quality: QUALITY })
    assert.deepEqual([known.status, known.body.quality], [201, QUALITY])
  })
})
