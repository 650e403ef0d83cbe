import { asDemo, taskBody } from './api-client.ts'
import { anOpenBatch } from './batches.ts'
import { prefetched } from './conditions.ts'
import { expect, open, signInAsDemo, signUpUser, test } from './fixtures.ts'

test.use({
  expected: [
    'ERR_FAILED',
    'ERR_INTERNET_DISCONNECTED',
    '404',
    'did not load',
    'could not be loaded',
    'Unable to preload',
    '/assets/',
  ],
})

test('a chunk that fails to load leaves the rest of its screen usable, and loads when the network is back', async ({
  page,
  context,
}) => {
  await signInAsDemo(context, 'Admin')
  const chunk = /\/assets\/admin-home-[^/]+\.js/
  await page.route(chunk, (route) => route.abort())
  await open(page, '/dashboard')
  const main = page.getByRole('main')
  await expect(main.getByRole('alert')).toContainText('This section could not be loaded.')
  await expect(page.getByRole('link', { name: 'Manage Users', exact: true })).toBeVisible()
  await main.getByRole('button', { name: 'Try again' }).click()
  await expect(main.getByRole('alert')).toBeVisible()

  await page.unroute(chunk)
  await context.setOffline(true)
  await expect(page.getByText('You are offline.')).toBeVisible()
  await context.setOffline(false)
  await expect(main.getByRole('figure').first()).toBeVisible()
  await expect(main.getByRole('alert')).toHaveCount(0)
})

