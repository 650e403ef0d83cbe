import { enterAs, expect, open, type Page, test } from './fixtures.ts'
import { asDemo, aTask, workerWhoEarned } from './world.ts'

test('a draft survives the way to the purchase page and back', async ({ visitor }) => {
  const page = await visitor('Buyer', 'Bashir Ahmed')
  await page.getByRole('link', { name: 'Add New Task' }).click()
  await fillTask(page, { workers: '6', pay: '10' })
  await page.getByRole('button', { name: 'Add Task' }).click()
  await page
    .getByRole('dialog', { name: 'Insufficient Coin' })
    .getByRole('button', { name: 'Go to Purchase Page' })
    .click()
  await expect(page).toHaveURL(/\/dashboard\/purchase-coin$/)
  await page.goBack()
  await expect(page.getByLabel('Task title')).toHaveValue('Name three tea stalls')
})

test('work that could not be sent stays in its field; once sent it replaces the form', async ({
  visitor,
  expected,
}) => {
  expected.push('/api/submiteted-task', 'net::ERR_FAILED')
  const page = await visitor('Worker', 'Wahida Khatun')
  const task = await asDemo(page.context(), 'Buyer', (call) => call('POST', '/add-task', aTask()))
  await open(page, `/dashboard/task-details/${task.insertedId}`)
  await page.route('**/api/submiteted-task', (route) => route.abort())
  await page.getByLabel('Your work').fill('An hour of writing')
  await page.getByRole('button', { name: 'Submit Work' }).click()
  const failed = page.getByRole('dialog', { name: 'Error' })
  await expect(failed).toContainText('Something went wrong!')
  await failed.getByRole('button', { name: 'OK' }).click()
  await expect(page.getByLabel('Your work')).toHaveValue('An hour of writing')
  await page.unroute('**/api/submiteted-task')
  await page.getByRole('button', { name: 'Submit Work' }).click()
  await expect(page.getByRole('dialog', { name: 'Success' })).toBeVisible()

  await page.reload()
  const work = page.getByRole('region', { name: 'Submission' })
  await expect(work).toContainText('Your work is in review')
  await expect(work).toContainText('Pending')
  await expect(work).toContainText('An hour of writing')
  await expect(work.getByRole('button', { name: 'Submit Work' })).toHaveCount(0)
})

test('the withdrawal form shows its four states, and submits', async ({ page, context }) => {
  await workerWhoEarned(context, 290)
  await open(page, '/dashboard/withDrawal-form')
  const coins = page.getByLabel('Coins to withdraw')
  const button = page.getByRole('button', { name: /^Withdraw/ })
  await expect(button).toBeDisabled()
  await coins.fill('150')
  await expect(page.getByText('Minimum withdraw amount is 200 coins.')).toBeVisible()
  await coins.fill('301')
  await expect(page.getByText("Can't withdraw more than available coins.")).toBeVisible()
  await coins.fill('250')
  await expect(page.getByText("You're eligible to withdraw.")).toBeVisible()
  await expect(page.getByLabel('Withdrawal amount')).toHaveValue('$12.50')
  await page.getByLabel('Payment system').selectOption('Nagad')
  await page.getByLabel('Account number').fill('123')
  await button.click()
  await expect(page.getByLabel('Account number')).toBeFocused()
  await page.getByLabel('Account number').fill('01712345678')
  await button.click()
  await expect(page.getByRole('dialog', { name: 'Withdraw Request Sent' })).toContainText(
    'We will process your request soon!',
  )
  await page.getByRole('button', { name: 'OK' }).click()
  await expect(page.getByRole('row', { name: /Nagad 01712345678 Pending/ })).toBeVisible()
  await expect(page.getByText('Minimum 200 coins required. You have 50.')).toBeVisible()
})

test('an Admin changes a role, and deletes a user after seeing the effect in numbers', async ({
  page,
  context,
}) => {
  const name = `Jamal Hossain ${crypto.randomUUID().slice(0, 6)}`
  await workerWhoEarned(context, 40, name)
  await enterAs(context, 'Admin')
  await open(page, '/dashboard/manage-users')
  await page.getByRole('searchbox').fill(name)
  await expect(page.getByRole('row')).toHaveCount(2)
  await page.getByLabel(`Role of ${name}`).selectOption('Buyer')
  await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).click()
  await expect(page.getByText('Role Updated')).toBeVisible()
  await expect(page.getByLabel(`Role of ${name}`)).toHaveValue('Buyer')
  await page.getByRole('button', { name: `Delete ${name}` }).click()
  const sure = page.getByRole('dialog', { name: 'Are you sure?' })
  await expect(sure).toContainText("You won't be able to revert this!")
  await expect(sure).toContainText('50 coins')
  await sure.getByRole('button', { name: 'Yes, delete it!' }).click()
  await expect(page.getByText('User deleted successfully.')).toBeVisible()
  await page.getByRole('button', { name: 'OK' }).click()
  await expect(page.getByText('No users found.')).toBeVisible()
})

test('a statement is saved as CSV', async ({ visitor }) => {
  const page = await visitor('Buyer', 'Bashir Ahmed')
  await open(page, '/dashboard/statement')
  const waiting = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  const file = await waiting
  expect(file.suggestedFilename()).toMatch(/^coins-\d{4}-\d{2}-\d{2}\.csv$/)
})

async function fillTask(page: Page, { workers, pay }: { workers: string; pay: string }): Promise<void> {
  await page.getByLabel('Task title').fill('Name three tea stalls')
  await page.getByLabel('Task details').fill('Three names and their streets.')
  await page.getByLabel('Required workers').fill(workers)
  await page.getByLabel('Payable amount').fill(pay)
  await page.getByLabel('Completion date').fill(new Date(Date.now() + 9 * 86_400_000).toDateString())
  await page.getByLabel('Submission info').fill('The three names')
}
