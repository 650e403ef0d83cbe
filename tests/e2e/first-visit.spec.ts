import type { Request } from '@playwright/test'
import type { Role } from '#contract/endpoint.ts'
import { site } from '#contract/site.ts'
import { myTaskStates } from '#contract/submissions.ts'
import { taskListWorker } from '#contract/tasks.ts'
import { holdScripts } from './conditions.ts'
import {
  expect,
  expectAccessible,
  open,
  type Page,
  ready,
  signInAsDemo,
  signUpUser,
  test,
} from './fixtures.ts'
import { savedReplies } from './offline-storage.ts'

/** Opens a page on a phone that has received neither its scripts nor the Bangla font. The returned function sends the scripts. */
async function openWithoutScripts(page: Page, path: string): Promise<() => void> {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.route('**/assets/bangla-*.woff2', (route) => route.abort())
  const sendScripts = await holdScripts(page)
  await page.goto(path, { waitUntil: 'commit' })
  return sendScripts
}

for (const { path, heading, text, menu, link } of [
  {
    path: '/dashboard',
    heading: 'Profile',
    text: 'Loading your experience...',
    menu: 'Menu',
    link: 'Available Task',
  },
  { path: '/bn/dashboard', heading: 'প্রোফাইল', text: 'লোড হচ্ছে...', menu: 'মেনু', link: 'করার মতো টাস্ক' },
]) {
  test(`${path} shows its frame before its scripts arrive, and opens a menu that was pressed before`, async ({
    page,
    context,
    expected,
  }) => {
    expected.push('bangla-')
    await signInAsDemo(context, 'Worker')
    const sendScripts = await openWithoutScripts(page, path)
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
    await expect(page.getByRole('status').filter({ hasText: text })).toBeVisible()
    const button = page.getByRole('banner').getByRole('button', { name: menu })
    await expect(button).toBeVisible()
    await expectAccessible(page)
    await button.click()
    sendScripts()
    await expect(page.getByRole('dialog', { name: menu }).getByRole('link', { name: link })).toBeVisible()
  })
}

test('the list of tasks takes a search before its scripts arrive, and does it then', async ({
  page,
  context,
  expected,
}) => {
  expected.push('bangla-')
  await signInAsDemo(context, 'Worker')
  const sendScripts = await openWithoutScripts(page, '/bn/dashboard/available-task')
  await expect(page.getByRole('heading', { level: 1, name: 'করার মতো টাস্ক' })).toBeVisible()
  const field = page.getByRole('searchbox', { name: 'টাস্ক খুঁজুন' })
  await field.fill('photo')
  await expectAccessible(page)
  sendScripts()
  await expect(page).toHaveURL(/[?&]q=photo/)
  await expect(field).toHaveValue('photo')
  await expect(field).toBeFocused()
})

test('the list of tasks takes what its page has requested, on a second visit too', async ({
  page,
  context,
}) => {
  // Live updates, which other tests cause, would let the page request its lists again.
  await signUpUser(context, 'Worker')
  await page.route('**/api/live*', () => {})
  const requests: string[] = []
  const record = (request: Request) => requests.push(new URL(request.url()).pathname)
  page.on('request', record)
  await open(page, '/dashboard/available-task')
  await expect(page.getByRole('article').first()).toBeVisible()
  await expect.poll(() => page.evaluate(() => [...(window.earlyResponses?.keys() ?? [])])).toEqual([])
  for (const path of [
    '/task-list-worker',
    '/tasks-for-favourites',
    '/my-task-states',
    '/my-ineligible-tasks',
  ])
    expect(requests.filter((requested) => requested.endsWith(path))).toHaveLength(1)
  page.off('request', record)

  await expect.poll(() => savedReplies(page)).toContain(myTaskStates.path)
  // The list and the configuration arrive after the app has requested the states of the saved list, as on a slow network.
  const { promise, resolve } = Promise.withResolvers<void>()
  page.on('request', (request) => request.url().includes(myTaskStates.path) && resolve())
  const latePaths = [`**${taskListWorker.path}?*`, `**${site.path}`]
  for (const path of latePaths)
    await page.route(path, async (route) => {
      await promise
      await route.continue()
    })
  requests.length = 0
  page.on('request', record)
  const late = latePaths.map((path) => page.waitForResponse(path))
  await page.reload()
  await ready(page)
  for (const response of await Promise.all(late)) await response.finished()
  await page.evaluate(() => new Promise((settled) => requestIdleCallback(settled)))
  await expect.poll(() => page.evaluate(() => [...(window.earlyResponses?.keys() ?? [])])).toEqual([])
  expect(requests.filter((requested) => requested.endsWith(site.path))).toHaveLength(1)
})

test('the list of tasks of a worker is not shown to a buyer, nor to a visitor', async ({ page, context }) => {
  await page.goto('/dashboard/available-task')
  await expect(page).toHaveURL('/login')
  await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible()
  await signInAsDemo(context, 'Buyer')
  await page.goto('/dashboard/available-task')
  await expect(
    page.getByRole('heading', { level: 1, name: 'You do not have access to this page' }),
  ).toBeVisible()
})

for (const role of ['Worker', 'Buyer', 'Admin'] satisfies Role[]) {
  test(`the home of a ${role} takes what its page has requested, and loads no style that is in it`, async ({
    page,
    context,
  }) => {
    await signInAsDemo(context, role)
    const styles: string[] = []
    page.on('request', (request) => {
      if (/\/assets\/(root|layout|lists|styles)-.*\.css/.test(request.url())) styles.push(request.url())
    })
    await open(page, '/dashboard')
    await expect(page.locator('#your-data')).toBeVisible()
    await expect(page.locator('main [role="status"][aria-label]')).toHaveCount(0)
    await expect.poll(() => page.evaluate(() => [...(window.earlyResponses?.keys() ?? [])])).toEqual([])
    expect(styles).toEqual([])
  })
}
