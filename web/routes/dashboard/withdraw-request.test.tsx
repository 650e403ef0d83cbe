import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { exchangeRate } from '#contract/exchange-rates.ts'
import { claimPayout, releasePayoutClaim } from '#contract/payouts.ts'
import { pendingWithdrawals, withdrawalRequestsFile, withdrawStatus } from '#contract/withdrawals.ts'
import {
  button,
  dialog,
  expectFocus,
  expectGone,
  fill,
  openApp,
  server,
  until,
  user,
} from '#web/testing/app.tsx'
import { aClaim, aFreeze, anId, aRisk, aWithdrawalRequest } from '#web/testing/records.ts'
import { admin, openRequests, updated } from '#web/testing/withdrawal-requests.ts'

describe('withdrawal requests', () => {
  test('the file of withdrawal requests has the filter of the screen', async () => {
    server.serve(pendingWithdrawals, [])
    server.serve(withdrawalRequestsFile, 'Request')
    await openApp('/dashboard/withdraw-request?status=declined&q=rafi', { as: admin })
    await screen.findByText('No requests found.')
    await user.click(button('Download CSV'))
    await until(() => assert.equal(server.received(withdrawalRequestsFile).length, 1))
    assert.deepEqual(server.received(withdrawalRequestsFile)[0]?.query, { status: 'declined', q: 'rafi' })
  })

  test('requests of other Admins and of batches cannot be selected', async () => {
    await openRequests(
      aWithdrawalRequest({ workerName: 'Free' }),
      aWithdrawalRequest({ workerName: 'Taken', payout: aClaim() }),
      aWithdrawalRequest({ workerName: 'Batched', payout: aClaim({ single: false, state: 'sent' }) }),
    )
    screen.getByRole('checkbox', { name: 'Select the request by Free' })
    expectGone(screen.queryByRole('checkbox', { name: /by (Taken|Batched)/ }))
    screen.getByRole('checkbox', { name: 'Select all 1' })
  })

  test('the buyers of the coins are shown with their disputed and refunded card payments', async () => {
    const mim = { _id: anId(), name: 'Mim', email: 'mim@example.com', coins: 200, accountAgeDays: 3 }
    const byBuyer = [{ ...mim, disputedCents: 500, refundedCents: 1250 }]
    const origin = { byBuyer, bonus: 0, purchased: 200, other: 0, flags: [] }
    await openRequests(aWithdrawalRequest({ workerName: 'Rafi', origin }))
    await user.click(button(/details/i))
    screen.getByText('$5.00 of their card payments are disputed')
    screen.getByText('$12.50 of their card payments were refunded')
  })

  test('a request that cannot be paid now can only be declined', async () => {
    const stopped = [
      aWithdrawalRequest({ workerName: 'Risky', risk: aRisk({ stopped: true }) }),
      aWithdrawalRequest({ workerName: 'Frozen', risk: aRisk({ freezes: [aFreeze()] }) }),
      aWithdrawalRequest({
        workerName: 'Disputed',
        origin: { byBuyer: [], bonus: 0, purchased: 200, other: 0, flags: ['disputed_coins'] },
      }),
      aWithdrawalRequest({ workerName: 'Corrected', payableAt: '2026-01-15T09:30:00.000Z' }),
    ]
    await openRequests(aWithdrawalRequest({ workerName: 'Free' }), ...stopped)
    screen.getByRole('button', { name: 'Payment Success for Free' })
    screen.getByRole('checkbox', { name: 'Select all 1' })
    screen.getByText(/^New account number, payable from .*15/)
    for (const { workerName } of stopped) {
      screen.getByRole('button', { name: `Decline request by ${workerName}` })
      expectGone(screen.queryByRole('button', { name: `Payment Success for ${workerName}` }))
      expectGone(screen.queryByRole('checkbox', { name: `Select the request by ${workerName}` }))
    }
  })
})

