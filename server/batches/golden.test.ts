import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ProjectContent } from '#contract/projects.ts'
import { SUBMISSION_STATES } from '#contract/submission-states.ts'
import { settleDueSubmissions } from '#server/submissions/settle-due.ts'
import { useApi } from '#tests/support/api.ts'
import { anOpenBatch, type TestBatch } from '#tests/support/batches.ts'
import { atOnce, aWorker, balanceOf, type TestUser, testConfig } from '#tests/support/factories.ts'
import { runMigrationInBatches } from '#tests/support/migrations.ts'
import { makeDue } from '#tests/support/submissions.ts'
import { computeDueAgreements } from './compute-agreement.ts'
import { type FileItem, spreadGolden } from './golden.ts'

const QUALITY = { leastScore: 60, scoreAfter: 2, approveShare: null }
const SECRET = 'Office'

describe('items with known answers', () => {
  const api = useApi()
  const rows = async (sql: string, values: unknown[] = []) => (await api.owner.query(sql, values)).rows
  const take = (worker: TestUser, taskId: string) => api.as(worker).post(`/tasks/${taskId}/items`)
  const submit = (worker: TestUser, taskId: string, number: number, kind: string) =>
    api.as(worker).post(`/tasks/${taskId}/items/${number}/answers`, { answers: { kind } })
  const work = async (worker: TestUser, taskId: string, kind: string) => {
    const { body } = await take(worker, taskId)
    const submitted = await submit(worker, taskId, body.number, kind)
    assert.equal(submitted.status, 200, submitted.text)
    return submitted.body.insertedId as string
  }
  /** A batch in which the last rows of the file have a known answer. */
  const aBatch = (items: number, golden: number, content: Partial<ProjectContent> = {}) =>
    anOpenBatch(api.database, {
      items,
      column: { name: 'golden.KIND', values: Array.from({ length: golden }, () => SECRET) },
      content: { workersPerItem: 1, quality: QUALITY, ...content },
    })
  const workerOf = async (batch: TestBatch) =>
    (await api.as(batch.buyer).get(`/batches/${batch.id}/workers`)).body

  test('are spread over the batch, and no response to a worker contains a known answer', async () => {
    const batch = await aBatch(30, 5)
    const numbers = (
      await rows(
        'select number from batch_items where batch_id = $1 and golden is not null order by number',
        [batch.id],
      )
    ).map(({ number }) => number)
    assert.equal(numbers.length, 5)
    for (const [place, number] of numbers.entries())
      assert.ok(
        number > place * 6 - 1 && number <= place * 6 + 7,
        `item ${number} is the golden one ${place}`,
      )
    assert.equal((await api.as(batch.buyer).get(`/batches/${batch.id}`)).body.goldenItems, 5)

    const worker = await aWorker(api.database)
    const seen: { text: string; number: number }[] = []
    const record = (response: { text: string; status: number }, number: number) => {
      assert.ok(response.status < 300, response.text)
      seen.push({ text: response.text, number })
    }
    for (let count = 0; count < 30; count++) {
      const taken = await take(worker, batch.taskId)
      const { number } = taken.body
      record(taken, number)
      record(await api.as(worker).get(`/tasks/${batch.taskId}/items`), number)
      const submitted = await submit(worker, batch.taskId, number, numbers.includes(number) ? SECRET : 'Shop')
      record(submitted, number)
      record(await api.as(worker).get(`/submissions/${submitted.body.insertedId}/item`), number)
      if (!numbers.includes(number)) continue
      await api.as(batch.buyer).delete(`/submission-reject/${submitted.body.insertedId}`, { reason: 'Wrong' })
      await api
        .as(worker)
        .post(`/submissions/${submitted.body.insertedId}/appeal`, { text: 'Right', pictures: [] })
      record(await api.as(worker).get(`/submissions/${submitted.body.insertedId}/case`), number)
    }
    const own = [
      await api.as(worker).get(`/my-submissoin/${worker.email}`),
      await api.as(worker).get(`/my-data/${worker.email}`),
      await api.as(worker).get(`/task-datails/${batch.taskId}`),
      await api.anyone.get('/task-list-worker'),
    ]
    for (const { text } of [...seen, ...own]) assert.doesNotMatch(text, /golden/i)
    // What a worker reads about an item with a known answer differs from another one's only in its number and its row.
    const shapeOf = ({ text }: { text: string }) =>
      text.replace(/"(?:[0-9a-f-]{36}|[^"]*\d{4}-\d\d-\d\dT[^"]*)"/g, '""').replace(/\d+/g, '0')
    const shapes = (isGolden: boolean) =>
      new Set(
        seen
          .filter(
            ({ number, text }) => numbers.includes(number) === isGolden && text.includes('"instructions"'),
          )
          .filter(({ text }) => !text.includes('"answers"') && !text.includes('"steps"'))
          .map(shapeOf),
      )
    assert.deepEqual(shapes(true), shapes(false))
  })

  test('a worker below the least score gets no new items; what they earned is reviewed and paid', async () => {
    const batch = await aBatch(10, 10)
    const [careless, careful] = [await aWorker(api.database), await aWorker(api.database)]
    const first = await work(careless, batch.taskId, 'Shop')
    const reserved = (await take(careless, batch.taskId)).body.number
    const ahead = (await take(careless, batch.taskId)).body.number
    await submit(careless, batch.taskId, reserved, 'Shop')
    const refused = await take(careless, batch.taskId)
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'score_too_low'])
    assert.match(refused.body.error.message, /reviewed and paid as before/)
    // What is reserved can be submitted.
    assert.equal((await submit(careless, batch.taskId, ahead, SECRET)).status, 200)
    assert.equal((await take(careless, batch.taskId)).body.error.code, 'score_too_low')
    const listed = await api.as(careless).get(`/my-ineligible-tasks?tasks=${batch.taskId}`)
    assert.deepEqual(
      listed.body.map(({ reason }: { reason: string }) => reason),
      ['score'],
    )
    const before = await balanceOf(api.database, careless)
    await makeDue(api.owner, first)
    await settleDueSubmissions(api.database, testConfig)
    assert.equal(await balanceOf(api.database, careless), before + 3)

    for (let count = 0; count < 4; count++) await work(careful, batch.taskId, count === 3 ? 'Shop' : SECRET)
    assert.equal((await take(careful, batch.taskId)).status, 201)
    const found = await workerOf(batch)
    const scores = found
      .map(({ golden, right, score, scoreOf, isOffered }: Record<string, unknown>) => [
        golden,
        right,
        score,
        scoreOf,
        isOffered,
      ])
      .toSorted((one: unknown[], other: unknown[]) => Number(one[2]) - Number(other[2]))
    assert.deepEqual(scores, [
      [3, 1, 33.3, 'golden', false],
      [4, 3, 75, 'golden', true],
    ])
  })

  test('the score is that of the project, in all its batches', async () => {
    const batch = await aBatch(4, 4)
    const worker = await aWorker(api.database)
    await work(worker, batch.taskId, 'Shop')
    await work(worker, batch.taskId, 'Shop')
    const other = await aBatch(4, 0)
    // Another buyer's project does not know the score.
    assert.equal((await take(worker, other.taskId)).status, 201)
    await rows(
      `update batches set project_id = (select project_id from batches where id = $1), project_version = 1 where id = $2`,
      [batch.id, other.id],
    )
    assert.equal((await take(worker, other.taskId)).body.error.code, 'score_too_low')
  })

  test('concurrent requests get no items after a wrong answer', async () => {
    const batch = await aBatch(12, 12, { quality: { ...QUALITY, scoreAfter: 1, leastScore: 100 } })
    const worker = await aWorker(api.database)
    const { number } = (await take(worker, batch.taskId)).body
    const results = await atOnce(6, (place) =>
      place === 0 ? submit(worker, batch.taskId, number, 'Shop') : take(worker, batch.taskId),
    )
    const statuses = results.map((result) => (result.status === 'fulfilled' ? result.value.status : 500))
    assert.ok(statuses.every((status) => [200, 201, 409].includes(status)))
    assert.equal((await take(worker, batch.taskId)).body.error.code, 'score_too_low')
  })

  test('without known answers the agreement with the estimates counts', async () => {
    const batch = await aBatch(6, 0, { workersPerItem: 3, quality: QUALITY })
    const [one, two, three] = [
      await aWorker(api.database),
      await aWorker(api.database),
      await aWorker(api.database),
    ]
    for (let count = 0; count < 3; count++) {
      await work(one, batch.taskId, 'Shop')
      await work(two, batch.taskId, 'Shop')
      await work(three, batch.taskId, SECRET)
    }
    assert.equal((await take(three, batch.taskId)).status, 201)
    await computeDueAgreements(api.database)
    assert.equal((await take(three, batch.taskId)).body.error.code, 'score_too_low')
    assert.equal((await take(one, batch.taskId)).status, 201)
    const found = await workerOf(batch)
    assert.deepEqual(
      found.map(({ scoreOf, score }: { scoreOf: string; score: number }) => [scoreOf, score]).toSorted(),
      [
        ['agreement', 0],
        ['agreement', 100],
        ['agreement', 100],
      ],
    )
  })

  test('a worker whose answers were all rejected for good has no agreement any more', async () => {
    const batch = await aBatch(6, 0, { workersPerItem: 3, quality: QUALITY })
    const wrong = await aWorker(api.database)
    const rejected: string[] = []
    for (const worker of [await aWorker(api.database), await aWorker(api.database), wrong])
      for (let count = 0; count < 2; count++) {
        const submission = await work(worker, batch.taskId, worker === wrong ? SECRET : 'Shop')
        if (worker === wrong) rejected.push(submission)
      }
    await computeDueAgreements(api.database)
    assert.equal((await take(wrong, batch.taskId)).body.error.code, 'score_too_low')
    const agreementOf = async () =>
      (await workerOf(batch)).map(({ answers, compared, score }: Record<string, unknown>) => [
        answers,
        compared,
        score,
      ])
    const before = await agreementOf()
    const columns = 'compared, agreeing, error_rates'
    const [stored] = await rows(`select ${columns} from batch_workers where worker_id = $1`, [wrong.id])
    for (const submission of rejected) {
      await api.as(batch.buyer).delete(`/submission-reject/${submission}`, { reason: 'Wrong' })
      await api.as(wrong).post(`/submissions/${submission}/acceptance`)
    }
    await rows(`update batch_agreement set computed_at = clock_time() - interval '1 hour'`)
    await computeDueAgreements(api.database)
    const after = await agreementOf()
    assert.deepEqual(
      after.toSorted(),
      before.map((row: unknown[]) => (row[2] === 0 ? [2, 0, null] : row)).toSorted(),
    )
    assert.equal((await take(wrong, batch.taskId)).status, 201)

    // Versions before 0405 kept the agreement from before the rejections.
    await rows(`update batch_workers set (${columns}) = ($2, $3, $4) where worker_id = $1`, [
      wrong.id,
      stored.compared,
      stored.agreeing,
      JSON.stringify(stored.error_rates),
    ])
    assert.deepEqual((await agreementOf()).toSorted(), before.toSorted())
    await runMigrationInBatches(api.owner, '0405_scores_of_rejected_workers')
    assert.deepEqual(await agreementOf(), after)
  })

  test('the buyer sees the known answers in the list of answers and in its file', async () => {
    const batch = await aBatch(2, 1)
    const worker = await aWorker(api.database)
    await work(worker, batch.taskId, 'Shop')
    await work(worker, batch.taskId, 'Shop')
    const { body } = await api.as(batch.buyer).get(`/batches/${batch.id}/answers`)
    assert.deepEqual(
      body
        .map(({ known, isRight, input }: Record<string, unknown>) => [
          known,
          isRight,
          Object.keys(input as object),
        ])
        .toSorted((one: unknown[]) => (one[0] === null ? 1 : -1)),
      [
        [{ kind: SECRET }, false, ['name']],
        [null, null, ['name']],
      ],
    )
    const { text } = await api.as(batch.buyer).get(`/batches/${batch.id}/answers/csv`)
    const [heading = ''] = text.split('\r\n')
    assert.match(heading, /"Input\.name","Golden\.kind","Answer\.kind","Estimate\.kind"/)
    assert.ok(SUBMISSION_STATES.includes(body[0].state))
  })

  test('their positions are the same each time, and each item appears once', async () => {
    const items = Array.from(
      { length: 100 },
      (_, place): FileItem => ({
        input: { place: String(place) },
        golden: place >= 90 ? { kind: SECRET } : null,
      }),
    )
    async function* read() {
      yield* items
    }
    const order = async (batch: string) =>
      (await Array.fromAsync(spreadGolden(read, batch, { total: items.length, golden: 10 }))).map(
        ({ input }) => Number(input.place),
      )
    const first = await order('one')
    assert.deepEqual(first, await order('one'))
    assert.notDeepEqual(first, await order('two'))
    assert.deepEqual(
      first.toSorted((one, other) => one - other),
      items.map((_, place) => place),
    )
    const places = first.flatMap((item, place) => (item >= 90 ? [place] : []))
    assert.ok(places.every((place, number) => Math.abs(place - number * 10 - 5) <= 6))
  })

  test('are read when they are written, however many a file has', async () => {
    let begun = 0
    async function* read(): AsyncGenerator<FileItem> {
      for (let place = 0; place < 100; place++) {
        begun++
        yield { input: { place: String(place) }, golden: { kind: SECRET } }
      }
    }
    const spread = spreadGolden(read, 'one', { total: 100, golden: 99 })
    const places: string[] = []
    while (places.length < 2) {
      const { value } = await spread.next()
      places.push(value?.input.place)
    }
    assert.deepEqual([places, begun], [['0', '1'], 2])
    // One more than the check found.
    assert.equal((await Array.fromAsync(spread)).length, 98)
  })
})
