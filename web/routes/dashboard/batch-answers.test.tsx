import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import {
  type BatchAgreementSummary,
  type BatchWorker,
  batchAgreement,
  batchAgreementSummary,
  batchWorkers,
} from '#contract/batch-agreement.ts'
import { type BatchAnswer, batchAnswers, batchSummary, decideBatch } from '#contract/batch-answers.ts'
import { type Batch, batch, batchPreview } from '#contract/batches.ts'
import { rejectionRule } from '#contract/rejections.ts'
import {
  button,
  dialog,
  expectGone,
  field,
  openApp,
  server,
  setWidth,
  until,
  user,
} from '#web/testing/app.tsx'
import { anId, aUser } from '#web/testing/records.ts'

const BATCH: Batch = {
  workersPerItem: 1,
  itemsToppedUp: null,
  completionDate: '2026-12-20',
  isClosed: false,
  _id: anId(),
  projectId: anId(),
  projectVersion: 2,
  title: 'Describe shops',
  fileName: 'shops.csv',
  state: 'open',
  bytes: 900,
  rowsRead: 40,
  pictures: 0,
  picturesChecked: 0,
  items: 40,
  goldenItems: 0,
  columns: ['name'],
  encoding: 'utf-8',
  separator: ',',
  errors: 0,
  warnings: 0,
  cost: null,
  itemsWritten: 40,
  fundingRefusal: null,
  scheduled: null,
  taskId: anId(),
  createdAt: '2026-01-12T09:00:00.000Z',
  checkedAt: '2026-01-12T09:01:00.000Z',
}
const NAME = 'Mst. Kamrunnahar Begum Chowdhury of Brahmanbaria'

const anAnswer = (item: number, change: Partial<BatchAnswer> = {}): BatchAnswer => ({
  _id: anId(),
  item,
  input: { name: `Shop ${item} of ${NAME}`, front: ` https://photos.example/${item}.jpg ` },
  worker: 'w-4f2a91',
  answers: { kind: 'Food', note: `Text ${item}` },
  state: 'pending',
  acceptedAt: '2026-01-13T09:00:00.000Z',
  submittedAt: '2026-01-13T09:01:00.000Z',
  approvedAt: null,
  rejectedAt: null,
  workSeconds: 60,
  reason: '',
  agreement: null,
  isMajority: null,
  known: null,
  isRight: null,
  ...change,
})

const NO_AGREEMENT: BatchAgreementSummary = { computedAt: null, isDue: false, answers: 0, questions: [] }

async function openAnswers(
  answers: BatchAnswer[],
  agreement: BatchAgreementSummary | (() => Promise<unknown>) = NO_AGREEMENT,
  workers: BatchWorker[] = [],
) {
  server.serve(batch, BATCH)
  server.serve(batchPreview, [
    {
      title: BATCH.title,
      instructions: 'Look.',
      pictures: [{ column: 'front', url: 'https://photos.example/1.jpg' }],
      examples: [],
      form: {
        fields: [
          { type: 'choice', name: 'kind', label: 'Kind of shop', required: true, options: ['Food', 'Books'] },
          { type: 'text', name: 'note', label: 'Note', required: false },
          { type: 'picture', name: 'photos', label: 'Photos', required: false },
          { type: 'text', name: 'constructor', label: 'Built by', required: false },
        ],
      },
      reward: 5,
      missing: [],
    },
  ])
  server.serve(batchSummary, [
    {
      name: 'kind',
      label: 'Kind of shop',
      answers: 40,
      options: [
        { option: 'Food', count: 30 },
        { option: 'Books', count: 10 },
      ],
      numbers: null,
    },
    {
      name: 'floors',
      label: 'Floors',
      answers: 4,
      options: [],
      numbers: {
        ...{ count: 4, min: 1, max: 9, mean: 4.126, median: 2.5 },
        ranges: [
          { from: 1, to: 2.5, count: 3 },
          { from: 9, to: 9, count: 1 },
        ],
      },
    },
  ])
  server.serve(batchAgreementSummary, agreement)
  server.serveList(batchWorkers, workers)
  server.serve(batchAgreement, [])
  server.serveList(batchAnswers, answers)
  return openApp(`/dashboard/batches/${BATCH._id}/answers`, { as: aUser('Buyer') })
}

const WORKER: BatchWorker = {
  worker: 'w-4f2a91',
  answers: 40,
  golden: 4,
  right: 1,
  compared: 20,
  agreeing: 15,
  score: 25,
  scoreOf: 'golden',
  isOffered: false,
  errorRates: [{ name: 'kind', rate: 0.254 }],
}

