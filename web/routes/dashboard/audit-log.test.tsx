import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { type AuditLogAction, auditLog, auditLogChain } from '#contract/admin-audit-log.ts'
import { allUsers, publicProfile } from '#contract/users.ts'
import { field, openApp, server, until, user } from '#web/testing/app.tsx'
import { anId, aPublicUser, aUser } from '#web/testing/records.ts'

const farida = aPublicUser({ name: 'Farida Admin', role: 'Admin' })
const rafi = aPublicUser({ name: 'Rafi' })

const anAction = (change: Partial<AuditLogAction> = {}): AuditLogAction => ({
  number: 7,
  time: '2026-11-20T09:00:00.000Z',
  act: 'user_frozen',
  admin: farida,
  user: rafi,
  subject: rafi._id,
  reason: 'Two people use one number',
  details: { freeze: anId() },
  hash: 'a'.repeat(64),
  ...change,
})

async function openLog(broken = 0) {
  server.serveList(auditLog, [
    anAction(),
    anAction({ number: 8, act: 'role_changed', reason: '', details: { to: 'Buyer', from: 'Worker' } }),
    anAction({
      number: 9,
      act: 'payout_batch_released',
      user: null,
      reason: '',
      details: { coins: 455, payouts: 2, amount_cents: 2275 },
    }),
    anAction({
      number: 6,
      act: 'setting_changed',
      user: farida,
      reason: '',
      details: {
        setting: 'payout_rules',
        version: 2,
        before: { twoPersonAboveCents: 0, firstPayout: false, newAccountNumber: false, riskScore: null },
        after: { riskScore: null, firstPayout: false, newAccountNumber: false, twoPersonAboveCents: 2500 },
      },
    }),
    anAction({
      number: 16,
      act: 'setting_change_proposed',
      reason: '',
      details: { setting: 'withdrawal_rate', version: 1, after: { centsPerCoin: 4 } },
    }),
    anAction({
      number: 15,
      act: 'payout_statement_imported',
      reason: '',
      details: {
        file: 'november.csv',
        counts: { cases: 5, failed: 1, ignored: 0, pending: 0, settled: 1, repeated: 0, confirmed: 2 },
      },
    }),
    anAction({
      number: 14,
      act: 'payout_case_resolved',
      reason: '',
      details: { kind: 'number_differs', decision: 'close' },
    }),
    anAction({ number: 13, act: 'review_decided', reason: '', details: { decision: 'overturned' } }),
    anAction({ number: 12, act: 'payout_failed', reason: '', details: { coins: 40, source: 'admin' } }),
    anAction({
      number: 11,
      act: 'payout_file_profile_deleted',
      reason: '',
      details: { columns: [{ header: 'Konto', field: 'accountNumber', text: '', asText: true }] },
    }),
    // A source of a rate is what an Admin has typed.
    anAction({ number: 10, act: 'exchange_rate_entered', reason: '', details: { source: 'admin' } }),
    anAction({ number: 5, act: 'reviewer_changed', reason: '', details: { reviewer: true } }),
    anAction({ number: 4, act: 'from_another_release', reason: '', details: { other_thing: 'kept' } }),
  ])
  server.serve(auditLogChain, { entries: 7, broken, lastHash: 'b'.repeat(64) })
  server.serveList(allUsers, [farida])
  await openApp('/dashboard/audit-log', { as: aUser('Admin') })
  return within(await screen.findByRole('table', { name: 'Admin actions, newest first' }))
}

test('the audit log shows who did what to whom and why, with links to the people', async () => {
  const table = await openLog()
  const [link] = table.getAllByRole('link', { name: 'Rafi' })
  assert.equal(link?.getAttribute('href'), `/dashboard/manage-users/${rafi._id}`)
  table.getByText('Worker → Buyer')
  table.getByText('User frozen')
  table.getByText('Coins: 455 · Payouts: 2 · Amount: $22.75')
  table.getByText('Setting: Payouts with two Admins · Version: 2 · Payouts above: $0.00 → $25.00')
  table.getByText('Setting: Withdrawal rate · Version: 1 · Cents per coin: 4')
  table.getByText(
    'File: november.csv · Lines by result: 2 payouts confirmed, 1 failed, 1 already known, 0 pending, 0 ignored, 5 cases',
  )
  table.getByText('Kind: The account number differs · Decision: Case closed')
  table.getByText('Decision: Rejection overturned')
  table.getByText('Coins: 40 · Source: Admin')
  table.getByText('Columns: Konto (Account number)')
  table.getByText('Source: admin')
  table.getByText('Reviewer: Yes')
  table.getByText('other thing: kept')
  table.getByText('Two people use one number')
  // A setting is about nobody else.
  assert.equal(table.getAllByRole('link', { name: 'Farida Admin' }).length, 13)
  await screen.findByText('Hash chain unbroken')
})

test('a broken chain is an error', async () => {
  await openLog(2)
  await screen.findByText('Hash chain broken at 2 entries')
})

test('filters are sent to the server and kept in the URL', async () => {
  await openLog()
  await screen.findByRole('option', { name: 'Farida Admin' })
  await user.selectOptions(field('Filter by Admin'), 'Farida Admin')
  await user.selectOptions(field('Filter by action'), 'User frozen')
  await until(() => {
    const { admin, act } = server.received(auditLog).at(-1)?.query ?? {}
    assert.deepEqual([admin, act], [farida._id, 'user_frozen'])
  })
})

test('actions of a former Admin can be filtered', async () => {
  server.serveList(auditLog, [anAction({ admin: rafi }), anAction({ number: 8, admin: null })])
  server.serve(auditLogChain, { entries: 8, broken: 0, lastHash: 'b'.repeat(64) })
  server.serveList(allUsers, [farida])
  await openApp('/dashboard/audit-log', { as: aUser('Admin') })
  await screen.findByRole('option', { name: 'Rafi' })
  await user.selectOptions(field('Filter by Admin'), 'Rafi')
  await until(() => assert.equal(server.received(auditLog).at(-1)?.query.admin, rafi._id))
  assert.equal((field('Filter by Admin') as HTMLSelectElement).value, rafi._id)
})

test('an Admin of the URL without listed actions stays chosen', async () => {
  server.serveList(auditLog, [])
  server.serve(publicProfile, rafi)
  server.serve(auditLogChain, { entries: 0, broken: 0, lastHash: null })
  server.serveList(allUsers, [farida])
  await openApp(`/dashboard/audit-log?admin=${rafi._id}`, { as: aUser('Admin') })
  await screen.findByText('No actions found')
  await screen.findByRole('option', { name: 'Rafi' })
  assert.equal((field('Filter by Admin') as HTMLSelectElement).value, rafi._id)
})
