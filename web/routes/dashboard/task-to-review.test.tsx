import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fireEvent, screen, within } from '@testing-library/react'
import { signOut } from '#contract/auth.ts'
import { rejectionRule, rejectSubmission } from '#contract/rejections.ts'
import { requestRevision } from '#contract/revisions.ts'
import { site } from '#contract/site.ts'
import {
  approveSubmissions,
  type Submission,
  taskToReview,
  updateSubmissionStatus,
} from '#contract/submissions.ts'
import { myTask } from '#contract/tasks.ts'
import type { StoredDecision } from '#web/features/review/decision-queue.ts'
import { createDecisionStore } from '#web/features/review/decision-store.ts'
import { claimsOf } from '#web/lib/id-token-claims.ts'
import { queryClient, queryKeyOf } from '#web/lib/queries.ts'
import {
  button,
  dialog,
  expectFocus,
  expectGone,
  field,
  fill,
  openApp,
  server,
  setOnline,
  setWidth,
  until,
  user,
} from '#web/testing/app.tsx'
import { ListPage, Refused, SITE } from '#web/testing/fake-server.ts'
import { anId, aSubmission, aUser } from '#web/testing/records.ts'

const done = { acknowledged: true, matchedCount: 1, modifiedCount: 1 }
/** The submissions of the approvals that were sent, alone and together. */
const approvals = () => [
  ...server.received(updateSubmissionStatus).map(({ params }) => params.id),
  ...server.received(approveSubmissions).flatMap(({ body }) => (body as { ids: string[] }).ids),
]
const rejections = () => server.received(rejectSubmission)

/** The row of a worker's submission in the list. */
const row = (worker: string) => screen.getByRole('button', { name: new RegExp(`^${worker}`) })
const item = (worker: string) => within(row(worker).closest('li') as HTMLElement)
const selectionBox = (worker: string) =>
  screen.getByRole<HTMLInputElement>('checkbox', { name: `Select work by ${worker}` })

/** Opens the review of submissions; a decision takes the submission out of the list. */
async function openReview(submissions: Submission[]) {
  let pending = submissions
  const decide = (id: string | undefined) => {
    pending = pending.filter((submission) => submission._id !== id)
  }
  server.serve(taskToReview, () => pending)
  server.serve(updateSubmissionStatus, ({ params }) => {
    decide(params.id)
    return done
  })
  server.serve(approveSubmissions, ({ body }) => {
    const { ids } = body as { ids: string[] }
    for (const id of ids) decide(id)
    return { results: ids.map((_id) => ({ _id, modified: true, error: null })) }
  })
  server.serve(rejectSubmission, ({ params }) => {
    decide(params.id)
    return { acknowledged: true, deletedCount: 1 }
  })
  const buyer = aUser('Buyer')
  const router = await openApp('/dashboard/task-to-review', { as: buyer })
  await screen.findByRole('article')
  return { router, buyer }
}

const threeWorkers = () =>
  ['Rafi', 'Mitu', 'Jamil'].map((worker_name) =>
    aSubmission({
      worker_name,
      worker_email: `${worker_name.toLowerCase()}@example.com`,
      submissoin_data: `By ${worker_name}`,
    }),
  )

test('approved work can be undone, keeps its place, and the focus moves to the next', async () => {
  await openReview(threeWorkers())
  await user.click(button(/^approve work by Rafi/i))
  await item('Rafi').findByText(/^Approved: paying in \d s$/)
  expectFocus(row('Mitu'))
  screen.getByRole('article', { name: 'Work by Mitu' })
  await user.keyboard('u')
  expectFocus(row('Rafi'))
  expectGone(item('Rafi').queryByText(/paying/))
  assert.deepEqual(approvals(), [])
})

