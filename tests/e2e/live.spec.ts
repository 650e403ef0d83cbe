import { apiClient, taskBody } from './api-client.ts'
import { keepDecisionsOpen, prefetched } from './conditions.ts'
import { expect, open, type Page, signInAsDemo, test } from './fixtures.ts'

const balance = (page: Page) =>
  page
    .getByRole('banner')
    .getByText(/\d coins$/)
    .first()
const bell = (page: Page) => page.getByRole('button', { name: /^Notifications/ })
const unread = (page: Page, count: number) =>
  expect(bell(page)).toHaveAccessibleName(`Notifications, ${count} unread`)

/** Waits until the page's event stream is open. */
const untilConnected = (page: Page) =>
  page.waitForResponse((response) => response.url().includes('/api/live') && response.ok())

test('worker and buyer see submissions and decisions without a reload', async ({ visitor }) => {
  const buyer = await visitor('Buyer', 'Live Buyer')
  await keepDecisionsOpen(buyer)
  await open(buyer, '/dashboard')
  const worker = await visitor('Worker', 'Live Worker')
  const title = `Count the boats ${crypto.randomUUID().slice(0, 6)}`
  const asBuyer = await apiClient(buyer.context())
  const asWorker = await apiClient(worker.context())
  const { insertedId } = await asBuyer(
    'POST',
    '/add-task',
    taskBody({ task_title: title, payable_amount: 20 }),
  )
  await expect(balance(buyer)).toHaveText(/^10 coins$/)

  const bothConnected = Promise.all([untilConnected(buyer), untilConnected(worker)])
  await buyer.goto('/dashboard/task-to-review')
  await worker.goto(`/dashboard/task-details/${insertedId}`)
  await bothConnected
  await expect(worker.getByText('2 of 2 left')).toBeVisible()
  await expect(buyer.getByRole('heading', { name: 'Task To Review' })).toBeVisible()

  await asWorker('POST', '/submiteted-task', { taskId: insertedId, submissoin_data: 'Eleven boats' })
  await expect(buyer.getByRole('article').filter({ hasText: title })).toBeVisible()
  await unread(buyer, 1)
  await expect(worker.getByText('1 of 2 left')).toBeVisible()

  await buyer
    .getByRole('article')
    .filter({ hasText: title })
    .getByRole('button', { name: /^Approve/ })
    .click()
  await buyer.getByRole('button', { name: 'Pay now' }).click()
  await expect(balance(worker)).toHaveText(/^30 coins$/)
  await unread(worker, 1)
})

test.describe('after a lost connection', () => {
  test.use({ expected: ['ERR_INTERNET_DISCONNECTED', 'ERR_NETWORK_CHANGED', 'ERR_FAILED'] })

  test('changes made while offline appear once after reconnecting', async ({ visitor, context }) => {
    await signInAsDemo(context, 'Buyer')
    const asBuyer = await apiClient(context)
    const worker = await visitor('Worker', 'Away Worker')
    const asWorker = await apiClient(worker.context())
    const work: unknown[] = []
    for (let count = 0; count < 3; count++) {
      const { insertedId: taskId } = await asBuyer('POST', '/add-task', taskBody({ payable_amount: 5 }))
      const { insertedId } = await asWorker('POST', '/submiteted-task', { taskId, submissoin_data: 'Done' })
      work.push(insertedId)
    }
    await worker.clock.install()
    const open_ = untilConnected(worker)
    await open(worker, '/dashboard')
    await open_
    const approve = (id: unknown) =>
      asBuyer('PATCH', `/update-submission-status/${id}`, { status: 'approved' })
    await approve(work[0])
    await unread(worker, 1)
    await expect(balance(worker)).toHaveText(/^15 coins$/)
    // The first earned coins bring the chart, whose script comes over the network.
    await expect(worker.getByRole('slider').first()).toBeVisible()
    // So does what is below it, when the browser is idle.
    await expect(worker.locator('#your-data')).toBeVisible()

    // The stream is silent until the page opens another, which a slow machine may do at once.
    const failed = worker.waitForEvent('requestfailed', (request) => request.url().includes('/api/live'))
    await worker.context().setOffline(true)
    await approve(work[1])
    await approve(work[2])
    await worker.clock.fastForward(30_000)
    await failed
    await expect(balance(worker)).toHaveText(/^15 coins$/)
    await worker.context().setOffline(false)
    await expect(balance(worker)).toHaveText(/^25 coins$/)
    await unread(worker, 3)
    await bell(worker).click()
    await expect(worker.getByRole('dialog').getByRole('listitem')).toHaveCount(3)
  })

  test('a new task at the top of the list keeps the focus where it was', async ({ visitor, context }) => {
    await signInAsDemo(context, 'Buyer')
    const asBuyer = await apiClient(context)
    const title = `Count the kites ${crypto.randomUUID().slice(0, 6)}`
    await asBuyer('POST', '/add-task', taskBody({ task_title: title }))
    const worker = await visitor('Worker', 'Another Worker')
    await open(worker, '/dashboard/available-task')
    const heading = worker.getByRole('heading', { name: title, exact: true })
    const link = worker
      .getByRole('listitem')
      .filter({ has: heading })
      .getByRole('link', { name: 'Apply Task' })
    await prefetched(worker, 'my-submisson')
    await link.focus()

    await worker.context().setOffline(true)
    await asBuyer('POST', '/add-task', taskBody({ task_title: `${title} again` }))
    await expect(worker.getByText('You are offline.')).toBeVisible()
    await worker.context().setOffline(false)
    await expect(worker.getByRole('heading', { name: `${title} again` })).toBeVisible()
    await expect(link).toBeFocused()
  })
})
