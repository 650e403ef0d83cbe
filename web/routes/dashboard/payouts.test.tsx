import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { exchangeRate } from '#contract/exchange-rates.ts'
import { payoutFileProfiles, payoutFilesOfBatch } from '#contract/payout-files.ts'
import {
  cancelPayoutBatch,
  checkPayoutBatch,
  claimPayout,
  confirmPayout,
  confirmPayoutBatch,
  createPayoutBatch,
  failPayout,
  listPayoutBatches,
  type PayoutBatchDetails,
  payoutBatch,
  releasePayoutBatch,
  releasePayoutClaim,
  setPayoutProvider,
} from '#contract/payouts.ts'
import {
  pendingWithdrawals,
  type WithdrawalRequest,
  withdrawalRequestsFile,
  withdrawStatus,
} from '#contract/withdrawals.ts'
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
import { EarlierReply } from '#web/testing/fake-server.ts'
import {
  aClaim,
  aFreeze,
  anId,
  aPayout,
  aPayoutBatch,
  aRisk,
  aUser,
  aWithdrawalRequest,
} from '#web/testing/records.ts'

const updated = (modifiedCount = 1) => ({ acknowledged: true, matchedCount: 1, modifiedCount })
const admin = aUser('Admin', { name: 'Asha' })

async function openRequests(...requests: WithdrawalRequest[]) {
  server.serve(pendingWithdrawals, requests)
  server.serve(claimPayout, updated())
  server.serve(releasePayoutClaim, updated())
  server.serve(withdrawStatus, updated())
  await openApp('/dashboard/withdraw-request', { as: admin })
  await screen.findByRole('list', { name: 'Withdrawal requests' })
}

