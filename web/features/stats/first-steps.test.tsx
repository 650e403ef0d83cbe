import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { listDestinations } from '#contract/destinations.ts'
import { OPERATOR_SETTINGS, operatorSettings, type SettingName } from '#contract/operator-settings.ts'
import { adminFirstSteps, adminStats, buyerStats, workerStats } from '#contract/stats.ts'
import type { Reply } from '#web/lib/api.ts'
import { button, expectFocus, expectGone, openApp, server, user } from '#web/testing/app.tsx'
import { EarlierReply } from '#web/testing/fake-server.ts'
import { aDestination, aUser } from '#web/testing/records.ts'

const steps = async () => within(await screen.findByRole('region', { name: 'First steps' }))
const NO_WORK = { allTask: 0, pendingTask: 0, totalEarning: 0, totalWithdrawn: 0, withdrawnDollars: 0 }
const NO_TASKS = {
  totalPaid: 0,
  pendingWorkers: 0,
  totalTasks: 0,
  wallet: 0,
  totalSubmissions: 0,
  pendingReviews: 0,
  inEscrow: 0,
}

test('a new worker sees first steps with one button, not zeros', async () => {
  server.serve(workerStats, NO_WORK)
  server.serve(listDestinations, [aDestination()])
  await openApp('/dashboard', { as: aUser('Worker') })
  const links = (await steps()).getAllByRole('link')
  assert.deepEqual(
    links.map((link) => link.getAttribute('href')),
    ['/dashboard/available-task'],
  )
  assert.equal((await steps()).getAllByText('Done').length, 1)
  expectGone(screen.queryByText('Coins earned'))
})

test('first steps that were hidden stay hidden', async () => {
  server.serve(workerStats, NO_WORK)
  const worker = aUser('Worker')
  await openApp('/dashboard', { as: worker })
  await steps()
  await user.click(button('Hide'))
  await screen.findByText('Submissions')
  expectGone(screen.queryByRole('region', { name: 'First steps' }))
  expectFocus(screen.getByRole('main'))
  assert.equal(localStorage.getItem(`first-steps-hidden ${worker._id}`), 'true')
})

test("a new buyer's button leads to what comes next", async () => {
  server.serve(buyerStats, NO_TASKS)
  await openApp('/dashboard', { as: aUser('Buyer', { coin: 50 }) })
  const shown = await steps()
  assert.deepEqual(
    shown.getAllByRole('link').map((link) => link.getAttribute('href')),
    ['/dashboard/add-task'],
  )
  shown.getByText('You have 50 coins.')
})

test('a buyer whose only work is rejected or being revised sees the statistics', async () => {
  server.serve(buyerStats, { ...NO_TASKS, totalTasks: 1, totalSubmissions: 1 })
  await openApp('/dashboard', { as: aUser('Buyer') })
  await screen.findByText('Pending reviews')
  expectGone(screen.queryByRole('region', { name: 'First steps' }))
})

test('the reply of a server of the version before, without the number of submissions, is enough', async () => {
  const { totalSubmissions: _, ...earlier } = { ...NO_TASKS, totalTasks: 1, pendingReviews: 1 }
  server.serve(buyerStats, () => new EarlierReply(earlier))
  await openApp('/dashboard', { as: aUser('Buyer') })
  await screen.findByText('Pending reviews')
})

function anAdminStats(change: Partial<Reply<typeof adminStats>>): Reply<typeof adminStats> {
  const books = {
    inEscrow: 0,
    onHold: 0,
    paidOut: 0,
    issuedAsBonus: 0,
    boughtByCard: 0,
    sweptToHouse: 0,
    debts: 0,
    difference: 0,
  }
  const solvency = {
    coinsOutstanding: 0,
    owedCents: 0,
    receivedCents: 0,
    unmatchedCents: 0,
    feeCents: 0,
    taxCents: 0,
    paidOutCents: 0,
    coverCents: 0,
  }
  return {
    totalWorker: 1,
    totalBuyer: 0,
    totalPayments: 0,
    grossPayments: 0,
    totalCoin: 0,
    books,
    solvency,
    ...change,
  }
}

const SETTINGS = Object.entries(OPERATOR_SETTINGS).map(([name, setting]) => ({
  name: name as SettingName,
  version: 1,
  value: setting.default,
  changes: [],
  proposal: null,
}))

const NOTHING_DONE = {
  cardPayments: false,
  seller: false,
  exchangeRate: false,
  secondAdmin: false,
  payoutRules: false,
  backupAt: null,
}

test('an Admin of an empty marketplace sees what it needs instead of zeros, with one button', async () => {
  server.serve(adminStats, anAdminStats({ totalWorker: 0, totalBuyer: 0 }))
  server.serve(adminFirstSteps, { ...NOTHING_DONE, cardPayments: true })
  await openApp('/dashboard', { as: aUser('Admin') })
  const shown = await steps()
  assert.deepEqual(
    shown.getAllByRole('link').map((link) => link.getAttribute('href')),
    ['/dashboard/settings#seller'],
  )
  assert.equal(shown.getAllByText('Done').length, 1)
  // The same command works every day, and its backups are rehearsed.
  shown.getByText('npm run backup:scheduled -- /backups')
  expectGone(screen.queryByText('Total coins'))
})

test('with users the statistics stay below the steps', async () => {
  server.serve(operatorSettings, SETTINGS)
  server.serve(adminStats, anAdminStats({ totalWorker: 3 }))
  server.serve(adminFirstSteps, { ...NOTHING_DONE, backupAt: '2026-11-20T02:00:00.000Z' })
  await openApp('/dashboard', { as: aUser('Admin') })
  ;(await steps()).getByText('Connect the card processor')
  await screen.findByText('Total coins')
})

test('an Admin who has done everything sees the statistics', async () => {
  server.serve(operatorSettings, SETTINGS)
  server.serve(adminStats, anAdminStats({ totalWorker: 0 }))
  await openApp('/dashboard', { as: aUser('Admin') })
  await screen.findByText('Total coins')
  expectGone(screen.queryByRole('region', { name: 'First steps' }))
})
