import type { Locator } from '@playwright/test'
import { apiClient, asNew, taskBody } from './api-client.ts'
import { keepDecisionsOpen } from './conditions.ts'
import { CountedInput, documented } from './counted-input.ts'
import { expect, open, type Page, signInAsDemo, signUpUser, test } from './fixtures.ts'

/** The document counts with more submissions and requests; only keys of a review depend on their number. */
const WORKERS = 2
const DOCUMENTED_SUBMISSIONS = 20
const DEADLINE = new Date(Date.now() + 9 * 86_400_000).toDateString().slice(4)

/** Opens the profile, where each job begins, with nothing counted. */
async function begin(page: Page): Promise<CountedInput> {
  await open(page, '/dashboard')
  await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible()
  return new CountedInput(page)
}

const sum = ({ clicks, keys }: CountedInput) => clicks + keys

/** Presses the button that has the focus in a dialog, and waits until it is closed. */
async function enter(input: CountedInput, dialog: Locator, button: string): Promise<void> {
  await expect(dialog.getByRole('button', { name: button })).toBeFocused()
  await input.press('Enter')
  await expect(dialog).toHaveCount(0)
}

async function fillTask(
  page: Page,
  title: string,
  write: (field: Locator, text: string) => Promise<void>,
): Promise<void> {
  await write(page.getByRole('textbox', { name: /^Task title/ }), title)
  await write(page.getByRole('textbox', { name: /^Task details/ }), 'Count the shops of your street.')
  await write(page.getByRole('textbox', { name: /^Required workers/ }), String(WORKERS))
  await write(page.getByRole('textbox', { name: /^Payable amount/ }), '5')
  await write(page.getByRole('textbox', { name: /^Completion date/ }), DEADLINE)
  await write(page.getByRole('textbox', { name: /^Submission info/ }), 'A number')
}

test('a buyer posts a task and approves its submissions with the documented clicks and keys', async ({
  visitor,
}) => {
  const page = await visitor('Buyer', 'Bashir Ahmed')
  await keepDecisionsOpen(page)
  const title = `Count shops ${crypto.randomUUID().slice(0, 8)}`
  const posted = page.getByRole('dialog', { name: 'Task Added' })

  const post = documented('post a task')
  let input = await begin(page)
  await input.openScreen('Add New Task')
  await fillTask(page, `${title}, mouse`, (field, text) => field.fill(text))
  await input.click(page.getByRole('button', { name: 'Add Task' }))
  await input.click(posted.getByRole('button', { name: 'OK' }))
  await expect(posted).toHaveCount(0)
  expect(sum(input)).toBe(post.clicks)

  input = await begin(page)
  await input.goTo('a', 'Create a New Task')
  await fillTask(page, `${title}, keys`, (field, text) => input.write(field, text))
  await input.tabTo(page.getByRole('button', { name: 'Add Task' }))
  await input.press('Enter')
  await enter(input, posted, 'OK')
  expect(sum(input)).toBe(post.keys)

  const submitAll = async (task: string) => {
    for (let number = 1; number <= WORKERS; number++)
      await asNew(page.context(), 'Worker', `Wahida ${number}`, async (worker) => {
        const found = await worker('GET', `/task-list-worker?q=${encodeURIComponent(task)}`)
        const [{ _id: taskId }] = found as unknown as [{ _id: string }]
        await worker('POST', '/submiteted-task', { taskId, submissoin_data: 'Forty.' })
      })
  }
  const review = documented('approve 20 submissions of a task')
  await submitAll(`${title}, mouse`)
  input = await begin(page)
  await input.openScreen('Task To Review')
  await expect(page.getByText(`${WORKERS} to review`)).toBeVisible()
  await input.click(page.getByRole('checkbox', { name: 'Select all' }))
  await input.click(page.getByRole('button', { name: `Approve ${WORKERS}` }))
  await input.click(page.getByRole('dialog').getByRole('button', { name: /^Approve/ }))
  await expect(page.getByText('0 to review')).toBeVisible()
  expect(sum(input)).toBe(review.clicks)

  await submitAll(`${title}, keys`)
  input = await begin(page)
  await input.goTo('r', 'Task To Review')
  for (let left = WORKERS; left > 0; left--) {
    await expect(page.getByText(`${left} to review`)).toBeVisible()
    await input.press('a')
  }
  await expect(page.getByText('0 to review')).toBeVisible()
  expect(sum(input)).toBe(review.keys - DOCUMENTED_SUBMISSIONS + WORKERS)
})

