import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import type { FastifyReply } from 'fastify'
import type { DecisionResult } from '#contract/batch-answers.ts'
import { ProjectContent } from '#contract/projects.ts'
import { STATEMENTS } from '#server/database/database.ts'
import { rejectSubmissions } from '#server/submissions/bulk-reject.ts'
import { PROJECT } from '#tests/api/samples.ts'
import { useApi } from '#tests/support/api.ts'
import { anOpenBatch, type TestBatch } from '#tests/support/batches.ts'
import { eventually } from '#tests/support/eventually.ts'
import { aBuyer, anAdmin, aWorker, balanceOf, type TestUser, testConfig } from '#tests/support/factories.ts'
import { inOpenTransaction, lockWaits } from '#tests/support/lock-waits.ts'
import { makeDue } from '#tests/support/submissions.ts'
import { sendAnswersCsv, sendAnswersJsonLines } from './answer-files.ts'
import { answersByItem } from './answers.ts'
import { computeDueAgreements } from './compute-agreement.ts'
import { applyDecisions } from './decide.ts'
import { ownBatch } from './queries.ts'

const FORM = {
  fields: [
    { type: 'choice', name: 'kind', label: 'Kind', required: true, options: ['Shop', 'Office', 'Bank'] },
    { type: 'choices', name: 'days', label: 'Open on', required: false, options: ['Mon', 'Tue', 'Wed'] },
    { type: 'number', name: 'floors', label: 'Floors', required: false },
    { type: 'text', name: 'note', label: 'Note', required: false },
  ],
}
const CONTENT = ProjectContent.parse({ ...PROJECT, form: FORM, workersPerItem: 1 })

const rowsOf = (csv: string): Record<string, string>[] => parse(csv, { bom: true, columns: true })

