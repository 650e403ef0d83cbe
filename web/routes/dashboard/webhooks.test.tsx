import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  replayWebhookDelivery,
  rotateWebhookSecret,
  setWebhookPaused,
  testWebhookEndpoint,
  WEBHOOK_ERRORS,
  type WebhookDelivery,
  type WebhookEndpoint,
  webhookDeliveries,
  webhookEndpoint,
  webhookEndpoints,
} from '#contract/webhooks.ts'
import { queryClient } from '#web/lib/queries.ts'
import {
  button,
  dialog,
  expectFocus,
  expectGone,
  field,
  fill,
  openApp,
  server,
  until,
  user,
} from '#web/testing/app.tsx'
import { EarlierReply } from '#web/testing/fake-server.ts'
import { anId, aUser, aWebhookEndpoint } from '#web/testing/records.ts'

const SECRET = `whsec_${'Ab1+'.repeat(10)}xyz=`

const PAYLOAD = '{"id":"7d0b","type":"submission.received","data":{"coins":10}}'

async function openList(...given: WebhookEndpoint[]) {
  let endpoints = given
  server.serve(webhookEndpoints, () => endpoints)
  server.serve(createWebhookEndpoint, ({ body }) => {
    const endpoint = aWebhookEndpoint(body)
    endpoints = [endpoint, ...endpoints]
    return { ...endpoint, secret: SECRET }
  })
  await openApp('/dashboard/webhooks', { as: aUser('Buyer') })
  await screen.findByRole('heading', { level: 1, name: 'Webhooks' })
}

test('an endpoint is added with its events, and its secret is shown once', async () => {
  await openList()
  await user.click(button('Add endpoint'))
  await user.click(button('Add endpoint'))
  await screen.findByText('Enter a name')
  await screen.findByText('Choose at least one event')
  await fill(field(/^name/i), 'Warehouse')
  await fill(field(/^url/i), 'https://hooks.example.com/x')
  await user.click(field(/^work received/i))
  await user.click(field(/^task closed/i))
  await user.click(button('Add endpoint'))
  await screen.findByText(SECRET)
  assert.deepEqual(server.received(createWebhookEndpoint)[0]?.body, {
    name: 'Warehouse',
    url: 'https://hooks.example.com/x',
    events: ['submission.received', 'task.closed'],
  })
  await user.click(button('I have saved it'))
  assert.equal(screen.queryByText(SECRET), null)
  expectFocus(button('Add endpoint'))
  await screen.findByText('Work received, Task closed')
})

async function openOne(given: Partial<WebhookEndpoint> = {}) {
  let endpoint = aWebhookEndpoint({ name: 'Warehouse', ...given })
  const delivery: WebhookDelivery = {
    _id: anId(),
    eventId: anId(),
    type: 'submission.received',
    objectId: anId(),
    state: 'failed',
    createdAt: new Date().toISOString(),
    payload: PAYLOAD,
    nextAttemptAt: null,
    attempts: [
      { at: new Date().toISOString(), status: 500, error: null, body: 'out of order', durationMs: 12 },
      { at: new Date(0).toISOString(), status: null, error: 'ECONNREFUSED', body: '', durationMs: 3 },
    ],
  }
  server.serve(webhookEndpoints, () => [endpoint])
  server.serve(webhookEndpoint, () => endpoint)
  server.serve(webhookDeliveries, () => [delivery])
  server.serve(testWebhookEndpoint, () => ({ deliveryId: anId() }))
  server.serve(replayWebhookDelivery, () => undefined)
  server.serve(deleteWebhookEndpoint, () => undefined)
  server.serve(rotateWebhookSecret, () => ({ ...endpoint, secret: SECRET }))
  server.serve(setWebhookPaused, ({ body }) => {
    endpoint = {
      ...endpoint,
      state: body.paused ? 'paused' : 'active',
      pausedBecause: body.paused ? 'user' : null,
    }
    return endpoint
  })
  const router = await openApp(`/dashboard/webhooks/${endpoint._id}`, { as: aUser('Buyer') })
  await screen.findByRole('heading', { level: 1, name: 'Warehouse' })
  return { endpoint, delivery, router }
}

test('a failed delivery shows what was sent and its attempts with the response, and is replayed', async () => {
  const { delivery } = await openOne()
  await user.click(await screen.findByLabelText(/^request body of work received/i))
  await screen.findByText(/^\{ "id": "7d0b", .*"coins": 10 \} \}$/)
  await user.click(button(/^copy request body of work received/i))
  assert.equal(await navigator.clipboard.readText(), PAYLOAD)
  await user.click(await screen.findByRole('button', { name: /^show attempts of work received/i }))
  await screen.findByText('Response 500')
  await screen.findByText('out of order')
  await screen.findByText('ECONNREFUSED')
  await user.click(button(/^replay work received/i))
  await until(() => assert.equal(server.received(replayWebhookDelivery).length, 1))
  assert.deepEqual(server.received(replayWebhookDelivery)[0]?.params, { id: delivery._id })
})

