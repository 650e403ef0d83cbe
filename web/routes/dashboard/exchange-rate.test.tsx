import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { type EnteredRate, enterExchangeRate, exchangeRate, exchangeRates } from '#contract/exchange-rates.ts'
import { myWithdrawals } from '#contract/withdrawals.ts'
import { button, dialog, expectGone, field, fill, openApp, server, until, user } from '#web/testing/app.tsx'
import { anId, aUser } from '#web/testing/records.ts'

const RATE: EnteredRate = {
  _id: anId(),
  currency: 'BDT',
  rate: '121.5',
  source: 'Bangladesh Bank',
  enteredAt: '2026-11-22T09:00:00.000Z',
  expiresAt: '2099-11-23T09:00:00.000Z',
  enteredBy: 'Asha',
}

test('an Admin enters a rate after seeing how far it is from the current one', async () => {
  server.serve(exchangeRate, { rate: RATE })
  server.serveList(exchangeRates, [RATE])
  server.serve(enterExchangeRate, { acknowledged: true, insertedId: anId() })
  await openApp('/dashboard/exchange-rate', { as: aUser('Admin') })
  const table = await screen.findByRole('table', { name: 'Exchange rates' })
  within(table).getByText('Asha')

  await user.click(button('Save rate'))
  await screen.findByText('Enter the taka for one dollar, like 121.50')
  await fill(field(/^taka for one dollar/i), '12.15')
  await fill(field(/^source/i), 'Sonali Bank')
  await user.selectOptions(field(/^valid for/i), '3 days')
  await user.click(button('Save rate'))
  const question = await dialog('Use ৳12.15 per dollar?')
  within(question).getByText(/90% less than the current rate of ৳121.5.*\$10.00 will be ৳121.50/)
  await user.click(within(question).getByRole('button', { name: 'Cancel' }))
  await until(() => expectGone(screen.queryByRole('dialog')))
  assert.equal(server.received(enterExchangeRate).length, 0)

  await fill(field(/^taka for one dollar/i), '121.53')
  await user.click(button('Save rate'))
  const correction = within(await dialog('Use ৳121.53 per dollar?'))
  correction.getByText(/less than 0.1% more than the current rate of ৳121.5\b/)
  await user.click(correction.getByRole('button', { name: 'Cancel' }))
  await until(() => expectGone(screen.queryByRole('dialog')))

  await fill(field(/^taka for one dollar/i), '122.25')
  await user.click(button('Save rate'))
  await user.click(within(await dialog()).getByRole('button', { name: 'Use this rate' }))
  await until(() => assert.equal(server.received(enterExchangeRate).length, 1))
  assert.deepEqual(server.received(enterExchangeRate)[0]?.body, {
    rate: '122.25',
    source: 'Sonali Bank',
    hours: 72,
  })
  await screen.findByText('The exchange rate was saved.')
})

test('without a rate the screen says that payouts are in dollars', async () => {
  server.serve(exchangeRate, { rate: null })
  server.serveList(exchangeRates, [])
  await openApp('/dashboard/exchange-rate', { as: aUser('Admin') })
  await screen.findByText('Payouts are shown and released in dollars only.')
})

test('an expired rate says what it stops', async () => {
  server.serve(exchangeRate, { rate: null })
  server.serveList(exchangeRates, [{ ...RATE, expiresAt: '2026-11-22T10:00:00.000Z' }])
  await openApp('/dashboard/exchange-rate', { as: aUser('Admin') })
  const current = within(await screen.findByRole('region', { name: 'Current rate' }))
  current.getByText('Expired')
  current.getByText(/Payout batches cannot be released until you enter a new rate.* recorded in dollars/)
})

test('a worker sees both amounts before asking', async () => {
  const { enteredBy: _, ...rate } = RATE
  server.serve(exchangeRate, { rate: { ...rate, rate: '1000' } })
  server.serveList(myWithdrawals, [])
  await openApp('/dashboard/withDrawal-form', { as: aUser('Worker', { coin: 500 }) })
  await fill(await screen.findByLabelText(/^coins to withdraw/i), '400')
  await screen.findByText('৳20,000.00')
  screen.getByText(/\$20.00 is about .*at ৳1,000 per dollar/)
})
