import type { BrowserContext, Page } from '@playwright/test'
import { taskDetails, taskListWorker } from '#contract/tasks.ts'
import { asDemo, taskBody } from './api-client.ts'
import { anOpenBatch } from './batches.ts'
import { expect, open, ready, signInAsDemo, signUpUser, test } from './fixtures.ts'
import { savedReplies, secondVisit } from './offline-storage.ts'

test.use({
  contextOptions: { serviceWorkers: 'allow' },
  expected: [
    'ERR_INTERNET_DISCONNECTED',
    'ERR_FAILED',
    'Failed to fetch',
    'Failed to load resource',
    // What was being loaded when the page was reloaded.
    'A component could not be loaded',
    // What the screens ask for once the network is back, after the session has ended.
    'Please sign in first.',
  ],
})

/** Everything that the browser stores of this origin, as text. */
async function stored(page: Page): Promise<string> {
  const texts = await page.evaluate(async () => {
    const texts: string[] = [JSON.stringify(localStorage), JSON.stringify(sessionStorage)]
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys())
        texts.push(request.url, (await (await cache.match(request))?.text()) ?? '')
    }
    return texts
  })
  return [...texts, await savedReplies(page)].join('\n')
}

async function aTaskOfDemo(context: BrowserContext, title: string): Promise<void> {
  await asDemo(context, 'Buyer', (call) => call('POST', '/add-task', taskBody({ task_title: title })))
}

test('the list and a task that were seen open offline in a new tab, and other screens say why not', async ({
  page,
  context,
}) => {
  const title = `Name a river ${crypto.randomUUID().slice(0, 6)}`
  await aTaskOfDemo(context, title)
  await signInAsDemo(context, 'Worker')
  await open(page, '/dashboard/available-task')
  await page.getByRole('article').filter({ hasText: title }).getByRole('link', { name: 'Apply Task' }).click()
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  const url = page.url()
  await secondVisit(page)
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await expect.poll(() => savedReplies(page)).toContain(taskDetails.path)
  await page.goto('/dashboard/available-task')
  await ready(page)
  await expect(page.getByRole('article').filter({ hasText: title })).toBeVisible()
  await secondVisit(page)
  await expect.poll(() => savedReplies(page)).toContain(taskListWorker.path)
  expect(await savedReplies(page)).toContain(taskDetails.path)
  await page.close()

  await context.setOffline(true)
  const tab = await context.newPage()
  await open(tab, url)
  await expect(tab.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await expect(tab.getByText('You are offline. Some information may be out of date.')).toBeVisible()
  await tab.goto('/dashboard/available-task')
  await ready(tab)
  await expect(tab.getByRole('article').filter({ hasText: title })).toBeVisible()
  await tab.goto('/dashboard/user-search')
  await expect(tab.getByRole('heading', { level: 1, name: 'You are offline' })).toBeVisible()
  await context.setOffline(false)
  await expect(tab.getByRole('heading', { level: 1, name: 'You are offline' })).toHaveCount(0)
})

test('a second visit starts without the network, and a reload brings the page of the server', async ({
  page,
  context,
}) => {
  await signInAsDemo(context, 'Worker')
  await open(page, '/dashboard')
  await secondVisit(page)
  // The shell that is kept is marked, which the page of the server is not.
  await page.evaluate(async () => {
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        if (!request.url.includes('__spa-fallback')) continue
        const kept = await cache.match(request)
        const html = (await kept?.text()) ?? ''
        const headers = new Headers(kept?.headers)
        headers.delete('content-security-policy')
        await cache.put(request, new Response(html.replace('<html', '<html data-kept'), { headers }))
      }
    }
  })
  const isKept = () => page.evaluate(() => 'kept' in document.documentElement.dataset)
  await page.goto('/dashboard')
  await ready(page)
  expect(await isKept()).toBe(true)
  await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible()
  await page.reload()
  await ready(page)
  expect(await isKept()).toBe(false)
})

test('a page that is reloaded while the service worker is installed is controlled by it', async ({
  page,
  context,
}) => {
  await signUpUser(context, 'Worker', 'Ruma Akter')
  await open(page, '/dashboard')
  await page.waitForFunction(async () => (await navigator.serviceWorker.getRegistration()) !== undefined)
  await page.reload()
  await ready(page)
  await secondVisit(page)
})

test('a user whose session has ended is asked to sign in after they saw what was theirs', async ({
  page,
  context,
}) => {
  const ruma = await signUpUser(context, 'Worker', 'Ruma Akter')
  await open(page, '/dashboard')
  await secondVisit(page)
  await expect.poll(() => stored(page)).toContain(ruma.email)
  await context.clearCookies()
  await page.goto('/dashboard')
  await expect(page).toHaveURL('/login')
  await expect.poll(() => stored(page)).not.toContain(ruma.email)
})

