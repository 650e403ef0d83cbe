import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { URL_MAX } from '#contract/product.ts'
import { TASK_DRAFTS_MAX } from '#contract/task-drafts.ts'
import { useApi } from '#tests/support/api.ts'
import {
  aBuyer,
  anAdmin,
  atOnce,
  aWorker,
  balanceOf,
  type TestUser,
  taskBody,
} from '#tests/support/factories.ts'

const PATH = '/task-drafts'

describe('drafts and templates of tasks', () => {
  const api = useApi()
  async function save(buyer: TestUser, body: object = {}) {
    const saved = await api.as(buyer).post(PATH, body)
    assert.equal(saved.status, 201, saved.text)
    return saved.body
  }
  const list = async (buyer: TestUser) => (await api.as(buyer).get(PATH)).body
  const tasksOf = async (buyer: TestUser) => (await api.as(buyer).get(`/my-task/${buyer.email}`)).body

  test('a draft has a URL of any characters up to the limit as its picture', async () => {
    const buyer = await aBuyer(api.database)
    // In an order that PostgreSQL cannot compress.
    const path = Array.from({ length: URL_MAX - 20 }, (_, index) =>
      String.fromCodePoint(0x4e00 + ((index * 7919) % 0x5000)),
    )
    const url = `https://x.example/${path.join('')}`
    assert.equal((await save(buyer, { task_image_url: url })).task_image_url, url)
  })

  test('a draft keeps what is filled in, and no coin moves before it is posted', async () => {
    const buyer = await aBuyer(api.database)
    const saved = await save(buyer, { task_title: ' Half  a task ', payable_amount: 3 })
    const { _id, createdAt, changedAt, ...rest } = saved
    assert.deepEqual(rest, {
      ...{ name: '', template: false, version: 1, postAt: null, failure: null },
      ...{ task_title: 'Half a task', payable_amount: 3 },
    })
    assert.deepEqual((await api.as(buyer).get(`${PATH}/${_id}`)).body, saved)
    const full = taskBody({ slots: 2, reward: 5 })
    const changed = await api.as(buyer).put(`${PATH}/${_id}`, { ...full, name: 'Photos' })
    assert.deepEqual([changed.body.name, changed.body.task_detail], ['Photos', full.task_detail])
    const [listed] = await list(buyer)
    assert.deepEqual(
      [listed.name, listed.task_title, listed.required_workers, listed.payable_amount, listed.task_detail],
      ['Photos', full.task_title, 2, 5, undefined],
    )
    assert.equal(await balanceOf(api.database, buyer), 50)
    assert.deepEqual(await tasksOf(buyer), [])
    assert.ok(createdAt <= changedAt)
  })

  test('a template stays, without a date; a draft is deleted with the posting of its task, once', async () => {
    const buyer = await aBuyer(api.database)
    const body = taskBody({ slots: 2, reward: 5 })
    const template = await save(buyer, { ...body, template: true, name: 'Weekly' })
    const draft = await save(buyer, body)
    assert.equal(template.completion_date, undefined)
    const changed = await api.as(buyer).put(`${PATH}/${template._id}`, body)
    assert.deepEqual([changed.body.completion_date, changed.body.name], [undefined, 'Weekly'])

    const posts = await atOnce(4, () => api.as(buyer).post('/add-task', { ...body, draftId: draft._id }))
    const statuses = posts.map((post) => (post.status === 'fulfilled' ? post.value.status : 0))
    assert.deepEqual(
      statuses.toSorted((a, b) => a - b),
      [200, 404, 404, 404],
    )
    assert.equal(await balanceOf(api.database, buyer), 40)
    assert.equal((await tasksOf(buyer)).length, 1)
    assert.deepEqual(
      (await list(buyer)).map(({ _id }: { _id: string }) => _id),
      [template._id],
    )
    assert.equal((await api.as(buyer).post('/add-task', { ...body, draftId: template._id })).status, 404)
  })

  test('a task that cannot be paid for leaves its draft', async () => {
    const buyer = await aBuyer(api.database)
    const body = taskBody({ slots: 2, reward: 500 })
    const draft = await save(buyer, body)
    const refused = await api.as(buyer).post('/add-task', { ...body, draftId: draft._id })
    assert.equal(refused.body.error.code, 'insufficient_coins')
    assert.equal((await list(buyer)).length, 1)
  })

  test('another buyer reads, changes, posts and deletes nothing', async () => {
    const [buyer, other] = [await aBuyer(api.database), await aBuyer(api.database)]
    const draft = await save(buyer, { task_title: 'Mine' })
    const stranger = api.as(other)
    const path = `${PATH}/${draft._id}`
    for (const refused of [
      await stranger.get(path),
      await stranger.put(path, { task_title: 'Theirs' }),
      await stranger.put(`${path}/name`, { name: 'Theirs' }),
      await stranger.delete(path),
      await stranger.post('/add-task', { ...taskBody(), draftId: draft._id }),
    ])
      assert.deepEqual([refused.status, refused.body.error.code], [404, 'not_found'])
    assert.deepEqual(await list(other), [])
    assert.equal((await list(buyer))[0].task_title, 'Mine')
    assert.equal(await balanceOf(api.database, other), 50)
    assert.equal((await api.as(await aWorker(api.database)).get(PATH)).status, 403)
  })

  test('a draft is renamed and deleted', async () => {
    const buyer = await aBuyer(api.database)
    const { _id } = await save(buyer, { task_title: 'A task' })
    const renamed = await api.as(buyer).put(`${PATH}/${_id}/name`, { name: 'For December' })
    assert.deepEqual([renamed.body.name, renamed.body.task_title], ['For December', 'A task'])
    assert.equal((await api.as(buyer).put(`${PATH}/${_id}/name`, { name: ' ' })).status, 422)
    assert.equal((await api.as(buyer).delete(`${PATH}/${_id}`)).status, 204)
    assert.equal((await api.as(buyer).delete(`${PATH}/${_id}`)).status, 404)
    assert.deepEqual(await list(buyer), [])
  })

  test('a change that was made since the version that the buyer has seen is not overwritten', async () => {
    const buyer = await aBuyer(api.database)
    for (const template of [false, true]) {
      const { _id, version } = await save(buyer, { task_title: 'A task', template })
      const put = (body: object) => api.as(buyer).put(`${PATH}/${_id}`, body)
      const seen = { task_title: 'From the phone', completion_date: '2026-12-20', version }
      const phone = await put(seen)
      assert.equal(phone.body.version, version + 1)
      const repeated = await put(seen)
      assert.deepEqual([repeated.status, repeated.body.version], [200, version + 1])
      await api.as(buyer).put(`${PATH}/${_id}/name`, { name: 'Renamed' })
      const refused = await put({ task_title: 'From the desk', version })
      assert.deepEqual([refused.status, refused.body.error.code], [409, 'state_conflict'])
      const current = await put({ task_title: 'From the desk', version: version + 1 })
      assert.deepEqual([current.body.task_title, current.body.version], ['From the desk', version + 2])
      assert.equal((await put({ task_title: 'Unseen' })).body.version, version + 3)
    }
  })

  test('what is filled in is checked like a task that is posted', async () => {
    const buyer = await aBuyer(api.database)
    const refused = await api.as(buyer).post(PATH, { required_workers: 0, task_image_url: 'ftp://x' })
    assert.equal(refused.status, 422)
    assert.deepEqual(Object.keys(refused.body.error.fields).toSorted(), [
      'required_workers',
      'task_image_url',
    ])
  })

  test('there are at most a hundred, also when more are saved at once', async () => {
    const buyer = await aBuyer(api.database)
    await api.database.pool.query(
      `insert into task_drafts (id, buyer_id, name, is_template, task)
       select gen_random_uuid(), $1, '', false, '{}' from generate_series(1, $2::int)`,
      [buyer.id, TASK_DRAFTS_MAX - 2],
    )
    const saved = await atOnce(5, () => api.as(buyer).post(PATH, { task_title: 'One more' }))
    const statuses = saved.map((one) => (one.status === 'fulfilled' ? one.value.status : 0))
    assert.deepEqual(
      statuses.toSorted((a, b) => a - b),
      [201, 201, 409, 409, 409],
    )
    assert.equal((await list(buyer)).length, TASK_DRAFTS_MAX)
  })

  test('they are in the export, and deleted with the user', async () => {
    const buyer = await aBuyer(api.database)
    await save(buyer, { task_title: 'In the export' })
    const { body } = await api.as(buyer).get(`/my-data/${buyer.email}`)
    assert.equal(body.task_drafts[0].task.task_title, 'In the export')
    await api.as(await anAdmin(api.database)).delete(`/delete-user/${buyer.id}`)
    const { rows } = await api.database.pool.query('select from task_drafts where buyer_id = $1', [buyer.id])
    assert.equal(rows.length, 0)
  })
})
