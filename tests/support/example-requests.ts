import { ENDPOINTS } from '#contract/api.ts'
import { API_SCOPES, type Endpoint } from '#contract/endpoint.ts'
import type { Example } from '#server/api-docs/examples.ts'
import { checkDueBatches } from '#server/batches/check.ts'
import { computeDueAgreements } from '#server/batches/compute-agreement.ts'
import { fundDueBatches } from '#server/batches/fund.ts'
import { updateRecords } from '#server/records/update.ts'
import { PROJECT } from '#tests/api/samples.ts'
import type { Api } from './api.ts'
import { relayAll } from './api-events.ts'
import { aTaskFor, pseudonymOf } from './audience.ts'
import {
  aBuyer,
  aSubmission,
  aTask,
  aWorker,
  dayFromNow,
  type TestUser,
  taskBody,
  testConfig,
} from './factories.ts'
import { aPayment } from './receipts.ts'

/** The lines of a file that its example has. */
const LINES_MAX = 3
const SHOPS = Buffer.from('name\nRupa Store\nRupa Store\n')

type Request = {
  as?: 'buyer' | 'worker'
  params?: Record<string, string>
  query?: object
  lastEventId?: string
  body?: object
}

/** Returns the operations that need an example: those of API keys. */
export const operationsWithExamples = () => ENDPOINTS.filter(({ endpoint }) => endpoint.scope !== undefined)

/** A request of an operation: what a test sends, with the key of the user who sends it. A stream has a `lastEventId`. */
type ExampleRequest = {
  name: string
  method: Endpoint['method']
  path: string
  lastEventId?: string | undefined
  body: unknown
  key: string
}

/**
 * Makes a small market: a buyer with tasks, a worker with work in every state, a payment. Returns a request of each
 * operation that API keys may use in it.
 */
export async function exampleRequests(api: Api): Promise<{ buyer: TestUser; requests: ExampleRequest[] }> {
  const { database } = api
  const buyer = await aBuyer(database, { coins: 1000, name: 'Nadia Rahman' })
  const worker = await aWorker(database, { name: 'Rafiq Islam' })
  const keys = { buyer: await aKey(api, buyer), worker: await aKey(api, worker) }
  await aPayment(database, buyer)
  const byName = await requestsIn(api, buyer, worker)
  const requests = operationsWithExamples().map(({ name, endpoint }) => {
    const request = byName[name]
    if (request === undefined) throw new Error(`tests/support/example-requests.ts lacks ${name}`)
    const { as = 'buyer', params = {}, query, lastEventId, body } = request
    const search = query === undefined ? '' : `?${new URLSearchParams({ ...query })}`
    const path = endpoint.path.replace(/:(\w+)/g, (_, param: string) => params[param] ?? '') + search
    return { name, method: endpoint.method, path, lastEventId, body, key: keys[as] }
  })
  return { buyer, requests }
}

/**
 * Sends a request of each operation that API keys may use, with a key. Returns the requests with their responses by
 * operation. Ids, times and emails are replaced, so that no run changes them.
 */
export async function recordExamples(api: Api): Promise<Record<string, Example>> {
  const examples: Record<string, Example> = {}
  const clean = createCleaner()
  for (const { name, method, path, lastEventId, body, key } of (await exampleRequests(api)).requests) {
    const authorization = `Bearer ${key}`
    const { status, text, ...response } =
      lastEventId === undefined
        ? await api.withHeader(authorization).call(method, path, body)
        : await firstEvent(api, path, { authorization, 'last-event-id': lastEventId })
    if (status >= 400) throw new Error(`${name}: ${status} ${text}`)
    examples[name] = clean({ path, lastEventId, body, status, response: response.body ?? firstLines(text) })
  }
  return examples
}

/** Returns the beginning of a stream with its first event. */
async function firstEvent(api: Api, path: string, headers: Record<string, string>) {
  const origin = await api.instance.app.listen({ port: 0, host: '127.0.0.1' })
  const response = await fetch(`${origin}/api${path}`, { headers })
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString()
    if (text.split('\n\n').length > 2) break
  }
  return { status: response.status, text, body: text.split('\n\n').slice(0, 2).join('\n\n') }
}

