import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { UNRESTRICTED_AUDIENCE } from '#contract/audience.ts'
import { fundDueBatches } from '#server/batches/fund.ts'
import { updateRecords } from '#server/records/update.ts'
import { deleteUser } from '#server/users/delete.ts'
import { useApi } from '#tests/support/api.ts'
import { aPastWorker, aTaskFor } from '#tests/support/audience.ts'
import { aCheckedBatch, anOpenBatch } from '#tests/support/batches.ts'
import {
  aBuyer,
  anAdmin,
  aTask,
  atOnce,
  aWorker,
  dayFromNow,
  type TestUser,
  taskBody,
  testConfig,
} from '#tests/support/factories.ts'

const SKILL = { name: 'Reads Bangla handwriting', description: 'Do the test batch.' }

describe('what tasks require of their workers', () => {
  const api = useApi()
  const aBuyerWithCoins = () => aBuyer(api.database, { coins: 100 })
  const submit = (worker: TestUser, taskId: string) =>
    api.as(worker).post('/submiteted-task', { taskId, submissoin_data: 'Done' })
  const reasonOf = async (worker: TestUser, taskId: string) =>
    (await api.as(worker).get(`/task-datails/${taskId}`)).body.ineligibility?.reason
  const aQualification = async (buyer: TestUser, content = SKILL) =>
    (await api.as(buyer).post('/qualifications', content)).body._id as string
  const grant = (buyer: TestUser, id: string, workers: string[], qualified = true) =>
    api.as(buyer).put(`/qualifications/${id}/workers`, { workers, qualified })
  /** Decides work of a new worker, `approved` of `decided` pieces approved. */
  const aWorkerWith = async (approved: number, decided: number) => {
    const worker = await aWorker(api.database)
    await api.owner.query('insert into worker_records (worker_id, approved, rejected) values ($1, $2, $3)', [
      worker.id,
      approved,
      decided - approved,
    ])
    return worker
  }

  test('a qualification is granted, notified, required, and revoked', async () => {
    const buyer = await aBuyerWithCoins()
    const { worker, pseudonym } = await aPastWorker(api.database, buyer)
    const id = await aQualification(buyer)
    const taskId = await aTaskFor(api.database, buyer, { qualifications: [id] })
    const refused = await submit(worker, taskId)
    assert.deepEqual([refused.status, refused.body.error.code], [403, 'not_eligible'])
    assert.match(refused.body.error.message, /Reads Bangla handwriting/)
    assert.equal((await grant(buyer, id, [pseudonym])).body.changed, 1)
    assert.equal((await grant(buyer, id, [pseudonym])).body.changed, 0)
    const { body: held } = await api.as(worker).get('/my-qualifications')
    assert.deepEqual([held.length, held[0].name, held[0].buyerId], [1, SKILL.name, buyer.id])
    const { body: notified } = await api.as(worker).get(`/notifications/${worker.email}`)
    assert.equal(
      notified.filter(({ message }: { message: string }) => message.includes(SKILL.name)).length,
      1,
    )
    const { body: details } = await api.as(worker).get(`/task-datails/${taskId}`)
    assert.deepEqual([details.ineligibility, details.audience.qualifications[0].name], [null, SKILL.name])
    assert.equal((await submit(worker, taskId)).status, 200)
    assert.equal((await grant(buyer, id, [pseudonym], false)).body.changed, 1)
    const another = await aTaskFor(api.database, buyer, { qualifications: [id] })
    assert.equal((await submit(worker, another)).status, 403)
  })

  test('a list of an earlier file grants nothing to a worker who was deleted meanwhile, and grants to the others', async () => {
    const buyer = await aBuyerWithCoins()
    const [stays, leaves] = [await aPastWorker(api.database, buyer), await aPastWorker(api.database, buyer)]
    const id = await aQualification(buyer)
    await deleteUser(api.database, leaves.worker.id, (await anAdmin(api.database)).id)
    for (const qualified of [true, false])
      assert.equal((await grant(buyer, id, [stays.pseudonym, leaves.pseudonym], qualified)).body.changed, 1)
    const { rows } = await api.owner.query(
      `select (select count(*)::int from qualified_workers where worker_id = $1) as granted,
              (select count(*)::int from revoked_qualifications where worker_id = $1) as revoked,
              (select count(*)::int from notifications where user_id = $1 and kind = 'qualification_granted') as notified`,
      [leaves.worker.id],
    )
    assert.deepEqual(rows, [{ granted: 0, revoked: 0, notified: 0 }])
  })

  test('a list with an unknown worker grants nothing', async () => {
    const buyer = await aBuyerWithCoins()
    const { worker, pseudonym } = await aPastWorker(api.database, buyer)
    const id = await aQualification(buyer)
    const refused = await grant(buyer, id, [pseudonym, 'W00000000000'])
    assert.deepEqual(
      [refused.status, refused.body.error.message],
      [404, 'W00000000000 has not worked for you yet.'],
    )
    assert.deepEqual((await api.as(worker).get('/my-qualifications')).body, [])
    assert.equal((await grant(await aBuyerWithCoins(), id, [pseudonym])).status, 404)
  })

  test("another buyer's or a deleted qualification cannot be required, and one that an open task requires cannot be deleted", async () => {
    const buyer = await aBuyerWithCoins()
    const id = await aQualification(buyer)
    const post = (as: TestUser, qualifications: string[]) =>
      api.as(as).post('/add-task', { ...taskBody(), audience: { ...UNRESTRICTED_AUDIENCE, qualifications } })
    assert.equal((await post(await aBuyerWithCoins(), [id])).status, 404)
    const { body } = await post(buyer, [id])
    const remove = () => api.as(buyer).delete(`/qualifications/${id}`)
    assert.equal((await remove()).status, 409)
    await api.as(buyer).post(`/tasks/${body.insertedId}/close`)
    assert.equal((await remove()).status, 204)
    assert.equal((await post(buyer, [id])).status, 404)
  })

  test('a task that requires a deleted qualification is not reopened', async () => {
    const buyer = await aBuyerWithCoins()
    const [kept, deleted] = [
      await aQualification(buyer),
      await aQualification(buyer, { ...SKILL, name: 'Another' }),
    ]
    const [open, task] = [
      await aTaskFor(api.database, buyer, { qualifications: [kept] }),
      await aTaskFor(api.database, buyer, { qualifications: [kept, deleted] }),
    ]
    for (const id of [open, task]) await api.as(buyer).post(`/tasks/${id}/close`)
    assert.equal((await api.as(buyer).delete(`/qualifications/${deleted}`)).status, 204)
    const refused = await api.as(buyer).post(`/tasks/${task}/reopen`)
    assert.deepEqual(
      [refused.status, refused.body.error.message],
      [409, 'A qualification that this task requires was deleted. Post a new task instead.'],
    )
    assert.equal((await api.as(buyer).post(`/tasks/${open}/reopen`)).status, 200)
  })

  test('concurrent deletion of a qualification and reopening of a task that requires it: never both', async () => {
    const buyer = await aBuyer(api.database, { coins: 1000 })
    const results = await atOnce(6, async (index) => {
      const id = await aQualification(buyer, { ...SKILL, name: `Skill ${index}` })
      const task = await aTaskFor(api.database, buyer, { qualifications: [id] })
      await api.as(buyer).post(`/tasks/${task}/close`)
      const [reopened, deleted] = await Promise.all([
        api.as(buyer).post(`/tasks/${task}/reopen`),
        api.as(buyer).delete(`/qualifications/${id}`),
      ])
      return [reopened.status, deleted.status]
    })
    for (const one of results) {
      assert.equal(one.status, 'fulfilled')
      if (one.status === 'fulfilled')
        assert.ok(['200,409', '409,204'].includes(one.value.join()), one.value.join())
    }
  })

  test('concurrent deletion and requirement of a qualification: never both', async () => {
    const buyer = await aBuyer(api.database, { coins: 1000 })
    const results = await atOnce(6, async (index) => {
      const id = await aQualification(buyer, { ...SKILL, name: `Skill ${index}` })
      const [posted, deleted] = await Promise.all([
        api
          .as(buyer)
          .post('/add-task', { ...taskBody(), audience: { ...UNRESTRICTED_AUDIENCE, qualifications: [id] } }),
        api.as(buyer).delete(`/qualifications/${id}`),
      ])
      return [posted.status, deleted.status]
    })
    for (const one of results) {
      assert.equal(one.status, 'fulfilled')
      if (one.status === 'fulfilled')
        assert.ok(['200,409', '404,204'].includes(one.value.join()), one.value.join())
    }
  })

  test('names of qualifications differ, and their number is limited under concurrency', async () => {
    const buyer = await aBuyerWithCoins()
    const made = await atOnce(4, () => api.as(buyer).post('/qualifications', SKILL))
    assert.equal(made.filter((one) => one.status === 'fulfilled' && one.value.status === 201).length, 1)
    const second = await aQualification(buyer, { ...SKILL, name: 'Another' })
    const renamed = await api
      .as(buyer)
      .put(`/qualifications/${second}`, { ...SKILL, name: SKILL.name.toUpperCase() })
    assert.equal(renamed.status, 409)
  })

  test('the least approval rate and the least number of approved submissions', async () => {
    const buyer = await aBuyerWithCoins()
    const rate = await aTaskFor(api.database, buyer, { approvalPercentMin: 90 })
    const number = await aTaskFor(api.database, buyer, { approvedMin: 10 })
    const beginner = await aWorker(api.database)
    assert.deepEqual(
      [await reasonOf(beginner, rate), await reasonOf(beginner, number)],
      [undefined, 'approved'],
    )
    const careless = await aWorkerWith(89, 100)
    assert.deepEqual(
      [await reasonOf(careless, rate), await reasonOf(careless, number)],
      ['approval_rate', undefined],
    )
    const refused = await submit(careless, rate)
    assert.match(refused.body.error.message, /approval rate of at least 90%\. Yours is 89%/)
    assert.equal((await submit(await aWorkerWith(9, 10), rate)).status, 200)
    assert.equal((await submit(beginner, number)).status, 403)
    assert.equal((await submit(await aWorkerWith(10, 10), number)).status, 200)
  })

  test('a language is that of the account, or one that the worker has entered', async () => {
    const buyer = await aBuyerWithCoins()
    const taskId = await aTaskFor(api.database, buyer, { language: 'bn' })
    const worker = await aWorker(api.database)
    const refused = await submit(worker, taskId)
    assert.match(refused.body.error.message, /work in Bangla/)
    const entered = await api.as(worker).put('/my-languages', { languages: ['hi', 'bn', 'bn'] })
    assert.deepEqual(entered.body.languages, ['bn', 'hi'])
    assert.equal((await submit(worker, taskId)).status, 200)
    const bangla = await aWorker(api.database)
    await api.owner.query(`update users set locale = 'bn' where id = $1`, [bangla.id])
    assert.equal((await submit(bangla, taskId)).status, 200)
  })

  test('the items of a batch follow its project, and a deleted qualification refuses its funding', async () => {
    const { taskId } = await anOpenBatch(api.database, {
      items: 2,
      content: { audience: { ...UNRESTRICTED_AUDIENCE, approvedMin: 3 } },
    })
    const take = (worker: TestUser) => api.as(worker).post(`/tasks/${taskId}/items`)
    const refused = await take(await aWorker(api.database))
    assert.deepEqual([refused.status, refused.body.error.code], [403, 'not_eligible'])
    assert.equal((await take(await aWorkerWith(3, 3))).status, 201)

    const { buyer, id, total } = await aCheckedBatch(api.database, {
      items: 2,
      content: {
        audience: { ...UNRESTRICTED_AUDIENCE, qualifications: ['01980000-0000-7000-8000-000000000000'] },
      },
    })
    await api.as(buyer).post(`/batches/${id}/funding`, { completion_date: dayFromNow(7), total })
    await fundDueBatches(api.database, testConfig)
    const { body } = await api.as(buyer).get(`/batches/${id}`)
    assert.deepEqual([body.state, body.fundingRefusal], ['checked', 'This qualification does not exist.'])
  })

  test('a task without requirements has no audience, and its worker needs nothing', async () => {
    const buyer = await aBuyerWithCoins()
    const taskId = await aTaskFor(api.database, buyer, {})
    const worker = await aWorker(api.database)
    const { body } = await api.as(worker).get(`/task-datails/${taskId}`)
    assert.deepEqual([body.audience, body.ineligibility], [null, null])
    const plain = await aTask(api.database, buyer)
    assert.equal((await submit(worker, plain)).status, 200)
  })

  test("the buyer's workers are listed with their record, by name, state and qualification", async () => {
    const buyer = await aBuyerWithCoins()
    const first = await aPastWorker(api.database, buyer)
    const second = await aPastWorker(api.database, buyer)
    const id = await aQualification(buyer)
    await grant(buyer, id, [second.pseudonym])
    await api.as(buyer).put(`/my-workers/${first.pseudonym}/favourite`, { favourite: true })
    await api.as(buyer).patch(`/update-submission-status/${first.submissionId}`, { status: 'approved' })
    await updateRecords(api.database)
    const list = async (query = '') => (await api.as(buyer).get(`/my-workers${query}`)).body
    const [one, other] = await list()
    assert.deepEqual([one.worker, one.qualifications, one.approved], [second.pseudonym, [id], 0])
    assert.deepEqual(
      [other.worker, other.favourite, other.approved, other.name],
      [first.pseudonym, true, 1, first.worker.name],
    )
    const namesOf = async (query: string) =>
      (await list(query)).map(({ worker }: { worker: string }) => worker)
    assert.deepEqual(await namesOf('?state=favourite'), [first.pseudonym])
    assert.deepEqual(await namesOf(`?qualification=${id}`), [second.pseudonym])
    assert.deepEqual(await namesOf(`?q=${first.pseudonym}`), [first.pseudonym])
    await api.owner.query('update users set name = $2 where id = $1', [
      second.worker.id,
      'Jo\u0308rg আ\u09df',
    ])
    for (const name of ['J\u00f6rg', 'Jo\u0308rg', 'আ\u09df', 'আ\u09af\u09bc'])
      assert.deepEqual(await namesOf(`?q=${encodeURIComponent(name)}`), [second.pseudonym])
    assert.deepEqual(await namesOf('?state=blocked'), [])
    const page = await api.as(buyer).get('/my-workers?limit=1')
    const next = await list(`?limit=1&cursor=${page.headers['x-next-cursor']}`)
    assert.deepEqual([page.body[0].worker, next[0].worker], [second.pseudonym, first.pseudonym])
    assert.ok(!JSON.stringify(await list()).includes('@'))
  })
})
