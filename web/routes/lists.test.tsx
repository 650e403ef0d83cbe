import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { type ContactMessage, contactMessages } from '#contract/contact.ts'
import type { Endpoint, Role } from '#contract/endpoint.ts'
import { type StatementLine, statement } from '#contract/ledger.ts'
import { type AdminPayment, listPayments, paymentHistory } from '#contract/payments.ts'
import { listRefunds } from '#contract/refunds.ts'
import { taskToReview } from '#contract/submissions.ts'
import { allTask, managedTasks, myTask, taskListWorker } from '#contract/tasks.ts'
import { userTable } from '#contract/user-table.ts'
import { allUsers } from '#contract/users.ts'
import { myWithdrawals, pendingWithdrawals } from '#contract/withdrawals.ts'
import { button, expectGone, openApp, server, until, user } from '#web/testing/app.tsx'
import {
  anId,
  aPayment,
  aPublicUser,
  aSubmission,
  aTask,
  aUser,
  aUserTableRow,
  aWithdrawal,
} from '#web/testing/records.ts'

type List = {
  path: string
  as?: Role
  endpoint: Endpoint
  /** How many rows the first page has. */
  first?: number
  /** Whether the screen loads further pages automatically. */
  loadsAutomatically?: true
  row: (name: string) => unknown
}

/** Every screen that is a list, and a row of it that shows a name. */
const LISTS: List[] = [
  { path: '/all-task', endpoint: allTask, row: (task_title) => aTask({ task_title }) },
  { path: '/all-worker', endpoint: allUsers, first: 24, row: (name) => aPublicUser({ name }) },
  { path: '/dashboard/my-task', as: 'Buyer', endpoint: myTask, row: (task_title) => aTask({ task_title }) },
  {
    path: '/dashboard/available-task',
    as: 'Worker',
    endpoint: taskListWorker,
    row: (task_title) => aTask({ task_title }),
  },
  {
    path: '/dashboard/manage-task',
    as: 'Admin',
    endpoint: managedTasks,
    row: (task_title) => ({ ...aTask({ task_title }), unlisted: null }),
  },
  {
    path: '/dashboard/task-to-review',
    as: 'Buyer',
    loadsAutomatically: true,
    endpoint: taskToReview,
    row: (task_title) => aSubmission({ task_title }),
  },
  {
    path: '/dashboard/approved-task',
    as: 'Worker',
    endpoint: taskToReview,
    row: (task_title) =>
      aSubmission({ task_title, status: 'approved', decidedAt: '2026-01-15T09:00:00.000Z' }),
  },
  {
    path: '/dashboard/rejected-task',
    as: 'Buyer',
    endpoint: taskToReview,
    row: (task_title) => aSubmission({ task_title, status: 'rejected', state: 'appealed' }),
  },
  {
    path: '/dashboard/withdraw-request',
    as: 'Admin',
    endpoint: pendingWithdrawals,
    row: (workerName) => {
      const origin = { byBuyer: [], bonus: 0, purchased: 200, other: 0, flags: [] }
      return { ...aWithdrawal({ workerName }), workerId: anId(), origin }
    },
  },
  {
    path: '/dashboard/manage-users',
    as: 'Admin',
    endpoint: userTable,
    first: 30,
    row: (name) => aUserTableRow({ name }),
  },
  {
    path: '/dashboard/messages',
    as: 'Admin',
    endpoint: contactMessages,
    row: (subject): ContactMessage => ({
      _id: anId(),
      name: 'Sadia',
      email: 'sadia@example.com',
      subject,
      message: 'How do I begin?',
      createdAt: '2026-01-14T09:00:00.000Z',
      answered: false,
    }),
  },
  {
    path: '/dashboard/statement',
    as: 'Worker',
    endpoint: statement,
    first: 50,
    row: (text): StatementLine => ({
      _id: anId(),
      kind: 'submission_paid',
      text,
      coins: 25,
      balance: 525,
      debt: 0,
      time: '2026-01-14T09:00:00.000Z',
    }),
  },
  {
    path: '/dashboard/payments',
    as: 'Admin',
    endpoint: listPayments,
    row: (name): AdminPayment => ({ ...aPayment(), userId: anId(), name, unclaimed: false }),
  },
  {
    path: '/dashboard/paymenthistory',
    as: 'Buyer',
    endpoint: paymentHistory,
    row: (transactionId) => aPayment({ transactionId }),
  },
]