/** Returns the first lines of a file, as far as they are text. An empty response has none. */
function firstLines(file: string): string | undefined {
  const lines = file.split('\n').slice(0, LINES_MAX)
  const binary = lines.findIndex((line) => line.includes('\uFFFD'))
  return (binary === -1 ? lines : lines.slice(0, binary)).join('\n') || undefined
}

async function aKey(api: Api, user: TestUser): Promise<string> {
  const key = { name: 'Own system', scopes: API_SCOPES, expiresInDays: 90 }
  const made = await api.as(user).post('/api-keys', key)
  return made.body.secret
}

async function requestsIn(api: Api, buyer: TestUser, worker: TestUser): Promise<Record<string, Request>> {
  const { database } = api
  const tasks = (title: string) => aTask(database, buyer, { title, reward: 5, slots: 2 })
  /** Work of the worker on a task of its own, after these requests of buyer and worker. */
  async function work(title: string, steps: [TestUser, string, string, object?][] = []): Promise<string> {
    const id = await aSubmission(database, await tasks(title), worker)
    for (const [user, method, path, body] of steps) {
      const { status, text } = await api.as(user).call(method as 'POST', path.replace(':id', id), body)
      if (status >= 400) throw new Error(`${path}: ${text}`)
    }
    return id
  }
  const rejected = [buyer, 'DELETE', '/submission-reject/:id', { reason: 'Two lines are missing' }] as const
  const rejection: [TestUser, string, string, object?][] = [[...rejected]]
  const appeal: [TestUser, string, string, object?] = [
    worker,
    'POST',
    '/submissions/:id/appeal',
    { text: 'All lines are there', pictures: [] },
  ]
  async function newProject(): Promise<string> {
    return (await api.as(buyer).post('/projects', PROJECT)).body._id
  }
  const project = await newProject()
  async function newBatch(content?: Buffer): Promise<string> {
    const { body } = await api.as(buyer).post(`/projects/${project}/batches`, { fileName: 'shops.csv' })
    if (content)
      await api.as(buyer).put(`/batches/${body._id}/chunks/0`, { content: content.toString('base64') })
    return body._id
  }
  async function checkedBatch(): Promise<string> {
    const id = await newBatch(SHOPS)
    await api.as(buyer).post(`/batches/${id}/check`, { bytes: SHOPS.length })
    await checkDueBatches(database)
    return id
  }
  /** A batch with the worker's answers to its first item. */
  async function openBatch(): Promise<{ id: string; submission: string }> {
    const id = await checkedBatch()
    const funding = { completion_date: dayFromNow(7), total: 12 }
    await api.as(buyer).post(`/batches/${id}/funding`, funding)
    await fundDueBatches(database, testConfig)
    const { taskId } = (await api.as(buyer).get(`/batches/${id}`)).body
    await api.as(worker).post(`/tasks/${taskId}/items`)
    const answers = { answers: { kind: 'Shop' } }
    const { body } = await api.as(worker).post(`/tasks/${taskId}/items/1/answers`, answers)
    await computeDueAgreements(database)
    return { id, submission: body.insertedId }
  }
  const checked = await checkedBatch()
  const open = await openBatch()
  const task = await tasks('Label ten photos')
  const closed = await tasks('Check opening hours')
  await api.as(buyer).post(`/tasks/${closed}/close`)
  const pending = await work('Translate a page')
  const inCase = await work('Transcribe a call', [...rejection, appeal])
  const email = encodeURIComponent(buyer.email)
  const [payment] = (await api.as(buyer).get(`/payment-history/${email}`)).body
  const receipts = await api.owner.query<{ id: string }>('select id from receipts where user_id = $1', [
    buyer.id,
  ])
  const receipt = receipts.rows[0]?.id ?? ''
  const month = new Date().toISOString().slice(0, 7)
  const own = { params: { email } }
  const ofWorker = { as: 'worker', params: { email: encodeURIComponent(worker.email) } } as const
  const later = { completion_date: dayFromNow(20) }
  const { worker: _, ...newTask } = {
    worker: 0,
    ...taskBody({ title: 'Describe a shop', slots: 2, reward: 5 }),
  }

  const draftOfTask = { task_title: 'Label ten photos', required_workers: 10 }
  const draftIds = [draftOfTask, { task_title: 'Sort receipts' }, newTask].map(async (body) => {
    const { _id } = (await api.as(buyer).post('/task-drafts', body)).body
    return String(_id)
  })
  const [draft = '', unused = '', complete = ''] = await Promise.all(draftIds)
  await updateRecords(database)
  await relayAll(database)
  const pastWorker = await pseudonymOf(database, buyer, worker)
  const newQualification = async (name: string): Promise<string> => {
    const description = 'Label the test batch without a mistake.'
    return (await api.as(buyer).post('/qualifications', { name, description })).body._id
  }
  const qualification = await newQualification('Knows birds')
  const privateTask = await aTaskFor(database, buyer, { visibility: 'link' })

  return {
    addTask: { body: newTask },
    addSlots: { params: { id: task }, body: { slots: 5 } },
    updateTask: {
      params: { id: task },
      body: {
        task_title: 'Label ten photos',
        task_detail: 'Name what each shows.',
        submission_info: 'Ten lines',
      },
    },
    moveDeadline: { params: { id: task }, body: later },
    closeTask: { params: { id: await tasks('Count the shops of a street') } },
    reopenTask: { params: { id: closed }, body: later },
    deleteTask: { params: { id: await tasks('Compare two prices') } },
    taskDrafts: {},
    taskDraft: { params: { id: draft } },
    createTaskDraft: { body: { ...draftOfTask, template: true, name: 'Weekly photos' } },
    changeTaskDraft: { params: { id: draft }, body: { ...draftOfTask, payable_amount: 5 } },
    renameTaskDraft: { params: { id: draft }, body: { name: 'Photos of December' } },
    scheduleTaskDraft: {
      params: { id: complete },
      body: { postAt: new Date(Date.now() + 86_400_000).toISOString() },
    },
    deleteTaskDraft: { params: { id: unused } },
    taskFunnel: { params: { id: task } },
    taskDetails: { params: { id: task } },
    myTask: { ...own, query: { limit: '2', sort: 'deadline' } },
    myTaskProgress: { query: { tasks: task } },
    myTaskTotals: {},
    taskToReview: { query: { email: buyer.email, status: 'pending', limit: '1' } },
    taskOfSubmission: { params: { id: pending } },
    itemOfSubmission: { params: { id: open.submission } },
    submissionCase: { params: { id: inCase } },
    updateSubmissionStatus: { params: { id: await work('Write a caption') }, body: { status: 'approved' } },
    approveSubmissions: { body: { ids: [await work('Find an address')] } },
    rejectionRule: {},
    rejectSubmission: {
      params: { id: await work('Sort a list') },
      body: { reason: 'Two lines are missing', category: 'incomplete' },
    },
    requestRevision: { params: { id: await work('Check a form') }, body: { text: 'Please add the date.' } },
    concedeRejection: { params: { id: await work('Read a sign', rejection) } },
    reopenSlot: { params: { id: await work('Name a plant', rejection) } },
    reverseRejection: {
      params: {
        id: await work('Rate a photo', [...rejection, [worker, 'POST', '/submissions/:id/acceptance']]),
      },
    },
    defendRejection: {
      params: { id: await work('Test a link', [...rejection, appeal]) },
      body: { text: 'The last two lines are empty.' },
    },
    projects: { query: { limit: '1' } },
    createProject: { body: PROJECT },
    project: { params: { id: project } },
    changeProject: { params: { id: project }, body: { ...PROJECT, reward: 4, version: 1 } },
    setProjectArchived: { params: { id: await newProject() }, body: { archived: true } },
    previewProject: {
      params: { id: project },
      body: { input: { name: 'Rupa Store' }, answers: { kind: 'Shop' } },
    },
    createBatch: { params: { id: project }, body: { fileName: 'shops.csv' } },
    uploadChunk: {
      params: { id: await newBatch(), number: '0' },
      body: { content: SHOPS.toString('base64') },
    },
    checkBatch: { params: { id: await newBatch(SHOPS) }, body: { bytes: SHOPS.length } },
    batches: { query: { limit: '1' } },
    batch: { params: { id: checked } },
    batchProblems: { params: { id: checked } },
    batchReport: { params: { id: checked } },
    batchPreview: { params: { id: checked } },
    fundBatch: {
      params: { id: await checkedBatch() },
      body: { completion_date: dayFromNow(7), total: 12 },
    },
    scheduleBatch: {
      params: { id: await checkedBatch() },
      body: {
        scheduled: {
          postAt: new Date(Date.now() + 86_400_000).toISOString(),
          completion_date: dayFromNow(7),
          total: 12,
        },
      },
    },
    batchAnswers: { params: { id: open.id }, query: { state: 'pending' } },
    batchAnswersCsv: { params: { id: open.id }, query: { raw: 'true' } },
    batchAnswersJsonLines: { params: { id: open.id } },
    batchAgreement: { params: { id: open.id } },
    batchAgreementSummary: { params: { id: open.id } },
    batchWorkers: { params: { id: open.id } },
    batchSummary: { params: { id: open.id } },
    decideBatch: {
      params: { id: open.id },
      body: { preview: false, decisions: [{ submission: open.submission, decision: 'approve' }] },
    },
    topUpBatch: { params: { id: (await openBatch()).id }, body: { workersPerItem: 3, total: 6 } },
    cancelBatch: { params: { id: await newBatch() } },
    myWorkers: { query: { limit: '1' } },
    setFavouriteWorker: { params: { worker: pastWorker }, body: { favourite: true } },
    qualifications: {},
    createQualification: {
      body: { name: 'Reads handwriting', description: 'Transcribe the test batch without a mistake.' },
    },
    changeQualification: {
      params: { id: qualification },
      body: { name: 'Knows birds', description: 'Name the birds of the test batch.' },
    },
    setQualificationTest: {
      params: { id: qualification },
      body: { project, answersMin: 20, percentMin: 90 },
    },
    removeQualificationTest: { params: { id: qualification } },
    setQualifiedWorkers: {
      params: { id: qualification },
      body: { workers: [pastWorker], qualified: true },
    },
    deleteQualification: { params: { id: await newQualification('Knows trees') } },
    taskLink: { params: { id: privateTask } },
    renewTaskLink: { params: { id: privateTask } },
    revokeTaskLink: { params: { id: privateTask } },
    blockWorker: {
      params: { worker: pastWorker },
      body: { reason: 'Submitted the same text ten times' },
    },
    unblockWorker: { params: { worker: pastWorker } },
    statement: { ...own, query: { limit: '2' } },
    monthlyStatement: { params: { email, month } },
    paymentHistory: { ...own, query: { limit: '1' } },
    paymentReceipt: { params: { transactionId: payment.transactionId } },
    receipt: { params: { id: receipt } },
    receiptFile: { params: { id: receipt } },
    apiEvents: { lastEventId: '0' },
    myWithdrawals: ofWorker,
    myNotifications: { query: { limit: '2' } },
    buyerStats: {},
    statsSeries: {},
    waiting: {},
    coinRole: own,
    userDetails: own,
    workerStats: { as: 'worker' },
    mySubmissions: { ...ofWorker, query: { limit: '1' } },
    mySubmissionCounts: { as: 'worker' },
    myTaskStates: { as: 'worker', query: { tasks: task } },
    myReservations: { as: 'worker' },
  }
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** Returns a function that replaces what differs from run to run. The same id is replaced by the same one everywhere. */
function createCleaner(): (example: Example) => Example {
  const ids = new Map<string, string>()
  const idFor = (id: string) => {
    const known = ids.get(id) ?? `01938c00-0000-7000-8000-${String(ids.size + 1).padStart(12, '0')}`
    ids.set(id, known)
    return known
  }
  return (example) =>
    JSON.parse(
      JSON.stringify(example)
        .replaceAll(UUID, idFor)
        .replaceAll(/(?<=\\n\\nid: )\d+/g, '4711')
        .replaceAll(/\bW[0-9a-f]{11}\b/g, 'W3f2a9c01b7d')
        .replaceAll(/"token":"[0-9a-f]{32}"/g, `"token":"${'4f1c09ab'.repeat(4)}"`)
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-12-01T09:30:00.000Z')
        .replaceAll(/\b20\d\d-\d\d-\d\d\b(?!T)/g, '2030-01-31')
        .replaceAll(/(\/monthly-statements\/[^/]+\/)\d{4}-\d\d/g, '$12026-12')
        .replaceAll(/"month":"\d{4}-\d\d"/g, '"month":"2026-12"')
        .replaceAll(/(buyer|worker)\.\d+\.[0-9a-f]{8}(@|%40)/g, '$1$2'),
    ) as Example
}