test('a worker finds and submits three tasks with the documented clicks and keys', async ({
  page,
  context,
}) => {
  const name = `Shop ${crypto.randomUUID().slice(0, 8)}`
  await asNew(context, 'Buyer', 'Bashir Ahmed', async (buyer) => {
    for (let number = 1; number <= 6; number++)
      await buyer('POST', '/add-task', taskBody({ task_title: `${name}, ${number}`, required_workers: 1 }))
  })
  await signUpUser(context, 'Worker', 'Wahida Khatun')
  const listed = page.getByRole('article').filter({ hasText: name })
  const others = page.getByRole('article').filter({ hasNotText: name })
  const work = page.getByRole('textbox', { name: 'Your work' })
  const sent = page.getByRole('dialog', { name: 'Success' })
  const find = documented('find and submit three tasks')

  let input = await begin(page)
  await input.openScreen('Available Task')
  await page.getByLabel('Search tasks').fill(name)
  await expect(listed).toHaveCount(6)
  await expect(others).toHaveCount(0)
  await input.click(page.getByRole('link', { name: `Apply Task : ${name}, 6` }))
  for (const number of [6, 5, 4]) {
    await expect(page.getByRole('heading', { level: 1, name: `${name}, ${number}` })).toBeVisible()
    await work.fill('Forty')
    await input.click(page.getByRole('button', { name: 'Submit Work' }))
    await input.click(sent.getByRole('button', { name: number === 4 ? 'OK' : 'Next task' }))
    await expect(sent).toHaveCount(0)
  }
  expect(sum(input)).toBe(find.clicks)

  input = await begin(page)
  await input.goTo('t', 'Available Tasks')
  await input.press('/')
  await page.keyboard.type(name)
  await expect(listed).toHaveCount(6)
  await expect(others).toHaveCount(0)
  await input.tabTo(page.getByRole('link', { name: `Apply Task : ${name}, 3` }))
  await input.press('Enter')
  for (const number of [3, 2, 1]) {
    await expect(page.getByRole('heading', { level: 1, name: `${name}, ${number}` })).toBeVisible()
    await expect(page.getByRole('main')).toBeFocused()
    await input.write(work, 'Forty')
    await input.press('Control+Enter')
    await enter(input, sent, number === 1 ? 'OK' : 'Next task')
  }
  expect(sum(input)).toBe(find.keys)
})

/** Lets these workers earn 420 coins each, paid by one buyer. */
async function earn(workers: readonly Page[]): Promise<void> {
  const [first] = workers
  if (first === undefined) return
  await asNew(first.context(), 'Buyer', 'Bashir Ahmed', async (buyer) => {
    const { clientSecret } = await buyer('POST', '/create-payment-intent', { price: 35 })
    const card = { number: '4242424242424242', expMonth: 12, expYear: 2040, cvc: '123' }
    const { transactionId } = await buyer('POST', '/sandbox/confirm', { clientSecret, ...card })
    await buyer('POST', '/payment-success', { transactionId })
    const task = taskBody({ required_workers: workers.length, payable_amount: 420 })
    const { insertedId: taskId } = await buyer('POST', '/add-task', task)
    for (const worker of workers) {
      const submit = await apiClient(worker.context())
      const { insertedId } = await submit('POST', '/submiteted-task', { taskId, submissoin_data: 'Done.' })
      await buyer('PATCH', `/update-submission-status/${insertedId}`, { status: 'approved' })
    }
  })
}