const rows = ({ row }: List, count: number) =>
  Array.from({ length: count }, (_, index) => row(`Row ${index + 1}`)) as never

const open = ({ path, as }: List) => openApp(path, as ? { as: aUser(as) } : {})
/** Counts the rows on the screen. A screen may show one a second time, with its details. */
const shown = () =>
  new Set(
    within(screen.getByRole('main'))
      .queryAllByText(/^Row \d+$/)
      .map((name) => name.textContent),
  ).size

for (const list of LISTS) {
  test(`${list.path} shows an empty state for ${list.as ?? 'visitors'} while there is nothing`, async () => {
    server.serveList(myWithdrawals, [])
    server.serve(listRefunds, [])
    server.serveList(list.endpoint, rows(list, 0))
    await open(list)
    await within(screen.getByRole('main')).findByRole('heading', { level: 2, name: /^(no|nothing|nobody) /i })
  })

  test(`${list.path} shows why its list did not load, and the list after a retry`, async () => {
    server.serveList(myWithdrawals, [])
    server.serve(listRefunds, [])
    server.refuse(list.endpoint, 'internal', 'The list is not available.')
    await open(list)
    const alert = (await screen.findByText('The list is not available.')).closest<HTMLElement>('[role=alert]')
    assert.ok(alert)
    server.serveList(list.endpoint, rows(list, 2))
    await user.click(within(alert).getByRole('button'))
    await until(() => assert.equal(shown(), 2))
  })

  test(`${list.path} shows the first page of its rows and then the others`, async () => {
    const { first = 20, loadsAutomatically = false } = list
    server.serveList(myWithdrawals, [])
    server.serve(listRefunds, [])
    server.serveList(list.endpoint, rows(list, first + 10))
    await open(list)
    if (!loadsAutomatically) {
      await until(() => assert.equal(shown(), first))
      await user.click(button('Load more'))
    }
    await until(() => assert.equal(shown(), first + 10))
    expectGone(screen.queryByRole('button', { name: 'Load more' }))
  })
}

test('the focus stays at the end of a list whose last rows have been loaded', async () => {
  const list = LISTS[0] as List
  server.serveList(allTask, rows(list, 30))
  await open(list)
  await until(() => assert.equal(shown(), 20))
  button('Load more').focus()
  await user.keyboard('{Enter}')
  await until(() => assert.equal(document.activeElement?.textContent, 'Showing 30 of 30'))
})

test('the next rows of a list that did not load can be asked for again', async () => {
  const list = LISTS[0] as List
  server.serveList(allTask, rows(list, 30))
  await open(list)
  await until(() => assert.equal(shown(), 20))
  server.refuse(allTask, 'internal')
  await user.click(button('Load more'))
  await screen.findByText(/next page/i)
  assert.equal(shown(), 20)
  server.serveList(allTask, rows(list, 30))
  await user.click(button('Load more'))
  await until(() => assert.equal(shown(), 30))
})

test('the next rows arrive although a live event refetches the list meanwhile', async () => {
  const list = LISTS.find(({ endpoint }) => endpoint === myTask) as List
  server.serveList(myTask, rows(list, 30))
  await open(list)
  await until(() => assert.equal(shown(), 20))
  const next = server.hold(myTask)
  await user.click(button('Load more'))
  await until(() => assert.equal(server.received(myTask).length, 2))
  server.send('update', { about: ['tasks'], coin: 500, notices: [] })
  await until(() => assert.equal(server.received(myTask).length, 3))
  next.release()
  await until(() => assert.equal(shown(), 30))
})
