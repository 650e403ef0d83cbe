import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { WEBHOOK_ENDPOINTS_MAX } from '#contract/webhooks.ts'
import { STATEMENTS } from '#server/database/database.ts'
import { deleteUser } from '#server/users/delete.ts'
import { relayAll } from '#tests/support/api-events.ts'
import { aBuyer, anAdmin, atOnce } from '#tests/support/factories.ts'
import { anInstance } from '#tests/support/instance.ts'
import { ENDPOINTS_PATH, useWebhooks } from '#tests/support/webhooks.ts'
import { purgeWebhookDeliveries } from './deliver.ts'
import { dueEndpoints } from './queries.ts'

describe('webhook endpoints', () => {
  const webhooks = useWebhooks()
  const { api, create, anEndpoint, stateOf, deliveriesOf, deliver, aBuyerWithWork, mailsTo } = webhooks

  test('endpoints are listed and changed by their user only; the database has no secret in plain text', async () => {
    const [buyer, stranger] = [await aBuyer(api.database), await aBuyer(api.database)]
    const { _id, secret } = await anEndpoint(buyer)
    const [listed] = (await api.as(buyer).get(ENDPOINTS_PATH)).body
    assert.deepEqual([listed._id, 'secret' in listed], [_id, false])
    assert.deepEqual((await api.as(stranger).get(ENDPOINTS_PATH)).body, [])
    for (const refused of [
      await api.as(stranger).get(`${ENDPOINTS_PATH}/${_id}`),
      await api.as(stranger).get(`${ENDPOINTS_PATH}/${_id}/deliveries`),
      await api.as(stranger).patch(`${ENDPOINTS_PATH}/${_id}`, { url: webhooks.receiver.url }),
      await api.as(stranger).post(`${ENDPOINTS_PATH}/${_id}/rotate`),
      await api.as(stranger).post(`${ENDPOINTS_PATH}/${_id}/test`),
      await api.as(stranger).put(`${ENDPOINTS_PATH}/${_id}/paused`, { paused: true }),
    ])
      assert.equal(refused.status, 404)
    assert.equal((await api.as(stranger).delete(`${ENDPOINTS_PATH}/${_id}`)).status, 204)
    assert.equal((await stateOf(buyer, _id)).state, 'active', 'a stranger deletes nothing')
    const { rows } = await api.owner.query(
      `select (select string_agg(row_to_json(webhook_endpoints)::text, '') from webhook_endpoints)
           || (select coalesce(string_agg(row_to_json(outbox)::text, ''), '') from outbox)
           || (select string_agg(row_to_json(security_log)::text, '') from security_log) as text`,
    )
    for (const form of [secret, secret.slice(6), Buffer.from(secret.slice(6), 'base64').toString('hex')])
      assert.ok(!rows[0].text.includes(form))
  })

  test('an Admin makes none, a user at most ten, and creating, changing and rotating need a proof', async () => {
    const admin = await anAdmin(api.database)
    assert.equal((await create(admin)).body.error.code, 'role_not_allowed')
    const buyer = await aBuyer(api.database)
    const made = await atOnce(WEBHOOK_ENDPOINTS_MAX + 3, () => create(buyer))
    const statuses = made.map((one) => (one.status === 'fulfilled' ? one.value.status : 0))
    assert.equal(statuses.filter((status) => status === 201).length, WEBHOOK_ENDPOINTS_MAX)
    assert.equal(statuses.filter((status) => status === 409).length, 3)
    const [{ _id }] = (await api.as(buyer).get(ENDPOINTS_PATH)).body
    await api.database.pool.query(`update sessions set proved_at = 'epoch' where identity_id = $1`, [
      buyer.id,
    ])
    for (const refused of [
      await create(buyer),
      await api.as(buyer).patch(`${ENDPOINTS_PATH}/${_id}`, { url: webhooks.receiver.url }),
      await api.as(buyer).post(`${ENDPOINTS_PATH}/${_id}/rotate`),
      await api.as(buyer).delete(`${ENDPOINTS_PATH}/${_id}`),
    ])
      assert.equal(refused.body.error.code, 'proof_required')
  })

  test('an endpoint that has not ended is listed, also behind very many newer ones that have', async () => {
    const buyer = await aBuyer(api.database)
    const { _id } = await anEndpoint(buyer)
    await api.owner.query(
      `insert into webhook_endpoints (id, user_id, name, url, events, secret, state)
       select gen_random_uuid(), user_id, name, url, events, secret, 'ended'
         from webhook_endpoints, generate_series(1, 100) where id = $1`,
      [_id],
    )
    const listed = (await api.as(buyer).get(ENDPOINTS_PATH)).body
    assert.deepEqual([listed.length, listed.at(-1)._id], [100, _id])
  })

  test('URLs that cannot be a receiver are refused', async () => {
    const buyer = await aBuyer(api.database)
    for (const url of [
      'ftp://example.com/',
      'example.com',
      'https://user:pw@example.com/',
      'https://example.com/#a',
      '',
    ])
      assert.equal((await create(buyer, { url })).body.error.fields.url.length > 0, true, url)
  })

  test('where other machines can connect, http and addresses of a private network are refused', async () => {
    const open = await anInstance(api.database, { isDevelopment: false })
    const authorization = await open.signIn(await aBuyer(api.database))
    for (const url of ['http://receiver.example/', 'https://127.0.0.1/', 'https://[::1]/']) {
      const response = await open.app.inject({
        method: 'POST',
        url: `/api${ENDPOINTS_PATH}`,
        payload: { name: 'Own system', url, events: ['submission.received'] },
        headers: { authorization },
      })
      assert.equal(response.statusCode, 422, url)
      assert.match(
        response.json().error.fields.url,
        /^Enter a URL (that starts with https|on the public internet)/,
      )
    }
    await open.close()
  })

  test('every change is logged, and a new URL is mailed', async () => {
    const buyer = await aBuyer(api.database)
    const { _id } = await anEndpoint(buyer)
    // The form on the screen sends the URL with each change.
    const { url } = webhooks.receiver
    await api.as(buyer).patch(`${ENDPOINTS_PATH}/${_id}`, { name: 'Warehouse', url })
    await api.as(buyer).patch(`${ENDPOINTS_PATH}/${_id}`, { url: `${url}/2` })
    await api.as(buyer).post(`${ENDPOINTS_PATH}/${_id}/rotate`)
    await api.as(buyer).delete(`${ENDPOINTS_PATH}/${_id}`)
    const { rows } = await api.database.pool.query(
      `select params ->> 'change' as change from security_log where identity_id = $1 and kind = 'webhook_changed' order by id`,
      [buyer.id],
    )
    assert.deepEqual(
      rows.map(({ change }) => change),
      ['created', 'changed', 'changed', 'secret_rotated', 'deleted'],
    )
    assert.deepEqual(await mailsTo(buyer, 'webhook-changed', 'change'), [
      'created',
      'changed',
      'secret_rotated',
    ])
  })

  test('a deleted user has no endpoints, and old deliveries are deleted', async () => {
    const { buyer, id } = await aBuyerWithWork(2)
    await deliver(id)
    await api.owner.query(
      `update webhook_deliveries set created_at = now() - interval '31 days' where id =
         (select id from webhook_deliveries where endpoint_id = $1 limit 1)`,
      [id],
    )
    assert.equal(await purgeWebhookDeliveries(api.database), 1)
    assert.equal((await deliveriesOf(buyer, id)).length, 1)
    await deleteUser(api.database, buyer.id, (await anAdmin(api.database)).id)
    await purgeWebhookDeliveries(api.database)
    assert.deepEqual(await storedOf(id), { endpoints: 0, deliveries: [] })
  })

  test('pausing and deleting an endpoint change none of its deliveries, and no more are sent', async () => {
    const { buyer, id } = await aBuyerWithWork(3)
    const other = await aBuyerWithWork(1)
    await relayAll(api.database)
    const stored = await storedOf(id)
    assert.equal(stored.deliveries.length, 3)
    await api.as(buyer).put(`${ENDPOINTS_PATH}/${id}/paused`, { paused: true })
    assert.deepEqual(await storedOf(id), stored)
    assert.equal(await deliver(id), 0)
    assert.deepEqual(await dueEndpoints(api.database), [{ id: other.id }])
    assert.deepEqual(
      (await deliveriesOf(buyer, id)).map(({ nextAttemptAt }) => nextAttemptAt),
      [null, null, null],
    )
    await api.as(buyer).put(`${ENDPOINTS_PATH}/${id}/paused`, { paused: false })

    assert.equal((await api.as(buyer).delete(`${ENDPOINTS_PATH}/${id}`)).status, 204)
    assert.deepEqual(await storedOf(id), stored)
    assert.equal(await deliver(id), 0)
    assert.deepEqual((await api.as(buyer).get(ENDPOINTS_PATH)).body, [])
    assert.equal((await api.as(buyer).get(`${ENDPOINTS_PATH}/${id}/deliveries`)).status, 404)
    assert.equal(await purgeWebhookDeliveries(api.database), 3)
    assert.deepEqual(await storedOf(id), { endpoints: 0, deliveries: [] })
    assert.equal(await deliver(other.id), 1)
  })

  test('resuming an endpoint and ending it with all its deliveries may take longer than a request', () => {
    for (const name of ['webhook_endpoint_pause', 'webhook_attempt_finish'])
      assert.ok((STATEMENTS.get(name)?.timeoutMs ?? 0) >= 60_000, name)
  })

  /** Counts the rows of an endpoint, and returns the versions of those of its deliveries. */
  async function storedOf(id: string) {
    const { rows } = await api.owner.query(
      `select (select count(*)::int from webhook_endpoints where id = $1) as endpoints,
              array(select xmin::text from webhook_deliveries where endpoint_id = $1 order by seq) as deliveries`,
      [id],
    )
    return rows[0]
  }
})