/** Requests 200 coins with the mouse or with keys, with the documented number of presses. */
async function withdraw(page: Page, account: string, by: 'clicks' | 'keys'): Promise<void> {
  const coins = page.getByRole('textbox', { name: /^Coins to withdraw/ })
  const number = page.getByRole('textbox', { name: /^Account number/ })
  const sent = page.getByRole('dialog', { name: 'Withdraw Request Sent' })
  const input = await begin(page)
  if (by === 'clicks') {
    await input.openScreen('Withdraw Form')
    await coins.fill('200')
    await number.fill(account)
    await input.click(page.getByRole('button', { name: 'Withdraw $10.00' }))
    await input.click(sent.getByRole('button', { name: 'OK' }))
    await expect(sent).toHaveCount(0)
  } else {
    await input.goTo('w', 'Withdraw Form')
    await input.write(coins, '200')
    await input.write(number, account)
    await input.press('Enter')
    await enter(input, sent, 'OK')
  }
  expect(sum(input)).toBe(documented('request a withdrawal')[by])
}

test('workers withdraw and an Admin pays them with the documented clicks and keys', async ({
  page,
  context,
  visitor,
}) => {
  const name = `Kamrun ${crypto.randomUUID().slice(0, 8)}`
  const first = await visitor('Worker', `${name} 1`)
  const second = await visitor('Worker', `${name} 2`)
  await earn([first, second])
  const request = async () => {
    await withdraw(first, '01712345671', 'clicks')
    await withdraw(second, '01712345672', 'keys')
  }
  const search = page.getByLabel('Search by name or email')
  const all = page.getByRole('checkbox', { name: `Select all ${WORKERS}` })
  /** One of the requests that are searched for. Those that were listed before are replaced at once. */
  const mine = page.getByRole('checkbox', { name: `Select the request by ${name} 1` })
  const create = page.getByRole('button', { name: 'Create payout batch' })
  const batch = page.getByRole('heading', { level: 1, name: 'Payout Batch' })
  const release = page.getByRole('button', { name: 'Release' })
  const markPaid = page.getByRole('button', { name: 'Mark all as paid' })
  const sure = page.getByRole('dialog', { name: 'Mark $20.00 as paid?' })
  const confirm = sure.getByRole('button', { name: 'Payment Success' })
  const paid = page.getByText('Reconciled', { exact: true }).first()
  const pay = documented('pay out 19 requests')

  await request()
  await signInAsDemo(context, 'Admin')
  let input = await begin(page)
  await input.openScreen('Withdraw Request')
  await search.fill(name)
  await expect(mine).toBeVisible()
  await input.click(all)
  await expect(page.getByText(`${WORKERS} selected, $20.00`)).toBeVisible()
  await input.click(create)
  await expect(batch).toBeVisible()
  await input.click(release)
  await input.click(markPaid)
  await input.click(confirm)
  await expect(sure).toHaveCount(0)
  await expect(paid).toBeVisible()
  expect(sum(input)).toBe(pay.clicks)
  await open(page, `/dashboard/withdraw-request?status=approved&q=${encodeURIComponent(name)}`)
  await expect(page.getByRole('article')).toHaveCount(WORKERS)

  await request()
  input = await begin(page)
  await input.goTo('w', 'Withdraw Request')
  await input.press('/')
  await page.keyboard.type(name)
  await expect(mine).toBeVisible()
  await input.tabTo(all)
  await input.press('Space')
  await input.tabTo(create)
  await input.press('Enter')
  await expect(batch).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
  await input.tabTo(release)
  await input.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  await input.tabTo(markPaid)
  await input.press('Enter')
  await expect(sure.getByRole('button', { name: 'Not yet' })).toBeFocused()
  await input.tabTo(confirm)
  await input.press('Enter')
  await expect(sure).toHaveCount(0)
  await expect(paid).toBeVisible()
  expect(sum(input)).toBe(pay.keys)
})
