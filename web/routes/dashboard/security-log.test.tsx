import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen } from '@testing-library/react'
import { type SecurityEvent, securityLog, securityLogFile } from '#contract/security-log.ts'
import { button, field, fill, openApp, server, until, user } from '#web/testing/app.tsx'
import { anId, aUser } from '#web/testing/records.ts'

function anEvent(change: Partial<SecurityEvent>): SecurityEvent {
  return {
    _id: anId(),
    time: '2026-01-14T09:00:00.000Z',
    kind: 'role_changed',
    text: 'An Admin changed the role to Buyer',
    result: 'success',
    network: '192.0.2.7',
    device: 'Edge on Windows',
    identity: anId(),
    email: 'rafi@example.com',
    actor: anId(),
    actorEmail: 'root@example.com',
    emailHash: null,
    params: { role: 'Buyer' },
    ...change,
  }
}

async function openLog(): Promise<void> {
  const failed = { text: 'Sign-in failed: no account has this email', result: 'failure' as const }
  server.serveList(securityLog, [
    anEvent({}),
    anEvent({ ...failed, email: null, identity: null, actor: null, actorEmail: null, emailHash: 'ab' }),
  ])
  await openApp('/dashboard/security-log', { as: aUser('Admin') })
  await screen.findByRole('heading', { level: 1, name: 'Security Log' })
}
const lastQuery = () => server.received(securityLog).at(-1)?.query

test('an event says what happened to whom, by whom and from where', async () => {
  await openLog()
  const text = (await screen.findByRole('table')).textContent ?? ''
  assert.match(
    text,
    /changed the role to Buyer.*rafi@example\.com.*by root@example\.com.*Edge on Windows.*Success/,
  )
  assert.match(text, /no account has this email.*Unknown email.*Failure/)
})

test('the log is filtered by kind and by whole emails', async () => {
  await openLog()
  await user.selectOptions(field('Kind of event'), 'Failed sign-in')
  await until(() => assert.equal(lastQuery()?.kind, 'sign_in_failed'))
  await fill(field('Filter by email'), 'rafi@')
  await screen.findByText('Enter a complete email address')
  assert.equal(lastQuery()?.email, undefined)
  await fill(field('Filter by email'), 'rafi@example.com')
  await until(() => assert.equal(lastQuery()?.email, 'rafi@example.com'))
})

test('the log can be downloaded, and a failure is shown', async () => {
  server.refuse(securityLogFile, 'unavailable', 'The service is busy.')
  await openLog()
  await user.click(button('Download JSON lines'))
  await screen.findByText('The service is busy.')
  assert.equal(server.received(securityLogFile).length, 1)
})