test('the controls are shown when the summaries above them are there', async () => {
  const { promise, resolve } = Promise.withResolvers<BatchAgreementSummary>()
  await openAnswers([anAnswer(1)], () => promise)
  await screen.findByRole('region', { name: 'Summary' })
  const hidden = '.sections-in-order > .delayed-fade-in ~ * input[type=search]'
  assert.notEqual(document.querySelector(hidden), null)
  resolve(NO_AGREEMENT)
  await until(() => expectGone(document.querySelector(hidden)))
  screen.getByRole('searchbox')
})

test('items on which answers differ are marked and filtered, and workers have a score', async () => {
  const differs = { agreement: 2 / 3, isMajority: false, known: { kind: 'Food' }, isRight: true }
  await openAnswers(
    [
      anAnswer(1, { agreement: 1, isMajority: true }),
      anAnswer(2, differs),
      anAnswer(3, { agreement: 2 / 3, isMajority: true }),
      anAnswer(4, { agreement: 0.5 }),
    ],
    {
      computedAt: '2026-01-13T09:00:00.000Z',
      isDue: true,
      answers: 4,
      questions: [
        {
          name: 'kind',
          label: 'Kind of shop',
          items: 4,
          unanimous: 1,
          tied: 1,
          share: 0.997,
          iterations: 12,
          isConverged: true,
        },
      ],
    },
    [WORKER, { ...WORKER, worker: 'w-00aa11', golden: 0, score: null, scoreOf: null, isOffered: true }],
  )
  const table = within(await screen.findByRole('table', { name: 'Answers' }))
  const row = (number: number) => within(table.getAllByRole('row')[number] as HTMLElement)
  row(1).getByText('All agree')
  row(2).getByText('Differs from the majority')
  row(2).getByText('Matches the known answer')
  row(3).getByText('67% agree')
  row(4).getByText('No majority')
  const summary = within(await screen.findByRole('region', { name: 'Agreement' }))
  summary.getByText('1 (25%)')
  summary.getByText('99%')

  const workers = within(await screen.findByRole('table', { name: 'Workers' }))
  const [, low, unknown] = workers.getAllByRole('row').map((each) => within(each))
  low?.getByText('1 of 4')
  low?.getByText('15 of 20')
  low?.getByText('25% (known answers)')
  low?.getByText('Not offered')
  unknown?.getByText('Offered')

  await user.click(table.getByRole('button', { name: 'Item 2' }))
  within(await dialog('Item 2')).getByText('Known answer: Food')
  await user.keyboard('{Escape}')
  await until(() => expectGone(screen.queryByRole('dialog')))
  await user.selectOptions(screen.getByLabelText('Filter by agreement'), 'true')
  await until(() => assert.equal(server.received(batchAnswers).at(-1)?.query.disagreeing, 'true'))
})

test('a question with the name of a property of every object has no answer unless one was given', async () => {
  await openAnswers([anAnswer(1, { known: { kind: 'Food' } })])
  const table = within(await screen.findByRole('table', { name: 'Answers' }))
  await user.click(table.getByRole('button', { name: 'Item 1' }))
  within(await dialog('Item 1')).getByText('Built by')
  expectGone(screen.queryByText(/native code/))
})

test('answers are listed with a column per question, summarised, filtered and opened in full', async () => {
  const first = anAnswer(1, {
    answers: { kind: 'Food', note: '=1+1', photos: ['https://example.com/a.jpg'] },
    state: 'rejection_open',
    reason: 'The photo shows another shop.',
  })
  const router = await openAnswers([first, ...Array.from({ length: 29 }, (_, index) => anAnswer(index + 2))])
  const table = within(await screen.findByRole('table', { name: 'Answers' }))
  assert.equal(table.getAllByRole('row').length, 21)
  table.getByRole('columnheader', { name: 'Kind of shop' })
  const kinds = within(await screen.findByRole('article', { name: 'Kind of shop' }))
  kinds.getByText('30 (75%)')
  const floors = within(screen.getByRole('article', { name: 'Floors' }))
  floors.getByText('4.13')
  assert.deepEqual(
    ['1 to 2.5', '9'].map((range) => floors.getAllByText(range).at(-1)?.nextElementSibling?.textContent),
    ['3 (75%)', '1 (25%)'],
  )
  await user.click(button('Load more'))
  await until(() => assert.equal(table.getAllByRole('row').length, 31))

  await user.click(table.getByRole('button', { name: 'Item 1' }))
  const opened = within(await dialog('Item 1'))
  opened.getByText('The photo shows another shop.')
  opened.getByText(`Shop 1 of ${NAME}`)
  opened.getByText('1 minute')
  assert.equal(
    opened.getByRole('link', { name: 'Open the case' }).getAttribute('href'),
    `/dashboard/case/${first._id}`,
  )
  await user.keyboard('{Escape}')
  await until(() => expectGone(screen.queryByRole('dialog')))

  await user.selectOptions(screen.getByLabelText('Filter by state'), 'approved')
  await user.selectOptions(screen.getByLabelText('Sort'), 'newest')
  await until(() => {
    const { query } = server.received(batchAnswers).at(-1) ?? {}
    assert.deepEqual([query?.state, query?.sort], ['approved', 'newest'])
  })
  assert.match(router.state.location.search, /state=approved&sort=newest/)
})

