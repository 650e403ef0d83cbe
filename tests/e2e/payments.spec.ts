import type { Locator } from '@playwright/test'
import {
  advanceClockUntil,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  open,
  type Page,
  saveScreenshot,
  signInAsDemo,
  signUpUser,
  test,
} from './fixtures.ts'

test('a buyer is declined, passes 3-D Secure, pays, and finds the receipt', async ({ page, context }) => {
  const buyer = await signUpUser(context, 'Buyer')
  await open(page, '/')
  await page.getByRole('button', { name: 'Buy 150 coins' }).click()
  await expect(page).toHaveURL('/dashboard/purchase-coin/payment/10')
  await expect(page.getByText('TEST MODE.')).toBeVisible()
  await saveScreenshot(page, 'payment-form')

  const pay = page.getByRole('button', { name: 'Pay $10.00' })
  await pay.click()
  await expect(page.getByText('Your card number is incomplete.')).toBeVisible()
  await page.getByLabel('Card number').fill('4000000000000002')
  await page.getByLabel('Expiry').fill('1234')
  await page.getByLabel('CVC').fill('123')
  await pay.click()
  await expect(page.getByText('Payment Failed: Your card was declined.')).toBeVisible()
  await expectAccessible(page)

  const bank = page.getByRole('dialog', { name: '3-D Secure authentication' })
  await page.getByRole('button', { name: /4000 0025 0000 3155/ }).click()
  await pay.click()
  await expect(bank).toBeVisible()
  await expectAccessible(page)
  await saveScreenshot(page, 'payment-3d-secure')
  await bank.getByRole('button', { name: 'Fail authentication' }).click()
  await expect(page.getByText(/Payment Failed: We are unable to authenticate/)).toBeVisible()
  await pay.click()
  await bank.getByRole('button', { name: 'Complete authentication' }).click()

  const success = page.getByRole('dialog', { name: 'Payment Successful! Coins Added.' })
  await expect(success).toBeVisible()
  await success.getByRole('button', { name: 'OK' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('banner')).toContainText('200 coins')

  await open(page, '/dashboard/paymenthistory')
  await expect(page.getByText('Success')).toBeVisible()
  await saveScreenshot(page, 'payment-history')
  await page.getByRole('link', { name: /Receipt/ }).click()
  const receipt = page.getByRole('article', { name: 'Receipt' })
  await expect(receipt).toContainText('Visa ending in 3155')
  await expect(receipt).toContainText(buyer.email)
  await saveScreenshot(page, 'payment-receipt')
  await page.setViewportSize({ width: 390, height: 844 })
  await expect.poll(() => lineCount(receipt.getByText('Transaction', { exact: true }))).toBe(1)
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('banner')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden()
})

test('the card provider is down: the screen says so and continues when it is back', async ({
  page,
  context,
  expected,
}) => {
  expected.push('503')
  await signUpUser(context, 'Buyer')
  const message = 'Card payments are unavailable right now.'
  const down = { status: 503, json: { error: { code: 'payments_unavailable', message } } }
  await page.clock.install()
  await page.route('**/api/create-payment-intent', (route) => route.fulfill(down))
  await open(page, '/dashboard/purchase-coin/payment/1')
  await expect(page.getByRole('alert').getByText(message)).toBeVisible()
  await page.unroute('**/api/create-payment-intent')
  await page.getByRole('button', { name: 'Try again' }).click()

  await page.route('**/api/payment-success', (route) => route.fulfill(down))
  await page.getByRole('button', { name: /4242 4242 4242 4242/ }).click()
  await page.getByRole('button', { name: 'Pay $1.00' }).click()
  const later = page.getByRole('dialog', { name: 'Your payment is being processed' })
  await advanceClockUntil(page, 5_000, () => later.isVisible())
  await expect(later).toContainText('You do not need to pay again')
})

test('coins for a task that was too expensive lead back to it, and a refund takes back what is left of them', async ({
  page,
  context,
  browser,
}) => {
  const buyer = await signUpUser(context, 'Buyer', 'Kamal Payer')
  const title = `Check the prices of rice ${crypto.randomUUID().slice(0, 6)}`
  await open(page, '/dashboard/add-task')
  await page.getByLabel('Task title').fill(title)
  await page.getByLabel('Required workers').fill('27')
  await page.getByLabel('Payable amount').fill('20')
  await page.getByRole('link', { name: 'Go to Purchase Page' }).click()
  await page.getByRole('button', { name: 'Buy 500 coins' }).click()
  const order = page.getByLabel('Your order')
  await expect(order).toContainText(/Balance after purchase\s*550 coins/)
  await page.getByRole('button', { name: /4242 4242 4242 4242/ }).click()
  await page.getByRole('button', { name: 'Pay $20.00' }).click()
  const success = page.getByRole('dialog', { name: 'Payment Successful! Coins Added.' })
  await expect(success).toContainText('Your balance is 550 coins.')
  await expect(order).toContainText(/Balance after purchase\s*550 coins/)
  await success.getByRole('button', { name: 'Back to your task' }).click()

  await expect(page.getByRole('heading', { level: 1, name: 'Create a New Task' })).toBeVisible()
  await expect(page.getByLabel('Task title')).toHaveValue(title)
  await page.getByLabel('Task details').fill('Look up the price of each kind.')
  await page.getByLabel('Submission info').fill('The prices')
  const completionDate = page.getByLabel('Completion date')
  // The server is in Dhaka, where the weekend is Friday and Saturday. This month may have none any more.
  await completionDate.fill(new Date(Date.now() + 40 * 86_400_000).toDateString())
  await expect.poll(() => weekendDays(page)).toEqual(['Fri', 'Sat'])
  await completionDate.fill(new Date(Date.now() + 9 * 86_400_000).toDateString())
  await page.getByRole('button', { name: 'Add Task' }).click()
  await page.getByRole('dialog', { name: 'Task Added' }).getByRole('button', { name: 'OK' }).click()
  await expect(page.getByRole('banner')).toContainText('10 coins')

  const office = await browser.newContext({ baseURL: process.env.E2E_URL ?? '' })
  await signInAsDemo(office, 'Admin')
  const desk = await office.newPage()
  await open(desk, `/dashboard/payments?q=${encodeURIComponent(buyer.email)}`)
  const row = desk.getByRole('row', { name: /Kamal Payer/ })
  await expect(row).toContainText('$20.00')
  await saveScreenshot(desk, 'payments-admin')
  for (const width of [768, 1024, 1280]) {
    await desk.setViewportSize({ width, height: 800 })
    await expectNoSidewaysScroll(desk)
    // A day with the button of its calendar takes 140 px.
    for (const label of ['From', 'To'])
      await expect
        .poll(() => desk.getByLabel(label, { exact: true }).evaluate(({ clientWidth }) => clientWidth))
        .toBeGreaterThan(140)
  }
  await desk.setViewportSize({ width: 1024, height: 800 })
  for (const cell of await row.getByRole('cell').all()) await expect(cell).toBeInViewport({ ratio: 1 })
  await row.getByRole('button', { name: /Refund/ }).click()
  const dialog = desk.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('Bought twice')
  await dialog.getByRole('button', { name: 'Refund' }).click()
  await expect(row).toContainText('Refunded')
  await expect(row).toContainText('Full amount returned, 500 coins deducted')
  await office.close()

  await page.getByRole('button', { name: /^Notifications/ }).click()
  await expect(page.getByRole('dialog')).toContainText(
    '$20.00 of your card payment was refunded. 10 coins were deducted. Another 490 coins had already been spent; the next coins you receive will repay them first.',
  )
})

/** Returns on how many lines the text of an element is. */
function lineCount(element: Locator): Promise<number> {
  return element.evaluate((node) => {
    const range = document.createRange()
    range.selectNodeContents(node)
    return range.getClientRects().length
  })
}

/** Returns the days of the week that the open calendar marks as the weekend. */
function weekendDays(page: Page): Promise<string[]> {
  return page.locator('button[data-weekend]').evaluateAll((days) => {
    const names = days.map((day) =>
      new Date(`${day.getAttribute('aria-label')} UTC`).toUTCString().slice(0, 3),
    )
    return [...new Set(names)].toSorted()
  })
}
