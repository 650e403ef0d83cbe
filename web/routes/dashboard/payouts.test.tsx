import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { payoutFileProfiles, payoutFilesOfBatch } from '#contract/payout-files.ts'
import {
  cancelPayoutBatch,
  checkPayoutBatch,
  confirmPayout,
  confirmPayoutBatch,
  createPayoutBatch,
  failPayout,
  listPayoutBatches,
  type PayoutBatchDetails,
  payoutBatch,
  releasePayoutBatch,
  setPayoutProvider,
} from '#contract/payouts.ts'
import { queryClient } from '#web/lib/queries.ts'
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
import { anId, aPayout, aPayoutBatch, aWithdrawalRequest } from '#web/testing/records.ts'
import { admin, openRequests, updated } from '#web/testing/withdrawal-requests.ts'

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
      return { ...updated(), modifiedCount: to === 'confirmed' ? 20 : 1 }
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
    await screen.findByText('The workers have been notified.')
    assert.equal(clicks, 5)
    assert.equal(server.received(createPayoutBatch)[0]?.body.withdrawalIds.length, 20)
    assert.equal(server.received(confirmPayoutBatch)[0]?.body.payoutIds.length, 20)
  })

  test('payouts that were stopped after the page was loaded are not reported as paid', async () => {
    const payouts = [aPayout({ state: 'sent' }), aPayout({ state: 'sent' }), aPayout({ state: 'sent' })]
    const batch = aPayoutBatch({ state: 'released', payouts })
    server.serve(payoutBatch, batch)
    server.serve(payoutFileProfiles, [])
    server.serve(payoutFilesOfBatch, [])
    server.serve(confirmPayoutBatch, updated())
    await openApp(`/dashboard/payouts/${batch._id}`, { as: admin })
    await user.click(await screen.findByRole('button', { name: 'Mark all as paid' }))
    const asked = within(await dialog('Mark $30.00 as paid?'))
    await user.click(asked.getByRole('button', { name: 'Payment Success' }))
    const shown = await dialog('1 of 3 payments marked as paid')
    assert.match(shown.textContent ?? '', /2 payouts were stopped or settled after this page was loaded/)
    expectGone(screen.queryByText('The workers have been notified.'))
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

  for (const [change, now] of [
    ['paid', { state: 'confirmed' }],
    ['stopped', { stopped: true }],
  ] as const)
    test(`a payout that was ${change} after the page was loaded is not offered for payment`, async () => {
      const payout = aPayout({ workerName: 'Mina', state: 'sent' })
      const batch = aPayoutBatch({ state: 'released', payouts: [payout] })
      server.serve(payoutBatch, () => batch)
      server.serve(payoutFileProfiles, [])
      server.serve(payoutFilesOfBatch, [])
      await openApp(`/dashboard/payouts/${batch._id}`, { as: admin })
      await screen.findByRole('button', { name: 'Paid : Mina' })
      batch.payouts = [{ ...payout, ...now }]
      await user.click(button('Paid : Mina'))
      const shown = await dialog('Do not pay this yet')
      assert.match(shown.textContent ?? '', /The payout to Mina was settled or stopped/)
    })

  test('a payout whose row says that it is stopped can be confirmed: it may have been paid before', async () => {
    const payout = aPayout({ workerName: 'Mina', state: 'sent', stopped: true })
    const batch = aPayoutBatch({ state: 'released', payouts: [payout] })
    server.serve(payoutBatch, batch)
    server.serve(payoutFileProfiles, [])
    server.serve(payoutFilesOfBatch, [])
    await openApp(`/dashboard/payouts/${batch._id}`, { as: admin })
    await user.click(await screen.findByRole('button', { name: 'Paid : Mina' }))
    await dialog('Mark $10.00 as paid?')
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

  test('a payout whose provider is not set up any more can only fail', async () => {
    const payout = aPayout({ state: 'sent', workerName: 'Rafi' })
    const batch = aPayoutBatch({
      state: 'released',
      provider: 'sandbox',
      providers: ['sandbox'],
      payouts: [payout],
    })
    server.serve(payoutBatch, () => batch)
    await openApp(`/dashboard/payouts/${batch._id}`, { as: admin })
    await screen.findAllByText('Rafi')
    const steps = () => screen.queryAllByRole('button', { name: /: Rafi$/ }).map((step) => step.textContent)
    assert.deepEqual(steps(), [])
    batch.providers = []
    await queryClient.invalidateQueries()
    await until(() => assert.deepEqual(steps(), ['Failed: Rafi', 'Return coins: Rafi']))
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

  test("a payout batch shows the provider's fee of each payout, and their total", async () => {
    const payouts = [
      aPayout({ state: 'confirmed', poisha: 121_500, feePoisha: 500 }),
      aPayout({ state: 'confirmed', poisha: 121_500, feePoisha: 1850 }),
      aPayout({ state: 'sent', poisha: 121_500 }),
    ]
    const batch = aPayoutBatch({ state: 'settling', rate: '121.5', payouts })
    server.serve(payoutBatch, batch)
    server.serve(payoutFileProfiles, [])
    server.serve(payoutFilesOfBatch, [])
    await openApp(`/dashboard/payouts/${batch._id}`, { as: admin })
    await screen.findByText('৳23.50')
    screen.getByText("Provider's fee: ৳5.00")
    screen.getByText("Provider's fee: ৳18.50")
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