test('Pay now pays at once, and the toast names worker and coins', async () => {
  const submissions = threeWorkers()
  await openReview(submissions)
  await user.keyboard('a')
  button('Undo').focus()
  await user.keyboard('{Tab}{Enter}')
  await screen.findByText('Task has been approved!')
  screen.getByText('25 coins paid to Rafi.')
  await item('Rafi').findByText('Approved and paid')
  assert.deepEqual(approvals(), [submissions[0]?._id])
  expectFocus(row('Mitu'))
})

test('a double click pays one worker, and two presses of a key two', async (context) => {
  // The clicks happen at one time, however long the screen takes to show the first one.
  context.mock.method(performance, 'now', () => 1000)
  await openReview(threeWorkers())
  await user.dblClick(button(/^approve work by Rafi/i))
  await item('Rafi').findByText(/paying/)
  expectGone(item('Mitu').queryByText(/paying/))
  await user.click(button(/^approve work by Mitu/i))
  expectGone(item('Mitu').queryByText(/paying/))
  await user.keyboard('aa')
  await item('Mitu').findByText(/paying/)
  await item('Jamil').findByText(/paying/)
})

test('the keys of a Bangla keyboard decide as those at the same places of a Latin one', async () => {
  await openReview(threeWorkers())
  fireEvent.keyDown(document.body, { key: 'া', code: 'KeyA' })
  await item('Rafi').findByText(/paying/)
  fireEvent.keyDown(document.body, { key: 'ু', code: 'KeyU' })
  expectGone(item('Rafi').queryByText(/paying/))
})

test('a key that is held down decides once', async () => {
  await openReview(threeWorkers())
  await user.keyboard('{a>3/}')
  await item('Rafi').findByText(/paying/)
  expectGone(item('Mitu').queryByText(/paying/))
})

test('a decision is not sent as another user who signs in meanwhile, but when its buyer returns', async (t) => {
  const [submission] = threeWorkers()
  const { buyer } = await openReview([submission as Submission])
  const senders: unknown[] = []
  server.serve(updateSubmissionStatus, ({ headers }) => {
    senders.push(claimsOf(headers.get('authorization') ?? '').sub)
    return done
  })
  const tab = new BroadcastChannel('session')
  t.after(() => tab.close())
  await user.keyboard('a')
  const other = aUser('Buyer', { name: 'Hasan Ali', email: 'hasan@example.com' })
  server.signIn(other)
  tab.postMessage('changed')
  assert.ok((await screen.findAllByText('Hasan Ali')).length > 0)
  await until(() => assert.equal(createDecisionStore(buyer._id).list()[0]?.commitsAt, 0))
  server.signIn(buyer)
  tab.postMessage('changed')
  await screen.findByText('25 coins paid to Rafi.')
  assert.deepEqual(senders, [buyer._id])
  expectGone(screen.queryByText('Not sent yet: Rafi'))
})

test('waiting decisions are sent once when the screen is left', async () => {
  const submissions = threeWorkers()
  const { router } = await openReview(submissions)
  await user.keyboard('aa')
  await router.navigate('/dashboard')
  await until(() => assert.deepEqual(approvals(), [submissions[0]?._id, submissions[1]?._id]))
  await screen.findByText('Task has been approved!')
})

test('waiting decisions are sent once when the page is closed', async () => {
  const submissions = threeWorkers()
  await openReview(submissions)
  await user.keyboard('aa')
  fireEvent(window, new Event('pagehide'))
  fireEvent(window, new Event('pagehide'))
  await until(() => assert.deepEqual(approvals(), [submissions[0]?._id, submissions[1]?._id]))
})

test('waiting decisions are sent before the buyer is signed out', async () => {
  await openReview(threeWorkers())
  const order: string[] = []
  const { release } = server.hold(updateSubmissionStatus)
  server.serve(signOut, () => {
    order.push(`signed out after ${approvals().length}`)
    server.signOut()
  })
  await user.keyboard('a')
  await user.click(screen.getAllByRole('button', { name: 'Logout' })[0] as HTMLElement)
  await until(() => assert.equal(approvals().length, 1))
  assert.deepEqual(order, [])
  release()
  await until(() => assert.deepEqual(order, ['signed out after 1']))
  await screen.findByText('Task has been approved!')
})

