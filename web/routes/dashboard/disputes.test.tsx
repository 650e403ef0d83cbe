import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {
  addDisputeFile,
  type CardDispute,
  cardDispute,
  listCardDisputes,
  removeDisputeFile,
  saveEvidence,
} from '#contract/card-disputes.ts'
import { queryClient, queryOf } from '#web/lib/queries.ts'
import { expectGone, openApp, server, until } from '#web/testing/app.tsx'
import { anId, aUser } from '#web/testing/records.ts'

const aDispute = (change: Partial<CardDispute> = {}): CardDispute => ({
  _id: 'dp_1',
  transactionId: 'pi_1',
  buyer: { _id: anId(), name: 'Ruma', email: 'ruma@example.com' },
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
const ADMIN = anId()
const WORKER = anId()
const EVIDENCE = {
  customerName: 'Ruma',
  customerEmail: 'ruma@example.com',
  customerIp: '203.0.113.7',
  serviceDate: '2026-11-20',
  productDescription: '500 coins',
  accessLog: 'Signed in',
  explanation: 'The coins were used.',
}
const entry = { actor: null, actorId: null, subject: '', userId: null, dollars: null, coins: null }

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
    screen.getByRole('link', { name: /Evidence and timeline/ }).getAttribute('href'),
    '/dashboard/disputes/dp_1',
  )
})

test('an Admin edits the prepared evidence and submits it after a confirmation', async () => {
  server.serve(cardDispute, {
    dispute: aDispute(),
    evidence: EVIDENCE,
    version: 0,
    files: [],
    timelineMore: 1200,
    timeline: [
      { ...entry, kind: 'paid', date: '2026-11-20T09:00:00.000Z', dollars: 20, coins: 500 },
      {
        ...entry,
        kind: 'refund_requested',
        date: '2026-11-20T10:00:00.000Z',
        actor: 'Asha',
        actorId: ADMIN,
        subject: 'Bought twice',
      },
      { ...entry, kind: 'bonus_paid', date: '2026-11-20T10:30:00.000Z', subject: 'Karim', userId: WORKER },
      {
        ...entry,
        kind: 'withdrawal_declined',
        date: '2026-11-20T11:00:00.000Z',
        actor: 'Asha',
        actorId: ADMIN,
        subject: 'Karim',
        userId: WORKER,
      },
      {
        ...entry,
        kind: 'withdrawal_cancelled',
        date: '2026-11-20T12:00:00.000Z',
        subject: 'Nadia',
        userId: anId(),
      },
    ],
  })
  server.serve(saveEvidence, aDispute({ status: 'under_review', canRespond: false }))
  const saving = server.hold(saveEvidence)
  await openApp('/dashboard/disputes/dp_1', { as: aUser('Admin') })
  await screen.findByRole('heading', { name: 'Dispute' })
  screen.getByText('The payment was received')
  screen.getByText('And 1,200 earlier entries about tasks, work and withdrawals.')
  screen.getByText(/A refund was requested: Bought twice/)
  const overview = (name: string) =>
    screen.getAllByRole('link', { name }).map((link) => link.getAttribute('href'))
  assert.deepEqual(overview('Asha'), Array(2).fill(`/dashboard/manage-users/${ADMIN}`))
  assert.deepEqual(overview('Karim'), Array(2).fill(`/dashboard/manage-users/${WORKER}`))
  screen.getByText(/was paid a bonus/)
  screen.getByText(/withdrawal was declined/)
  screen.getByText(/’s withdrawal was cancelled because their account was deleted/)
  const user = userEvent.setup()
  await user.type(screen.getByLabelText('Explanation'), ' All of them.')
  await user.dblClick(screen.getByRole('button', { name: 'Save draft' }))
  const submit = screen.getByRole<HTMLButtonElement>('button', { name: 'Submit to the bank' })
  assert.ok(submit.disabled)
  saving.release()
  await screen.findByText('The draft was saved.')
  await until(() => assert.equal(submit.disabled, false))
  await user.click(submit)
  const dialog = await screen.findByRole('dialog')
  assert.equal(server.received(saveEvidence).length, 1)
  await user.click(within(dialog).getByRole('button', { name: 'Submit' }))
  await screen.findByText('The evidence was submitted to the bank.')
  assert.deepEqual(server.received(saveEvidence)[1]?.body, {
    evidence: { ...EVIDENCE, explanation: 'The coins were used. All of them.' },
    version: 1,
    submit: true,
  })
})

