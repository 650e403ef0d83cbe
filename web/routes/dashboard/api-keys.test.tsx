import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { type ApiKey, apiKeys, apiKeyUses, createApiKey, revokeApiKey } from '#contract/api-keys.ts'
import {
  button,
  dialog,
  expectFocus,
  field,
  fill,
  openApp,
  server,
  setWidth,
  until,
  user,
} from '#web/testing/app.tsx'
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

test('the focus follows the form, the secret and a key that is revoked', async () => {
  await openScreen(anApiKey({ name: 'Warehouse' }))
  await user.click(button('Create key'))
  await until(() => expectFocus(field(/^name/i)))
  await user.click(button('Cancel'))
  expectFocus(button('Create key'))
  await user.click(button('Create key'))
  await fill(field(/^name/i), 'Nightly export')
  await user.click(field(/^tasks/i))
  await user.click(button('Create key'))
  const secret = (await screen.findByText(SECRET)).closest('[role=status]')
  assert.ok(secret instanceof HTMLElement)
  await until(() => expectFocus(secret))
  await user.click(button('I have saved it'))
  expectFocus(button('Create key'))
  await user.click(button('Revoke Warehouse'))
  await user.click(within(await dialog('Revoke Warehouse?')).getByRole('button', { name: 'Revoke' }))
  await screen.findByRole('heading', { name: 'Revoked and expired keys' })
  await until(() => assert.notEqual(document.activeElement, document.body))
})

test('a key is revoked after a confirmation that says when it was used', async () => {
  await openScreen(
    anApiKey({ name: 'Warehouse', lastUsedAt: new Date(Date.now() - 3_600_000).toISOString() }),
  )
  await user.click(button('Revoke Warehouse'))
  const asked = await dialog('Revoke Warehouse?')
  within(asked).getByText('It was last used 1 hour ago.')
  await user.click(within(asked).getByRole('button', { name: 'Revoke' }))
  const ended = await screen.findByRole('table', { name: 'Revoked and expired keys' })
  within(ended).getByText('Revoked')
  assert.equal(within(ended).queryByRole('button', { name: /^Revoke/ }), null)
  assert.equal(server.received(revokeApiKey).length, 1)
})

test('keys that work stand before those that ended, each with its state', async () => {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000 + 3_600_000).toISOString()
  await openScreen(
    anApiKey({ name: 'Revoked one', revokedAt: inDays(-9) }),
    anApiKey({ name: 'Expired one', expiresAt: inDays(-2) }),
    ...Array.from({ length: 9 }, (_, index) => anApiKey({ name: `Key ${index}` })),
    anApiKey({ name: 'Ending one', expiresAt: inDays(5) }),
  )
  const rows = (name: string) => within(screen.getByRole('table', { name })).getAllByRole('row').slice(1)
  assert.equal(rows('Active keys').length, 10)
  assert.match(rows('Active keys').at(-1)?.textContent ?? '', /Ending one.*NeverExpires in 5 days/)
  assert.match(rows('Active keys')[0]?.textContent ?? '', /Key 0.*Active/)
  assert.deepEqual(
    rows('Revoked and expired keys').map(
      ({ textContent }) => /Revoked one|Expired one/.exec(textContent ?? '')?.[0],
    ),
    ['Revoked one', 'Expired one'],
  )
})

test('keys are cards on a phone, and none is explained', async () => {
  setWidth(390)
  await openScreen()
  screen.getByRole('heading', { name: 'No API keys yet' })
  assert.equal(screen.getAllByRole('button', { name: 'Create key' }).length, 1)
  assert.equal(screen.getByRole('link', { name: 'API documentation' }).getAttribute('href'), '/api/docs')
  await user.click(button('Create key'))
  await fill(field(/^name/i), 'Warehouse')
  await user.click(field(/^tasks/i))
  await user.click(button('Create key'))
  const list = await screen.findByRole('list', { name: 'Active keys' })
  within(list).getByRole('heading', { name: 'Warehouse' })
  within(list).getByText(/Tasks · Any network/)
  within(list).getByText(/^Never used · Created/)
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
  await user.click(button('Warehouse'))
  await within(await dialog('Warehouse')).findByText(/POST \/add-task 200 × 3/)
})
