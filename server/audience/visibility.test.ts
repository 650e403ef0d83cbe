import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { UNRESTRICTED_AUDIENCE } from '#contract/audience.ts'
import { deleteUser } from '#server/users/delete.ts'
import { useApi } from '#tests/support/api.ts'
import { aPastWorker, aTaskFor } from '#tests/support/audience.ts'
import { anOpenBatch } from '#tests/support/batches.ts'
import { eventually } from '#tests/support/eventually.ts'
import { aBuyer, anAdmin, aWorker, type TestUser } from '#tests/support/factories.ts'
import { inOpenTransaction, lockWaits } from '#tests/support/lock-waits.ts'

describe('when and where tasks are visible', () => {
  const api = useApi()
  const aBuyerWithCoins = () => aBuyer(api.database, { coins: 100 })
  const submit = (worker: TestUser, taskId: string) =>
    api.as(worker).post('/submiteted-task', { taskId, submissoin_data: 'Done' })
  let viewer: TestUser
  before(async () => {
    viewer = await aWorker(api.database)
  })
  const LISTS = [
    '/task-list-worker',
    '/all-task',
    '/all-task?q=photos',
    '/task-list-worker?open=true&sort=pay',
  ]
  /** Returns the lists, among all public ones, that contain a task. */
  const listsWith = async (taskId: string) => {
    const found: string[] = []
    // A parameter that changes nothing keeps the response cache out.
    for (const path of LISTS) {
      const { text } = await api
        .as(viewer)
        .get(`${path}${path.includes('?') ? '&' : '?'}limit=${40 + (asked++ % 50)}`)
      if (text.includes(taskId)) found.push(path)
    }
    return found
  }
  let asked = 0
  const letHourPass = (taskId: string) =>
    api.owner.query(`update tasks set listed_from = listed_from - interval '1 hour' where id = $1`, [taskId])

  test('favourites see and take a task for an hour before others', async () => {
    const buyer = await aBuyerWithCoins()
    const { worker: favourite, pseudonym } = await aPastWorker(api.database, buyer)
    await api.as(buyer).put(`/my-workers/${pseudonym}/favourite`, { favourite: true })
    const taskId = await aTaskFor(api.database, buyer, { visibility: 'favourites_first' })
    const other = await aWorker(api.database)
    assert.deepEqual(await listsWith(taskId), [])
    const refused = await submit(other, taskId)
    assert.match(refused.body.error.message, /favourite workers first. You can take it in 1 hour/)
    const idsFor = async (worker: TestUser) =>
      (await api.as(worker).get('/tasks-for-favourites')).body.map(({ _id }: { _id: string }) => _id)
    assert.deepEqual([await idsFor(favourite), await idsFor(other)], [[taskId], []])
    assert.equal((await api.as(favourite).get('/tasks-for-favourites')).body[0].buyer, buyer.email)
    assert.equal((await submit(favourite, taskId)).status, 200)
    await letHourPass(taskId)
    assert.deepEqual(await listsWith(taskId), LISTS)
    assert.deepEqual(await idsFor(favourite), [])
    assert.equal((await submit(other, taskId)).status, 200)
  })

  test('without any favourite the task is for everyone at once', async () => {
    const buyer = await aBuyerWithCoins()
    const taskId = await aTaskFor(api.database, buyer, { visibility: 'favourites_first' })
    assert.deepEqual(await listsWith(taskId), LISTS)
  })

  test('a favourite whom the buyer has blocked or who is deleted is none', async () => {
    const buyer = await aBuyerWithCoins()
    const [blocked, deleted] = [
      await aPastWorker(api.database, buyer),
      await aPastWorker(api.database, buyer),
    ]
    const makeFavourite = (pseudonym: string) =>
      api.as(buyer).put(`/my-workers/${pseudonym}/favourite`, { favourite: true })
    const block = `/my-workers/${blocked.pseudonym}/block`
    const seenByBlocked = async () =>
      (await api.as(blocked.worker).get('/tasks-for-favourites')).body.map(({ _id }: { _id: string }) => _id)
    await makeFavourite(blocked.pseudonym)
    const before = await aTaskFor(api.database, buyer, { visibility: 'favourites_first' })
    await api.as(buyer).put(block, { reason: 'Copies the work of others' })
    await deleteUser(api.database, deleted.worker.id, (await anAdmin(api.database)).id)
    assert.equal((await makeFavourite(deleted.pseudonym)).status, 404)
    assert.deepEqual(await seenByBlocked(), [])
    const taskId = await aTaskFor(api.database, buyer, { visibility: 'favourites_first' })
    assert.deepEqual(await listsWith(taskId), LISTS)
    await api.as(buyer).delete(block)
    assert.deepEqual(await seenByBlocked(), [before])
  })

  test('a favourite who is no Worker any more is none', async () => {
    const buyer = await aBuyerWithCoins()
    const { worker, pseudonym } = await aPastWorker(api.database, buyer)
    await api.as(buyer).put(`/my-workers/${pseudonym}/favourite`, { favourite: true })
    const admin = api.as(await anAdmin(api.database))
    assert.equal((await admin.put(`/update-role/${worker.id}`, { value: 'Buyer' })).status, 200)
    const taskId = await aTaskFor(api.database, buyer, { visibility: 'favourites_first' })
    assert.deepEqual(await listsWith(taskId), LISTS)
  })

  test('a private task is in no list, no search, no live event, and not found without its link', async () => {
    const buyer = await aBuyerWithCoins()
    const taskId = await aTaskFor(api.database, buyer, { visibility: 'link' })
    const worker = await aWorker(api.database)
    assert.deepEqual(await listsWith(taskId), [])
    await api.owner.query(`select relay_outbox(1000, '{}')`)
    const { rows } = await api.owner.query('select count(*) from live_events where body::text like $1', [
      `%${taskId}%`,
    ])
    assert.equal(Number(rows[0].count), 0)
    assert.equal((await api.as(worker).get(`/task-datails/${taskId}`)).status, 404)
    assert.equal((await api.as(await aBuyerWithCoins()).get(`/task-datails/${taskId}`)).status, 404)
    assert.equal((await api.as(await anAdmin(api.database)).get(`/task-datails/${taskId}`)).status, 200)
    assert.equal((await api.as(worker).get('/managed-tasks')).status, 403)
    const stranger = api.as(await aBuyerWithCoins())
    for (const { status } of [
      await stranger.get(`/tasks/${taskId}/funnel`),
      await stranger.post(`/tasks/${taskId}/slots`, { slots: 1 }),
      await stranger.delete(`/delete-task/${taskId}`),
    ])
      assert.equal(status, 404)
    const refused = await submit(worker, taskId)
    assert.deepEqual([refused.status, refused.body.error.code], [403, 'not_eligible'])

    const { body: link } = await api.as(buyer).get(`/tasks/${taskId}/link`)
    assert.match(link.token, /^[0-9a-f]{32}$/)
    assert.equal((await api.as(worker).get(`/tasks/${taskId}/link`)).status, 403)
    assert.equal((await api.as(await aBuyerWithCoins()).get(`/tasks/${taskId}/link`)).status, 404)
    const opened = await api.as(worker).post('/task-links', { token: link.token })
    assert.deepEqual([opened.status, opened.body.taskId], [200, taskId])
    assert.equal((await api.as(worker).get(`/task-datails/${taskId}`)).body.audience.visibility, 'link')
    assert.equal((await submit(worker, taskId)).status, 200)
    assert.equal((await api.as(buyer).get(`/tasks/${taskId}/link`)).body.workers, 1)
  })

  test('an Admin finds tasks that are in no public list, marked, by search and by pages', async () => {
    const buyer = await aBuyerWithCoins()
    const { pseudonym } = await aPastWorker(api.database, buyer)
    await api.as(buyer).put(`/my-workers/${pseudonym}/favourite`, { favourite: true })
    const word = 'unlistedkites'
    const marks = new Map<string, string | null>()
    for (const visibility of ['everyone', 'favourites_first', 'link'] as const) {
      const taskId = await aTaskFor(api.database, buyer, { visibility }, { title: word })
      marks.set(taskId, visibility === 'everyone' ? null : visibility)
    }
    const admin = api.as(await anAdmin(api.database))
    for (const filter of ['', '&open=true', '&sort=slots', '&sort=pay&open=true']) {
      const found = new Map<string, string | null>()
      let next = ''
      do {
        const page = await admin.get(`/managed-tasks?q=${word}&limit=1${filter}${next}`)
        for (const { _id, unlisted } of page.body) found.set(_id, unlisted)
        next = page.next
      } while (next !== '')
      assert.deepEqual(found, marks, filter)
    }
    assert.deepEqual(
      (await api.as(viewer).get(`/all-task?q=${word}`)).body.map(({ _id }: { _id: string }) =>
        marks.get(_id),
      ),
      [null],
    )
  })

  test('revoking a link ends the access by it; reserved items stay', async () => {
    const { buyer, taskId } = await anOpenBatch(api.database, {
      items: 3,
      content: { audience: { ...UNRESTRICTED_AUDIENCE, visibility: 'link' } },
    })
    const worker = await aWorker(api.database)
    const take = () => api.as(worker).post(`/tasks/${taskId}/items`)
    const itemsStatus = async (user = worker) => (await api.as(user).get(`/tasks/${taskId}/items`)).status
    assert.equal((await take()).status, 403)
    assert.deepEqual([await itemsStatus(), await itemsStatus(buyer)], [404, 200])
    const { body: link } = await api.as(buyer).get(`/tasks/${taskId}/link`)
    const open = (token: string) => api.as(worker).post('/task-links', { token })
    await open(link.token)
    assert.equal(await itemsStatus(), 200)
    assert.equal((await take()).status, 201)
    const { body: renewed } = await api.as(buyer).post(`/tasks/${taskId}/link`)
    assert.notEqual(renewed.token, link.token)
    assert.equal(renewed.workers, 0)
    const refused = await take()
    assert.match(refused.body.error.message, /private. Ask its buyer for the current link/)
    assert.equal((await open(link.token)).status, 404)
    // They have work there, so they still see what it is about.
    assert.equal((await api.as(worker).get(`/task-datails/${taskId}`)).body.ineligibility.reason, 'link')
    const sent = await api.as(worker).post(`/tasks/${taskId}/items/1/answers`, { answers: { kind: 'Shop' } })
    assert.equal(sent.status, 200)
    await open(renewed.token)
    assert.equal((await take()).status, 201)
    const revoked = await api.as(buyer).delete(`/tasks/${taskId}/link`)
    assert.deepEqual([revoked.status, revoked.body.token], [200, null])
    assert.equal((await take()).status, 403)
    assert.equal((await open(renewed.token)).status, 404)
    // The second item keeps the access until it is returned, and the submitted one until its rejection is final.
    await api.as(worker).delete(`/tasks/${taskId}/items/2`)
    assert.equal(await itemsStatus(), 200)
    const { rows } = await api.owner.query('select id from submissions where task_id = $1', [taskId])
    await api.as(buyer).delete(`/submission-reject/${rows[0].id}`)
    assert.equal(await itemsStatus(), 200)
    await api.as(worker).post(`/submissions/${rows[0].id}/acceptance`)
    assert.equal(await itemsStatus(), 404)
    assert.equal((await api.as(worker).get(`/task-datails/${taskId}`)).status, 404)
  })

  async function aRejectionOnAPrivateTask() {
    const buyer = await aBuyerWithCoins()
    const taskId = await aTaskFor(api.database, buyer, { visibility: 'link' })
    const worker = await aWorker(api.database)
    const { body: link } = await api.as(buyer).get(`/tasks/${taskId}/link`)
    await api.as(worker).post('/task-links', { token: link.token })
    const submission = (await submit(worker, taskId)).body.insertedId
    await api.as(buyer).delete(`/submission-reject/${submission}`)
    await api.as(buyer).delete(`/tasks/${taskId}/link`)
    return { buyer, worker, submission, found: () => api.as(worker).get(`/task-datails/${taskId}`) }
  }

  test('a worker whose work was rejected finds a private task until the rejection is final', async () => {
    const { worker, submission, found } = await aRejectionOnAPrivateTask()
    assert.deepEqual((await found()).body.rejection._id, submission)
    await api.as(worker).post(`/submissions/${submission}/acceptance`)
    assert.equal((await found()).status, 404)
  })

  test('a worker whose rejection the buyer withdrew finds the private task', async () => {
    const { buyer, submission, found } = await aRejectionOnAPrivateTask()
    assert.equal((await api.as(buyer).post(`/submissions/${submission}/concession`)).status, 200)
    assert.equal((await found()).status, 200)
  })

  test('a link that two requests renew at once has one of their tokens', async () => {
    const buyer = await aBuyerWithCoins()
    const taskId = await aTaskFor(api.database, buyer, { visibility: 'link' })
    await inOpenTransaction(api.owner, async (blocking) => {
      await blocking.query('select from task_links where task_id = $1 for update', [taskId])
      const renewals = [0, 1].map(() => api.as(buyer).post(`/tasks/${taskId}/link`))
      await eventually(async () => (await lockWaits(api.owner)) === 2)
      await blocking.query('commit')
      const tokens: string[] = []
      for (const { status, body } of await Promise.all(renewals)) {
        assert.equal(status, 200)
        tokens.push(body.token)
      }
      assert.ok(tokens.includes((await api.as(buyer).get(`/tasks/${taskId}/link`)).body.token))
    })
  })

  test('guesses and malformed tokens open nothing', async () => {
    const worker = await aWorker(api.database)
    assert.equal((await api.as(worker).post('/task-links', { token: '0'.repeat(32) })).status, 404)
    for (const token of ['', 'x', '0'.repeat(33), "' or 1=1"])
      assert.ok([400, 422].includes((await api.as(worker).post('/task-links', { token })).status))
  })

  test('a public task has no link', async () => {
    const buyer = await aBuyerWithCoins()
    const taskId = await aTaskFor(api.database, buyer, {})
    assert.equal((await api.as(buyer).post(`/tasks/${taskId}/link`)).status, 404)
  })
})