test('a decision that a closed page left is sent when the dashboard opens', async () => {
  const work = aSubmission({ worker_name: 'Rafi' })
  server.serve(updateSubmissionStatus, done)
  const buyer = aUser('Buyer')
  const left: StoredDecision = {
    work: { id: work._id, worker: 'Rafi', coins: 25 },
    decision: { kind: 'approve', buyer: buyer.user },
    idempotencyKey: 'left-by-a-closed-page',
    batch: 'one',
    commitsAt: Date.now() - 60_000,
  }
  createDecisionStore(buyer._id).put(left)
  await openApp('/dashboard', { as: buyer })
  await screen.findByText('25 coins paid to Rafi.')
  const [request] = server.received(updateSubmissionStatus)
  assert.equal(request?.headers.get('idempotency-key'), 'left-by-a-closed-page')
  assert.deepEqual(createDecisionStore(buyer._id).list(), [])
})

test('when all work is decided, the screen says so and keeps the focus', async () => {
  await openReview([aSubmission({ worker_name: 'Rafi' })])
  await user.keyboard('a')
  fireEvent(window, new Event('pagehide'))
  await screen.findByText('No pending submissions.')
  expectFocus(screen.getByRole('main'))
})

test('work is rejected only with a category and a reason, in place', async () => {
  await openReview(threeWorkers())
  await user.keyboard('r')
  const category = await screen.findByRole('radio', { name: 'Does not follow the instructions' })
  await until(() => expectFocus(category))
  await user.keyboard('{Control>}{Enter}{/Control}')
  await screen.findByText('Choose what is wrong with the work')
  const reason = field(/^reason/i)
  assert.equal(reason.getAttribute('aria-invalid'), 'true')
  await user.click(screen.getByRole('radio', { name: 'Incomplete' }))
  await user.click(reason)
  await user.keyboard('a bad link, just xjv')
  await user.keyboard('{Control>}{Enter}{/Control}')
  await item('Rafi').findByText(/^Rejected: sending in \d s$/)
  expectFocus(row('Mitu'))
  fireEvent(window, new Event('pagehide'))
  await item('Rafi').findByText('Rejected')
  assert.deepEqual(rejections()[0]?.body, { reason: 'a bad link, just xjv', category: 'incomplete' })
  assert.deepEqual(approvals(), [])
})

test('a rejection names the requirement that the work fails, and its coins stay in escrow', async () => {
  await openReview([aSubmission({ worker_name: 'Rafi', payable_amount: 1 }), ...threeWorkers().slice(1)])
  await user.keyboard('r')
  screen.getByText(/^Rafi can appeal\. Until the rejection is final, escrow keeps 1 coin and/)
  await user.click(screen.getByRole('radio', { name: 'Incorrect' }))
  await fill(field(/^reason/i), 'There are five boats.')
  await fill(field(/^requirement/i), 'Count every boat')
  await user.click(within(screen.getByRole('form')).getByRole('button', { name: /^Reject/ }))
  fireEvent(window, new Event('pagehide'))
  await item('Rafi').findByText('Rejected')
  assert.deepEqual(rejections()[0]?.body, {
    reason: 'There are five boats.',
    category: 'wrong',
    requirement: 'Count every boat',
  })
})

test('who needs a reviewer for each rejection reads so in the form and in the result', async () => {
  server.serve(rejectionRule, { needsReviewer: true })
  await openReview([aSubmission({ worker_name: 'Rafi' }), ...threeWorkers().slice(1)])
  await user.keyboard('r')
  await screen.findByText(/a neutral reviewer checks this one before it counts/)
  expectGone(screen.queryByText(/^Rafi can appeal/))
  await user.click(screen.getByRole('radio', { name: 'Incorrect' }))
  await fill(field(/^reason/i), 'There are five boats.')
  await user.click(within(screen.getByRole('form')).getByRole('button', { name: /^Reject/ }))
  fireEvent(window, new Event('pagehide'))
  await screen.findByText('Rejection sent to a reviewer')
})

