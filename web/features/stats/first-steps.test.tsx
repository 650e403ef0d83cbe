import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { listDestinations } from '#contract/destinations.ts'
import { buyerStats, workerStats } from '#contract/stats.ts'
import { button, expectGone, openApp, server, user } from '#web/testing/app.tsx'
import { aDestination, aUser } from '#web/testing/records.ts'

const steps = async () => within(await screen.findByRole('region', { name: 'First steps' }))
const NO_WORK = { allTask: 0, pendingTask: 0, totalEarning: 0, totalWithdrawn: 0, withdrawnDollars: 0 }
const NO_TASKS = {
  totalPaid: 0,
  pendingWorkers: 0,
  totalTasks: 0,
  wallet: 0,
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
  assert.equal(localStorage.getItem(`first-steps-hidden ${worker.email}`), 'true')
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
