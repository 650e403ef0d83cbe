import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { useApi } from '#tests/support/api.ts'
import { anAdmin, aWorker } from '#tests/support/factories.ts'

const MESSAGE = {
  name: 'Karim',
  email: 'karim@example.com',
  subject: '<b>Hello</b>',
  message: 'আমি একটি প্রশ্ন করতে চাই।',
}

describe('the contact form', () => {
  const api = useApi()

  test('a message is stored, every Admin is notified, and it is marked as answered once', async () => {
    const admin = await anAdmin(api.database)
    const { status, body } = await api.anyone.post('/contact', MESSAGE)
    assert.equal(status, 201)
    assert.equal(body.acknowledged, true)
    const [notification] = (await api.as(admin).get(`/notifications/${admin.email}`)).body
    assert.equal(notification.message, 'Karim wrote to you: <b>Hello</b>')
    const [message] = (await api.as(admin).get('/contact')).body
    assert.deepEqual(
      { ...message, createdAt: '' },
      { ...MESSAGE, _id: body.insertedId, createdAt: '', answered: false },
    )
    const markAnswered = async (id: string) =>
      (await api.as(admin).patch(`/contact/${id}`, { answered: true })).body
    assert.deepEqual(await markAnswered(body.insertedId), {
      acknowledged: true,
      matchedCount: 1,
      modifiedCount: 1,
    })
    assert.deepEqual(await markAnswered(body.insertedId), {
      acknowledged: true,
      matchedCount: 1,
      modifiedCount: 0,
    })
    assert.equal((await markAnswered(randomUUID())).error.code, 'not_found')
    assert.equal((await api.as(admin).get('/contact')).body[0].answered, true)
    assert.equal((await api.as(await aWorker(api.database)).get('/contact')).status, 403)
  })

  test('an incomplete form is rejected with an error per field', async () => {
    const { status, body } = await api.anyone.post('/contact', { ...MESSAGE, email: 'nowhere', subject: ' ' })
    assert.equal(status, 422)
    assert.deepEqual(body.error.fields, { email: 'Invalid email format', subject: 'Subject is required' })
  })
})

describe('the contact form without scripts', () => {
  const api = useApi()
  const post = async (form: Record<string, string>, origin = api.instance.config.publicUrl) => {
    const { statusCode, headers } = await api.instance.app.inject({
      method: 'POST',
      url: '/forms/contact',
      headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(form).toString(),
    })
    return [statusCode, headers.location]
  }

  test('a message is stored and confirmed, an invalid one is not, and one from another origin is refused', async () => {
    const admin = await anAdmin(api.database)
    assert.deepEqual(await post(MESSAGE), [303, '/#message-sent'])
    assert.deepEqual(await post({ ...MESSAGE, email: 'nowhere' }), [303, '/#invalid_fields.email'])
    assert.deepEqual(await post({ ...MESSAGE, subject: ' ' }), [303, '/#invalid_fields'])
    assert.deepEqual(await post(MESSAGE, 'http://evil.example'), [403, undefined])
    const messages = (await api.as(admin).get('/contact')).body
    assert.deepEqual(
      messages.map(({ message }: { message: string }) => message),
      [MESSAGE.message],
    )
  })
})

describe('the contact form in production', () => {
  const api = useApi({ production: true, authSecret: 'x'.repeat(40), writeLimitFactor: 1 })

  test('one network may send ten messages an hour, with or without scripts', async () => {
    const statuses: number[] = []
    for (let index = 0; index < 12; index++)
      statuses.push((await api.anyone.post('/contact', MESSAGE)).status)
    assert.deepEqual(statuses, [...Array(10).fill(201), 429, 429])
    const { headers } = await api.instance.app.inject({
      method: 'POST',
      url: '/forms/contact',
      headers: {
        origin: api.instance.config.publicUrl,
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: new URLSearchParams(MESSAGE).toString(),
    })
    assert.equal(headers.location, '/#too_many_requests')
  })
})
