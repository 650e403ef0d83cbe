import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { receipt, receiptFile } from '#contract/receipts.ts'
import { button, openApp, server, until, user } from '#web/testing/app.tsx'
import { anId, aReceipt, aUser } from '#web/testing/records.ts'

test('a receipt shows the seller, the tax and its credit notes, and downloads as a PDF file', async () => {
  const creditNote = {
    _id: anId(),
    number: 'C-000003',
    kind: 'refund',
    date: '2026-01-15T09:00:00.000Z',
    total: 5,
    taxAmount: 0.65,
  } as const
  const shown = aReceipt({
    number: '26/R-000007',
    seller: {
      name: 'Tally Ltd',
      address: 'Road 1\nDhaka',
      email: 'pay@tally.example',
      taxNumber: 'VAT number: 42',
    },
    tax: { name: 'VAT', percent: 15, amount: 2.61, added: false },
    related: [creditNote],
  })
  server.serve(receipt, shown)
  server.serve(receiptFile, '%PDF')
  await openApp(`/dashboard/receipts/${shown._id}`, { as: aUser('Buyer') })
  await screen.findByRole('heading', { name: 'Receipt 26/R-000007' })
  const sheet = within(screen.getByRole('article', { name: 'Receipt' }))
  sheet.getByText('Tally Ltd')
  sheet.getByText(/VAT number: 42/)
  sheet.getByText('VAT 15%, included')
  assert.equal(
    sheet.getByRole('link', { name: 'C-000003' }).getAttribute('href'),
    `/dashboard/receipts/${creditNote._id}`,
  )
  await user.click(button('Download PDF'))
  await until(() => assert.equal(server.received(receiptFile).length, 1))
})

test('a seller without details has the name of the site once', async () => {
  const seller = { name: 'Tallywork', address: '', email: '', taxNumber: '' }
  server.serve(receipt, aReceipt({ seller }))
  await openApp(`/dashboard/receipts/${anId()}`, { as: aUser('Buyer') })
  const sheet = within(await screen.findByRole('article', { name: 'Receipt' }))
  assert.equal(sheet.getAllByText('Tallywork').length, 1)
})

test("a payout's receipt shows what was paid in taka", async () => {
  const taka = { poisha: 121_500, rate: '121.5', feePoisha: 1850 }
  server.serve(receipt, aReceipt({ number: 'P-000003', kind: 'payout', total: 10, taka }))
  await openApp(`/dashboard/receipts/${anId()}`, { as: aUser('Worker') })
  const sheet = within(await screen.findByRole('article', { name: 'Receipt' }))
  sheet.getByText(/1,215.00/)
  sheet.getByText('1 dollar = 121.5 taka')
  sheet.getByText(/18.50/)
})

test('the rate of a receipt is formatted as other numbers', async () => {
  const taka = { poisha: 1_000_000, rate: '1000', feePoisha: null }
  server.serve(receipt, aReceipt({ number: 'P-000003', kind: 'payout', total: 10, taka }))
  await openApp(`/dashboard/receipts/${anId()}`, { as: aUser('Worker') })
  await screen.findByText('1 dollar = 1,000 taka')
})

test('a credit note shows what was returned', async () => {
  server.serve(receipt, aReceipt({ number: 'C-000003', kind: 'refund', total: 5 }))
  await openApp(`/dashboard/receipts/${anId()}`, { as: aUser('Buyer') })
  await screen.findByRole('heading', { name: 'Credit note C-000003' })
  screen.getByText('-$5.00')
  screen.getByText(/^returned on/)
})

test('a receipt of a price to which the tax was added shows the price, the tax and the total', async () => {
  const tax = { name: 'VAT', percent: 15, amount: 3, added: true }
  const lines = [{ text: '500 coins', coins: 500, amount: 20 }]
  server.serve(receipt, aReceipt({ total: 23, taxAmount: 3, tax, lines }))
  await openApp(`/dashboard/receipts/${anId()}`, { as: aUser('Buyer') })
  const sheet = within(await screen.findByRole('article', { name: 'Receipt' }))
  for (const text of ['$20.00', 'VAT 15%', '$3.00', '$23.00']) sheet.getByText(text)
})

test('the receipt of a payout by the sandbox says that no money was sent', async () => {
  server.serve(receipt, aReceipt({ number: 'TEST-P-000001', kind: 'payout', real: false }))
  await openApp(`/dashboard/receipts/${anId()}`, { as: aUser('Worker') })
  await screen.findByText('Paid out in test mode: no real money was sent.')
})
