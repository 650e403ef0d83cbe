import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen } from '@testing-library/react'
import { changeProfile } from '#contract/users.ts'
import { CHOSEN_KEY } from '#web/lib/language-switch.ts'
import { openApp, server, until } from '#web/testing/app.tsx'
import { aUser } from '#web/testing/records.ts'

const inBangla = aUser('Worker', { locale: 'bn' })
const isPending = () => sessionStorage.getItem(CHOSEN_KEY) !== null

test('a chosen language is saved to the account, once', async () => {
  sessionStorage.setItem(CHOSEN_KEY, 'en')
  server.serve(changeProfile, ({ body }) => {
    const changed = { ...inBangla, ...body }
    server.signIn(changed)
    return changed
  })
  await openApp('/dashboard', { as: inBangla })
  await until(() => assert.equal(isPending(), false))
  const sent = server.received(changeProfile).map(({ body }) => body)
  assert.deepEqual(sent, [{ locale: 'en' }])
})

test('a language that could not be saved is saved when the next page is opened', async () => {
  sessionStorage.setItem(CHOSEN_KEY, 'en')
  server.refuse(changeProfile, 'internal')
  await openApp('/dashboard', { as: inBangla })
  await until(() => assert.equal(server.received(changeProfile).length, 1))
  assert.ok(isPending())
})

test('without a choice the account keeps its language', async () => {
  await openApp('/dashboard', { as: inBangla })
  await screen.findByRole('heading', { level: 1, name: 'Profile' })
  assert.equal(server.received(changeProfile).length, 0)
})