test('the screens of a role open offline', async ({ page, context }) => {
  await signInAsDemo(context, 'Buyer')
  await open(page, '/dashboard')
  await expect(page.getByText('Total paid')).toBeVisible()
  await prefetched(page, 'add-task')
  await context.setOffline(true)
  await page.getByRole('link', { name: 'Add New Task' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Create a New Task' })).toBeVisible()
  await context.setOffline(false)
})

test('a screen whose chunk was renamed by a new version opens', async ({ page, context }) => {
  await signInAsDemo(context, 'Buyer')
  let documents = 0
  page.on('request', (request) => request.isNavigationRequest() && documents++)
  await page.route('**/assets/my-task-*.js', (route) =>
    documents < 2 ? route.fulfill({ status: 404 }) : route.continue(),
  )
  await open(page, '/dashboard')
  await page.getByRole('link', { name: 'My Tasks' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'My Tasks' })).toBeVisible()
  await expect(page).toHaveURL('/dashboard/my-task')
  expect(documents).toBe(2)
})

test('navigating offline keeps the current screen, and continues when the network is back', async ({
  page,
  context,
}) => {
  await signInAsDemo(context, 'Buyer')
  await page.route('**/assets/my-task-*.js', (route) => route.abort())
  await open(page, '/dashboard/add-task')
  await page.getByLabel('Task title').fill('Half a thought')
  await context.setOffline(true)
  await page.getByRole('link', { name: 'My Tasks' }).click()
  await expect(page.getByText('You are offline. The page will open when you are back online.')).toBeVisible()
  await expect(page.getByLabel('Task title')).toHaveValue('Half a thought')
  await page.unroute('**/assets/my-task-*.js')
  await context.setOffline(false)
  await expect(page.getByRole('heading', { level: 1, name: 'My Tasks' })).toBeVisible()
})

test('messages use the browser’s dialog when ours cannot be loaded', async ({ page }) => {
  await page.route('**/assets/dialog-host-*', (route) => route.abort())
  await page.route('**/api/auth/sign-in', (route) =>
    route.fulfill({ status: 404, json: { error: { code: 'no', message: 'Wrong email or password.' } } }),
  )
  const said = page.waitForEvent('dialog').then(async (dialog) => {
    await dialog.accept()
    return dialog.message()
  })
  await open(page, '/login')
  await page.getByLabel('Email').fill('nobody@example.com')
  await page.getByRole('textbox', { name: 'Password' }).fill('Wrong!1')
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  expect(await said).toBe('Login Failed\n\nWrong email or password.')
})

test('a page whose script fails to load reloads itself', async ({ page, context }) => {
  await signInAsDemo(context, 'Buyer')
  let asked = 0
  await page.route('**/assets/root-*.js', (route) =>
    ++asked === 1 ? route.fulfill({ status: 404 }) : route.continue(),
  )
  await page.goto('/dashboard')
  // The heading is in the page before its scripts are.
  await expect(page.getByLabel('Your statistics')).toBeVisible()
  expect(asked).toBeGreaterThan(1)
})

test('opening a page while a screen loads cancels that navigation', async ({ page, context }) => {
  const requested: string[] = []
  await page.route('**/assets/sign-up-*.js', (route) => void requested.push(route.request().url()))
  await open(page, '/login')
  await page.getByRole('main').getByRole('link', { name: 'Register' }).click()
  await expect(page.getByRole('progressbar', { name: 'Loading page' })).toBeVisible()

  await signInAsDemo(context, 'Worker')
  requested.length = 0
  await open(page, '/')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Dashboard' })).toBeVisible()
  expect(requested).toEqual([])
  await expect(page).toHaveURL('/')
})

test('text typed into the search does not cancel opening a result', async ({ page, context }) => {
  const title = `Name a lake ${crypto.randomUUID().slice(0, 6)}`
  await asDemo(context, 'Buyer', (call) => call('POST', '/add-task', taskBody({ task_title: title })))
  await signInAsDemo(context, 'Worker')
  await page.clock.install()
  const held = Promise.withResolvers<void>()
  await page.route('**/assets/task-details-*.js', async (route) => {
    await held.promise
    await route.continue()
  })
  await open(page, '/dashboard/available-task')
  const result = page.getByRole('article').filter({ hasText: title })
  await expect(result).toBeVisible()
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.getByLabel('Search tasks').pressSequentially('q')
  await result.getByRole('link', { name: 'Apply Task' }).hover()
  await page.mouse.down()
  // The results under the pointer stay while it is pressed.
  expect(await page.evaluate(() => location.search)).toBe('')
  await page.mouse.up()
  await expect(page.getByRole('progressbar', { name: 'Loading page' })).toBeAttached()
  await page.clock.runFor(1000)
  held.resolve()
  await page.clock.resume()
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
})

test('reserved items are answered offline, and sent once when the network is back', async ({
  page,
  context,
}) => {
  const { batch, task } = await asDemo(context, 'Buyer', anOpenBatch)
  await signUpUser(context, 'Worker', 'Ruma Akter')
  const sent: string[] = []
  page.on('response', (response) => {
    const url = new URL(response.url())
    if (url.pathname.endsWith('/answers') && response.ok()) sent.push(url.pathname)
  })
  const answer = async () => {
    await page.getByRole('textbox', { name: 'Opening hours' }).fill('Nine to five')
    await page.getByRole('radio', { name: 'Food' }).check()
  }
  await open(page, `/dashboard/batches/${task}/work`)
  const reserved = page.waitForResponse(
    (response) => response.request().method() === 'POST' && /\/items$/.test(response.url()),
  )
  await page.getByRole('button', { name: 'Start working' }).click()
  await reserved
  await expect(page.getByRole('region', { name: 'Item 1', exact: true })).toBeVisible()
  const ahead = page.waitForResponse(
    (response) => response.request().method() === 'POST' && /\/items$/.test(response.url()),
  )
  await page.getByRole('textbox', { name: 'Code on the door' }).fill('AB-1234')
  await ahead
  await answer()
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Submit and next' }).click()
  await expect(page.getByRole('region', { name: 'Item 2', exact: true })).toBeVisible()
  await page.getByRole('textbox', { name: 'Code on the door' }).fill('CD-5678')
  await answer()
  await page.getByRole('button', { name: 'Submit and next' }).click()
  const unsent = page.getByRole('region', { name: 'Unsent work' })
  await expect(unsent.getByText('Waiting to be sent')).toHaveCount(2)
  expect(sent).toEqual([])
  await context.setOffline(false)
  await expect(unsent).toHaveCount(0)
  await expect.poll(() => sent).toHaveLength(2)
  const answers = await asDemo(context, 'Buyer', (call) => call('GET', `/batches/${batch}/answers`))
  expect(answers).toHaveLength(2)
})
