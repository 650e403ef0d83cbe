import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, test } from 'node:test'
import { approveSubmission } from '#server/submissions/approve.ts'
import { relayAll } from '#tests/support/api-events.ts'
import { anAdmin } from '#tests/support/factories.ts'
import { startReceiver } from '#tests/support/webhook-receiver.ts'
import { ENDPOINTS_PATH, useWebhooks } from '#tests/support/webhooks.ts'

describe('endpoints that stop', () => {
  const webhooks = useWebhooks()
  const { api, stateOf, deliveriesOf, deliver, retryNow, aBuyerWithWork, stoppedReports } = webhooks

  test('a 410 response ends the endpoint, and its user is emailed and notified', async () => {
    const { buyer, submissions, id } = await aBuyerWithWork(2)
    webhooks.receiver.respond = (response) => response.writeHead(410).end()
    await deliver(id)
    const ended = await stateOf(buyer, id)
    assert.deepEqual([ended.state, ended.waiting], ['ended', 0])
    assert.deepEqual(await stoppedReports(buyer), [['gone'], ['ended']])
    await approveSubmission(api.database, submissions[0] ?? '', buyer.id)
    assert.equal(await deliver(id), 0)
    for (const refused of [
      await api.as(buyer).put(`${ENDPOINTS_PATH}/${id}/paused`, { paused: false }),
      await api.as(buyer).patch(`${ENDPOINTS_PATH}/${id}`, { name: 'Another' }),
      await api.as(buyer).post(`${ENDPOINTS_PATH}/${id}/test`),
    ])
      assert.equal(refused.body.error.code, 'state_conflict')
  })

  test('a 410 response of a former URL does not end the endpoint; the event is sent to the new one', async () => {
    const former = await startReceiver()
    const { buyer, id } = await aBuyerWithWork(1, { url: former.url })
    const arrived = Promise.withResolvers<ServerResponse>()
    former.respond = arrived.resolve
    const delivered = deliver(id)
    const response = await arrived.promise
    await api.as(buyer).patch(`${ENDPOINTS_PATH}/${id}`, { url: webhooks.receiver.url })
    response.writeHead(410).end()
    await delivered
    former.close()
    const active = await stateOf(buyer, id)
    assert.deepEqual([active.state, active.waiting], ['active', 1])
    assert.deepEqual(await stoppedReports(buyer), [[], []])
    await retryNow(id)
    assert.equal(await deliver(id), 1)
    assert.equal(webhooks.receiver.events.length, 1)
    const [delivery] = await deliveriesOf(buyer, id)
    assert.deepEqual(
      [delivery?.state, delivery?.attempts.map(({ status }) => status)],
      ['delivered', [204, 410]],
    )
  })

  test('three days of only failures pause the endpoint; waiting events are delivered in order when it is resumed', async () => {
    const { buyer, submissions, id } = await aBuyerWithWork(1)
    const failFor = (age: string) =>
      api.owner.query(
        `update webhook_endpoints set failing_since = failing_since - $2::interval where id = $1`,
        [id, age],
      )
    webhooks.receiver.respond = (response) => response.writeHead(503).end()
    await deliver(id)
    await failFor('71 hours')
    await retryNow(id)
    await deliver(id)
    assert.equal((await stateOf(buyer, id)).state, 'active')
    await failFor('2 hours')
    await retryNow(id)
    await deliver(id)
    const paused = await stateOf(buyer, id)
    assert.deepEqual([paused.state, paused.pausedBecause, paused.waiting], ['paused', 'failures', 1])
    assert.deepEqual(await stoppedReports(buyer), [['failures'], ['paused']])

    await approveSubmission(api.database, submissions[0] ?? '', buyer.id)
    assert.equal(await deliver(id), 0, 'a paused endpoint gets nothing')
    assert.equal((await stateOf(buyer, id)).waiting, 2)
    webhooks.receiver.received.length = 0
    webhooks.receiver.respond = (response) => response.writeHead(200).end()
    const resumed = await api.as(buyer).put(`${ENDPOINTS_PATH}/${id}/paused`, { paused: false })
    assert.deepEqual([resumed.body.state, resumed.body.failingSince], ['active', null])
    await deliver(id)
    assert.deepEqual(
      webhooks.receiver.events.map(({ type }) => type),
      ['submission.received', 'submission.decided'],
    )
  })

  test('endpoints of a new Admin are paused, and are resumed when the user is no Admin any more', async () => {
    const { buyer, id } = await aBuyerWithWork(1)
    const [admin, other] = [await anAdmin(api.database), await webhooks.anEndpoint(buyer)]
    await api.as(buyer).put(`${ENDPOINTS_PATH}/${other._id}/paused`, { paused: true })
    await relayAll(api.database)
    await api.as(admin).put(`/update-role/${buyer.id}`, { value: 'Admin' })
    const paused = await stateOf(buyer, id)
    assert.deepEqual([paused.state, paused.pausedBecause, paused.waiting], ['paused', 'role', 1])
    assert.equal((await stateOf(buyer, other._id)).pausedBecause, 'user')
    const resume = () => api.as(buyer).put(`${ENDPOINTS_PATH}/${id}/paused`, { paused: false })
    const refused = await resume()
    assert.deepEqual([refused.status, refused.body.error.code], [403, 'role_not_allowed'])
    assert.equal(await deliver(id), 0)

    await api.as(admin).put(`/update-role/${buyer.id}`, { value: 'Buyer' })
    assert.equal(await deliver(id), 0)
    assert.equal((await resume()).body.state, 'active')
    assert.equal(await deliver(id), 1)
  })

  test('a success between failures starts the three days again', async () => {
    const { buyer, submissions, id } = await aBuyerWithWork(1)
    webhooks.receiver.respond = (response) => response.writeHead(503).end()
    await deliver(id)
    assert.ok((await stateOf(buyer, id)).failingSince)
    webhooks.receiver.respond = (response) => response.writeHead(200).end()
    await retryNow(id)
    await deliver(id)
    assert.equal((await stateOf(buyer, id)).failingSince, null)
    assert.equal(submissions.length, 1)
  })
})