test('without appeals a rejection is final, and the form promises no appeal', async () => {
  server.serve(site, { ...SITE, appealDays: 0 })
  await openReview([aSubmission({ worker_name: 'Rafi' })])
  await user.keyboard('r')
  await screen.findByText(/^The rejection is final immediately: Rafi cannot appeal\. The slot opens/)
  expectGone(screen.queryByText(/can appeal|escrow/))
})

test('a revision is requested once, by key, with a text', async () => {
  const submissions = threeWorkers()
  const asha = { worker_name: 'Asha', createdAt: '2026-01-10T09:00:00.000Z' }
  await openReview([aSubmission({ ...asha, revisionRequest: 'Add the date.' }), ...submissions])
  server.serve(requestRevision, { acknowledged: true })
  screen.getByText('Add the date.')
  expectGone(screen.queryByRole('button', { name: /^Request revision/ }))
  await user.keyboard('v')
  expectGone(screen.queryByRole('form'))
  await user.keyboard('jv')
  await fill(await screen.findByLabelText(/^what is missing/i), 'The second minute.')
  await user.keyboard('{Control>}{Enter}{/Control}')
  await item('Rafi').findByText(/^Revision requested: sending in \d s$/)
  fireEvent(window, new Event('pagehide'))
  await screen.findByText('Rafi can see what is missing.')
  const [request] = server.received(requestRevision)
  assert.deepEqual([request?.params.id, request?.body], [submissions[0]?._id, { text: 'The second minute.' }])
})

test('a reason survives Cancel, Undo and a reload', async () => {
  const { buyer } = await openReview(threeWorkers())
  await user.keyboard('r')
  await user.click(await screen.findByRole('radio', { name: 'Incorrect' }))
  await fill(field(/^reason/i), 'The link is empty.')
  await user.keyboard('{Escape}')
  expectFocus(row('Rafi'))
  await user.keyboard('r')
  await user.click(within(await screen.findByRole('form')).getByRole('button', { name: /^Reject/ }))
  await item('Rafi').findByText(/^Rejected/)
  await user.keyboard('ur')
  assert.equal((await screen.findByLabelText<HTMLTextAreaElement>(/^reason/i)).value, 'The link is empty.')
  assert.ok(screen.getByRole<HTMLInputElement>('radio', { name: 'Incorrect' }).checked)
  assert.match(Object.values({ ...localStorage }).join(), /The link is empty/)
  assert.equal(rejections().length, 0)
  assert.ok(buyer)
})

test('work whose decision is refused comes back with the reason', async () => {
  await openReview(threeWorkers())
  server.refuse(updateSubmissionStatus, 'state_conflict', 'The task was changed meanwhile.')
  await user.keyboard('a')
  fireEvent(window, new Event('pagehide'))
  await item('Rafi').findByText('Not approved: The task was changed meanwhile.')
  await user.click(row('Rafi'))
  button(/^approve work by Rafi/i)
})

test('a decision made without a network is sent once it is back', async () => {
  const submissions = threeWorkers()
  await openReview(submissions)
  setOnline(false)
  await user.keyboard('a')
  fireEvent(window, new Event('pagehide'))
  await item('Rafi').findByText(/^Not sent yet/)
  item('Rafi').getByRole('button', { name: /^Try again/ })
  expectGone(item('Rafi').queryByRole('button', { name: /^Undo/ }))
  setOnline(true)
  await item('Rafi').findByText('Approved and paid')
  assert.deepEqual(approvals(), [submissions[0]?._id])
})