describe('claims of withdrawal requests', () => {
  test('after a payment the focus is on the next request', async () => {
    const requests = ['Rafi', 'Mitu', 'Jamil'].map((workerName) => aWithdrawalRequest({ workerName }))
    await openRequests(...requests)
    button('Payment Success for Mitu').focus()
    await user.keyboard('{Enter}')
    const asked = within(await dialog(/^Mark .* as paid/))
    await fill(asked.getByLabelText(/^transaction id/i), '9AB12C')
    server.serve(
      pendingWithdrawals,
      requests.filter(({ workerName }) => workerName !== 'Mitu'),
    )
    await user.click(asked.getByRole('button', { name: 'Payment Success' }))
    await dialog('Approved Payment Request')
    await until(() => expectGone(screen.queryByText('Mitu')))
    await user.keyboard('{Escape}')
    await until(() => expectFocus(screen.getByRole('link', { name: 'Jamil' })))
  })

  test('Payment Success takes the request, offers its values to copy and sends the transaction id', async () => {
    await openRequests(aWithdrawalRequest({ workerName: 'Rafi', withdrawal_amount: 12.5 }))
    await user.click(button(/^payment success/i))
    const asked = within(await dialog('Mark $12.50 as paid?'))
    assert.equal(server.received(claimPayout).length, 1)
    asked.getByText('01712345678')
    asked.getByRole('button', { name: 'Copy number' })
    asked.getByRole('button', { name: 'Copy amount' })
    await fill(asked.getByLabelText(/^transaction id/i), '9AB12C')
    await user.click(asked.getByRole('button', { name: 'Payment Success' }))
    await dialog('Approved Payment Request')
    assert.equal(server.received(withdrawStatus)[0]?.body.transactionId, '9AB12C')
  })

  for (const [payment_system, amount, poisha] of [
    ['Bkash', '৳3,037.50', 303_750],
    ['Other', '$25.00', null],
  ] as const) {
    test(`a payment to ${payment_system} shows ${amount}, and sends what it has shown`, async () => {
      server.serve(exchangeRate, {
        rate: {
          _id: anId(),
          currency: 'BDT',
          rate: '121.5',
          source: 'Bangladesh Bank',
          enteredAt: '2026-01-14T09:00:00.000Z',
          expiresAt: '2026-01-15T09:00:00.000Z',
        },
      })
      await openRequests(aWithdrawalRequest({ payment_system, withdrawalCoin: 500, withdrawal_amount: 25 }))
      await user.click(button(/^payment success/i))
      const asked = within(await dialog('Mark $25.00 as paid?'))
      asked.getByText(amount)
      assert.equal(asked.queryByText('$25.00 at ৳121.5 per dollar') !== null, poisha !== null)
      await user.click(asked.getByRole('button', { name: 'Payment Success' }))
      await dialog('Approved Payment Request')
      assert.equal(server.received(withdrawStatus)[0]?.body.poisha, poisha)
    })
  }

  test('a payment that could not be saved keeps its dialog and its transaction id, also when it is closed', async () => {
    await openRequests(aWithdrawalRequest({ withdrawal_amount: 12.5 }))
    server.refuse(withdrawStatus, 'unavailable', 'The server is restarting.')
    await user.click(button(/^payment success/i))
    const asked = within(await dialog('Mark $12.50 as paid?'))
    await fill(asked.getByLabelText(/^transaction id/i), '9AB12C')
    await user.click(asked.getByRole('button', { name: 'Payment Success' }))
    await asked.findByText('The server is restarting.')
    // Under the email it would be moved from this form when the user is read again.
    const keys = Object.keys(localStorage).filter((key) => key.startsWith('draft payment '))
    assert.deepEqual(
      keys.map((key) => key.includes('@')),
      [false],
    )
    await user.click(asked.getByRole('button', { name: 'Not yet' }))
    await until(() => expectGone(screen.queryByRole('dialog')))

    server.serve(withdrawStatus, updated())
    await user.click(button(/^payment success/i))
    const retried = within(await dialog('Mark $12.50 as paid?'))
    await user.click(retried.getByRole('button', { name: 'Payment Success' }))
    await dialog('Approved Payment Request')
    assert.equal(server.received(withdrawStatus).at(-1)?.body.transactionId, '9AB12C')
  })

  test('a request that another Admin has names them, and is taken over with a reason', async () => {
    await openRequests(aWithdrawalRequest({ payout: aClaim() }))
    screen.getByRole('link', { name: 'Farida Admin' })
    screen.getByText(/took this request/)
    expectGone(screen.queryByRole('button', { name: /^payment success/i }))
    expectGone(screen.queryByRole('button', { name: /^decline/i }))
    await user.click(button(/^take over/i))
    const asked = within(await dialog('Take over this request?'))
    await fill(asked.getByLabelText(/^reason/i), 'She is on leave')
    await user.click(asked.getByRole('button', { name: 'Take over' }))
    await until(() => assert.equal(server.received(claimPayout)[0]?.body.reason, 'She is on leave'))
  })

  test('a request that is taken meanwhile is not paid', async () => {
    await openRequests(aWithdrawalRequest())
    server.refuse(claimPayout, 'claimed', 'Farida Admin is paying this request.')
    await user.click(button(/^payment success/i))
    assert.match((await dialog()).textContent ?? '', /Farida Admin is paying this request/)
    assert.equal(server.received(withdrawStatus).length, 0)
  })

  test('a request that turns out to need another Admin is checked, and no money is asked for', async () => {
    await openRequests(aWithdrawalRequest())
    server.serve(claimPayout, { ...updated(), awaitsSecond: true })
    await user.click(button(/^payment success/i))
    await screen.findByText('Another Admin can pay it now.')
    expectGone(screen.queryByRole('dialog'))
    assert.equal(server.received(withdrawStatus).length, 0)
  })

  test('a request is not taken when the exchange rate could not be read', async () => {
    await openRequests(aWithdrawalRequest())
    server.refuse(exchangeRate, 'unavailable', 'The server is restarting.')
    await user.click(button(/^payment success/i))
    assert.match((await dialog('Could not take the request')).textContent ?? '', /The server is restarting/)
    assert.equal(server.received(claimPayout).length, 0)
  })

  test('an own claim is released', async () => {
    await openRequests(
      aWithdrawalRequest({ payout: aClaim({ claimedBy: { _id: admin._id, name: 'Asha' } }) }),
    )
    await user.click(button(/^release/i))
    await until(() => assert.equal(server.received(releasePayoutClaim).length, 1))
  })

  test('where two Admins are needed, the first checks and the second pays', async () => {
    const mine = aClaim({ claimedBy: { _id: admin._id, name: 'Asha' } })
    await openRequests(
      aWithdrawalRequest({ workerName: 'New', twoPeople: true }),
      aWithdrawalRequest({ workerName: 'Mine', twoPeople: true, payout: mine }),
      aWithdrawalRequest({ workerName: 'Hers', twoPeople: true, payout: aClaim() }),
    )
    expectGone(screen.queryByRole('button', { name: 'Payment Success for New' }))
    expectGone(screen.queryByRole('button', { name: /(Payment Success|Check payment) for Mine/ }))
    button('Payment Success for Hers')
    await user.click(button('Check payment for New'))
    await screen.findByText('Payment checked')
    assert.equal(server.received(withdrawStatus).length, 0)
  })
})
