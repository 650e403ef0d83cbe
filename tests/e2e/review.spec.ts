import { apiClient, taskBody } from './api-client.ts'
import { keepDecisionsOpen, stopEventTime } from './conditions.ts'
import { expect, open, type Page, test } from './fixtures.ts'

const COUNT = 12
const REASON = 'The link is empty, as far as I can see.'

/** A buyer with tasks of one slot and one coin, for each of which the worker has submitted work. */
async function workToReview(buyer: Page, worker: Page): Promise<void> {
  const asBuyer = await apiClient(buyer.context())
  const asWorker = await apiClient(worker.context())
  for (let n = 1; n <= COUNT; n++) {
    const task = taskBody({ task_title: `Check price ${n}`, required_workers: 1, payable_amount: 1 })
    const { insertedId } = await asBuyer('POST', '/add-task', task)
    await asWorker('POST', '/submiteted-task', { taskId: insertedId, submissoin_data: `Price ${n} is 40.` })
  }
}

const article = (page: Page) => page.getByRole('article').getByRole('heading')
const hasFocus = (page: Page) => page.evaluate(() => document.activeElement !== document.body)

test('a buyer reviews a dozen submissions without a mouse, and leaves at once', async ({ visitor }) => {
  const buyer = await visitor('Buyer', 'Bashir Ahmed')
  const worker = await visitor('Worker', 'Wahida Khatun')
  await workToReview(buyer, worker)
  await keepDecisionsOpen(buyer)
  await open(buyer, '/dashboard/task-to-review')
  const { keyboard } = buyer
  await expect(buyer.getByText(`${COUNT} to review`)).toBeVisible()
  await expect(article(buyer)).toHaveText('Check price 1')

  await keyboard.press('r')
  await expect(buyer.getByLabel('Does not follow the instructions')).toBeFocused()
  await keyboard.press('ArrowDown')
  await expect(buyer.getByLabel('Incomplete')).toBeChecked()
  await keyboard.press('Tab')
  await expect(buyer.getByLabel('Reason')).toBeFocused()
  await keyboard.type(REASON)
  await keyboard.press('Control+Enter')
  await expect(article(buyer)).toHaveText('Check price 2')
  await keyboard.press('u')
  await expect(article(buyer)).toHaveText('Check price 1')
  await keyboard.press('r')
  await expect(buyer.getByLabel('Reason')).toHaveValue(REASON)
  await keyboard.press('Control+Enter')
  await expect(buyer.getByText(`${COUNT - 1} to review`)).toBeVisible()

  for (let n = 2; n <= COUNT - 3; n++) {
    await expect(article(buyer)).toHaveText(`Check price ${n}`)
    await keyboard.press('a')
  }
  await expect(article(buyer)).toHaveText(`Check price ${COUNT - 2}`)
  expect(await hasFocus(buyer)).toBe(true)

  await keyboard.press('x')
  await keyboard.press('Shift+J')
  await keyboard.press('Shift+J')
  await keyboard.press('a')
  const asked = buyer.getByRole('dialog', { name: 'Approve 3 submissions?' })
  await expect(asked).toContainText('3 coins')
  await expect(asked.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await keyboard.press('Tab')
  await keyboard.press('Enter')
  await expect(buyer.getByText('0 to review')).toBeVisible()
  await expect.poll(() => hasFocus(buyer)).toBe(true)

  // The page is left while decisions can still be undone.
  await buyer.goto('/')
  const asWorker = await apiClient(worker.context())
  await expect
    .poll(() => asWorker('GET', '/worker-stats'))
    .toMatchObject({ pendingTask: 0, totalEarning: COUNT - 1 })
})

test('a double click pays one worker, whose work keeps its place until it is undone', async ({ visitor }) => {
  const buyer = await visitor('Buyer', 'Bashir Ahmed')
  await workToReview(buyer, await visitor('Worker', 'Wahida Khatun'))
  await keepDecisionsOpen(buyer)
  await open(buyer, '/dashboard/task-to-review')
  await expect(article(buyer)).toHaveText('Check price 1')
  await stopEventTime(buyer)
  await buyer.getByRole('button', { name: /^Approve work by/ }).dblclick()
  await expect(article(buyer)).toHaveText('Check price 2')
  await expect(buyer.getByText(`${COUNT - 1} to review`)).toBeVisible()
  expect(await hasFocus(buyer)).toBe(true)
  await buyer.keyboard.press('u')
  await expect(article(buyer)).toHaveText('Check price 1')
  await expect(buyer.getByText(`${COUNT} to review`)).toBeVisible()
})