test('a decision made without a network is sent once it is back, also on another screen', async () => {
  const submissions = threeWorkers()
  const { router } = await openReview(submissions)
  server.serveList(myTask, [])
  setOnline(false)
  await user.keyboard('a')
  fireEvent(window, new Event('pagehide'))
  await item('Rafi').findByText(/^Not sent yet/)
  await router.navigate('/dashboard/my-task')
  await screen.findByRole('heading', { level: 1, name: 'My Tasks' })
  setOnline(true)
  await screen.findByText('Task has been approved!')
  assert.deepEqual(approvals(), [submissions[0]?._id])
})

test('a decision that the server could not accept is sent when its screen is opened again', async () => {
  const submissions = threeWorkers()
  const { router } = await openReview(submissions)
  server.serveList(myTask, [])
  server.refuse(updateSubmissionStatus, 'too_many_requests')
  await user.keyboard('a')
  fireEvent(window, new Event('pagehide'))
  await item('Rafi').findByText(/^Not sent yet/)
  await router.navigate('/dashboard/my-task')
  await screen.findByRole('heading', { level: 1, name: 'My Tasks' })
  server.serve(updateSubmissionStatus, done)
  await router.navigate('/dashboard/task-to-review')
  await screen.findByText('Task has been approved!')
  assert.equal(approvals().length, 2)
})

test('a selection is approved after one confirmation with its count and coins', async () => {
  const submissions = threeWorkers()
  await openReview(submissions)
  await user.keyboard('x{Shift>}j{/Shift}')
  assert.ok(selectionBox('Rafi').checked && selectionBox('Mitu').checked && !selectionBox('Jamil').checked)
  await user.keyboard('a')
  const asked = within(await dialog('Approve 2 submissions?'))
  asked.getByText(/50 coins in total/)
  await user.click(asked.getByRole('button', { name: 'Approve 2 submissions' }))
  await item('Rafi').findByText(/paying/)
  await item('Mitu').findByText(/paying/)
  await until(() => expectFocus(row('Jamil')))
  await user.click(button('Pay now'))
  await screen.findByText('50 coins paid to 2 workers.')
  assert.deepEqual(approvals(), [submissions[0]?._id, submissions[1]?._id])
})

for (const [how, hide] of [
  [
    'decided',
    async () => {
      await user.click(row('Mitu'))
      button(/^approve work by Mitu/i).focus()
      await user.keyboard('{Enter}')
      await item('Mitu').findByText(/paying/)
    },
  ],
  [
    'hidden',
    async () => {
      await fill(field('Search workers and work'), 'a')
      await until(() => expectGone(screen.queryByRole('button', { name: /^Mitu/ })))
    },
  ],
] as const)
  test(`a shift-click after the work toggled before was ${how} selects only what is clicked`, async () => {
    await openReview(
      threeWorkers().map((work) => ({ ...work, worker_email: '', submissoin_data: work.worker_name })),
    )
    await user.click(selectionBox('Mitu'))
    await hide()
    await user.keyboard('{Shift>}')
    await user.click(selectionBox('Jamil'))
    await user.keyboard('{/Shift}')
    assert.deepEqual([selectionBox('Rafi').checked, selectionBox('Jamil').checked], [false, true])
  })

test('a worker with several of the submissions is one worker', async () => {
  const submissions = threeWorkers().map((work) => ({
    ...work,
    worker_name: 'Rafi',
    worker_email: 'rafi@example.com',
  }))
  await openReview(submissions)
  await user.click(screen.getByRole('checkbox', { name: 'Select all' }))
  await user.click(button(/^Approve 3/))
  await user.click(within(await dialog()).getByRole('button', { name: 'Approve 3 submissions' }))
  await screen.findByText(/^Paying 75 coins to Rafi in \d s$/)
  await user.click(button('Pay now'))
  await screen.findByText('75 coins paid to Rafi.')
})

