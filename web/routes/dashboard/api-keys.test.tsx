import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { type ApiKey, apiKeys, apiKeyUses, createApiKey, revokeApiKey } from '#contract/api-keys.ts'
import { button, dialog, field, fill, openApp, server, until, user } from '#web/testing/app.tsx'
import { anApiKey, aUser } from '#web/testing/records.ts'

const SECRET = `tw_${'Ab1-'.repeat(10)}xyz`

async function openScreen(...given: ApiKey[]) {
  let keys = given
  server.serve(apiKeys, () => keys)
  server.serve(createApiKey, ({ body }) => {
    const { expiresInDays: _, ...rest } = body
    const key = anApiKey({ ...rest, networks: body.networks ?? [] })
    keys = [key, ...keys]
    return { ...key, secret: SECRET }
  })
  server.serve(revokeApiKey, ({ params }) => {
    keys = keys.map((key) => (key._id === params.id ? { ...key, revokedAt: new Date().toISOString() } : key))
    return undefined
  })
  await openApp('/dashboard/api-keys', { as: aUser('Buyer') })
  await screen.findByRole('heading', { level: 1, name: 'API Keys' })
}

test('a key is created, and its secret is shown once', async () => {
  await openScreen()
  await user.click(button('Create key'))
  await user.click(button('Create key'))
  await screen.findByText('Enter a name')
  await fill(field(/^name/i), 'Warehouse')
  await user.click(field(/^tasks/i))
  await fill(field(/^allowed networks/i), 'example.com')
  await user.click(button('Create key'))
  await screen.findByText(/Enter an IP address or a network/)
  await fill(field(/^allowed networks/i), '203.0.113.0/24')
  await user.click(button('Create key'))
  await screen.findByText(SECRET)
  assert.deepEqual(server.received(createApiKey)[0]?.body, {
    name: 'Warehouse',
    scopes: ['tasks'],
    networks: ['203.0.113.0/24'],
    expiresInDays: 90,
  })
  await user.click(button('I have saved it'))
  assert.equal(screen.queryByText(SECRET), null)
  await screen.findByText('Only from 203.0.113.0/24')
})

test('a key is revoked after a confirmation', async () => {
  await openScreen(anApiKey({ name: 'Warehouse' }))
  await user.click(button('Revoke Warehouse'))
  const asked = await dialog('Revoke Warehouse?')
  await user.click(within(asked).getByRole('button', { name: 'Revoke' }))
  await screen.findByText('Revoked')
  await until(() => assert.equal(server.received(revokeApiKey).length, 1))
})

test('what a key did is shown on demand', async () => {
  await openScreen(anApiKey({ name: 'Warehouse' }))
  server.serve(apiKeyUses, [
    {
      minute: '2026-11-20T10:00:00.000Z',
      operation: 'POST /add-task',
      status: 200,
      requests: 3,
      network: '203.0.113.7',
    },
  ])
  await user.click(button('Show activity of Warehouse'))
  await screen.findByText(/POST \/add-task 200 × 3/)
})
