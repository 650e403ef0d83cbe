import type { Locator } from '@playwright/test'
import { apiClient, asDemo, taskBody, workerWhoEarned } from './api-client.ts'
import { keepDecisionsOpen, shown } from './conditions.ts'
import { expect, open, type Page, signInAsDemo, test } from './fixtures.ts'

/** Presses Tab until this has the focus, as somebody without a mouse does. */
async function tabTo(target: Locator): Promise<void> {
  await expect(target).toBeVisible()
  for (let presses = 0; presses < 120; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await target.page().keyboard.press('Tab')
  }
  throw new Error(`Tab never reaches ${target}`)
}

async function press(within: Page | Locator, role: 'link' | 'button', name: string | RegExp): Promise<void> {
  const target = within.getByRole(role, { name }).first()
  await tabTo(target)
  await target.page().keyboard.press('Enter')
}

async function write(
  page: Page,
  role: 'textbox' | 'searchbox',
  field: string | RegExp,
  text: string,
): Promise<void> {
  await tabTo(page.getByRole(role, { name: field }))
  await page.keyboard.type(text)
}

/** A dialog takes the focus and gives it back. */
async function confirmDialog(page: Page, dialog: string, button: string): Promise<void> {
  const box = page.getByRole('dialog', { name: dialog })
  await expect(box).toBeVisible()
  await expect.poll(() => box.evaluate((element) => element.contains(document.activeElement))).toBe(true)
  await press(box, 'button', button)
  await expect(box).toHaveCount(0)
}

for (const reducedMotion of ['reduce', 'no-preference'] as const) {
  test(`the focus returns from a dialog to its button, or to the content without it, with motion: ${reducedMotion}`, async ({
    visitor,
  }) => {
    const page = await visitor('Buyer', 'Bashir Ahmed')
    await page.emulateMedia({ reducedMotion })
    const call = await apiClient(page.context())
    await call('POST', '/add-task', taskBody({ payable_amount: 5 }))
    await open(page, '/dashboard/my-task')
    await press(page, 'button', /^Delete/)
    await confirmDialog(page, 'Are you sure?', 'Cancel')
    await expect(page.getByRole('button', { name: /^Delete/ })).toBeFocused()
    await page.keyboard.press('Enter')
    await confirmDialog(page, 'Are you sure?', 'Yes, delete it!')
    await confirmDialog(page, 'Deleted!', 'OK')
    await expect(page.locator('#content')).toBeFocused()
  })
}

test('a buyer posts a task and approves work by keyboard alone', async ({ visitor }) => {
  const page = await visitor('Buyer', 'Bashir Ahmed')
  await keepDecisionsOpen(page)
  await open(page, '/dashboard')
  const title = `Count the steps ${crypto.randomUUID().slice(0, 6)}`
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await press(page, 'link', 'Add New Task')
  await write(page, 'textbox', /^Task title/, title)
  await write(page, 'textbox', /^Task details/, 'Walk up the stairs of your house and count.')
  await write(page, 'textbox', /^Required workers/, '2')
  await write(page, 'textbox', /^Payable amount/, '5')
  const deadline = new Date(Date.now() + 9 * 86_400_000)
  await write(page, 'textbox', /^Completion date/, deadline.toDateString().slice(4))
  await write(page, 'textbox', /^Submission info/, 'One number')
  await press(page, 'button', 'Add Task')
  await confirmDialog(page, 'Task Added', 'OK')
  await expect(page.getByRole('heading', { level: 1, name: 'My Tasks' })).toBeVisible()

  const worker = await visitor('Worker', 'Wahida Khatun')
  const call = await apiClient(worker.context())
  const [task] = (await call('GET', `/task-list-worker?q=${encodeURIComponent(title)}`)) as unknown as {
    _id: string
  }[]
  await call('POST', '/submiteted-task', { taskId: task?._id, submissoin_data: '42 steps' })

  await press(page, 'link', 'Task To Review')
  await expect(page.getByRole('article').getByText('42 steps')).toBeVisible()
  await press(page, 'button', /^Approve work by Wahida Khatun/)
  const approved = shown(page, 'Task has been approved!')
  const paid = shown(page, '5 coins paid to Wahida Khatun.')
  await press(page, 'button', 'Pay now')
  await Promise.all([approved, paid])
  await expect(page.getByText('No pending submissions.')).toBeVisible()
})

test('a worker finds a task, submits work and sees it listed by keyboard alone', async ({ visitor }) => {
  const page = await visitor('Worker', 'Wahida Khatun', '/dashboard')
  const title = `Name a river ${crypto.randomUUID().slice(0, 6)}`
  await asDemo(page.context(), 'Buyer', (call) => call('POST', '/add-task', taskBody({ task_title: title })))
  await press(page, 'link', 'Available Task')
  await write(page, 'searchbox', 'Search tasks', title)
  await press(page, 'link', new RegExp(`^Apply Task.*${title}`))
  await write(page, 'textbox', /^Your work/, 'Surma, Kushiyara, Meghna')
  await press(page, 'button', 'Submit Work')
  await confirmDialog(page, 'Success', 'OK')
  await press(page, 'link', 'My Submisson')
  await expect(page.getByText('Surma, Kushiyara, Meghna')).toBeVisible()
})

test('an admin pays a withdrawal by keyboard alone', async ({ page, context }) => {
  const worker = await workerWhoEarned(context, 230, `Kamrun Nahar ${crypto.randomUUID().slice(0, 6)}`)
  await worker.call('POST', `/withdraw/${worker.email}`, {
    withdrawalCoin: 220,
    payment_system: 'Bkash',
    accountNumber: '01712345678',
  })
  await signInAsDemo(context, 'Admin')
  await page.goto('/dashboard')
  await press(page, 'link', 'Withdraw Request')
  await press(page, 'button', `Payment Success for ${worker.name}`)
  await expect(page.getByRole('dialog', { name: 'Mark $11.00 as paid?' })).toContainText('220 coins')
  await confirmDialog(page, 'Mark $11.00 as paid?', 'Payment Success')
  await confirmDialog(page, 'Approved Payment Request', 'OK')
  await expect(page.getByText(worker.email)).toHaveCount(0)
})