test('the buttons below a submission decide about it alone, also while others are selected', async () => {
  const submissions = threeWorkers()
  await openReview(submissions)
  await user.click(selectionBox('Rafi'))
  await user.click(selectionBox('Mitu'))
  await user.click(row('Jamil'))
  await user.click(button(/^approve work by Jamil/i))
  await item('Jamil').findByText(/paying/)
  expectGone(screen.queryByRole('dialog'))
  await user.click(button('Pay now'))
  await screen.findByText('25 coins paid to Jamil.')
  assert.deepEqual(approvals(), [submissions[2]?._id])
})

test('one of a selection that cannot be approved comes back with the reason', async () => {
  await openReview(threeWorkers())
  server.serve(approveSubmissions, ({ body }) => ({
    results: (body as { ids: string[] }).ids.map((_id, index) => ({
      _id,
      modified: index !== 1,
      error:
        index === 1 ? { code: 'already_decided', message: 'This submission was already rejected.' } : null,
    })),
  }))
  await user.click(screen.getByRole('checkbox', { name: 'Select all' }))
  await user.click(button(/^Approve 3/))
  await user.click(within(await dialog()).getByRole('button', { name: 'Approve 3 submissions' }))
  await user.click(await screen.findByRole('button', { name: 'Pay now' }))
  await item('Mitu').findByText('Not approved: This submission was already rejected.')
  await item('Rafi').findByText('Approved and paid')
  await screen.findByText('50 coins paid to 2 workers.')
  screen.getByText('Not approved: Mitu')
})

test('one undo takes back a whole selection', async () => {
  await openReview(threeWorkers())
  await user.click(screen.getByRole('checkbox', { name: 'Select all' }))
  await user.click(button(/^Approve 3/))
  await user.click(within(await dialog()).getByRole('button', { name: 'Approve 3 submissions' }))
  await screen.findByText(/^Paying 75 coins to 3 workers in \d s$/)
  await until(() => expectFocus(row('Jamil')))
  await user.keyboard('u')
  expectGone(screen.queryByText(/^Paying/))
  assert.deepEqual(approvals(), [])
})

test('a cancelled confirmation decides nothing', async () => {
  await openReview(threeWorkers())
  await user.keyboard('xa')
  await user.click(within(await dialog()).getByRole('button', { name: 'Cancel' }))
  await until(() => expectGone(screen.queryByRole('dialog')))
  expectGone(screen.queryByText(/^Paying/))
})

test('J and K move, arrows only within the list, and no shortcut acts in a field', async () => {
  await openReview(threeWorkers())
  await user.keyboard('{ArrowDown}')
  screen.getByRole('article', { name: 'Work by Rafi' })
  await user.keyboard('j')
  expectFocus(row('Mitu'))
  await user.keyboard('{ArrowDown}')
  expectFocus(row('Jamil'))
  await user.keyboard('jk')
  expectFocus(row('Mitu'))
  await user.click(field('Search workers and work'))
  await user.keyboard('a')
  expectGone(screen.queryByText(/paying/))
})

test('the submission under review stays while revised work comes back above it', async () => {
  const submissions = threeWorkers()
  await openReview(submissions.slice(1))
  screen.getByRole('article', { name: 'Work by Mitu' })
  server.serve(taskToReview, submissions)
  await queryClient.invalidateQueries({ queryKey: queryKeyOf(taskToReview) })
  await screen.findByRole('button', { name: /^Rafi/ })
  screen.getByRole('article', { name: 'Work by Mitu' })
  await user.keyboard('a')
  await item('Mitu').findByText(/paying/)
  expectGone(item('Rafi').queryByText(/paying/))
})

test('the help lists the shortcuts, and switches them off', async () => {
  await openReview(threeWorkers())
  await user.keyboard('?')
  const help = within(await dialog('Keyboard shortcuts'))
  await user.click(help.getByRole('switch', { name: 'Use keyboard shortcuts' }))
  await user.click(help.getByRole('button', { name: 'Close' }))
  await until(() => expectGone(screen.queryByRole('dialog')))
  await user.keyboard('a')
  expectGone(screen.queryByText(/paying/))
})

