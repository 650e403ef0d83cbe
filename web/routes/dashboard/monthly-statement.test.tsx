import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import {
  type MonthlyStatement,
  monthlyStatement,
  monthlyStatementFile,
} from '#contract/monthly-statements.ts'
import { site } from '#contract/site.ts'
import { button, expectGone, openApp, server, until, user } from '#web/testing/app.tsx'
import { SITE } from '#web/testing/fake-server.ts'
import { anId, aUser } from '#web/testing/records.ts'

const aMonth = (change: Partial<MonthlyStatement> = {}): MonthlyStatement => ({
  month: '2026-01',
  name: 'Nadia',
  email: 'buyer@example.com',
  seller: { name: 'Tally GmbH', address: 'Berlin', email: '', taxNumber: 'VAT number: DE1', tax: 'VAT 19%' },
  opening: 50,
  closing: 550,
  transfers: 201,
  totals: [{ kind: 'coins_bought', text: 'Coins bought by card', coins: 500, transfers: 1 }],
  lines: [
    {
      _id: '1',
      kind: 'coins_bought',
      text: 'Coins bought by card',
      coins: 500,
      balance: 550,
      debt: 0,
      time: '2026-01-14T09:00:00.000Z',
    },
  ],
  receipts: [
    {
      _id: anId(),
      number: 'R-000007',
      kind: 'purchase',
      date: '2026-01-14T09:00:00.000Z',
      total: 20,
      taxAmount: 2.61,
    },
  ],
  ...change,
})

test('a monthly statement shows balances, totals and receipts, and downloads as PDF and CSV', async () => {
  server.serve(monthlyStatement, aMonth())
  server.serve(monthlyStatementFile, 'file')
  await openApp('/dashboard/statement/2026-01', { as: aUser('Buyer') })
  await screen.findByRole('heading', { name: 'Statement for January 2026' })
  const totals = within(screen.getByRole('region', { name: 'Balance' }))
  totals.getByText('Coins bought by card (1)')
  totals.getByText(/550/)
  assert.ok(
    screen
      .getByRole('link', { name: 'Receipt R-000007' })
      .getAttribute('href')
      ?.startsWith('/dashboard/receipts/'),
  )
  assert.match(
    screen.getByText('Tally GmbH').parentElement?.textContent ?? '',
    /Berlin\s+VAT number: DE1\s+VAT 19%/,
  )
  screen.getByText('tax included: $2.61')
  screen.getByText(/newest 1 of 201 transactions/)
  assert.equal(
    screen.getByRole('link', { name: 'December 2025' }).getAttribute('href'),
    '/dashboard/statement/2025-12',
  )
  await user.click(button('Download PDF'))
  await user.click(button('Download CSV'))
  await until(() => assert.equal(server.received(monthlyStatementFile).length, 2))
})

test('a month without transactions says so, and something that is no month offers this one', async () => {
  server.serve(monthlyStatement, aMonth({ transfers: 0, totals: [], lines: [], receipts: [] }))
  await openApp('/dashboard/statement/2026-01', { as: aUser('Buyer') })
  await screen.findByText('Your coin balance did not change in this month.')
  await openApp('/dashboard/statement/2026-13', { as: aUser('Buyer') })
  await screen.findByRole('link', { name: 'This month' })
})

test("the newest month is that of the site's day, which begins before that of UTC", async () => {
  server.serve(site, { ...SITE, today: '2026-02-01' })
  server.serve(monthlyStatement, aMonth())
  await openApp('/dashboard/statement/2026-01', { as: aUser('Buyer') })
  const next = await screen.findByRole('link', { name: 'February 2026' })
  assert.equal(next.getAttribute('href'), '/dashboard/statement/2026-02')
  server.serve(monthlyStatement, aMonth({ month: '2026-02' }))
  await user.click(next)
  await screen.findByRole('heading', { name: 'Statement for February 2026' })
  expectGone(screen.queryByRole('link', { name: 'March 2026' }))
})