test('the pictures of an item are shown small beside its answers, and large when these are opened', async () => {
  await openAnswers([anAnswer(7)])
  const table = within(await screen.findByRole('table', { name: 'Answers' }))
  table.getByRole('columnheader', { name: 'front' })
  const source = '/images/foreign?url=https%3A%2F%2Fphotos.example%2F7.jpg'
  assert.equal(table.getByRole('img', { name: 'front' }).getAttribute('src'), source)
  await user.click(table.getByRole('button', { name: 'Item 7' }))
  const opened = within(await dialog('Item 7'))
  assert.equal(opened.getByRole('img', { name: 'front' }).getAttribute('src'), source)
  assert.equal(
    opened.getByRole('link', { name: 'front' }).getAttribute('href'),
    'https://photos.example/7.jpg',
  )
})

test('an opened item has the majority of each question with its share, and the estimate', async () => {
  const router = await openAnswers([anAnswer(2, { agreement: 0.5 })], NO_AGREEMENT, [
    { ...WORKER, worker: 'w-00aa11' },
  ])
  const question = {
    answers: 3,
    majority: 'Food',
    isTie: false,
    share: 0.667,
    estimate: 'Food',
    probability: 0.98,
  }
  server.serve(batchAgreement, [
    {
      item: 2,
      input: {},
      answers: 3,
      share: 0.5,
      questions: [
        { ...question, name: 'kind' },
        {
          ...question,
          name: 'days',
          majority: null,
          isTie: true,
          estimate: ['Mon', 'Tue'],
          probability: 0.7,
        },
        { ...question, name: 'alone', answers: 1 },
      ],
    },
  ])
  const table = within(await screen.findByRole('table', { name: 'Answers' }))
  await user.click(table.getByRole('button', { name: 'Item 2' }))
  const agreed = await screen.findByRole('region', { name: 'Agreed result' })
  assert.equal(
    agreed.textContent,
    [
      ...['Agreed result', 'Kind of shop', 'Food: 67% of 3 answers', 'Estimate: Food, 98% probable'],
      ...['days', 'No majority', 'Estimate: Mon, Tue, 70% probable'],
    ].join(''),
  )
  assert.equal(server.received(batchAgreement)[0]?.query.item, '2')
  await user.keyboard('{Escape}')
  await until(() => expectGone(screen.queryByRole('dialog')))

  await user.click(table.getByRole('link', { name: 'Answers of w-4f2a91' }))
  await until(() => assert.equal(server.received(batchAnswers).at(-1)?.query.worker, 'w-4f2a91'))
  await user.click(await screen.findByRole('link', { name: 'Answers of w-00aa11' }))
  await until(() => assert.equal(server.received(batchAnswers).at(-1)?.query.worker, 'w-00aa11'))
  await user.click(button('Show all workers'))
  await until(() => assert.equal(router.state.location.search, ''))
})

test('no answers yet, and cards on a phone', async () => {
  setWidth(390)
  const router = await openAnswers([])
  await screen.findByText('No answers yet')
  server.serveList(batchAnswers, [anAnswer(3)])
  await router.navigate(`/dashboard/batches/${BATCH._id}/answers?q=text`)
  await screen.findByRole('button', { name: 'Item 3' })
  screen.getByRole('img', { name: 'front' })
  assert.equal(server.received(batchAnswers).at(-1)?.query.q, 'text')
})

const decisionsFile = () => screen.findByLabelText<HTMLInputElement>(/choose the file with your decisions/i)
const choose = async (text: string, name = 'decided.csv') =>
  user.upload(await decisionsFile(), new File([text], name))

