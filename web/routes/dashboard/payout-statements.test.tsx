import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import {
  importPayoutStatement,
  type PayoutCase,
  payoutCases,
  payoutStatements,
  resolvePayoutCase,
} from '#contract/payout-statements.ts'
import { button, dialog, expectGone, field, fill, openApp, server, until, user } from '#web/testing/app.tsx'
import { anId, aUser } from '#web/testing/records.ts'

const COUNTS = { confirmed: 2, failed: 0, settled: 0, repeated: 1, pending: 0, ignored: 0, cases: 1 }
const CASE: PayoutCase = {
  _id: anId(),
  kind: 'amount_differs',
  account: 'bKash',
  fileName: 'november.csv',
  line: {
    number: 1503,
    reference: 'TW0123456789AB',
    transactionId: 'TX9',
    accountNumber: '01712345678',
    amount: 121_000,
    currency: 'BDT',
    status: 'Completed',
  },
  payout: {
    reference: 'TW0123456789AB',
    state: 'unknown',
    accountNumber: '01712345678',
    cents: 1000,
    poisha: 121_500,
  },
  decidable: true,
  openedAt: '2026-11-22T09:00:00.000Z',
  resolved: null,
}

test('an Admin maps the columns of a statement and imports it', async (context) => {
  server.serve(payoutCases, [])
  server.serve(payoutStatements, [])
  server.serve(importPayoutStatement, { insertedId: anId(), counts: COUNTS })
  await openApp('/dashboard/payout-statements', { as: aUser('Admin') })
  await screen.findByText('Lines that do not match their payout appear here.')
  screen.getByText('At most 2,000 rows')
  await fill(field(/^account/i), 'Nagad')
  const file = new File(['"TrxID","Narration","Amount"\r\nTX1,TW0,10.00\r\n'], 'november.csv', {
    type: 'text/csv',
  })
  await user.upload(field(/^csv file/i), file)
  await screen.findByLabelText('Currency')
  await user.click(button('Import'))
  await screen.findByText('Choose the column of the reference')
  await fill(field(/^account(?! number)/i), 'bKash')
  expectGone(screen.queryByText('Choose the column of the reference'))
  const read = context.mock.method(file, 'arrayBuffer')
  await user.upload(field(/^csv file/i), file)
  await until(() => assert.equal(read.mock.callCount(), 1))
  await screen.findByLabelText('Currency')
  await user.click(button('Import'))
  await screen.findByText('Choose the column of the reference')
  await user.selectOptions(field('Reference'), 'Narration')
  expectGone(screen.queryByText('Choose the column of the reference'))
  await user.selectOptions(field('Amount'), 'Amount')
  await user.selectOptions(field('Transaction ID'), 'TrxID')
  await user.click(button('Import'))
  within(await dialog('Statement imported')).getByText(
    /^2 payouts confirmed, .* 1 already known, .* 1 case\.$/,
  )
  const { body } = server.received(importPayoutStatement)[0] ?? {}
  assert.equal(Buffer.from(body.content, 'base64').toString().split('\r\n')[1], 'TX1,TW0,10.00')
  const { reference, amount, transactionId, status } = body.mapping
  assert.deepEqual([reference, amount, transactionId, status], ['Narration', 'Amount', 'TrxID', ''])
})

for (const [name, content, problem] of [
  ['an empty file', [], /^This file is empty/],
  ['a picture', [Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10)], /^This is not a CSV file/],
  ['a file of too many rows', [`Reference,Amount\n${'TW0,10\n'.repeat(2001)}`], /at most 2,000 rows/],
] as const)
  test(`${name} is refused when it is chosen`, async () => {
    server.serve(payoutCases, [])
    server.serve(payoutStatements, [])
    await openApp('/dashboard/payout-statements', { as: aUser('Admin') })
    await screen.findByRole('heading', { name: 'Import a statement' })
    await user.upload(field(/^csv file/i), new File([...content], 'november.csv'))
    await screen.findByText(problem)
    expectGone(screen.queryByLabelText('Currency'))
    await fill(field(/^account/i), 'bKash')
    await user.click(button('Import'))
    screen.getByText(problem)
    await user.upload(field(/^csv file/i), new File(['Reference,Amount\n"TW\n0",10\n'], 'november.csv'))
    await screen.findByLabelText('Currency')
    expectGone(screen.queryByText(problem))
  })

