import { endDoubleClick, keepDecisionsOpen, shown } from './conditions.ts'
import { expect, open, type Page, test } from './fixtures.ts'

const DEADLINE = new Date(Date.now() + 10 * 86_400_000)

/** The product's main job, clicked through: post, find, do, approve; the coins move. */
async function wholeStory(buyer: Page, worker: Page): Promise<void> {
  const title = `Rate ten logos ${crypto.randomUUID().slice(0, 6)}`

  await goTo(buyer, 'Add New Task')
  await buyer.getByLabel('Task title').fill(title)
  await buyer.getByLabel('Task details').fill('Look at each logo and give it one to five stars.')
  await buyer.getByLabel('Required workers').fill('2')
  await buyer.getByLabel('Payable amount').fill('30')
  await buyer.getByLabel('Completion date').fill(DEADLINE.toDateString())
  await buyer.getByLabel('Submission info').fill('Ten numbers')
  await buyer.getByRole('button', { name: 'Add Task' }).click()
  await expect(buyer.getByRole('dialog', { name: 'Insufficient Coin' })).toContainText(
    'Not available Coin. Purchase Coin',
  )
  await buyer.getByRole('button', { name: 'Change the task' }).click()
  await buyer.getByLabel('Payable amount').fill('15')
  await buyer.getByRole('button', { name: 'Add Task' }).click()
  const added = buyer.getByRole('dialog', { name: 'Task Added' })
  await expect(added).toContainText('Your task has been successfully created.')
  await added.getByRole('button', { name: 'OK' }).click()
  await expectBalance(buyer, 20)
  await expect(buyer.getByText(title)).toBeVisible()

  await goTo(worker, 'Available Task')
  await worker.getByLabel('Search tasks').fill(title)
  await expect(worker.getByRole('article')).toHaveCount(1)
  await worker.getByRole('link', { name: new RegExp(`^Apply Task.*${title}`) }).click()
  await expect(worker.getByRole('region', { name: 'About this task' }).getByText('2 of 2 left')).toBeVisible()
  await worker.getByRole('textbox', { name: 'Your work' }).fill('5 4 3 5 2 1 4 4 5 3')
  await worker.getByRole('button', { name: 'Submit Work' }).click()
  const sent = worker.getByRole('dialog', { name: 'Success' })
  await expect(sent).toContainText('Task submitted successfully!')
  await sent.getByRole('button', { name: 'OK' }).click()
  await expect(worker.getByRole('region', { name: 'About this task' }).getByText('1 of 2 left')).toBeVisible()

  await goTo(buyer, 'Task To Review')
  const work = buyer.getByRole('article').filter({ hasText: title })
  await expect(work).toContainText('5 4 3 5 2 1 4 4 5 3')
  await work.getByRole('button', { name: /^Approve/ }).click()
  // Pay now is where Approve was.
  await endDoubleClick(buyer)
  const approved = shown(buyer, 'Task has been approved!')
  await buyer.getByRole('button', { name: 'Pay now' }).click()
  await approved
  await expect(work).toHaveCount(0)

  await worker.reload()
  await expectBalance(worker, 25)
  await goTo(worker, 'My Approved Task')
  await expect(worker.getByRole('heading', { level: 1, name: 'My Approved Task' })).toBeVisible()
  await expect(worker.getByText(title, { exact: true })).toBeVisible()

  await goTo(buyer, 'My Tasks')
  await buyer.getByRole('button', { name: `Actions for ${title}` }).click()
  await buyer
    .getByRole('dialog', { name: `Actions for ${title}` })
    .getByRole('button', { name: 'Delete' })
    .click()
  const sure = buyer.getByRole('dialog', { name: 'Are you sure?' })
  await expect(sure).toContainText('15 coins')
  await expect(sure.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await sure.getByRole('button', { name: 'Yes, delete it!' }).click()
  await expect(buyer.getByRole('dialog', { name: 'Deleted!' })).toContainText(
    'Task deleted and coins refunded.',
  )
  await buyer.getByRole('button', { name: 'OK' }).click()
  await expectBalance(buyer, 35)
}

/** What the header says. */
async function expectBalance(page: Page, coins: number): Promise<void> {
  await expect(page.getByRole('banner')).toContainText(new RegExp(`(^|\\D)${coins} coins`))
}

async function goTo(page: Page, label: string): Promise<void> {
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: label }).click()
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })
  // On a desk the same is done by keyboard alone (tests/e2e/keyboard.spec.ts).
  test('a buyer posts, a worker delivers, the buyer approves, the coins move', async ({ visitor }) => {
    const buyer = await visitor('Buyer', 'Bashir Ahmed')
    await keepDecisionsOpen(buyer)
    await open(buyer, '/dashboard')
    await wholeStory(buyer, await visitor('Worker', 'Wahida Khatun', '/dashboard'))
  })
})