test('reserved items are answered after the app was opened again without a network', async ({
  page,
  context,
}) => {
  const { task } = await asDemo(context, 'Buyer', anOpenBatch)
  await signUpUser(context, 'Worker', 'Ruma Akter')
  await open(page, `/dashboard/batches/${task}/work`)
  await page.getByRole('button', { name: 'Start working' }).click()
  const item = (number: number) => page.getByRole('region', { name: `Item ${number}`, exact: true })
  await expect(item(1)).toBeVisible()
  const ahead = page.waitForResponse(
    (response) => response.request().method() === 'POST' && response.url().endsWith('/items'),
  )
  await page.getByRole('textbox', { name: 'Code on the door' }).fill('AB-1234')
  await ahead
  await secondVisit(page)
  await expect(item(1)).toBeVisible()
  // What the first visit saved before the items were reserved is there already.
  await expect.poll(() => savedReplies(page)).toMatch(/"reserved":\[\{.*"number":1\b.*"number":2\b/)
  await context.setOffline(true)
  await page.reload()
  await ready(page)
  await expect(page.getByRole('textbox', { name: 'Code on the door' })).toHaveValue('AB-1234')
  await page.getByRole('textbox', { name: 'Opening hours' }).fill('Nine to five')
  await page.getByRole('radio', { name: 'Food' }).check()
  await page.getByRole('button', { name: 'Submit and next' }).click()
  await expect(item(2)).toBeVisible()
  const unsent = page.getByRole('region', { name: 'Unsent work' })
  await expect(unsent).toBeVisible()
  await context.setOffline(false)
  await expect(unsent).toHaveCount(0)
  await expect(item(2)).toBeVisible()
})

test('after a sign-out nothing of the user is stored, and the next user sees their own', async ({
  page,
  context,
}) => {
  const ruma = await signUpUser(context, 'Worker', 'Ruma Akter')
  await open(page, '/dashboard')
  await expect(page.getByText('Ruma Akter').first()).toBeVisible()
  await secondVisit(page)
  await expect(page.getByText('Ruma Akter').first()).toBeVisible()
  await expect.poll(() => stored(page)).toContain(ruma.email)
  await page.getByRole('button', { name: 'Logout' }).first().click()
  await expect(page).toHaveURL('/login')
  await expect.poll(() => stored(page)).not.toContain(ruma.email)

  await signUpUser(context, 'Worker', 'Hasan Ali')
  await open(page, '/dashboard')
  await expect(page.getByText('Hasan Ali').first()).toBeVisible()
  const end = page.getByRole('heading', { name: 'Your data' })
  await secondVisit(page, end)
  await expect.poll(() => stored(page)).toContain('Hasan Ali')
  expect(await stored(page)).not.toContain('Ruma Akter')
  await context.setOffline(true)
  await page.reload()
  await ready(page)
  await expect(page.getByText('Hasan Ali').first()).toBeVisible()
  await expect(end).toBeVisible()
  expect(await page.content()).not.toContain('Ruma Akter')
})

test('a user whose session has ended elsewhere is signed out when the network is back', async ({
  page,
  context,
}) => {
  const ruma = await signUpUser(context, 'Worker', 'Ruma Akter')
  await open(page, '/dashboard')
  await expect(page.getByText('Ruma Akter').first()).toBeVisible()
  await secondVisit(page)
  await expect(page.getByText('Ruma Akter').first()).toBeVisible()
  await expect.poll(() => stored(page)).toContain(ruma.email)
  await context.clearCookies()
  await context.setOffline(true)
  await page.reload()
  await ready(page)
  await expect(page.getByText('Ruma Akter').first()).toBeVisible()
  await context.setOffline(false)
  await page.reload()
  await expect(page).toHaveURL('/login')
  await expect.poll(() => stored(page)).not.toContain(ruma.email)
})

test('a pushed notification is shown with its text, and opens its page', async ({ page, context }) => {
  await signInAsDemo(context, 'Worker')
  await open(page, '/dashboard')
  await secondVisit(page)
  const message = {
    title: 'Tallywork',
    body: 'You were paid.',
    route: '/dashboard/approved-task',
    tag: 'paid',
    lang: 'en',
  }
  // The browser of the tests has no notifications of its own: what the worker shows is kept, and clicked on.
  const [worker] = context.serviceWorkers()
  const shown = await worker?.evaluate((data) => {
    const shown: { title: string; options: NotificationOptions }[] = []
    const showNotification = async (title: string, options: NotificationOptions) => {
      shown.push({ title, options })
    }
    const scope = self as unknown as {
      registration: ServiceWorkerRegistration
      PushEvent: new (type: string, of: object) => Event
      ExtendableEvent: new (type: string) => Event
    }
    Object.defineProperty(scope.registration, 'showNotification', { value: showNotification })
    dispatchEvent(new scope.PushEvent('push', { data: JSON.stringify(data) }))
    const notification = { close() {}, data: shown[0]?.options.data }
    dispatchEvent(Object.assign(new scope.ExtendableEvent('notificationclick'), { notification }))
    return shown
  }, message)
  expect(shown).toEqual([
    {
      title: message.title,
      options: {
        body: message.body,
        tag: 'paid',
        lang: 'en',
        icon: '/icon-192.png',
        data: { route: message.route },
      },
    },
  ])
  await expect(page).toHaveURL('/dashboard/approved-task')
})

test('an outdated shell is used while there is no network, and only then', async ({ page, context }) => {
  await signInAsDemo(context, 'Worker')
  await open(page, '/dashboard')
  await secondVisit(page)
  await page.evaluate(async () => {
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      const shell = (await cache.keys()).find((request) => request.url.includes('/__spa-fallback'))
      const headers = { 'content-type': 'text/html' }
      if (shell) await cache.put(shell, new Response('<h1>An old version</h1>', { headers }))
    }
  })
  await page.reload()
  await ready(page)
  await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'An old version' })).toHaveCount(0)
  await context.setOffline(true)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'An old version' })).toBeVisible()
})
