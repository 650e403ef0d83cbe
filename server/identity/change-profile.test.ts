import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useApi } from '#tests/support/api.ts'
import { aBuyer, anAdmin, aTask, aWorker } from '#tests/support/factories.ts'

describe('changing one’s name and picture', () => {
  const api = useApi()
  const picture = 'https://pictures.example.com/face.webp'

  test('shows the new name and picture on the record, on tasks and in public', async () => {
    const buyer = await aBuyer(api.database)
    const taskId = await aTask(api.database, buyer)
    const body = { name: '  Mst. Kamrunnahar Begum Chowdhury of Brahmanbaria ', image: picture }
    const { status, body: user } = await api.as(buyer).put('/profile', body)
    assert.equal(status, 200)
    const name = body.name.trim()
    assert.deepEqual([user.name, user.user, user.image, user.email], [name, name, picture, buyer.email])
    const { body: profile } = await api.anyone.get(`/users/${buyer.id}`)
    assert.deepEqual([profile.name, profile.image], [name, picture])
    const { body: task } = await api.as(buyer).get(`/task-datails/${taskId}`)
    assert.equal(task.buyer_name, name)
    const { body: found } = await api.anyone.get('/get-all-user?q=Brahmanbaria')
    assert.deepEqual(
      found.map(({ _id }: { _id: string }) => _id),
      [buyer.id],
    )
    const { rows } = await api.database.pool.query('select name from identities where id = $1', [buyer.id])
    assert.deepEqual(rows, [{ name }])
  })

  test('leaves what is not given as it is', async () => {
    const worker = await aWorker(api.database)
    await api.as(worker).put('/profile', { name: 'Ruma Akter', image: picture, locale: 'bn' })
    const after = async (body: object) => {
      const { status, body: user } = await api.as(worker).put('/profile', body)
      assert.equal(status, 200)
      return [user.name, user.image, user.locale]
    }
    assert.deepEqual(await after({ locale: 'en' }), ['Ruma Akter', picture, 'en'])
    assert.deepEqual(await after({ image: '' }), ['Ruma Akter', '', 'en'])
    assert.deepEqual(await after({ name: 'Ruma Begum' }), ['Ruma Begum', '', 'en'])
    assert.deepEqual(await after({}), ['Ruma Begum', '', 'en'])
  })

  test('logs a changed name with the one before, once', async () => {
    const worker = await aWorker(api.database)
    const names = async () => {
      const { body } = await api.as(worker).get('/account-activity')
      return body
        .filter(({ kind }: { kind: string }) => kind === 'name_changed')
        .map(({ text }: { text: string }) => text)
    }
    await api.as(worker).put('/profile', { name: worker.name, image: picture })
    assert.deepEqual(await names(), [])
    await api.as(worker).put('/profile', { name: 'Ruma Akter', image: picture })
    assert.deepEqual(await names(), [`Name changed from ${worker.name} to Ruma Akter`])
  })

  test('changes nobody else, and refuses names and pictures that sign-up refuses', async () => {
    const [worker, other] = [await aWorker(api.database), await aWorker(api.database)]
    for (const body of [
      { name: ' ', image: '' },
      { name: 'x'.repeat(500), image: '' },
      { name: 'Ruma', image: 'javascript:alert(1)' },
      { name: 'Ruma', image: 'data:text/html,x' },
    ])
      assert.equal((await api.as(worker).put('/profile', body)).status, 422, JSON.stringify(body))
    await api.as(worker).put('/profile', { name: 'Ruma', image: '', email: other.email, role: 'Admin' })
    const { body } = await api.anyone.get(`/users/${other.id}`)
    assert.equal(body.name, other.name)
    const { body: own } = await api.as(worker).get(`/user-details/${worker.email}`)
    assert.deepEqual([own.name, own.role, own.email], ['Ruma', 'Worker', worker.email])
    assert.equal((await api.anyone.put('/profile', { name: 'Ruma', image: '' })).status, 401)
  })

  test('the export of one’s data is limited to 20 an hour', async () => {
    const admin = await anAdmin(api.database)
    const worker = await aWorker(api.database)
    const load = () => api.as(worker).get(`/my-data/${worker.email}`)
    for (let index = 0; index < 20; index++) assert.equal((await load()).status, 200)
    const refused = await load()
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers['retry-after']) > 0)
    assert.equal((await api.as(admin).get(`/my-data/${worker.email}`)).status, 200)
  })
})
