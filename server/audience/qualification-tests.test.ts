import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { UNRESTRICTED_AUDIENCE } from '#contract/audience.ts'
import type { ProjectContent } from '#contract/projects.ts'
import { updateRecords } from '#server/records/update.ts'
import { deleteUser } from '#server/users/delete.ts'
import { useApi } from '#tests/support/api.ts'
import { aTaskFor, pseudonymOf } from '#tests/support/audience.ts'
import { anOpenBatch, type TestBatch } from '#tests/support/batches.ts'
import { anAdmin, atOnce, aWorker, type TestUser } from '#tests/support/factories.ts'

const KNOWN = 'Office'
const WRONG = 'Shop'
const NOTICE = /You have earned the qualification "Knows shops"/

describe('qualifications that are earned in a test batch', () => {
  const api = useApi()
  type Batch = TestBatch & { taskId: string }
  /** A batch in which every item has a known answer, and a qualification of its buyer. */
  const aTest = async (items: number, content: Partial<ProjectContent> = {}) => {
    const batch = await anOpenBatch(api.database, {
      items,
      column: { name: 'golden.kind', values: Array.from({ length: items }, () => KNOWN) },
      content,
      coins: 1000,
    })
    const { body: qualification } = await api
      .as(batch.buyer)
      .post('/qualifications', { name: 'Knows shops', description: 'Label the test batch.' })
    const { body } = await api.as(batch.buyer).get(`/batches/${batch.id}`)
    return { batch, id: qualification._id as string, project: body.projectId as string }
  }
  const setTest = (buyer: TestUser, id: string, project: string, answersMin: number, percentMin: number) =>
    api.as(buyer).put(`/qualifications/${id}/test`, { project, answersMin, percentMin })
  const take = (worker: TestUser, { taskId }: Batch) => api.as(worker).post(`/tasks/${taskId}/items`)
  const submit = (worker: TestUser, { taskId }: Batch, number: number, kind: string) =>
    api.as(worker).post(`/tasks/${taskId}/items/${number}/answers`, { answers: { kind } })
  const work = async (worker: TestUser, batch: Batch, kinds: string[]) => {
    for (const kind of kinds) {
      const { number } = (await take(worker, batch)).body
      assert.equal((await submit(worker, batch, number, kind)).status, 200)
    }
  }
  const heldBy = async (worker: TestUser) =>
    (await api.as(worker).get('/my-qualifications')).body.map(({ _id }: { _id: string }) => _id)
  const notificationsOf = async (worker: TestUser) => {
    const { body } = await api.as(worker).get(`/notifications/${worker.email}`)
    return body.filter(({ message }: { message: string }) => NOTICE.test(message)).length as number
  }
  const earnedOf = async ({ buyer }: Batch, worker: TestUser) => {
    await updateRecords(api.database)
    const { body } = await api.as(buyer).get('/my-workers')
    const name = await pseudonymOf(api.database, buyer, worker)
    return body.find((row: { worker: string }) => row.worker === name)?.earned
  }
  const change = async (batch: Batch, id: string, worker: TestUser, qualified: boolean) =>
    api.as(batch.buyer).put(`/qualifications/${id}/workers`, {
      workers: [await pseudonymOf(api.database, batch.buyer, worker)],
      qualified,
    })

  test('are earned once, notified, and listed for the buyer with the right answers', async () => {
    const { batch, id, project } = await aTest(5)
    const set = await setTest(batch.buyer, id, project, 3, 60)
    assert.deepEqual(set.body.test, {
      project,
      projectTitle: 'Name the kind of a shop',
      answersMin: 3,
      percentMin: 60,
    })
    const worker = await aWorker(api.database)
    const taskId = await aTaskFor(api.database, batch.buyer, { qualifications: [id] })
    const reserve = () => api.as(worker).post(`/tasks/${taskId}/reservation`)
    await work(worker, batch, [KNOWN, WRONG])
    assert.equal((await reserve()).status, 403)
    await work(worker, batch, [KNOWN])
    assert.deepEqual(await heldBy(worker), [id])
    assert.equal((await reserve()).status, 200)
    // Later answers neither revoke it nor change with what it was earned.
    await work(worker, batch, [WRONG, WRONG])
    assert.deepEqual([await heldBy(worker), await notificationsOf(worker)], [[id], 1])
    assert.deepEqual(await earnedOf(batch, worker), [{ qualification: id, right: 2, answers: 3 }])
    const { text } = await api.as(worker).get(`/my-data/${worker.email}`)
    assert.doesNotMatch(text, /golden|earned_right/i)
  })

  test('a worker with too few right answers earns it by further ones', async () => {
    const { batch, id, project } = await aTest(6)
    await setTest(batch.buyer, id, project, 2, 75)
    const worker = await aWorker(api.database)
    await work(worker, batch, [WRONG, KNOWN, KNOWN])
    assert.deepEqual(await heldBy(worker), [])
    await work(worker, batch, [KNOWN])
    assert.deepEqual(await earnedOf(batch, worker), [{ qualification: id, right: 3, answers: 4 }])
  })

  test('items without a known answer do not count', async () => {
    const batch = await anOpenBatch(api.database, { items: 3, coins: 1000 })
    const { body: qualification } = await api
      .as(batch.buyer)
      .post('/qualifications', { name: 'Knows shops', description: 'Label the test batch.' })
    const { body } = await api.as(batch.buyer).get(`/batches/${batch.id}`)
    await setTest(batch.buyer, qualification._id, body.projectId, 1, 1)
    const worker = await aWorker(api.database)
    await work(worker, batch, [KNOWN, KNOWN, KNOWN])
    assert.deepEqual(await heldBy(worker), [])
  })

  test('two concurrent answers in two batches of the project are counted together and earn it once', async () => {
    const { batch, id, project } = await aTest(8, { workersPerItem: 8 })
    const { batch: other } = await aTest(8, { workersPerItem: 8 })
    await api.owner.query('update batches set project_id = $1 where id = $2', [project, other.id])
    await setTest(batch.buyer, id, project, 2, 100)
    for (let round = 0; round < 6; round++) {
      const worker = await aWorker(api.database)
      const [one, two] = [(await take(worker, batch)).body.number, (await take(worker, other)).body.number]
      const results = await atOnce(2, (place) =>
        place === 0 ? submit(worker, batch, one, KNOWN) : submit(worker, other, two, KNOWN),
      )
      assert.ok(results.every((result) => result.status === 'fulfilled' && result.value.status === 200))
      assert.deepEqual([await heldBy(worker), await notificationsOf(worker)], [[id], 1])
    }
  })

  test('a revoked one is not earned again until it is granted', async () => {
    const { batch, id, project } = await aTest(5)
    await setTest(batch.buyer, id, project, 1, 100)
    const worker = await aWorker(api.database)
    await work(worker, batch, [KNOWN])
    await updateRecords(api.database)
    assert.equal((await change(batch, id, worker, false)).body.changed, 1)
    await work(worker, batch, [KNOWN])
    await setTest(batch.buyer, id, project, 2, 50)
    assert.deepEqual([await heldBy(worker), await notificationsOf(worker)], [[], 1])
    assert.equal((await change(batch, id, worker, true)).body.changed, 1)
    assert.deepEqual([await heldBy(worker), await earnedOf(batch, worker)], [[id], []])
  })

  test('a test that is set later is passed by earlier answers, and a removed one by none', async () => {
    const { batch, id, project } = await aTest(6, { workersPerItem: 3 })
    const [good, careless, late] = [
      await aWorker(api.database),
      await aWorker(api.database),
      await aWorker(api.database),
    ]
    await work(good, batch, [KNOWN, KNOWN])
    await work(careless, batch, [KNOWN, WRONG])
    assert.equal((await setTest(batch.buyer, id, project, 2, 90)).body.workers, 1)
    assert.equal((await setTest(batch.buyer, id, project, 2, 90)).body.workers, 1)
    assert.deepEqual([await heldBy(good), await notificationsOf(good), await heldBy(careless)], [[id], 1, []])
    const removed = await api.as(batch.buyer).delete(`/qualifications/${id}/test`)
    assert.deepEqual([removed.status, removed.body.test], [200, null])
    await work(late, batch, [KNOWN, KNOWN])
    assert.deepEqual([await heldBy(good), await heldBy(late)], [[id], []])
  })

  test("another buyer's project or qualification is not found", async () => {
    const one = await aTest(1)
    const other = await aTest(1)
    assert.equal((await setTest(one.batch.buyer, one.id, other.project, 1, 1)).status, 404)
    assert.equal((await setTest(one.batch.buyer, other.id, one.project, 1, 1)).status, 404)
    assert.equal((await api.as(one.batch.buyer).delete(`/qualifications/${other.id}/test`)).status, 404)
    const invalid = await setTest(one.batch.buyer, one.id, one.project, 0, 101)
    assert.deepEqual(
      [invalid.status, Object.keys(invalid.body.error.fields).toSorted()],
      [422, ['answersMin', 'percentMin']],
    )
  })

  test('answers concurrent with a revocation, a deletion or a new test are submitted, as if one came after the other', async () => {
    const { batch, id, project } = await aTest(4, { workersPerItem: 12 })
    for (let round = 0; round < 4; round++) {
      const revoked = await aWorker(api.database)
      await setTest(batch.buyer, id, project, 2, 100)
      await work(revoked, batch, [KNOWN])
      await updateRecords(api.database)
      const { number } = (await take(revoked, batch)).body
      const results = await atOnce(2, (place) =>
        place === 0 ? submit(revoked, batch, number, KNOWN) : change(batch, id, revoked, false),
      )
      assert.ok(results.every((result) => result.status === 'fulfilled' && result.value.status === 200))
      assert.deepEqual(await heldBy(revoked), [])

      const early = await aWorker(api.database)
      await api.as(batch.buyer).delete(`/qualifications/${id}/test`)
      const item = (await take(early, batch)).body.number
      const both = await atOnce(2, (place) =>
        place === 0 ? submit(early, batch, item, KNOWN) : setTest(batch.buyer, id, project, 1, 100),
      )
      assert.ok(both.every((result) => result.status === 'fulfilled' && result.value.status === 200))
      assert.deepEqual([await heldBy(early), await notificationsOf(early)], [[id], 1])
    }
    const worker = await aWorker(api.database)
    const { number } = (await take(worker, batch)).body
    const results = await atOnce(2, (place) =>
      place === 0
        ? submit(worker, batch, number, KNOWN)
        : api.as(batch.buyer).delete(`/qualifications/${id}`),
    )
    assert.deepEqual(
      results.map((result) => (result.status === 'fulfilled' ? result.value.status : 500)),
      [200, 204],
    )
    assert.deepEqual(await heldBy(worker), [])
  })

  test('a worker without it is shown the open test batches that they can work on', async () => {
    const { batch, id, project } = await aTest(2)
    await setTest(batch.buyer, id, project, 2, 100)
    const taskId = await aTaskFor(api.database, batch.buyer, { qualifications: [id] })
    const worker = await aWorker(api.database)
    const testsFor = async () =>
      (await api.as(worker).get(`/task-datails/${taskId}`)).body.ineligibility?.tests
    assert.deepEqual(await testsFor(), [
      {
        qualification: 'Knows shops',
        taskId: batch.taskId,
        title: 'Name the kind of a shop',
        answersMin: 2,
        percentMin: 100,
      },
    ])
    await work(worker, batch, [KNOWN])
    assert.equal((await testsFor()).length, 1)
    await work(worker, batch, [WRONG])
    // Nobody gets an item twice.
    assert.deepEqual(await testsFor(), [])

    const circular = await aTest(1)
    await setTest(circular.batch.buyer, circular.id, circular.project, 1, 1)
    await api.owner.query('update tasks set has_requirements = true where id = $1', [circular.batch.taskId])
    await api.owner.query('insert into task_requirements (task_id, qualifications) values ($1, $2)', [
      circular.batch.taskId,
      [circular.id],
    ])
    const own = await api.as(worker).get(`/task-datails/${circular.batch.taskId}`)
    assert.deepEqual(own.body.ineligibility.tests, [])
  })

  test('a test batch is not shown to a worker whose score is too low for it', async () => {
    const { batch, id, project } = await aTest(3, {
      quality: { leastScore: 50, scoreAfter: 1, approveShare: null },
    })
    await setTest(batch.buyer, id, project, 2, 100)
    const taskId = await aTaskFor(api.database, batch.buyer, { qualifications: [id] })
    const [good, careless] = [await aWorker(api.database), await aWorker(api.database)]
    await work(good, batch, [KNOWN])
    await work(careless, batch, [WRONG])
    const testsFor = async (worker: TestUser) =>
      (await api.as(worker).get(`/task-datails/${taskId}`)).body.ineligibility.tests.length
    assert.deepEqual([await testsFor(good), await testsFor(careless)], [1, 0])
  })

  test('a private test batch is shown only to those who opened its link', async () => {
    const { batch, id, project } = await aTest(1, {
      audience: { ...UNRESTRICTED_AUDIENCE, visibility: 'link' },
    })
    await setTest(batch.buyer, id, project, 1, 1)
    const taskId = await aTaskFor(api.database, batch.buyer, { qualifications: [id] })
    const worker = await aWorker(api.database)
    const details = async () => (await api.as(worker).get(`/task-datails/${taskId}`)).body
    assert.deepEqual((await details()).ineligibility.tests, [])
    const { body: link } = await api.as(batch.buyer).get(`/tasks/${batch.taskId}/link`)
    await api.as(worker).post('/task-links', { token: link.token })
    assert.equal((await details()).ineligibility.tests.length, 1)
  })

  test('a deleted worker earns nothing by a test that is set later', async () => {
    const { batch, id, project } = await aTest(1)
    const worker = await aWorker(api.database)
    await work(worker, batch, [KNOWN])
    await deleteUser(api.database, worker.id, (await anAdmin(api.database)).id)
    assert.equal((await setTest(batch.buyer, id, project, 1, 1)).body.workers, 0)
  })
})