test('attempts without a response say why in the language of the screen, and show other errors as they are', async () => {
  const { endpoint, delivery } = await openOne()
  queryClient.clear()
  const errors = [...Object.values(WEBHOOK_ERRORS), 'ECONNRESET']
  const attempts = errors.map((error, index) => {
    return { at: new Date(index).toISOString(), status: null, error, body: '', durationMs: 3 }
  })
  server.serve(webhookDeliveries, () => [{ ...delivery, attempts }])
  await openApp(`/dashboard/webhooks/${endpoint._id}`, { as: aUser('Buyer') })
  await user.click(await screen.findByRole('button', { name: /^show attempts of work received/i }))
  for (const shown of [
    'No response within 15 seconds',
    'The host has no public IP address',
    'The secret cannot be read. Replace it.',
    'The URL must start with https://',
    'ECONNRESET',
  ])
    await screen.findByText(shown)
})

test('a delivery of a server of the previous version is shown without the body that was sent', async () => {
  const { endpoint, delivery } = await openOne()
  queryClient.clear()
  const { payload: _, ...earlier } = delivery
  server.serve(webhookDeliveries, () => new EarlierReply([earlier]))
  await openApp(`/dashboard/webhooks/${endpoint._id}`, { as: aUser('Buyer') })
  await screen.findByRole('button', { name: /^show attempts of work received/i })
  expectGone(screen.queryByLabelText(/^request body/i))
})

test('a test event is sent; the endpoint is paused and resumed', async () => {
  await openOne()
  await user.click(button('Send test event'))
  await until(() => assert.equal(server.received(testWebhookEndpoint).length, 1))
  await user.click(button('Pause'))
  await screen.findByText('Paused')
  await until(() => expectFocus(screen.getByRole('region', { name: 'Endpoint' })))
  await user.click(await screen.findByRole('button', { name: 'Resume' }))
  await screen.findByText('Active')
  await until(() => expectFocus(screen.getByRole('region', { name: 'Endpoint' })))
  assert.deepEqual(
    server.received(setWebhookPaused).map(({ body }) => body),
    [{ paused: true }, { paused: false }],
  )
})

test('an endpoint that ends while its page is open says so', async () => {
  const { endpoint } = await openOne()
  await screen.findByText('Active')
  server.serve(webhookEndpoint, { ...endpoint, state: 'ended' })
  await screen.findByText('It responded with 410 Gone, so no more events are sent to it.')
  expectGone(screen.queryByText('Active'))
})

test('the focus is on the name in a form that opens, and stays near one that is cancelled', async () => {
  await openOne()
  await user.click(button('Change'))
  expectFocus(field(/^name/i))
  await user.click(button('Cancel'))
  expectFocus(screen.getByRole('region', { name: 'Endpoint' }))
  await openList()
  await user.click(button('Add endpoint'))
  expectFocus(field(/^name/i))
  await user.click(button('Cancel'))
  expectFocus(button('Add endpoint'))
})

test('an endpoint that a password reset paused says so, and asks to check its URL', async () => {
  await openOne({ state: 'paused', pausedBecause: 'password_reset' })
  await screen.findByText(
    /^It was paused because your password was reset\. Check its URL before you resume it\./,
  )
  await user.click(button('Resume'))
  await screen.findByText('Active')
})

test('an endpoint that was paused while its user was an Admin says so', async () => {
  await openOne({ state: 'paused', pausedBecause: 'role' })
  await screen.findByText(/^It was paused because you became an Admin\./)
})

test('a secret is replaced after a question, and an endpoint that failed says how many events wait', async () => {
  await openOne({ state: 'paused', pausedBecause: 'failures', waiting: 7 })
  await screen.findByText('Paused after failures')
  button('Resume and send 7')
  await user.click(button('Replace secret'))
  const question = await dialog('Replace the secret?')
  await user.click(within(question).getByRole('button', { name: 'Replace secret' }))
  await screen.findByText(SECRET)
  await screen.findByText('The previous secret works for another 24 hours.')
})

test('an endpoint is deleted after a question, and the list follows', async () => {
  await openOne()
  await user.click(button('Delete'))
  await user.click(within(await dialog('Delete Warehouse?')).getByRole('button', { name: 'Delete' }))
  await screen.findByRole('heading', { level: 1, name: 'Webhooks' })
  assert.equal(server.received(deleteWebhookEndpoint).length, 1)
})

test('an endpoint whose deletion ends after its screen was left opens no other screen', async () => {
  const { router } = await openOne()
  const held = server.hold(deleteWebhookEndpoint)
  await user.click(button('Delete'))
  await user.click(within(await dialog('Delete Warehouse?')).getByRole('button', { name: 'Delete' }))
  await until(() => assert.equal(server.received(deleteWebhookEndpoint).length, 1))
  await router.navigate('/dashboard/purchase-coin')
  await screen.findByRole('heading', { level: 1, name: 'Purchase Coin' })
  held.release()
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate)
  assert.equal(router.state.location.pathname, '/dashboard/purchase-coin')
})