test('the form starts from the present evidence, not from an earlier reply', async () => {
  const { queryKey } = queryOf(cardDispute, { params: { id: 'dp_1' } })
  const earlier = {
    dispute: aDispute(),
    evidence: EVIDENCE,
    version: 1,
    files: [],
    timeline: [],
    timelineMore: 0,
  }
  queryClient.setQueryData(queryKey, earlier, { updatedAt: Date.now() - 60_000 })
  server.refuse(cardDispute, 'internal')
  await openApp('/dashboard/disputes/dp_1', { as: aUser('Admin') })
  const alert = within(await screen.findByRole('alert'))
  expectGone(screen.queryByLabelText('Explanation'))
  const evidence = { ...EVIDENCE, explanation: 'Saved by another Admin.' }
  server.serve(cardDispute, { ...earlier, evidence, version: 2 })
  const user = userEvent.setup()
  await user.click(alert.getByRole('button'))
  const explanation = await screen.findByLabelText<HTMLTextAreaElement>('Explanation')
  assert.equal(explanation.value, 'Saved by another Admin.')
  server.serve(saveEvidence, aDispute())
  await user.click(screen.getByRole('button', { name: 'Save draft' }))
  await screen.findByText('The draft was saved.')
  assert.equal(server.received(saveEvidence)[0]?.body.version, 2)
})

test('an Admin adds a file to the evidence, and removes one; a submitted dispute only lists them', async () => {
  const file = {
    field: 'other' as const,
    type: 'image/png' as const,
    bytes: 2048,
    date: '2026-11-20T09:00:00.000Z',
    admin: 'Asha',
    adminId: ADMIN,
  }
  const page = (change: Partial<CardDispute>, files = [file]) => ({
    dispute: aDispute(change),
    evidence: EVIDENCE,
    version: 0,
    files,
    timeline: [],
    timelineMore: 0,
  })
  server.serve(cardDispute, page({}))
  server.serve(addDisputeFile, [file])
  server.serve(removeDisputeFile, [])
  await openApp('/dashboard/disputes/dp_1', { as: aUser('Admin') })
  const files = within(await screen.findByRole('region', { name: 'Evidence files' }))
  files.getByText('Attached as a PDF file when you submit the evidence.')
  files.getByText(/PNG, 2 kB ·/)
  files.getByRole('link', { name: 'Asha' })
  const user = userEvent.setup()
  const [chooser] = document.querySelectorAll<HTMLInputElement>('input[type="file"]')
  assert.ok(chooser)
  await user.upload(chooser, new File(['%PDF-1.7'], 'contract.pdf', { type: 'application/pdf' }))
  await until(() => assert.equal(server.received(addDisputeFile).length, 1))
  server.serve(cardDispute, page({ status: 'under_review', canRespond: false }))
  await user.click(await screen.findByRole('button', { name: /^Remove file/ }))
  await until(() => assert.equal(server.received(removeDisputeFile).length, 1))
  await files.findByText('Not part of the evidence.')
  assert.equal(screen.queryByRole('button', { name: /file/ }), null)
})

test('an Admin cannot edit the evidence for a payment of their own', async () => {
  const admin = aUser('Admin')
  const buyer = { _id: admin._id, name: admin.name, email: admin.email }
  server.serve(cardDispute, {
    dispute: aDispute({ buyer }),
    evidence: EVIDENCE,
    version: 0,
    files: [],
    timeline: [],
    timelineMore: 0,
  })
  await openApp('/dashboard/disputes/dp_1', { as: admin })
  await screen.findByText(/Another Admin has to submit the evidence/)
  assert.equal(screen.queryByRole('button', { name: /^(Submit|Save|Choose)/ }), null)
})