test('a file that lacks a column of the last statement is imported only after a choice', async () => {
  const mapping = {
    currency: 'BDT' as const,
    negative: false,
    reference: 'Narration',
    amount: 'Amount',
    transactionId: '',
    accountNumber: 'Number',
    fee: '',
    status: 'Status',
    paid: ['Completed'],
    failed: ['Failed'],
    pending: [],
  }
  server.serve(payoutCases, [])
  server.serve(payoutStatements, [
    {
      _id: anId(),
      account: 'bKash',
      fileName: 'october.csv',
      sha256: 'a'.repeat(64),
      mapping,
      counts: COUNTS,
      importedBy: 'Asha',
      importedById: anId(),
      importedAt: '2026-10-31T09:00:00.000Z',
    },
  ])
  server.serve(importPayoutStatement, { insertedId: anId(), counts: COUNTS })
  await openApp('/dashboard/payout-statements', { as: aUser('Admin') })
  const file = new File(['Narration,Amount,Transaction status\r\nTW0,10.00,Failed\r\n'], 'november.csv')
  await user.upload(await screen.findByLabelText(/^csv file/i), file)
  await screen.findByLabelText('Currency')
  await user.click(button('Import'))
  await screen.findByText(
    'Some columns of the last statement are not in this file. Choose what to use instead.',
  )
  assert.equal(server.received(importPayoutStatement).length, 0)

  await user.selectOptions(field('Account number'), 'Not in this file')
  await user.click(button('Import'))
  await user.selectOptions(field('Status'), 'Transaction status')
  await user.click(button('Import'))
  await dialog('Statement imported')
  assert.deepEqual(
    server.received(importPayoutStatement).map(({ body }) => body.mapping),
    [{ ...mapping, accountNumber: '', status: 'Transaction status' }],
  )
})

test('an Admin sees both sides of a case and settles it with a note', async () => {
  server.serve(payoutCases, [CASE, { ...CASE, _id: anId(), kind: 'second_line', decidable: false }])
  server.serve(payoutStatements, [])
  server.serve(resolvePayoutCase, { acknowledged: true, matchedCount: 1, modifiedCount: 1 })
  await openApp('/dashboard/payout-statements', { as: aUser('Admin') })
  await screen.findByText('The amount differs')
  assert.equal(screen.getAllByText('bKash, november.csv, line 1,503').length, 2)
  screen.getAllByText(/^Statement: ৳1,210.00, Completed/)
  for (const name of [
    'Copy account number of the statement',
    'Copy account number of the payout',
    'Copy reference',
    'Copy transaction ID',
  ])
    assert.equal(screen.getAllByRole('button', { name }).length, 2, name)
  assert.equal(screen.getAllByRole('button', { name: 'Close' }).length, 2)
  await user.click(button('Confirm payout'))
  const question = await dialog('Confirm this payout?')
  await user.type(within(question).getByLabelText(/Note/), 'Called the bank')
  await user.click(within(question).getByRole('button', { name: 'Save' }))
  await until(() =>
    assert.deepEqual(server.received(resolvePayoutCase)[0]?.body, {
      decision: 'confirm',
      note: 'Called the bank',
    }),
  )
})

test('an Admin who closes a case of an unknown payout reads how to reopen it', async () => {
  const sent = { ...CASE, _id: anId(), payout: CASE.payout && { ...CASE.payout, state: 'sent' as const } }
  server.serve(payoutCases, [CASE, sent])
  server.serve(payoutStatements, [])
  await openApp('/dashboard/payout-statements', { as: aUser('Admin') })
  for (const [index, text] of [
    /^The payout stays unknown\. To reopen/,
    /^Nothing else changes\./,
  ].entries()) {
    await user.click((await screen.findAllByRole('button', { name: 'Close' }))[index] as HTMLElement)
    const question = await dialog('Close this case?')
    within(question).getByText(text)
    await user.click(within(question).getByRole('button', { name: 'Cancel' }))
  }
})
