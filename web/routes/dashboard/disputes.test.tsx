import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type CardDispute, cardDispute, listCardDisputes, saveEvidence } from '#contract/card-disputes.ts'
import { openApp, server } from '#web/testing/app.tsx'
import { aUser } from '#web/testing/records.ts'

const aDispute = (change: Partial<CardDispute> = {}): CardDispute => ({
  _id: 'dp_1',
  transactionId: 'pi_1',
  buyer: { name: 'Ruma', email: 'ruma@example.com' },
  amount: 20,
  status: 'needs_response',
  reason: 'fraudulent',
  isOpen: true,
  canRespond: true,
  respondBy: '2026-12-01T09:00:00.000Z',
  date: '2026-11-20T09:00:00.000Z',
  submitted: null,
  ...change,
})
const EVIDENCE = {
  customerName: 'Ruma',
  customerEmail: 'ruma@example.com',
  customerIp: '203.0.113.7',
  serviceDate: '2026-11-20',
  productDescription: '500 coins',
  accessLog: 'Signed in',
  explanation: 'The coins were used.',
}
const entry = { actor: null, subject: '', dollars: null, coins: null }

test('disputes show their deadline, and link to their evidence', async () => {
  server.serve(listCardDisputes, [
    aDispute(),
    aDispute({ _id: 'dp_2', status: 'won', isOpen: false, canRespond: false }),
  ])
  await openApp('/dashboard/disputes', { as: aUser('Admin') })
  await screen.findByRole('heading', { name: 'Disputes' })
  screen.getByText(/Submit evidence by/)
  screen.getByText('Won')
  assert.equal(
    screen.getByRole('link', { name: /Evidence and time line/ }).getAttribute('href'),
    '/dashboard/disputes/dp_1',
  )
})

test('an Admin edits the prepared evidence and submits it after a confirmation', async () => {
  server.serve(cardDispute, {
    dispute: aDispute(),
    evidence: EVIDENCE,
    timeline: [
      { ...entry, kind: 'paid', date: '2026-11-20T09:00:00.000Z', dollars: 20, coins: 500 },
      {
        ...entry,
        kind: 'refund_requested',
        date: '2026-11-20T10:00:00.000Z',
        actor: 'Asha',
        subject: 'Bought twice',
      },
    ],
  })
  server.serve(saveEvidence, aDispute({ status: 'under_review', canRespond: false }))
  await openApp('/dashboard/disputes/dp_1', { as: aUser('Admin') })
  await screen.findByRole('heading', { name: 'Dispute' })
  screen.getByText('The payment was received')
  screen.getByText(/A refund was requested: Bought twice/)
  const user = userEvent.setup()
  await user.type(screen.getByLabelText('Explanation'), ' All of them.')
  await user.click(screen.getByRole('button', { name: 'Submit to the bank' }))
  const dialog = await screen.findByRole('dialog')
  assert.equal(server.received(saveEvidence).length, 0)
  await user.click(within(dialog).getByRole('button', { name: 'Submit' }))
  await screen.findByText('The evidence was submitted to the bank.')
  assert.deepEqual(server.received(saveEvidence)[0]?.body, {
    evidence: { ...EVIDENCE, explanation: 'The coins were used. All of them.' },
    submit: true,
  })
})
