import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { PROJECT } from '#tests/api/samples.ts'
import { useApi } from '#tests/support/api.ts'
import { aBuyer, type TestUser } from '#tests/support/factories.ts'

/** Returns the statuses of concurrent responses in ascending order. */
const statusesOf = (responses: { status: number }[]) =>
  responses.map(({ status }) => status).toSorted((one, other) => one - other)

describe('projects', () => {
  const api = useApi()
  let buyer: TestUser

  before(async () => {
    buyer = await aBuyer(api.database)
  })

  const aProject = async (content: object = PROJECT) => {
    const created = await api.as(buyer).post('/projects', content)
    assert.equal(created.status, 201, created.text)
    return created.body
  }

  test('a project is created with the columns that its files need', async () => {
    const made = await aProject({
      ...PROJECT,
      instructions: '${b} ${a} ${ } ${b}',
      pictureColumns: ['photo', 'a'],
    })
    assert.deepEqual(made.columns, ['b', 'a', 'photo'])
    assert.equal(made.version, 1)
    assert.deepEqual((await api.as(buyer).get(`/projects/${made._id}`)).body, made)
  })

  test('a change makes the next version; of two changes of one version the second is refused', async () => {
    const { _id } = await aProject()
    const change = (reward: number, version: number) =>
      api.as(buyer).put(`/projects/${_id}`, { ...PROJECT, reward, version })
    const results = await Promise.all([change(5, 1), change(6, 1), change(7, 1)])
    assert.deepEqual(statusesOf(results), [200, 409, 409])
    const { body } = await api.as(buyer).get(`/projects/${_id}`)
    assert.equal(body.version, 2)
    const repeated = await change(body.reward, 1)
    assert.deepEqual([repeated.status, repeated.body.version], [200, 2])
    const { rows } = await api.database.pool.query(
      `select content->>'reward' as reward from project_versions where project_id = $1 order by version`,
      [_id],
    )
    assert.deepEqual(
      rows.map(({ reward }) => Number(reward)),
      [3, body.reward],
    )
  })

  test('archived projects are listed separately, and can be restored', async () => {
    const { _id } = await aProject()
    const idsOf = async (query: string) =>
      (await api.as(buyer).get(`/projects${query}`)).body.map((one: { _id: string }) => one._id)
    await api.as(buyer).put(`/projects/${_id}/archived`, { archived: true })
    assert.ok(!(await idsOf('')).includes(_id))
    assert.deepEqual(await idsOf('?archived=true'), [_id])
    await api.as(buyer).put(`/projects/${_id}/archived`, { archived: false })
    assert.ok((await idsOf('')).includes(_id))
  })

  test("another buyer's project is not found", async () => {
    const { _id } = await aProject()
    const other = api.as(await aBuyer(api.database))
    const calls = await Promise.all([
      other.get(`/projects/${_id}`),
      other.put(`/projects/${_id}`, { ...PROJECT, version: 1 }),
      other.put(`/projects/${_id}/archived`, { archived: true }),
      other.post(`/projects/${_id}/preview`, { input: {} }),
    ])
    assert.deepEqual(
      calls.map(({ status }) => status),
      [404, 404, 404, 404],
    )
    assert.deepEqual((await other.get('/projects')).body, [])
  })

  test('a preview fills the instructions, names missing columns, and checks answers', async () => {
    const { _id } = await aProject({ ...PROJECT, pictureColumns: ['photo'] })
    const preview = (body: object) => api.as(buyer).post(`/projects/${_id}/preview`, body)
    const { body } = await preview({
      input: { name: 'Rupa', photo: 'https://x.example/1.jpg' },
      answers: { kind: 'Shop' },
    })
    assert.equal(body.instructions, 'Look up Rupa and choose what it sells.')
    assert.deepEqual(body.pictures, [{ column: 'photo', url: 'https://x.example/1.jpg' }])
    assert.equal(body.answerText, 'Kind: Shop')
    assert.deepEqual((await preview({ input: {} })).body.missing, ['name', 'photo'])
    const refused = await preview({ input: {}, answers: { kind: 'School' } })
    assert.equal(refused.status, 422)
    assert.deepEqual(refused.body.error.fields, { 'answers.kind': 'Choose one of the options' })
  })

  test('a pattern that is not valid is refused, with the field', async () => {
    const field = { type: 'text', name: 'a', label: 'A', required: true, pattern: '(?=a)' }
    const refused = await api.as(buyer).post('/projects', { ...PROJECT, form: { fields: [field] } })
    assert.equal(refused.status, 422)
    assert.deepEqual(refused.body.error.fields, { 'form.fields.0.pattern': 'This is not a valid pattern' })
  })

  test('a buyer has at most 200 projects', async () => {
    const other = await aBuyer(api.database)
    await api.owner.query(
      `with made as (insert into projects (id, buyer_id) select gen_random_uuid(), $1 from generate_series(1, 199) returning id)
       insert into project_versions (project_id, version, content) select id, 1, $2 from made`,
      [other.id, PROJECT],
    )
    const results = await Promise.all([1, 2, 3].map(() => api.as(other).post('/projects', PROJECT)))
    assert.deepEqual(statusesOf(results), [201, 409, 409])
  })
})