test('a file with decisions is previewed, then applied, with what was refused', async () => {
  const [one, two, three] = [anAnswer(1), anAnswer(2), anAnswer(3)]
  await openAnswers([one, two, three])
  await choose('Item,Approve\n1,x\n')
  await screen.findByText('Row 1: Columns Submission, Reject are missing.')

  server.serve(decideBatch, ({ body }) =>
    body.decisions.map(({ submission, decision }: { submission: string; decision: string }) =>
      submission === three._id
        ? {
            submission,
            result: 'refused',
            error: { code: 'state_conflict', message: 'This is being revised.' },
          }
        : { submission, result: decision === 'approve' ? 'approved' : 'rejected', error: null },
    ),
  )
  server.serve(rejectionRule, { needsReviewer: true })
  await choose(
    [
      '\ufeffItem;Submission;Answer.note;Approve;Reject',
      `1;${one._id};"a; b";x;`,
      `2;${two._id};"line\nbreak";;The photo is dark`,
      `3;${three._id};c;;Wrong shop`,
      `4;${anId()};d;x;No`,
      '5;unknown;e;x;',
      `6;${anId()};f;;`,
    ].join('\n'),
  )
  await screen.findByText(/3 decisions: 1 approved, 1 rejected, 0 unchanged, 1 refused/)
  await screen.findByText(/a neutral reviewer checks these rejections before they count/)
  const problems = within(screen.getByRole('list', { name: 'Problems' }))
  problems.getByText('Row 5: Both Approve and Reject are filled in.')
  problems.getByText('Row 6: Not a valid submission ID.')
  problems.getByText(`${three._id}: This is being revised.`)
  assert.equal(server.received(decideBatch).at(-1)?.body.preview, true)
  await user.click(button('Apply decisions'))
  await screen.findByText('Choose what is wrong with the work')
  assert.equal(server.received(decideBatch).at(-1)?.body.preview, true)
  await user.selectOptions(field(/^What is wrong/), 'Incorrect')
  await user.click(button('Apply decisions'))
  await screen.findByText(/^Done: 3 decisions/)
  assert.deepEqual(server.received(decideBatch).at(-1)?.body, {
    preview: false,
    decisions: [
      { submission: one._id, decision: 'approve' },
      { submission: two._id, decision: 'reject', reason: 'The photo is dark', category: 'wrong' },
      { submission: three._id, decision: 'reject', reason: 'Wrong shop', category: 'wrong' },
    ],
  })
})

test('a file of JSON lines with decisions is previewed, then applied', async () => {
  const [one, two] = [anAnswer(1), anAnswer(2)]
  await openAnswers([one, two])
  server.serve(decideBatch, ({ body }) =>
    body.decisions.map(({ submission }: { submission: string }) => ({
      submission,
      result: 'approved',
      error: null,
    })),
  )
  const lines = [
    { Item: 1, Submission: one._id, 'Answer.note': 'a', Approve: 'x', Reject: '' },
    { Item: 2, Submission: two._id, 'Answer.note': 'b', Approve: 'x', Reject: 'No' },
  ]
  await choose(`${lines.map((line) => JSON.stringify(line)).join('\n')}\n`, 'decided.jsonl')
  await screen.findByText(/1 decision: 1 approved/)
  screen.getByText('Row 2: Both Approve and Reject are filled in.')
  assert.equal(server.received(decideBatch).at(-1)?.body.preview, true)
  await user.click(button('Apply decisions'))
  await screen.findByText(/^Done: 1 decision/)
  const { body } = server.received(decideBatch).at(-1) ?? {}
  assert.deepEqual(body, { preview: false, decisions: [{ submission: one._id, decision: 'approve' }] })
})

test('a file that replaces another is the one that is applied, and stays the only one meanwhile', async () => {
  const [one, two] = [anAnswer(1), anAnswer(2)]
  await openAnswers([one, two])
  server.serve(decideBatch, ({ body }) =>
    body.decisions.map(({ submission }: { submission: string }) => ({
      submission,
      result: 'approved',
      error: null,
    })),
  )
  const former = server.hold(decideBatch)
  await choose(`Submission,Approve,Reject\n${one._id},x,\n${two._id},x,\n`)
  await until(() => assert.equal(server.received(decideBatch).length, 1))
  server.serve(decideBatch, [{ submission: one._id, result: 'approved', error: null }])
  await choose(`Submission,Approve,Reject\n${one._id},x,\n`)
  await screen.findByText(/1 decision: 1 approved/)
  former.release()

  const applying = server.hold(decideBatch)
  await user.click(button('Apply decisions'))
  assert.ok((await decisionsFile()).disabled)
  assert.ok((button('Cancel') as HTMLButtonElement).disabled)
  applying.release()
  await screen.findByText(/^Done: 1 decision:/)
  const { body } = server.received(decideBatch).at(-1) ?? {}
  assert.deepEqual(body, { preview: false, decisions: [{ submission: one._id, decision: 'approve' }] })
})
