import { apiClient, taskBody } from './api-client.ts'
import { keepDecisionsOpen, shown } from './conditions.ts'
import { expectToFit } from './fits.ts'
import { expect, expectAccessible, open, type Page, resize, signInAsDemo, test } from './fixtures.ts'

test('a rejection is appealed, defended and overturned, and the worker is paid', async ({
  context,
  page: reviewer,
  visitor,
}) => {
  const buyer = await visitor('Buyer', 'Bashir Ahmed')
  const worker = await visitor('Worker', 'Wahida Khatun')
  const title = `Count boats ${crypto.randomUUID().slice(0, 8)}`
  const asBuyer = await apiClient(buyer.context())
  const { insertedId: taskId } = await asBuyer('POST', '/add-task', taskBody({ task_title: title }))
  const asWorker = await apiClient(worker.context())
  const work = { taskId, submissoin_data: 'There are four boats.' }
  const { insertedId: id } = await asWorker('POST', '/submiteted-task', work)

  await keepDecisionsOpen(buyer)
  await open(buyer, '/dashboard/task-to-review')
  await expect(buyer.getByRole('article').getByRole('heading')).toHaveText(title)
  await buyer.keyboard.press('r')
  await buyer.getByRole('radio', { name: 'Incorrect' }).check()
  await buyer.getByRole('textbox', { name: 'Reason' }).fill('I count five boats.')
  await buyer.keyboard.press('Control+Enter')
  const rejected = shown(buyer, 'Work rejected')
  await buyer.getByRole('button', { name: 'Send now' }).click()
  await rejected

  await open(worker, `/dashboard/case/${id}`)
  await expect(worker.getByText(/^You have .* to appeal\./)).toBeVisible()
  await expectAccessibleForm(worker)
  await worker.getByLabel('Why is the rejection wrong?').fill('The fifth is a raft.')
  await worker.getByRole('button', { name: 'Appeal', exact: true }).click()
  await expect(worker.getByText('Without a response, you are paid 5 coins.')).toBeVisible()

  await open(buyer, `/dashboard/case/${id}`)
  await expectAccessibleForm(buyer)
  await buyer.getByLabel('Why do you stand by the rejection?').fill('A raft is a boat.')
  await buyer.getByRole('button', { name: 'Stand by the rejection' }).click()
  await expect(buyer.getByText(/^A neutral reviewer has .* to decide\./)).toBeVisible()

  await expect(worker.getByText(/^A neutral reviewer has .* to decide\./)).toBeVisible()
  await signInAsDemo(context, 'Admin')
  await open(reviewer, `/dashboard/case/${id}`)
  await expectAccessibleForm(reviewer)
  await reviewer.getByRole('radio', { name: 'Overturn the rejection' }).check()
  await reviewer.getByLabel('Reason').fill('The task asks for boats only.')
  await reviewer.getByRole('button', { name: 'Decide' }).click()
  await expect(reviewer.getByText('Your decision was saved.')).toBeVisible()
  await expect(worker.getByText('You were paid 5 coins.')).toBeVisible()
  await expect(worker.getByText('The task asks for boats only.')).toBeVisible()
})

/** The form that is open fits a phone and a desk, and breaks no rule of WCAG. */
async function expectAccessibleForm(page: Page): Promise<void> {
  await expect(page.getByRole('main').getByRole('form')).toBeVisible()
  for (const width of [390, 1440]) {
    await resize(page, width)
    await expectToFit(page, { labels: true })
  }
  await expectAccessible(page)
}
