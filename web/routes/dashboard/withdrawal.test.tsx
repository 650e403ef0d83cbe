import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { claimPayout } from '#contract/payouts.ts'
import {
  myWithdrawals,
  pendingWithdrawals,
  requestWithdrawal,
  withdrawStatus,
} from '#contract/withdrawals.ts'
import { button, dialog, expectGone, field, fill, openApp, server, until, user } from '#web/testing/app.tsx'
import { anId, aUser, aWithdrawal } from '#web/testing/records.ts'

const input = (name: RegExp) => field(name) as HTMLInputElement
const submit = () => button(/^withdraw\b/i) as HTMLButtonElement
const inserted = () => ({ acknowledged: true, insertedId: anId() })

async function openForm(coin: number) {
  server.serveList(myWithdrawals, [])
  server.serve(requestWithdrawal, () => ({ ...inserted(), post: inserted() }))
  const worker = aUser('Worker', { coin })
  await openApp('/dashboard/withDrawal-form', { as: worker })
  await screen.findByLabelText(/^coins to withdraw/i)
  return worker
}

test('a worker with too few coins cannot withdraw', async () => {
  await openForm(150)
  await screen.findByText('Minimum 200 coins required. You have 150.')
  assert.equal(submit().disabled, true)
})

for (const [coins, message] of [
  ['100', 'Minimum withdraw amount is 200 coins.'],
  ['600', "Can't withdraw more than available coins."],
] as const) {
  test(`${coins} of 500 coins cannot be withdrawn: "${message}"`, async () => {
    await openForm(500)
    await fill(field(/^coins to withdraw/i), coins)
    await screen.findByText(message)
    assert.equal(submit().disabled, true)
  })
}

test('an eligible amount shows what it is worth and can be sent', async () => {
  await openForm(500)
  await fill(field(/^coins to withdraw/i), '400')
  await screen.findByText("You're eligible to withdraw.")
  assert.equal(input(/^withdrawal amount/i).value, '$20.00')
  assert.equal(submit().disabled, false)
})

test('a request is sent with its amount in dollars, and the form is empty again', async () => {
  const worker = await openForm(500)
  await fill(field(/^coins to withdraw/i), '400')
  await user.selectOptions(field(/^payment system/i), 'Nagad')
  await fill(field(/^account number/i), '01712345678')
  await user.click(submit())
  await dialog('Withdraw Request Sent')
  const { body, params } = server.received(requestWithdrawal)[0] ?? {}
  assert.equal(params?.email, worker.email)
  assert.deepEqual(
    [body.withdrawalCoin, body.withdrawal_amount, body.payment_system, body.accountNumber],
    [400, 20, 'Nagad', '01712345678'],
  )
  assert.equal(input(/^coins to withdraw/i).value, '')
})

test('an account number that its payment system cannot have is refused at its field', async () => {
  await openForm(500)
  await fill(field(/^coins to withdraw/i), '400')
  await fill(field(/^account number/i), '12345')
  await user.click(submit())
  await until(() => assert.equal(field(/^account number/i).getAttribute('aria-invalid'), 'true'))
  assert.equal(server.received(requestWithdrawal).length, 0)
})

test('the hint at the account number follows the payment system', async () => {
  await openForm(500)
  await user.selectOptions(field(/^payment system/i), 'Rocket')
  await screen.findByText(/12-digit Rocket account/)
})

test('a refused request keeps what was typed', async () => {
  await openForm(500)
  server.refuse(requestWithdrawal, 'holding_time', 'New coins cannot be withdrawn yet.')
  await fill(field(/^coins to withdraw/i), '400')
  await fill(field(/^account number/i), '01712345678')
  await user.click(submit())
  assert.match((await dialog()).textContent ?? '', /New coins cannot be withdrawn yet/)
  assert.equal(input(/^account number/i).value, '01712345678')
})

test('earlier withdrawals are listed with what became of them', async () => {
  server.serveList(myWithdrawals, [
    aWithdrawal({ status: 'approved', accountNumber: '01700000001' }),
    aWithdrawal({ status: 'declined', reason: 'The number does not exist.' }),
  ])
  await openApp('/dashboard/withDrawal-form', { as: aUser('Worker') })
  await screen.findByText('01700000001')
  screen.getByText('Paid')
  screen.getByText(/The number does not exist/)
})

const origin = { byBuyer: [], bonus: 50, purchased: 150, other: 0, flags: ['mostly_bonus' as const] }

async function openRequests(request = aWithdrawal({ workerName: 'Rafi' })) {
  let requests = [{ ...request, origin }]
  server.serve(pendingWithdrawals, () => requests)
  server.serve(claimPayout, { acknowledged: true, matchedCount: 1, modifiedCount: 1 })
  server.serve(withdrawStatus, () => {
    requests = []
    return { acknowledged: true, matchedCount: 1, modifiedCount: 1 }
  })
  await openApp('/dashboard/withdraw-request', { as: aUser('Admin') })
  await screen.findByRole('heading', { name: 'Rafi' })
}

test('a payout is marked as paid after it is confirmed', async () => {
  await openRequests()
  await user.click(button(/^payment success/i))
  const asked = await dialog()
  assert.match(asked.textContent ?? '', /\$10/)
  await user.click(within(asked).getByRole('button', { name: 'Payment Success' }))
  await dialog('Approved Payment Request')
  assert.equal(server.received(claimPayout).length, 1)
  assert.equal(server.received(withdrawStatus)[0]?.body.status, 'approved')
  expectGone(screen.queryByRole('heading', { name: 'Rafi' }))
})

test('a payout that is not confirmed stays pending', async () => {
  await openRequests()
  await user.click(button(/^payment success/i))
  await dialog()
  await user.keyboard('{Enter}')
  await until(() => expectGone(screen.queryByRole('dialog')))
  assert.equal(server.received(withdrawStatus).length, 0)
})

test('a request is declined only with a reason', async () => {
  await openRequests()
  await user.click(button(/^decline/i))
  const asked = within(await dialog())
  await user.click(asked.getByRole('button', { name: 'Decline' }))
  await until(() => assert.equal(asked.getByLabelText(/^reason/i).getAttribute('aria-invalid'), 'true'))
  await fill(asked.getByLabelText(/^reason/i), 'Wrong number')
  await user.click(asked.getByRole('button', { name: 'Decline' }))
  await until(() => assert.equal(server.received(withdrawStatus).length, 1))
  const { status, reason } = server.received(withdrawStatus)[0]?.body ?? {}
  assert.deepEqual({ status, reason }, { status: 'declined', reason: 'Wrong number' })
})

test('requests are filtered by the status in the address', async () => {
  server.serve(pendingWithdrawals, [])
  await openApp('/dashboard/withdraw-request?status=declined&q=rafi', { as: aUser('Admin') })
  await until(() => assert.equal(server.received(pendingWithdrawals).length, 1))
  const { status, q } = server.received(pendingWithdrawals)[0]?.query ?? {}
  assert.deepEqual({ status, q }, { status: 'declined', q: 'rafi' })
})
