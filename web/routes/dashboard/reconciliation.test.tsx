import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type CardCase, cardReconciliation, resolveCardCase } from '#contract/card-reconciliation.ts'
import { openApp, server } from '#web/testing/app.tsx'
import { anId, aUser } from '#web/testing/records.ts'

const TOTALS = { charged: 65, refunded: 20, disputed: 0, fees: 3.25, payouts: 0, tax: 1.5 }
const aCase = (change: Partial<CardCase> = {}): CardCase => ({
  _id: anId(),
  kind: 'amount_differs',
  transactionId: 'pi_differs1',
  provider: 9,
  ours: 10,
  date: '2026-11-20T09:00:00.000Z',
  resolved: null,
  ...change,
})

const ashaId = anId()

test('a transaction in another currency is explained without amounts', async () => {
  const cases = [aCase({ kind: 'other_currency', transactionId: 'txn_pounds', provider: 0, ours: 0 })]
  server.serve(cardReconciliation, { until: null, totals: TOTALS, cases })
  await openApp('/dashboard/reconciliation', { as: aUser('Admin') })
  const heading = await screen.findByRole('heading', { name: 'A currency other than US dollars' })
  const text = heading.closest('article')?.textContent ?? ''
  assert.match(text, /settle in US dollars.*txn_pounds/)
  assert.doesNotMatch(text, /\$/)
})

test('an Admin sees the totals and resolves a difference with a note', async () => {
  const cases = [
    aCase(),
    aCase({
      resolved: { date: '2026-11-21T09:00:00.000Z', admin: 'Asha', adminId: ashaId, note: 'A discount' },
    }),
  ]
  server.serve(cardReconciliation, { until: null, totals: TOTALS, cases })
  server.serve(resolveCardCase, { acknowledged: true, matchedCount: 1, modifiedCount: 1 })
  await openApp('/dashboard/reconciliation', { as: aUser('Admin') })
  const balance = await screen.findByRole('region', { name: 'Card processor' })
  within(balance).getByText('$3.25')
  const asha = screen.getByRole('link', { name: 'Asha' })
  assert.equal(asha.getAttribute('href'), `/dashboard/manage-users/${ashaId}`)
  assert.match(asha.parentElement?.textContent ?? '', /Asha.*A discount/)

  const user = userEvent.setup()
  await user.click(screen.getByRole('button', { name: 'Resolve' }))
  const dialog = await screen.findByRole('dialog')
  await user.type(within(dialog).getByLabelText(/Note/), 'Checked')
  await user.click(within(dialog).getByRole('button', { name: 'Resolve' }))
  assert.deepEqual(server.received(resolveCardCase)[0]?.body, { note: 'Checked' })
})

for (const [until, text] of [
  [null, 'No comparison has run yet.'],
  ['2026-11-21T09:00:00.000Z', 'No differences were found.'],
] as const)
  test(`without differences, the last comparison at ${until}: ${text}`, async () => {
    server.serve(cardReconciliation, { until, totals: TOTALS, cases: [] })
    await openApp('/dashboard/reconciliation', { as: aUser('Admin') })
    await screen.findByText(text)
  })
