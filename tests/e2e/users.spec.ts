import type { Locator } from '@playwright/test'
import { workerWhoEarned } from './api-client.ts'
import { shown } from './conditions.ts'
import { expect, open, signInAsDemo, test } from './fixtures.ts'

test('a role that an Admin changes leaves no chart of the former role, and the own role cannot be changed', async ({
  page,
  context,
  browser,
  expected,
}) => {
  expected.push('403') // of what the open page reads while its role changes
  const { name } = await workerWhoEarned(context, 25, `Selina Parvin ${crypto.randomUUID().slice(0, 8)}`)
  const live = page.waitForResponse((response) => response.url().includes('/api/live') && response.ok())
  await open(page, '/dashboard')
  await live
  await expect(page.getByRole('slider', { name: 'Coins earned' })).toBeVisible()

  const office = await browser.newContext({ baseURL: process.env.E2E_URL ?? '' })
  await signInAsDemo(office, 'Admin')
  const desk = await office.newPage()
  await open(desk, '/dashboard/manage-users?role=Admin')
  const own = desk.getByRole('row', { name: /Rehana Akter/ })
  await expect(own).toContainText('Admin (you)')
  await expect(own.getByRole('combobox')).toHaveCount(0)
  await expect(own.getByRole('button', { name: 'Delete Rehana Akter' })).toHaveCount(0)

  await open(desk, `/dashboard/manage-users?q=${encodeURIComponent(name)}`)
  await desk.getByLabel(`Role of ${name}`).selectOption('Buyer')
  const updated = shown(desk, 'Role Updated')
  await desk.getByRole('dialog').getByRole('button', { name: 'Change role' }).click()
  await updated
  await office.close()

  await expect(page.getByRole('banner')).toContainText('Buyer')
  const steps = page.getByRole('region', { name: 'First steps' })
  await expect(steps).toContainText('Post a task')
  await expect(page.getByRole('slider', { name: 'Coins earned' })).toHaveCount(0)
  await steps.getByRole('button', { name: 'Hide' }).click()
  await expect(page.getByRole('figure').filter({ hasText: 'Coins paid to workers' })).toContainText(
    'No activity',
  )
  await expect(page.getByRole('heading', { name: 'Coins earned' })).toHaveCount(0)
})

test('a visitor filters all users by role, and sees why to work with one of them', async ({ page }) => {
  await open(page, '/all-worker')
  await page.getByLabel('Role').selectOption('Buyers')
  await page.getByLabel('Search by name or email').fill('shafiq@demo')
  await expect(page).toHaveURL(/role=Buyer/)
  const card = page.getByRole('list', { name: 'People' }).getByRole('listitem')
  await expect(card).toHaveCount(1)
  await expect(card).toContainText(/New buyer|Approves \d+% of work|Rejects \d+% of work/)
  await page.getByLabel('Role').selectOption('Workers')
  await expect(page.getByText('No people match your search.')).toBeVisible()
  await page.getByLabel('Role').selectOption('All roles')
  await card.getByRole('link', { name: 'Shafiq Mia' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Shafiq Mia' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'As a buyer' })).toBeVisible()
})

test('values of seven digits are whole at the axis of a chart, on a phone', async ({ page, context }) => {
  await signInAsDemo(context, 'Worker')
  await page.route('**/api/stats/series', async (route) => {
    const days: object[] = await (await route.fetch()).json()
    await route.fulfill({ json: days.map((day) => ({ ...day, coins: 1_234_567 })) })
  })
  await page.setViewportSize({ width: 390, height: 844 })
  await open(page, '/dashboard')
  const chart = page.getByRole('figure').filter({ hasText: 'Coins earned' })
  await chart.scrollIntoViewIfNeeded()
  await expect(chart).toContainText('3,70,37,010 coins in the last 30 days')
  const value = chart.getByText('15L', { exact: true })
  await expect(value).toBeInViewport({ ratio: 1 })
  const left = async (element: Locator) => (await element.boundingBox())?.x ?? Number.NaN
  await expect.poll(async () => (await left(value)) - (await left(chart))).toBeGreaterThanOrEqual(0)
})
