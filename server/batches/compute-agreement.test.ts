import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ProjectContent } from '#contract/projects.ts'
import { useApi } from '#tests/support/api.ts'
import { anOpenBatch, type TestBatch } from '#tests/support/batches.ts'
import { aBuyer, aWorker, type TestUser } from '#tests/support/factories.ts'
import { runMigrationInBatches } from '#tests/support/migrations.ts'
import { computeDueAgreements } from './compute-agreement.ts'

const CONTENT: Partial<ProjectContent> = {
  workersPerItem: 3,
  form: {
    fields: [
      { type: 'choice', name: 'kind', label: 'Kind', required: true, options: ['Shop', 'Office', 'Bank'] },
      { type: 'choices', name: 'days', label: 'Open on', required: false, options: ['Mon', 'Tue'] },
      { type: 'text', name: 'note', label: 'Note', required: false },
    ],
  },
}

describe('the agreement of a batch', () => {
  const api = useApi()
  let batch: TestBatch & { taskId: string }
  let workers: TestUser[] = []
  const read = async (path: string) => (await api.as(batch.buyer).get(`/batches/${batch.id}/${path}`)).body
  /** Makes the agreement due at once: it waits half a minute between two computations. */
  const compute = async () => {
    await api.owner.query(`update batch_agreement set computed_at = clock_time() - interval '1 hour'`)
    return computeDueAgreements(api.database)
  }
  const work = async (worker: TestUser, answers: object) => {
    const { body: item } = await api.as(worker).post(`/tasks/${batch.taskId}/items`)
    const { body } = await api
      .as(worker)
      .post(`/tasks/${batch.taskId}/items/${item.number}/answers`, { answers })
    return body.insertedId as string
  }

  before(async () => {
    batch = await anOpenBatch(api.database, {
      items: 4,
      content: CONTENT,
    })
    workers = await Promise.all(Array.from({ length: 3 }, () => aWorker(api.database)))
    const [one, two, three] = workers as [TestUser, TestUser, TestUser]
    // Item 1: all agree. Item 2: two of three. Item 3: two answers that differ. Item 4: one answer.
    await work(one, { kind: 'Shop', days: ['Tue', 'Mon'] })
    await work(two, { kind: 'Shop', days: ['Mon', 'Tue'], note: 'Red door' })
    await work(three, { kind: 'Shop', days: ['Mon', 'Tue'] })
    await work(one, { kind: 'Office' })
    await work(two, { kind: 'Office' })
    await work(three, { kind: 'Bank' })
    await work(one, { kind: 'Shop' })
    await work(two, { kind: 'Bank' })
    await work(one, { kind: 'Bank' })
    assert.equal(await compute(), 1)
  })

  test('has the majority and the estimate of each item, and says where there is none', async () => {
    const items = await read('agreement')
    assert.deepEqual(
      items.map(({ item, answers }: { item: number; answers: number }) => [item, answers]),
      [
        [1, 3],
        [2, 3],
        [3, 2],
        [4, 1],
      ],
    )
    assert.deepEqual([items[0].share, items[2].share, items[3].share], [1, 0.5, null])
    assert.ok(Math.abs(items[1].share - 2 / 3) < 0.001)
    const [first, second, third, fourth] = items.map(({ questions }: { questions: object[] }) => questions[0])
    assert.deepEqual([first.majority, first.estimate, first.isTie], ['Shop', 'Shop', false])
    assert.deepEqual([second.majority, second.estimate, second.answers], ['Office', 'Office', 3])
    assert.deepEqual([third.majority, third.isTie, third.share], [null, true, 0.5])
    assert.deepEqual([fourth.majority, fourth.isTie, fourth.answers], ['Bank', false, 1])
    assert.deepEqual(items[0].questions[1].majority, ['Mon', 'Tue'])
    assert.deepEqual([items[0].input, items[0].questions.length], [{ name: 'Shop 1' }, 2])
    assert.deepEqual(
      (await read('agreement?disagreeing=true')).map(({ item }: { item: number }) => item),
      [2, 3],
    )
    for (const [query, found] of [
      ['item=3', [3]],
      ['item=1&disagreeing=true', []],
      ['item=9', []],
    ] as const)
      assert.deepEqual(
        (await read(`agreement?${query}`)).map(({ item }: { item: number }) => item),
        found,
      )
    const { headers, body } = await api.as(batch.buyer).get(`/batches/${batch.id}/agreement?limit=3`)
    assert.equal(body.length, 3)
    const next = await read(`agreement?limit=3&cursor=${headers['x-next-cursor']}`)
    assert.deepEqual(
      next.map(({ item }: { item: number }) => item),
      [4],
    )
  })

  test('is summarized by question and by worker, under pseudonyms', async () => {
    const summary = await read('agreement/summary')
    assert.equal(summary.isDue, false)
    assert.equal(summary.answers, 9)
    const [kind, days] = summary.questions
    assert.deepEqual(
      [kind.name, kind.items, kind.unanimous, kind.tied, kind.isConverged],
      ['kind', 3, 1, 1, true],
    )
    assert.deepEqual([days.items, days.unanimous, days.share], [1, 1, 1])
    const found = await read('workers')
    assert.ok(!JSON.stringify(found).includes(workers[0]?.id ?? ''))
    const answers = await read('answers')
    const pseudonymOf = (place: number) =>
      answers.filter(({ item }: { item: number }) => item === 2)[place].worker
    const bank = answers.find(
      (answer: { item: number; answers: { kind: string } }) =>
        answer.item === 2 && answer.answers.kind === 'Bank',
    ).worker
    assert.equal(found.length, 3)
    assert.ok(found.some(({ worker }: { worker: string }) => worker === pseudonymOf(0)))
    const wrong = found.find(({ worker }: { worker: string }) => worker === bank)
    assert.deepEqual([wrong.answers, wrong.compared, wrong.agreeing], [2, 2, 1])
    assert.ok(wrong.errorRates[0].rate > 0.1)
  })

  test('is computed again after new answers and revised ones, and not without', async () => {
    assert.equal(await compute(), 0)
    const [, , three] = workers as [TestUser, TestUser, TestUser]
    const submission = await work(three, { kind: 'Bank' })
    assert.equal((await read('agreement/summary')).isDue, true)
    assert.equal(await compute(), 1)
    const agreed = (await read('agreement'))[2].questions[0]
    assert.deepEqual([agreed.majority, agreed.isTie], ['Bank', false])
    await api.as(batch.buyer).post(`/submissions/${submission}/revision`, { text: 'Look again' })
    const revised = await api
      .as(three)
      .put(`/submissions/${submission}/answers`, { answers: { kind: 'Shop' } })
    assert.equal(revised.status, 200)
    assert.equal(await compute(), 1)
    assert.equal((await read('agreement'))[2].questions[0].majority, 'Shop')
  })

  test('is computed at most once in half a minute', async () => {
    await work(workers[1] as TestUser, { kind: 'Bank' })
    await api.owner.query('update batch_agreement set computed_at = clock_time()')
    assert.equal(await computeDueAgreements(api.database), 0)
    assert.equal(await compute(), 1)
  })

  test('work does not count any more when its rejection is final', async () => {
    const [row] = (
      await api.owner.query(
        `select id from submissions where task_id = $1 and item_number = 2 and answers->>'kind' = 'Bank'`,
        [batch.taskId],
      )
    ).rows
    const rejected = await api
      .as(batch.buyer)
      .delete(`/submission-reject/${row.id}`, { reason: 'It is an office' })
    assert.equal(rejected.status, 200)
    assert.equal(await compute(), 0)
    assert.equal((await read('agreement'))[1].answers, 3)
    await api.as(workers[2] as TestUser).post(`/submissions/${row.id}/acceptance`)
    assert.equal(await compute(), 1)
    assert.equal((await read('agreement'))[1].answers, 2)
  })

  test('the upgrade makes an agreement due when work was rejected for good after it was computed', async () => {
    const [row] = (
      await api.owner.query(`select id from submissions where task_id = $1 and status = 'rejected'`, [
        batch.taskId,
      ])
    ).rows
    const upgradeAfter = async (hours: number) => {
      await api.owner.query(
        'update submissions set decided_at = clock_time() - make_interval(hours => $2) where id = $1',
        [row.id, hours],
      )
      await runMigrationInBatches(api.owner, '0387_agreement_of_earlier_rejections')
    }
    await upgradeAfter(2)
    assert.equal(await compute(), 0)
    await upgradeAfter(0)
    assert.equal(await compute(), 1)
  })

  test("another buyer's batch is not found", async () => {
    const other = api.as(await aBuyer(api.database))
    for (const path of ['agreement', 'agreement/summary', 'workers'])
      assert.equal((await other.get(`/batches/${batch.id}/${path}`)).status, 404)
  })
})