test('the list is filtered by task, and by worker or work', async () => {
  const voice = { taskId: '00000000-0000-4000-8000-00000000aaaa', task_title: 'Record a voice note' }
  await openReview([
    aSubmission({ worker_name: 'Rafi', ...voice }),
    aSubmission({ worker_name: 'Mitu', submissoin_data: 'Eleven boats on the river' }),
    aSubmission({ worker_name: 'Jamil', submissoin_data: '\u{9a8}\u{9df}', ...voice }),
  ])
  await user.selectOptions(field('Task'), 'Record a voice note (2)')
  expectGone(screen.queryByRole('button', { name: /^Mitu/ }))
  row('Jamil')
  await user.selectOptions(field('Task'), 'All tasks (3)')
  await fill(field('Search workers and work'), 'boats ELEVEN')
  await until(() => expectGone(screen.queryByRole('button', { name: /^Rafi/ })))
  row('Mitu')
  // As one code point, and as two: the letter য and its dot.
  await fill(field('Search workers and work'), '\u{9a8}\u{9af}\u{9bc}')
  await until(() => expectGone(screen.queryByRole('button', { name: /^Mitu/ })))
  row('Jamil')
  await fill(field('Search workers and work'), 'nothing like this')
  await screen.findByText('No submissions match')
  await user.click(button('Show all'))
  row('Rafi')
})

test('two hundred submissions are loaded automatically', async () => {
  const submissions = Array.from({ length: 200 }, (_, n) => aSubmission({ worker_name: `Worker no ${n}` }))
  server.serveList(taskToReview, submissions)
  await openApp('/dashboard/task-to-review', { as: aUser('Buyer') })
  await screen.findByText('200 to review')
  row('Worker no 199')
})

test('the counts of more submissions than are loaded have a plus', async () => {
  server.serve(taskToReview, ({ query }) => {
    if (query.cursor !== undefined) throw new Refused('internal', 'Refused.')
    return new ListPage(threeWorkers(), '3', 700)
  })
  await openApp('/dashboard/task-to-review', { as: aUser('Buyer') })
  await screen.findByText('All tasks (3+)')
})

test('work on a chosen task is found behind more submissions than are loaded otherwise', async () => {
  const wanted = aSubmission({ worker_name: 'Tania', task_title: 'Count the bikes' })
  const older = Array.from({ length: 600 }, () => aSubmission({ taskId: anId() }))
  const all = [...older, wanted]
  server.serve(taskToReview, ({ query }) => {
    const from = Number(query.cursor ?? 0)
    const next = from + Number(query.limit)
    return new ListPage(all.slice(from, next), next < all.length ? String(next) : null, all.length)
  })
  await openApp(`/dashboard/task-to-review?task=${wanted.taskId}`, { as: aUser('Buyer') })
  await screen.findByRole('button', { name: /^Tania/ })
  assert.equal((field('Task') as HTMLSelectElement).value, wanted.taskId)
  assert.equal(server.received(taskToReview).length, 7)
})

test('on a phone the work is shown below its row', async () => {
  setWidth(390)
  await openReview(threeWorkers())
  assert.ok(item('Rafi').getByRole('article'))
  await user.click(button(/^approve work by Rafi/i))
  await item('Mitu').findByRole('article')
  expectFocus(row('Mitu'))
})

test('the time until the automatic approval is shown', async () => {
  const reviewBy = new Date(Date.now() + 2.5 * 86_400_000).toISOString()
  server.serve(taskToReview, [aSubmission({ reviewBy })])
  await openApp('/dashboard/task-to-review', { as: aUser('Buyer') })
  await screen.findByText(/2 days 1[12] hours/)
})