describe('claims of withdrawal requests', () => {
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

test('the file of withdrawal requests has the filter of the screen', async () => {
  server.serve(pendingWithdrawals, [])
  server.serve(withdrawalRequestsFile, 'Request')
  await openApp('/dashboard/withdraw-request?status=declined&q=rafi', { as: admin })
  await screen.findByText('No requests found.')
  await user.click(button('Download CSV'))
  await until(() => assert.equal(server.received(withdrawalRequestsFile).length, 1))
  assert.deepEqual(server.received(withdrawalRequestsFile)[0]?.query, { status: 'declined', q: 'rafi' })
})

describe('payout batches', () => {
  test('twenty requests are paid with five clicks', async () => {
    const requests = Array.from({ length: 20 }, () => aWithdrawalRequest())
    const payouts = requests.map(({ _id }) => aPayout({ withdrawalId: _id }))
    let batch = aPayoutBatch({ payouts })
    const move = (state: PayoutBatchDetails['state'], to: 'sent' | 'confirmed') => () => {
      batch = aPayoutBatch({
        ...batch,
        state,
        payouts: payouts.map((payout) => ({ ...payout, state: to })),
        counts: { ...batch.counts, queued: 0, sent: 0, confirmed: 0, [to]: 20 },
      })
      return updated()
    }
    server.serve(createPayoutBatch, () => ({ acknowledged: true, insertedId: batch._id, payouts: 20 }))
    server.serve(payoutBatch, () => batch)
    server.serve(releasePayoutBatch, move('released', 'sent'))
    server.serve(confirmPayoutBatch, move('reconciled', 'confirmed'))
    server.serve(payoutFileProfiles, [])
    server.serve(payoutFilesOfBatch, [])
    await openRequests(...requests)

    let clicks = 0
    const click = async (element: HTMLElement) => {
      clicks++
      await user.click(element)
    }
    await click(screen.getByRole('checkbox', { name: 'Select all 20' }))
    screen.getByText('20 selected, $200.00')
    await click(button('Create payout batch'))
    await screen.findByRole('heading', { name: 'Payout Batch' })
    await click(await screen.findByRole('button', { name: 'Release' }))
    await click(await screen.findByRole('button', { name: 'Mark all as paid' }))
    const asked = within(await dialog('Mark $200.00 as paid?'))
    await click(asked.getByRole('button', { name: 'Payment Success' }))
    await screen.findByText('Reconciled')
    assert.equal(clicks, 5)
    assert.equal(server.received(createPayoutBatch)[0]?.body.withdrawalIds.length, 20)
    assert.equal(server.received(confirmPayoutBatch)[0]?.body.payoutIds.length, 20)
  })

  test('the focus goes to the content when a batch is released, and stays in the row of a payout that is paid or failed', async () => {
    const sent = (workerName: string) => aPayout({ workerName, state: 'sent' })
    let batch = aPayoutBatch({ payouts: [aPayout({ workerName: 'Rafi' }), aPayout({ workerName: 'Mina' })] })
    server.serve(payoutBatch, () => batch)
    server.serve(payoutFileProfiles, [])
    server.serve(payoutFilesOfBatch, [])
    server.serve(releasePayoutBatch, () => {
      batch = aPayoutBatch({ ...batch, state: 'released', payouts: [sent('Rafi'), sent('Mina')] })
      return updated()
    })
    server.serve(confirmPayout, ({ params }) => {
      const payouts = batch.payouts.map((payout) =>
        payout._id === params.id ? { ...payout, state: 'confirmed' as const } : payout,
      )
      batch = aPayoutBatch({ ...batch, payouts })
      return updated()
    })
    await openApp(`/dashboard/payouts/${batch._id}`, { as: admin })
    await user.click(await screen.findByRole('button', { name: 'Release' }))
    await screen.findByRole('button', { name: 'Mark all as paid' })
    await until(() => expectFocus(screen.getByRole('main')))

    await user.click(button('Paid : Mina'))
    const paid = within(await dialog('Mark $10.00 as paid?'))
    assert.equal(server.received(confirmPayout).length, 0)
    await fill(paid.getByLabelText(/^transaction id/i), '9AB12C')
    await user.click(paid.getByRole('button', { name: 'Payment Success' }))
    await until(() => expectGone(screen.queryByRole('button', { name: 'Paid : Mina' })))
    await until(() => expectFocus(screen.getByRole('link', { name: 'Mina' })))
    assert.deepEqual(server.received(confirmPayout)[0]?.body, { transactionId: '9AB12C' })

    server.serve(failPayout, ({ params }) => {
      const payouts = batch.payouts.map((payout) =>
        payout._id === params.id ? { ...payout, state: 'failed' as const } : payout,
      )
      batch = aPayoutBatch({ ...batch, payouts })
      return updated()
    })
    await user.click(button('Failed : Rafi'))
    const asked = within(await dialog('Did this payment fail?'))
    await fill(asked.getByLabelText(/^reason/i), 'The account is closed')
    await user.click(asked.getByRole('button', { name: 'Mark as failed' }))
    await until(() => expectGone(screen.queryByRole('button', { name: 'Failed : Rafi' })))
    await until(() => expectFocus(screen.getByRole('link', { name: 'Rafi' })))
  })

  test('a released batch offers its files', async () => {
    const released = aPayoutBatch({ state: 'released', releasedAt: '2026-01-14T09:00:00.000Z' })
    const file = {
      _id: anId(),
      profile: 'Wise',
      sha256: 'a'.repeat(64),
      rows: 20,
      cents: 20_000,
      poisha: null,
      exportedBy: 'Asha',
      exportedById: anId(),
      exportedAt: '2026-01-14T09:05:00.000Z',
      stopped: [],
    }
    server.serve(payoutBatch, released)
    server.serve(payoutFileProfiles, [])
    server.serve(payoutFilesOfBatch, [file])
    await openApp(`/dashboard/payouts/${released._id}`, { as: admin })
    const files = within(await screen.findByRole('region', { name: 'Payout files' }))
    files.getByText('Wise: 20 rows, $200.00')
    files.getByRole('button', { name: 'Download CSV' })
  })

  test('a payout that stops the release of its batch says so in its row', async () => {
    const payouts = [aPayout({ stopped: true }), aPayout({ workerName: 'Rafi' })]
    const draft = aPayoutBatch({ payouts })
    server.serve(payoutBatch, draft)
    await openApp(`/dashboard/payouts/${draft._id}`, { as: admin })
    const rows = await screen.findAllByText(/Remove it, or resolve this before you release the payout batch/)
    assert.equal(rows.length, 1)
  })

  test('a payout that is stopped after its file was made is named beside it, and in its row', async () => {
    const payouts = [
      aPayout({ state: 'sent', reference: 'TW0000000001', stopped: true }),
      aPayout({ state: 'sent', workerName: 'Rafi' }),
    ]
    const exportedAt = '2026-01-14T09:05:00.000Z'
    const exported = aPayoutBatch({
      state: 'exported',
      releasedAt: '2026-01-14T09:00:00.000Z',
      exportedAt,
      payouts,
    })
    server.serve(payoutBatch, exported)
    server.serve(payoutFileProfiles, [])
    server.serve(payoutFilesOfBatch, [
      {
        _id: anId(),
        profile: 'Wise',
        sha256: 'a'.repeat(64),
        rows: 2,
        cents: 2000,
        poisha: null,
        exportedBy: 'Asha',
        exportedById: anId(),
        exportedAt: '2026-01-14T09:05:00.000Z',
        stopped: ['TW0000000001'],
      },
    ])
    await openApp(`/dashboard/payouts/${exported._id}`, { as: admin })
    const files = within(await screen.findByRole('region', { name: 'Payout files' }))
    const warning = files.getByRole('alert').textContent ?? ''
    assert.match(warning, /^1 payout in this file was stopped after it was made: TW0000000001\./)
    expectGone(files.queryByRole('button', { name: 'Create file' }))
    assert.equal(screen.getAllByText(/^Stopped after the file was made/).length > 0, true)
    assert.deepEqual(
      screen.getAllByRole('button', { name: /^Paid/ }).map(({ textContent }) => textContent),
      ['Paid: Rafi'],
    )
    await user.click(button('Mark all as paid'))
    const asked = await dialog('Mark $10.00 as paid?')
    assert.match(asked.textContent ?? '', /1 stopped payout will be marked as unknown/)
  })

  test('a draft offers the provider that is set up, and nothing where there is none', async () => {
    const batch = aPayoutBatch({ providers: ['sandbox'] })
    server.serve(payoutBatch, () => batch)
    server.serve(setPayoutProvider, () => {
      batch.provider = 'sandbox'
      return updated()
    })
    await openApp(`/dashboard/payouts/${batch._id}`, { as: admin })
    await user.selectOptions(
      await screen.findByRole('combobox', { name: 'Paid by' }),
      'Sandbox (no money moves)',
    )
    await until(() => assert.deepEqual(server.received(setPayoutProvider)[0]?.body, { provider: 'sandbox' }))
    await until(() => {
      const choice = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Paid by' })
      assert.equal(choice.value, 'sandbox')
    })
  })

  test('without a provider a batch is paid by hand or by a file', async () => {
    const batch = aPayoutBatch()
    server.serve(payoutBatch, batch)
    await openApp(`/dashboard/payouts/${batch._id}`, { as: admin })
    await screen.findByText('Manual or payout file')
    expectGone(screen.queryByRole('combobox', { name: 'Paid by' }))
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

  test('a request that cannot be paid now can only be declined', async () => {
    const stopped = [
      aWithdrawalRequest({ workerName: 'Risky', risk: aRisk({ stopped: true }) }),
      aWithdrawalRequest({ workerName: 'Frozen', risk: aRisk({ freezes: [aFreeze()] }) }),
      aWithdrawalRequest({
        workerName: 'Disputed',
        origin: { byBuyer: [], bonus: 0, purchased: 200, other: 0, flags: ['disputed_coins'] },
      }),
    ]
    await openRequests(aWithdrawalRequest({ workerName: 'Free' }), ...stopped)
    screen.getByRole('button', { name: 'Payment Success for Free' })
    screen.getByRole('checkbox', { name: 'Select all 1' })
    for (const { workerName } of stopped) {
      screen.getByRole('button', { name: `Decline request by ${workerName}` })
      expectGone(screen.queryByRole('button', { name: `Payment Success for ${workerName}` }))
      expectGone(screen.queryByRole('checkbox', { name: `Select the request by ${workerName}` }))
    }
  })

  test('the Admin who checked a batch cannot release it where two are needed', async () => {
    const batch = aPayoutBatch({ twoPeople: true })
    server.serve(payoutBatch, batch)
    server.serve(checkPayoutBatch, () => {
      Object.assign(batch, { state: 'checked', checkedBy: { _id: admin._id, name: 'Asha' } })
      return updated()
    })
    await openApp(`/dashboard/payouts/${batch._id}`, { as: admin })
    await user.click(await screen.findByRole('button', { name: 'Check' }))
    await screen.findByText('You checked it. Another Admin releases it.')
    expectGone(screen.queryByRole('button', { name: 'Release' }))
  })

  test('a payout batch is cancelled after a confirmation', async () => {
    const batch = aPayoutBatch()
    server.serve(payoutBatch, batch)
    server.serve(cancelPayoutBatch, updated())
    await openApp(`/dashboard/payouts/${batch._id}`, { as: admin })
    await user.click(await screen.findByRole('button', { name: 'Cancel payout batch' }))
    const asked = within(await dialog('Cancel this payout batch?'))
    await user.click(asked.getByRole('button', { name: 'Cancel payout batch' }))
    await until(() => assert.equal(server.received(cancelPayoutBatch).length, 1))
  })

  test('a failed payment returns its coins with a reason', async () => {
    const payout = aPayout({ state: 'sent', workerName: 'Rafi' })
    const batch = aPayoutBatch({ state: 'released', payouts: [payout] })
    server.serve(payoutBatch, batch)
    server.serve(failPayout, updated())
    await openApp(`/dashboard/payouts/${batch._id}`, { as: admin })
    await user.click(await screen.findByRole('button', { name: /^return coins/i }))
    const asked = within(await dialog())
    await fill(asked.getByLabelText(/^reason/i), 'This wallet is closed')
    await user.click(asked.getByRole('button', { name: 'Return the coins' }))
    await until(() => assert.equal(server.received(failPayout).length, 1))
    const [received] = server.received(failPayout)
    assert.deepEqual(received?.body, { reason: 'This wallet is closed', returnCoins: true })
  })

  test('a released batch shows its rate and the amounts in taka', async () => {
    const payouts = [
      aPayout({ state: 'sent', poisha: 121_500 }),
      aPayout({ state: 'sent', payment_system: 'Other' }),
    ]
    const batch = aPayoutBatch({ state: 'released', rate: '121.5', payouts })
    server.serve(payoutBatch, batch)
    server.serve(payoutFileProfiles, [])
    server.serve(payoutFilesOfBatch, [])
    await openApp(`/dashboard/payouts/${batch._id}`, { as: admin })
    await screen.findByText('1 dollar = ৳121.5')
    const list = within(screen.getByRole('table', { name: 'Payouts' }))
    list.getByText('৳1,215.00')
    assert.equal(list.getAllByText('$10.00').length, 2)
  })

  test('a released batch of a server of the previous version is in dollars', async () => {
    const { poisha: _, ...payout } = aPayout({ state: 'sent', workerName: 'Rafi' })
    const { rate: __, ...batch } = aPayoutBatch({ state: 'released' })
    server.serve(payoutBatch, () => new EarlierReply({ ...batch, payouts: [payout] }))
    server.serve(payoutFileProfiles, [])
    server.serve(payoutFilesOfBatch, [])
    await openApp(`/dashboard/payouts/${batch._id}`, { as: admin })
    await user.click(await screen.findByRole('button', { name: /^paid.*rafi/i }))
    const asked = within(await dialog('Mark $10.00 as paid?'))
    asked.getByText('$10.00')
    expectGone(screen.queryByText(/NaN|per dollar|1 dollar/))
  })

  test('what is typed at the bank can be copied from a row', async () => {
    const payout = aPayout({
      state: 'confirmed',
      workerName: 'Rafi',
      routingNumber: '085261234',
      transactionId: 'TX9',
    })
    const batch = aPayoutBatch({ state: 'reconciled', payouts: [payout] })
    server.serve(payoutBatch, batch)
    await openApp(`/dashboard/payouts/${batch._id}`, { as: admin })
    for (const name of ['amount', 'account number', 'reference', 'routing number', 'transaction ID'])
      await screen.findByRole('button', { name: `Copy ${name} of Rafi` })
  })

  test('batches are listed with their progress', async () => {
    const {
      twoPeople: _,
      payouts: __,
      ...batch
    } = aPayoutBatch({
      state: 'settling',
      payouts: [aPayout({ state: 'confirmed' }), aPayout({ state: 'sent' })],
    })
    server.serveList(listPayoutBatches, [{ ...batch, _id: anId() }])
    await openApp('/dashboard/payouts', { as: admin })
    await screen.findByText('1 of 2 payouts settled')
    screen.getByText('$20.00')
  })
})