describe('the results of a batch', () => {
  const api = useApi()
  let batch: TestBatch & { taskId: string }
  let workers: TestUser[]

  /** Works on the next item. Returns the submission. */
  const work = async (worker: TestUser, taskId: string, answers: object): Promise<string> => {
    const { body: item } = await api.as(worker).post(`/tasks/${taskId}/items`)
    const done = await api.as(worker).post(`/tasks/${taskId}/items/${item.number}/answers`, { answers })
    assert.equal(done.status, 200)
    return done.body.insertedId
  }
  const answersOf = (query: string, user = batch.buyer) =>
    api.as(user).get(`/batches/${batch.id}/answers${query}`)
  const decide = (decisions: object[], preview = false, { buyer, id } = batch) =>
    api.as(buyer).post(`/batches/${id}/decisions`, { preview, decisions })

  before(async () => {
    batch = await anOpenBatch(api.database, { items: 5, content: CONTENT })
    workers = [await aWorker(api.database), await aWorker(api.database)]
    const [first, second] = workers as [TestUser, TestUser]
    await work(first, batch.taskId, { kind: 'Shop', days: ['Mon', 'Tue'], floors: 1 })
    await work(second, batch.taskId, { kind: 'Office', floors: 4, note: '=HYPERLINK("x")' })
    await work(first, batch.taskId, { kind: 'Shop', days: ['Tue'], floors: 2.5, note: 'Red door ছ\u09dfটি' })
  })

  test('answers are listed by item or newest first, page by page', async () => {
    const all = (await answersOf('')).body
    assert.deepEqual(
      all.map(({ item }: { item: number }) => item),
      [1, 2, 3],
    )
    assert.deepEqual([all[1].input, all[1].answers.kind], [{ name: 'Shop 2' }, 'Office'])
    for (const sort of ['item', 'newest']) {
      const first = await answersOf(`?limit=2&sort=${sort}`)
      const next = await answersOf(`?limit=2&sort=${sort}${first.next}`)
      const items = [...first.body, ...next.body].map(({ item }: { item: number }) => item)
      assert.deepEqual(items, sort === 'item' ? [1, 2, 3] : [3, 2, 1])
      assert.equal(next.next, '')
    }
  })

  test('long rows of a file make short pages', async () => {
    const [{ bytes }] = (await api.owner.query('select bytes from batches where id = $1', [batch.id])).rows
    const setBytes = (value: number) =>
      api.owner.query('update batches set bytes = $2 where id = $1', [batch.id, value])
    await setBytes(5 * 4_194_304)
    for (const sort of ['item', 'newest']) {
      const first = await answersOf(`?sort=${sort}`)
      const next = await answersOf(`?sort=${sort}${first.next}`)
      assert.deepEqual([first.body.length, next.body.length, next.next], [2, 1, ''])
    }
    await setBytes(bytes)
  })

  test('the files are written a few rows at a time, and read the row of an item once', async () => {
    const { taskId, ...own } = await anOpenBatch(api.database, {
      items: 21,
      content: { ...CONTENT, workersPerItem: 2 },
    })
    for (const worker of workers)
      for (let item = 0; item < 21; item++) await work(worker, taskId, { kind: 'Bank' })
    const [first, second, third] = await answersByItem(api.database, taskId, {}, [], 3)
    assert.deepEqual([first?.input, third?.input], [{ name: 'Shop 1' }, { name: 'Shop 2' }])
    assert.equal(first?.input, second?.input)
    const row = await ownBatch(api.database, own.id, own.buyer.id)
    const reply = { header: () => reply } as unknown as FastifyReply
    for (const file of [
      sendAnswersCsv(reply, api.database, row, true),
      sendAnswersJsonLines(reply, api.database, row),
    ]) {
      const texts: string[] = await file.toArray()
      const rows = texts.map((text) => text.match(/Shop \d+/g)?.length ?? 0)
      assert.deepEqual(
        rows.filter((count) => count > 0),
        [20, 20, 2],
      )
    }
  })

  test('the row of an item is in the order of the columns of the file', async () => {
    const own = await anOpenBatch(api.database, {
      items: 1,
      content: CONTENT,
      column: { name: 'id', values: ['7'] },
    })
    const [worker] = workers as [TestUser]
    const submission = await work(worker, own.taskId, { kind: 'Bank' })
    await computeDueAgreements(api.database)
    const buyer = api.as(own.buyer)
    const of = `/batches/${own.id}`
    for (const path of [`${of}/answers`, `${of}/answers?sort=newest`, `${of}/agreement`]) {
      const [{ input }] = (await buyer.get(path)).body
      assert.deepEqual(Object.entries(input), [
        ['name', 'Shop 1'],
        ['id', '7'],
      ])
    }
    const { input } = (await buyer.get(`/submissions/${submission}/item`)).body
    assert.deepEqual(Object.keys(input), ['name', 'id'])
    for (const path of ['task', 'case'])
      assert.match(
        (await buyer.get(`/submissions/${submission}/${path}`)).body.task_detail,
        /\n\nname: Shop 1\nid: 7$/,
      )
  })

  test('a cursor behind the last item reads an empty page', async () => {
    const cursorOf = (key: unknown[]) => Buffer.from(JSON.stringify(key)).toString('base64url')
    for (const path of [
      `answers?cursor=${cursorOf([2 ** 31, batch.id])}`,
      `agreement?cursor=${cursorOf([2 ** 31])}`,
      `agreement?disagreeing=true&cursor=${cursorOf([2 ** 31])}`,
    ]) {
      const { status, body } = await api.as(batch.buyer).get(`/batches/${batch.id}/${path}`)
      assert.deepEqual([status, body], [200, []], path)
    }
  })

  test('answers are found by state, worker and words', async () => {
    const itemsOf = async (query: string) =>
      (await answersOf(query)).body.map(({ item }: { item: number }) => item)
    const [{ worker }] = (await answersOf('')).body
    assert.deepEqual(await itemsOf(`?worker=${worker}`), [1, 3])
    assert.deepEqual(await itemsOf('?q=red%20DOOR'), [3])
    assert.deepEqual(await itemsOf('?q=%25'), [])
    for (const q of ['ছ\u09df', 'ছ\u09af\u09bc'])
      assert.deepEqual(await itemsOf(`?q=${encodeURIComponent(q)}`), [3], q)
    // Each word in any of the answers; the question "Kind" is no answer.
    assert.deepEqual(await itemsOf('?q=door%20SHOP'), [3])
    assert.deepEqual(await itemsOf('?q=kind'), [])
    assert.deepEqual(await itemsOf('?q=mon%20tue'), [1])
    assert.deepEqual(await itemsOf('?state=approved'), [])
    assert.deepEqual(await itemsOf('?state=pending&sort=newest'), [3, 2, 1])
  })

  test('a search may take longer than a request, because it reads all answers of a batch', () => {
    for (const name of ['batch_answers_by_item', 'batch_answers_newest'])
      assert.ok((STATEMENTS.get(name)?.timeoutMs ?? 0) >= 10_000, name)
  })

  test('a worker has another pseudonym for another buyer', async () => {
    const [first] = workers as [TestUser]
    const other = await anOpenBatch(api.database, { items: 1, content: CONTENT })
    await work(first, other.taskId, { kind: 'Bank' })
    const [there] = (await api.as(other.buyer).get(`/batches/${other.id}/answers`)).body
    const [here, , again] = (await answersOf('')).body
    assert.equal(here.worker, again.worker)
    assert.notEqual(here.worker, there.worker)
    assert.match(there.worker, /^W[0-9a-f]{11}$/)
    assert.ok(!JSON.stringify(there).includes(first.id))
  })

  test('questions with options and numbers are summarized', async () => {
    const { body } = await api.as(batch.buyer).get(`/batches/${batch.id}/summary`)
    const counts = ({ options }: { options: { count: number }[] }) => options.map(({ count }) => count)
    assert.deepEqual(
      body.map(({ name }: { name: string }) => name),
      ['kind', 'days', 'floors'],
    )
    assert.deepEqual(
      [counts(body[0]), counts(body[1])],
      [
        [2, 1, 0],
        [1, 2, 0],
      ],
    )
    // Fewer than options were chosen: one worker chose two days.
    assert.deepEqual(
      body.map(({ answers }: { answers: number }) => answers),
      [3, 2, 3],
    )
    assert.deepEqual(body[2].numbers, {
      ...{ count: 3, min: 1, max: 4, mean: 2.5, median: 2.5 },
      ranges: [1, 2.5, 4].map((value) => ({ from: value, to: value, count: 1 })),
    })
  })

  test('more than ten numbers are counted in ranges of equal width', async () => {
    const own = await anOpenBatch(api.database, { items: 12, content: CONTENT })
    const worker = await aWorker(api.database)
    const floors = [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 100]
    for (const number of floors) await work(worker, own.taskId, { kind: 'Bank', floors: number })
    const { body } = await api.as(own.buyer).get(`/batches/${own.id}/summary`)
    assert.deepEqual(body[2].numbers.ranges, [
      { from: 0, to: 8, count: 9 },
      { from: 10, to: 11, count: 2 },
      { from: 100, to: 100, count: 1 },
    ])
  })

  test('numbers from before they had a limit are summarized', async () => {
    const own = await anOpenBatch(api.database, { items: 2, content: CONTENT })
    const worker = await aWorker(api.database)
    for (const floors of [1, 3]) await work(worker, own.taskId, { kind: 'Bank', floors })
    await api.owner.query(
      `update submissions set answers = jsonb_set(answers, '{floors}', case item_number when 1 then '1e200' else '3e200' end::jsonb)
        where task_id = $1`,
      [own.taskId],
    )
    const { body } = await api.as(own.buyer).get(`/batches/${own.id}/summary`)
    assert.deepEqual(body[2].numbers, {
      ...{ count: 2, min: 1e200, max: 3e200, mean: 2e200, median: 2e200 },
      ranges: [1e200, 3e200].map((value) => ({ from: value, to: value, count: 1 })),
    })
  })

  test('the files have every answer; formulas are escaped unless the file is raw', async () => {
    const read = async (path: string) =>
      (await api.as(batch.buyer).get(`/batches/${batch.id}/answers/${path}`)).text
    const csv = rowsOf(await read('csv'))
    const columns = [
      ...['Task', 'Title', 'Item', 'Submission', 'Worker', 'State'],
      ...['AcceptedAt', 'SubmittedAt', 'ApprovedAt', 'RejectedAt', 'Reason', 'WorkSeconds'],
      ...['Agreement', 'Majority', 'Right', 'Input.name'],
      ...['Answer.kind', 'Answer.days', 'Answer.floors', 'Answer.note', 'Estimate.kind', 'Estimate.days'],
      ...['Approve', 'Reject', 'Category', 'Requirement'],
    ]
    assert.deepEqual(Object.keys(csv[0] ?? {}), columns)
    assert.deepEqual(
      csv.map((row) => [row.Item, row['Input.name'], row['Answer.days'], row['Answer.note']]),
      [
        ['1', 'Shop 1', 'Mon|Tue', ''],
        ['2', 'Shop 2', '', `'=HYPERLINK("x")`],
        ['3', 'Shop 3', 'Tue', 'Red door ছ\u09dfটি'],
      ],
    )
    const raw = rowsOf(await read('csv?raw=true'))
    assert.equal(raw[1]?.['Answer.note'], '=HYPERLINK("x")')
    const lines = (await read('json-lines'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.deepEqual(Object.keys(lines[0]), columns)
    const cellOf = (value: string | number | string[] | null) =>
      Array.isArray(value) ? value.join('|') : String(value ?? '')
    assert.deepEqual(
      lines.map((line) => columns.map((name) => cellOf(line[name]))),
      raw.map((row) => columns.map((name) => row[name])),
    )
    const [{ _id, submittedAt }] = (await answersOf('')).body
    assert.deepEqual(
      ['Task', 'Title', 'Submission', 'SubmittedAt', 'ApprovedAt', 'Answer.days', 'Answer.floors'].map(
        (name) => lines[0][name],
      ),
      [batch.taskId, PROJECT.title, _id, submittedAt, null, ['Mon', 'Tue'], 1],
    )
  })

  test('the files are the same for an API key of the buyer', async () => {
    const session = api.as(batch.buyer)
    const made = await session.post('/api-keys', {
      name: 'Own system',
      scopes: ['tasks', 'review'],
      expiresInDays: 1,
    })
    const key = api.withHeader(`Bearer ${made.body.secret}`)
    for (const file of ['answers/csv', 'answers/json-lines', 'problems/csv']) {
      const { status, text } = await key.get(`/batches/${batch.id}/${file}`)
      assert.equal(status, 200, text)
      assert.equal(text, (await session.get(`/batches/${batch.id}/${file}`)).text, file)
    }
  })

  test('a question with the name of a property of every object is empty without an answer', async () => {
    const question = { type: 'text', name: 'constructor', label: 'Built by', required: false }
    const form = { fields: [...FORM.fields, question] }
    const content = ProjectContent.parse({ ...CONTENT, form })
    const own = await anOpenBatch(api.database, { items: 2, content })
    const worker = await aWorker(api.database)
    await work(worker, own.taskId, { kind: 'Shop' })
    await work(worker, own.taskId, { kind: 'Shop', constructor: 'Rahim & Sons' })
    const { text } = await api.as(own.buyer).get(`/batches/${own.id}/answers/csv`)
    assert.deepEqual(
      rowsOf(text).map((row) => row['Answer.constructor']),
      ['', 'Rahim & Sons'],
    )
  })

  test('decisions of a file are previewed, then applied once, under the rules of single decisions', async () => {
    const decided = await anOpenBatch(api.database, { items: 4, content: CONTENT })
    const worker = await aWorker(api.database)
    const ids: string[] = []
    for (let count = 0; count < 4; count++) ids.push(await work(worker, decided.taskId, { kind: 'Shop' }))
    const [first = '', second = '', third = '', fourth = ''] = ids
    await api.as(decided.buyer).post(`/submissions/${third}/revision`, { text: 'Look again' })
    const [foreign] = (await answersOf('')).body
    const decisions = [
      { submission: first, decision: 'approve' },
      {
        submission: second,
        decision: 'reject',
        reason: 'Not a shop',
        category: 'wrong',
        requirement: 'Only shops',
      },
      { submission: third, decision: 'reject', reason: 'Not a shop' },
      { submission: foreign._id, decision: 'approve' },
    ]
    const resultsOf = ({ body }: { body: { result: string }[] }) => body.map(({ result }) => result)
    const before = await balanceOf(api.database, worker)
    const expected = ['approved', 'rejected', 'refused', 'refused']
    const preview = await decide(decisions, true, decided)
    assert.deepEqual(resultsOf(preview), expected)
    assert.match(preview.body[2].error.message, /You can approve it now/, 'work that is being revised')
    assert.equal(await balanceOf(api.database, worker), before)
    const results = await Promise.all([decide(decisions, false, decided), decide(decisions, false, decided)])
    assert.ok(results.every(({ status }) => status === 200))
    assert.equal(await balanceOf(api.database, worker), before + 3)
    assert.deepEqual(resultsOf(await decide(decisions, false, decided)), [
      'unchanged',
      'unchanged',
      'refused',
      'refused',
    ])
    const { body } = await api.as(decided.buyer).get(`/batches/${decided.id}/answers`)
    assert.deepEqual(
      body.map(({ state, reason }: { state: string; reason: string }) => [state, reason]),
      [
        ['approved', ''],
        ['rejection_open', 'Not a shop'],
        ['revision_requested', ''],
        ['pending', ''],
      ],
    )
    const { body: ofSecond } = await api.as(decided.buyer).get(`/submissions/${second}/case`)
    assert.deepEqual([ofSecond.category, ofSecond.requirement], ['wrong', 'Only shops'])
    const reversed = [
      { submission: first, decision: 'reject' },
      { submission: second, decision: 'approve' },
      { submission: fourth, decision: 'approve' },
    ]
    assert.deepEqual(resultsOf(await decide(reversed, false, decided)), ['refused', 'refused', 'approved'])
    const twice = [decisions[0] as object, decisions[0] as object]
    assert.equal((await decide(twice, true, decided)).status, 422)
  })

  test('work whose review period has ended is approved, and not rejected beside other work', async () => {
    const decided = await anOpenBatch(api.database, { items: 3, content: CONTENT })
    const worker = await aWorker(api.database)
    const ids: string[] = []
    for (let count = 0; count < 3; count++) ids.push(await work(worker, decided.taskId, { kind: 'Shop' }))
    const [inTime = '', rejected = '', approved = ''] = ids
    await makeDue(api.owner, rejected)
    await makeDue(api.owner, approved)
    const decisions = [
      { submission: inTime, decision: 'reject', reason: 'Not a shop' },
      { submission: rejected, decision: 'reject', reason: 'Not a shop' },
      { submission: approved, decision: 'approve' },
    ]
    for (const preview of [true, false]) {
      const { body } = await decide(decisions, preview, decided)
      assert.deepEqual(
        body.map(({ result, error }: DecisionResult) => [result, error?.code]),
        [
          ['rejected', undefined],
          ['refused', 'deadline_passed'],
          ['approved', undefined],
        ],
      )
    }
  })

  test('the review period of work can end between the plan of a rejection and the rejection', async () => {
    const decided = await anOpenBatch(api.database, { items: 1, content: CONTENT })
    const id = await work(await aWorker(api.database), decided.taskId, { kind: 'Shop' })
    await makeDue(api.owner, id)
    const results = await rejectSubmissions(
      api.database,
      testConfig,
      [{ id, reason: 'Not a shop' }],
      decided.buyer.id,
    )
    assert.deepEqual(results, [{ submission: id, modified: false, current_status: 'pending' }])
  })

  test('a frozen buyer rejects in a request that also approves, and approves nothing', async () => {
    const frozen = await anOpenBatch(api.database, { items: 3, content: CONTENT })
    const worker = await aWorker(api.database)
    const [first, second, approved] = [
      await work(worker, frozen.taskId, { kind: 'Shop' }),
      await work(worker, frozen.taskId, { kind: 'Shop' }),
      await work(worker, frozen.taskId, { kind: 'Shop' }),
    ]
    await decide([{ submission: approved, decision: 'approve' }], false, frozen)
    const admin = await anAdmin(api.database)
    await api.as(admin).post(`/users/${frozen.buyer.id}/freezes`, { reason: 'A disputed card' })
    const decisions = [
      { submission: first, decision: 'approve' },
      { submission: second, decision: 'reject', reason: 'Not a shop' },
      { submission: approved, decision: 'approve' },
    ]
    for (const preview of [true, false]) {
      const { status, body } = await decide(decisions, preview, frozen)
      assert.equal(status, 200)
      assert.deepEqual(
        body.map(({ result, error }: DecisionResult) => [result, error?.code]),
        [
          ['refused', 'account_frozen'],
          ['rejected', undefined],
          ['unchanged', undefined],
        ],
      )
    }
    const { body } = await api.as(frozen.buyer).get(`/batches/${frozen.id}/answers`)
    assert.deepEqual(
      body.map(({ state }: { state: string }) => state),
      ['pending', 'rejection_open', 'approved'],
    )
  })

  const locks = [
    { by: 'a rejection', row: (of: { buyer: TestUser; taskId: string }) => ['users', 'share', of.buyer.id] },
    {
      by: 'a deadline',
      row: (of: { buyer: TestUser; taskId: string }) => ['tasks', 'no key update', of.taskId],
    },
  ]
  for (const { by, row } of locks) {
    test(`decisions of both kinds that wait for ${by} hold no lock that it needs`, async () => {
      const decided = await anOpenBatch(api.database, { items: 2, content: CONTENT })
      const worker = await aWorker(api.database)
      const approved = await work(worker, decided.taskId, { kind: 'Shop' })
      const rejected = await work(worker, decided.taskId, { kind: 'Shop' })
      const [table, strength, id] = row(decided)
      await inOpenTransaction(api.owner, async (other) => {
        await other.query(`select from ${table} where id = $1 for ${strength}`, [id])
        const deciding = api.database.transaction((tx) =>
          applyDecisions(tx, testConfig, decided.taskId, decided.buyer.id, [
            { submission: approved, decision: 'approve' },
            { submission: rejected, decision: 'reject', reason: 'Not a shop' },
          ]),
        )
        await eventually(async () => (await lockWaits(api.owner)) === 1)
        await other.query('select from submissions where id = $1 for no key update nowait', [approved])
        await other.query('commit')
        assert.deepEqual(
          (await deciding).map(({ result }) => result),
          ['approved', 'rejected'],
        )
      })
    })
  }

  test('a number below zero is no formula in the file', async () => {
    const own = await anOpenBatch(api.database, { items: 1, content: CONTENT })
    await work(await aWorker(api.database), own.taskId, { kind: 'Bank', floors: -2 })
    const { text } = await api.as(own.buyer).get(`/batches/${own.id}/answers/csv`)
    assert.equal(rowsOf(text)[0]?.['Answer.floors'], '-2')
  })

  test("another buyer's batch is not found", async () => {
    const other = api.as(await aBuyer(api.database))
    const calls = await Promise.all([
      ...['answers', 'summary', 'answers/csv', 'answers/json-lines'].map((path) =>
        other.get(`/batches/${batch.id}/${path}`),
      ),
      other.post(`/batches/${batch.id}/decisions`, {
        preview: true,
        decisions: [{ submission: batch.id, decision: 'approve' }],
      }),
    ])
    assert.deepEqual(
      calls.map(({ status }) => status),
      [404, 404, 404, 404, 404],
    )
  })
})
