import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { listDestinations } from '#contract/destinations.ts'
import { claimPayout } from '#contract/payouts.ts'
import {
  myWithdrawals,
  pendingWithdrawals,
  requestWithdrawal,
  withdrawable,
  withdrawStatus,
} from '#contract/withdrawals.ts'
import { resetToken } from '#web/lib/id-token.ts'
import { button, dialog, expectGone, field, fill, openApp, server, until, user } from '#web/testing/app.tsx'
import { aDestination, anId, aUser, aWithdrawal } from '#web/testing/records.ts'

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

test('coins and an account number can be typed with Bangla digits', async () => {
  await openForm(500)
  await user.type(field(/^coins to withdraw/i), '৪০০')
  await screen.findByText("You're eligible to withdraw.")
  assert.equal(input(/^coins to withdraw/i).value, '400')
  await user.selectOptions(field(/^payment system/i), 'Nagad')
  await user.type(field(/^account number/i), '০১৭১২৩৪৫৬৭৮')
  await user.click(submit())
  await dialog('Withdraw Request Sent')
  const { body } = server.received(requestWithdrawal)[0] ?? {}
  assert.deepEqual([body.withdrawalCoin, body.accountNumber], [400, '01712345678'])
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

test('an error at the account number ends when another payment system accepts it', async () => {
  await openForm(500)
  await fill(field(/^coins to withdraw/i), '400')
  await fill(field(/^account number/i), 'Sonali Bank, Dhanmondi, Ruma Akter, 0012345678')
  await user.click(submit())
  await until(() => assert.equal(field(/^account number/i).getAttribute('aria-invalid'), 'true'))
  await user.selectOptions(field(/^payment system/i), 'Bank')
  await until(() => assert.notEqual(field(/^account number/i).getAttribute('aria-invalid'), 'true'))
  await user.selectOptions(field(/^payment system/i), 'Nagad')
  await user.click(submit())
  await screen.findByText(/11-digit mobile number of the Nagad account/)
})

test('a saved destination is chosen, and another account can be typed', async () => {
  const waiting = aDestination({ accountNumber: '01812345678', usableAt: '2999-01-01T00:00:00.000Z' })
  const bank = aDestination({
    payment_system: 'Bank',
    accountNumber: '0012345678',
    bankName: 'Sonali Bank',
    account: 'Sonali Bank, Ruma Akter, 0012345678, routing 145261188',
  })
  server.serve(listDestinations, [waiting, bank])
  await openForm(500)
  const choice = field('Pay to') as HTMLSelectElement
  assert.equal(choice.value, bank._id)
  const [first] = choice.options
  assert.ok(first?.disabled)
  assert.match(first?.textContent ?? '', /bKash 01812345678 \(from .* 2999/)
  expectGone(screen.queryByLabelText(/^account number/i))
  await fill(field(/^coins to withdraw/i), '400')
  await user.click(submit())
  await dialog('Withdraw Request Sent')
  const { body } = server.received(requestWithdrawal)[0] ?? {}
  assert.deepEqual(
    [body.destinationId, body.payment_system, body.accountNumber],
    [bank._id, 'Bank', bank.account],
  )
  await user.click(within(await dialog()).getByRole('button'))
  await user.selectOptions(field('Pay to'), 'Another account')
  await screen.findByLabelText(/^account number/i)
})

test('the form says what can be withdrawn now, and what later', async () => {
  const until = new Date(Date.now() + 3 * 86_400_000 - 60_000).toISOString()
  server.serve(withdrawable, {
    verified: 300,
    unverified: 200,
    later: [{ cause: 'card', coins: 200, from: until, until }],
  })
  await openForm(500)
  await screen.findByText('You can withdraw 300 coins now.')
  screen.getByText('To an account that we have not paid yet: 200 coins.')
  screen.getByText(
    /200 coins were paid for by card recently, and will be available for withdrawal within 3 days/,
  )
  await fill(field(/^coins to withdraw/i), '301')
  assert.equal(submit().disabled, true)
  await fill(field(/^coins to withdraw/i), '300')
  assert.equal(submit().disabled, false)
})

test('where the limits leave less than the minimum, nothing can be withdrawn', async () => {
  const later = [{ cause: 'pair' as const, coins: 350, from: null, until: null }]
  server.serve(withdrawable, { verified: 0, unverified: 0, later })
  await openForm(500)
  await screen.findByText(
    'You cannot withdraw now: your withdrawable coins are below the minimum of 200 coins.',
  )
  screen.getByText(/350 coins come from one buyer/)
  expectGone(screen.queryByText(/that we have not paid yet/))
})

test('a limit of new accounts below the minimum leaves only accounts that were paid', async () => {
  server.serve(withdrawable, { verified: 500, unverified: 0, later: [] })
  await openForm(500)
  await screen.findByText('You can withdraw 500 coins now.')
  screen.getByText(/not paid yet: none, because .* less than the minimum of 200 coins/)
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
  let requests = [{ ...request, workerId: anId(), origin }]
  server.serve(pendingWithdrawals, () => requests)
  server.serve(claimPayout, { acknowledged: true, matchedCount: 1, modifiedCount: 1, awaitsSecond: false })
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

test('the reason of a decline that did not arrive stays, for this Admin', async () => {
  await openRequests()
  const openReason = async () => {
    // The list is read again first.
    await until(() => assert.equal((button(/^decline/i) as HTMLButtonElement).disabled, false))
    await user.click(button(/^decline/i))
    return within(await dialog('Decline this request?')).getByLabelText(/^reason/i) as HTMLTextAreaElement
  }
  await fill(await openReason(), 'Wrong number')
  server.offline = true
  await user.click(button('Decline'))
  await screen.findByText(/^No connection/)
  assert.equal(input(/^reason/i).value, 'Wrong number')
  server.offline = false
  const cancel = async () => {
    await user.click(button('Cancel'))
    await until(() => expectGone(screen.queryByRole('dialog')))
  }
  await cancel()
  assert.equal((await openReason()).value, 'Wrong number')
  await cancel()
  resetToken()
  await openApp('/dashboard/withdraw-request', { as: aUser('Admin', { name: 'Asha' }) })
  await screen.findByText('Asha')
  assert.equal((await openReason()).value, '')
})

test('requests are filtered by the status in the address', async () => {
  server.serve(pendingWithdrawals, [])
  await openApp('/dashboard/withdraw-request?status=declined&q=rafi', { as: aUser('Admin') })
  await until(() => assert.equal(server.received(pendingWithdrawals).length, 1))
  const { status, q } = server.received(pendingWithdrawals)[0]?.query ?? {}
  assert.deepEqual({ status, q }, { status: 'declined', q: 'rafi' })
})

test("the account number of a worker's own withdrawal can be copied", async () => {
  server.serveList(myWithdrawals, [aWithdrawal({ formatted: '2026-01-14' })])
  await openApp('/dashboard/withDrawal-form', { as: aUser('Worker', { coin: 500 }) })
  await screen.findByRole('button', { name: 'Copy account of the withdrawal of 14 Jan 2026' })
})
