import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import {
  endFreeze,
  freezeUser,
  freezeWithdrawal,
  type ListedFreeze,
  listFreezes,
  myFreezes,
  respondToFreeze,
} from '#contract/freezes.ts'
import { clearRisk } from '#contract/risk.ts'
import { pendingWithdrawals } from '#contract/withdrawals.ts'
import { button, dialog, field, fill, openApp, server, user } from '#web/testing/app.tsx'
import { aFreeze, anId, aRisk, aUser, aWithdrawalRequest } from '#web/testing/records.ts'

const aListedFreeze = (change: Partial<ListedFreeze> = {}): ListedFreeze => ({
  ...aFreeze(),
  userId: anId(),
  name: 'Ruma',
  email: 'ruma@example.com',
  frozenBy: 'Asha',
  frozenById: anId(),
  ...change,
})

async function giveReason(title: RegExp | string, confirmLabel: string, reason: string) {
  const shown = await dialog(title)
  await fill(within(shown).getByLabelText(/reason/i), reason)
  await user.click(within(shown).getByRole('button', { name: confirmLabel }))
}

test('a frozen user reads why and responds', async () => {
  const freeze = aFreeze()
  server.serveList(myFreezes, [
    freeze,
    aFreeze({ subject: 'withdrawal', coins: 400, endedAt: freeze.frozenAt, endReason: 'Explained' }),
  ])
  server.serve(respondToFreeze, { acknowledged: true })
  await openApp('/dashboard/account-freeze', { as: aUser('Worker') })
  assert.equal((await screen.findAllByText('Three people use this number')).length, 2)
  screen.getByText(/Explained/)
  await user.click(button('Send response'))
  assert.equal(server.received(respondToFreeze).length, 0)
  await fill(field(/your response/i), 'It is the phone of my family')
  await user.click(button('Send response'))
  await screen.findByText('Your response was sent.')
  const [{ params, body } = {}] = server.received(respondToFreeze)
  assert.deepEqual([params?.id, body], [freeze._id, { text: 'It is the phone of my family' }])
})

test('a response that was not sent is kept as a draft until it is', async () => {
  const worker = aUser('Worker')
  server.serveList(myFreezes, [aFreeze()])
  server.serve(respondToFreeze, { acknowledged: true })
  const open = () => openApp('/dashboard/account-freeze', { as: worker })
  const response = () => screen.findByLabelText(/your response/i)
  await open()
  await fill(await response(), 'It is the phone of my family')
  await open()
  assert.equal(((await response()) as HTMLTextAreaElement).value, 'It is the phone of my family')
  await user.click(button('Send response'))
  await screen.findByText('Your response was sent.')
  await open()
  assert.equal(((await response()) as HTMLTextAreaElement).value, '')
})

test('an Admin reads responses and ends a freeze with a reason', async () => {
  const freeze = aListedFreeze({ response: 'It is the phone of my family' })
  server.serveList(listFreezes, [freeze])
  server.serve(endFreeze, { acknowledged: true, modifiedCount: 1 })
  await openApp('/dashboard/freezes', { as: aUser('Admin') })
  await screen.findByText('It is the phone of my family')
  await user.click(button('End freeze'))
  await giveReason('End this freeze?', 'End freeze', 'Confirmed by phone')
  assert.deepEqual(server.received(endFreeze)[0]?.body, { reason: 'Confirmed by phone' })
})

const openDetails = async () => user.click(await screen.findByRole('button', { name: /^Details/ }))

test('a request shows its score with reasons in words and links, and an Admin clears it', async () => {
  const request = aWithdrawalRequest({
    risk: aRisk({
      score: 80,
      stopped: true,
      reasons: [
        {
          kind: 'closed_circle',
          points: 60,
          params: { percent: 97, users: [{ _id: anId(), name: 'Kamal', email: 'kamal@example.com' }] },
        },
        { kind: 'high_rewards', points: 20, params: { percent: 97, coins: 200, usual: 10 } },
      ],
    }),
  })
  server.serveList(pendingWithdrawals, [request])
  server.serve(clearRisk, { acknowledged: true })
  await openApp('/dashboard/withdraw-request', { as: aUser('Admin') })
  const brief = await screen.findByText(
    /97% of the coins come from buyers who pay almost nobody but this worker/,
  )
  // What does not fit is cut off, but never the number of the others.
  assert.match(brief.className, /line-clamp-2/)
  assert.equal(brief.nextElementSibling?.textContent, '(+1)')
  screen.getByText('Risk 80 of 100')
  await openDetails()
  assert.match(
    screen.getByRole('link', { name: 'Kamal' }).getAttribute('href') ?? '',
    /^\/dashboard\/manage-users\/[0-9a-f-]{36}$/,
  )
  await user.click(button('Clear for payment'))
  await giveReason('Clear this request for payment?', 'Clear for payment', 'A regular customer')
  await screen.findByText('The request can be paid.')
  const [{ params, body } = {}] = server.received(clearRisk)
  assert.deepEqual([params?.id, body], [request._id, { reason: 'A regular customer' }])
})

test('an Admin freezes a request, or the account of its worker', async () => {
  const risk = aRisk()
  const request = aWithdrawalRequest({ risk })
  server.serveList(pendingWithdrawals, [request])
  const frozen = { acknowledged: true, freezeId: anId(), modifiedCount: 1 }
  server.serve(freezeWithdrawal, frozen)
  server.serve(freezeUser, frozen)
  await openApp('/dashboard/withdraw-request', { as: aUser('Admin') })
  await openDetails()
  screen.getByText('Nothing unusual was found.')
  await user.click(button('Freeze request'))
  await giveReason('Freeze this request?', 'Freeze request', 'Please confirm the number')
  await screen.findByText('The request is frozen.')
  assert.equal(server.received(freezeWithdrawal)[0]?.params?.id, request._id)
  await user.click(button('Freeze account'))
  await giveReason(/Freeze the account/, 'Freeze account', 'Three people use this number')
  await screen.findByText('The account is frozen.')
  assert.equal(server.received(freezeUser)[0]?.params?.id, risk.workerId)
})

test('a frozen request shows its freeze instead of the button', async () => {
  const freezes = [aFreeze({ subject: 'withdrawal', response: 'Why?' })]
  server.serveList(pendingWithdrawals, [aWithdrawalRequest({ risk: aRisk({ freezes }) })])
  await openApp('/dashboard/withdraw-request', { as: aUser('Admin') })
  await screen.findByText('Request frozen')
  await openDetails()
  screen.getByText('Why?')
  assert.equal(screen.queryByRole('button', { name: 'Freeze request' }), null)
  button('Freeze account')
})
