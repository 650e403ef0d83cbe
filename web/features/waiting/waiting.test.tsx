import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { setMailPreferences } from '#contract/mail.ts'
import { site } from '#contract/site.ts'
import { adminStats, workerStats } from '#contract/stats.ts'
import { myTask } from '#contract/tasks.ts'
import { type Waiting, type WaitingKind, waiting } from '#contract/waiting.ts'
import { button, expectGone, openApp, server, until, user } from '#web/testing/app.tsx'
import { SITE } from '#web/testing/fake-server.ts'
import { aUser } from '#web/testing/records.ts'

const DAY_MS = 86_400_000
const daysFromNow = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
const aWaiting = (kind: WaitingKind, change: Partial<Waiting> = {}): Waiting => ({
  kind,
  count: 1,
  coins: null,
  cents: null,
  oldest: null,
  deadline: null,
  ...change,
})
const NO_WORK = { allTask: 0, pendingTask: 0, totalEarning: 0, totalWithdrawn: 0, withdrawnDollars: 0 }
const list = async (name: string) => within(await screen.findByRole('region', { name }))
const sidebar = () => within(screen.getAllByRole('navigation', { name: 'Dashboard' })[0] as HTMLElement)

test('an Admin sees what waits, with amount and age, each a link to its screen', async () => {
  server.refuse(adminStats, 'unavailable')
  server.serve(waiting, [
    aWaiting('messages', { count: 4, oldest: daysFromNow(-2.1) }),
    aWaiting('payout_requests', { count: 21, coins: 4520, cents: 22_600, oldest: daysFromNow(-1.1) }),
    aWaiting('disputes', { cents: 2000, deadline: daysFromNow(0.5) }),
  ])
  await openApp('/dashboard', { as: aUser('Admin') })
  const links = (await list('What to do next')).getAllByRole('link')
  assert.deepEqual(
    links.map((link) => [link.getAttribute('href'), link.textContent]),
    [
      ['/dashboard/withdraw-request', '21 withdrawal requestsoldest 1 day ago$226.00'],
      ['/dashboard/disputes', '1 dispute to respond toevidence due in 12 hours$20.00'],
      ['/dashboard/messages', '4 messages to reply tooldest 2 days ago'],
    ],
  )
})

test('a worker sees which work pays next and when, apart from what they can do', async () => {
  server.serve(waiting, [
    aWaiting('revisions_requested', { coins: 20, deadline: daysFromNow(2) }),
    aWaiting('pending_work', { count: 3, coins: 75, deadline: daysFromNow(3) }),
    aWaiting('pending_withdrawals', { coins: 200, cents: 1000, oldest: daysFromNow(-0.1) }),
  ])
  await openApp('/dashboard', { as: aUser('Worker') })
  const toDo = await list('What to do next')
  assert.match(toDo.getByRole('link').textContent ?? '', /^1 revision requested2 days left/)
  const inProgress = (await list('In progress')).getAllByRole('link').map(({ textContent }) => textContent)
  assert.match(inProgress[0] ?? '', /^3 submissions in reviewnext is paid within 3 days75/)
  assert.match(inProgress[1] ?? '', /^1 withdrawal requested2 hours ago\$10\.00/)
})

test('rejections that a reviewer checks before an appeal are not called appeals', async () => {
  server.serve(waiting, [aWaiting('reviews'), aWaiting('disputed_work', { count: 2 })])
  await openApp('/dashboard', { as: aUser('Worker', { reviewer: true }) })
  assert.equal((await list('What to do next')).getByRole('link').textContent, '1 rejection to decide')
  assert.equal((await list('In progress')).getByRole('link').textContent, '2 rejections under review')
})

test("a worker's revisions and rejections to appeal open the lists of them alone", async () => {
  server.serve(waiting, [aWaiting('revisions_requested'), aWaiting('rejections_to_appeal')])
  await openApp('/dashboard', { as: aUser('Worker') })
  const links = (await list('What to do next')).getAllByRole('link')
  assert.deepEqual(
    links.map((link) => link.getAttribute('href')),
    ['/dashboard/my-submisson?status=revision_requested', '/dashboard/my-submisson?status=rejection_open'],
  )
})

test('nothing to do is said in one line, unless there are first steps', async () => {
  server.serve(workerStats, NO_WORK)
  await openApp('/dashboard', { as: aUser('Worker') })
  await screen.findByRole('region', { name: 'First steps' })
  expectGone(screen.queryByText('Nothing is waiting for you.'))
  await user.click(button('Hide'))
  await screen.findByText('Nothing is waiting for you.')
  assert.equal(document.title, 'Profile · Tallywork')
})

test('a very large number is not exact', async () => {
  server.serve(waiting, [aWaiting('submissions_to_review', { count: 1000, coins: 9000 })])
  await openApp('/dashboard', { as: aUser('Buyer') })
  assert.match(
    (await list('What to do next')).getByRole('link').textContent ?? '',
    /^1,000\+ submissions to review/,
  )
})

test("a buyer's unfinished task is listed", async () => {
  const buyer = aUser('Buyer')
  localStorage.setItem(`draft add-task ${buyer._id}`, JSON.stringify({ task_title: 'Check 20 prices' }))
  await openApp('/dashboard', { as: buyer })
  const link = (await list('What to do next')).getByRole('link')
  assert.equal(link.getAttribute('href'), '/dashboard/add-task')
  assert.equal(link.textContent, 'Unfinished taskCheck 20 prices')
})

test('the sidebar and the title of the tab count what waits, live', async () => {
  let reply = [
    aWaiting('submissions_to_review', { count: 2 }),
    aWaiting('appeals_without_response'),
    aWaiting('tasks_ending', { count: 5 }),
  ]
  server.serve(waiting, () => reply)
  server.serveList(myTask, [])
  server.serve(site, { ...SITE, name: 'Our Market' })
  await openApp('/dashboard/my-task', { as: aUser('Buyer') })
  await sidebar().findByRole('link', { name: 'Task To Review, 3 waiting' })
  expectGone(sidebar().queryByRole('link', { name: /My Tasks, / }))
  await until(() => assert.match(document.title, /^\(3\) .+ · Our Market$/))

  await until(() => assert.equal(server.openStreams, 1))
  reply = [aWaiting('submissions_to_review', { count: 240 })]
  server.send('update', { about: ['submissions'], coin: 500, notices: [] })
  const link = await sidebar().findByRole('link', { name: 'Task To Review, 99+ waiting' })
  assert.ok(within(link).getByText('99+'))
  await until(() => assert.match(document.title, /^\(99\+\) /))
})

test('a change that the user makes counts again', async () => {
  let count = 3
  server.serve(waiting, () => [aWaiting('submissions_to_review', { count })])
  await openApp('/dashboard', { as: aUser('Buyer') })
  await sidebar().findByRole('link', { name: 'Task To Review, 3 waiting' })
  count = 2
  server.serve(setMailPreferences, ({ body }) => body)
  await user.click(await screen.findByLabelText(/^Submissions and appeals/))
  await sidebar().findByRole('link', { name: 'Task To Review, 2 waiting' })
})
