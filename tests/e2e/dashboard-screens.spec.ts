import type { BrowserContext } from '@playwright/test'
import type { Role } from '#contract/endpoint.ts'
import { runsLongTests } from '#tests/support/long.ts'
import { type ApiClient, aDisputedPayment, apiClient, asDemo, asNew, workerWhoEarned } from './api-client.ts'
import { expectBanglaToFit } from './bangla.ts'
import { aCheckedBatch, anOpenBatch, aProject, submitItems } from './batches.ts'
import { expectToFit, expectToFitAt, expectToFitWithLargeText } from './fits.ts'
import {
  expect,
  expectAccessibleAt,
  navigate,
  open,
  type Page,
  resize,
  saveScreenshots,
  test,
} from './fixtures.ts'
import { expectUsualFormats } from './formats.ts'
import { expectRoomForLongTexts } from './pseudo-locale.ts'

type Screen = { path: string; name: string; heading: string | RegExp }

const SCREENS: Record<Role, Screen[]> = {
  Worker: [
    { path: '/dashboard', name: 'profile', heading: 'Profile' },
    { path: '/dashboard/available-task', name: 'available-task', heading: 'Available Tasks' },
    { path: '/dashboard/task-details/:task', name: 'task-details', heading: /./ },
    { path: '/dashboard/batches/:paid/work', name: 'batch-work', heading: /^Shops of/ },
    { path: '/users/:user', name: 'user', heading: 'Shafiq Mia' },
    { path: '/dashboard/approved-task', name: 'approved-task', heading: 'My Approved Task' },
    { path: '/dashboard/withDrawal-form', name: 'withdrawal-form', heading: 'Withdraw Form' },
    {
      path: '/dashboard/payout-destinations',
      name: 'payout-destinations',
      heading: 'Payout Destinations',
    },
    { path: '/dashboard/my-submisson', name: 'my-submisson', heading: 'My Submisson' },
    { path: '/dashboard/statement', name: 'statement', heading: 'Coin Statement' },
    { path: '/dashboard/paymenthistory', name: 'payment-history', heading: 'Payment History' },
    { path: '/dashboard/account-freeze', name: 'account-freeze', heading: 'Account Freeze' },
    { path: '/dashboard/api-keys', name: 'api-keys', heading: 'API Keys' },
    { path: '/dashboard/webhooks', name: 'webhooks', heading: 'Webhooks' },
    { path: '/dashboard/webhooks/:webhook', name: 'webhook', heading: /^Warehouse/ },
    { path: '/dashboard/security', name: 'security', heading: 'Account Security' },
    { path: '/dashboard/notifications', name: 'notifications', heading: 'Notifications' },
    { path: '/dashboard/add-task', name: 'forbidden', heading: 'You do not have access to this page' },
    { path: '/dashboard/no-such-screen', name: 'not-found', heading: 'Page not found' },
  ],
  Buyer: [
    { path: '/dashboard', name: 'profile', heading: 'Profile' },
    { path: '/dashboard/add-task', name: 'add-task', heading: 'Create a New Task' },
    { path: '/dashboard/my-task', name: 'my-task', heading: 'My Tasks' },
    { path: '/dashboard/task-drafts', name: 'task-drafts', heading: 'Drafts and Templates' },
    { path: '/dashboard/projects', name: 'projects', heading: 'Projects' },
    { path: '/dashboard/my-workers', name: 'my-workers', heading: 'My Workers' },
    { path: '/dashboard/projects/new', name: 'new-project', heading: 'New Project' },
    { path: '/dashboard/projects/:project', name: 'project', heading: /^Shops of/ },
    { path: '/dashboard/projects/:project/edit', name: 'edit-project', heading: 'Edit Project' },
    { path: '/dashboard/batches/:failed', name: 'batch-with-errors', heading: /csv$/ },
    { path: '/dashboard/batches/:ready', name: 'batch', heading: /csv$/ },
    { path: '/dashboard/batches/:paid', name: 'paid-batch', heading: /csv$/ },
    { path: '/dashboard/batches/:paid/answers', name: 'batch-answers', heading: 'Answers' },
    { path: '/dashboard/task-details/:own', name: 'own-task', heading: /./ },
    { path: '/dashboard/update-task/:own', name: 'update-task', heading: 'Update Task' },
    { path: '/dashboard/task-to-review', name: 'task-to-review', heading: 'Task To Review' },
    { path: '/dashboard/approved-task', name: 'approved-task', heading: 'Approved submissions' },
    { path: '/dashboard/rejected-task', name: 'rejected-task', heading: 'Rejected submissions' },
    { path: '/dashboard/case/:rejected', name: 'case', heading: /./ },
    { path: '/dashboard/purchase-coin', name: 'purchase-coin', heading: 'Purchase Coin' },
    { path: '/dashboard/purchase-coin/payment/35', name: 'payment', heading: 'Payment' },
    { path: '/dashboard/paymenthistory', name: 'payment-history', heading: 'Payment History' },
    { path: '/dashboard/statement', name: 'statement', heading: 'Coin Statement' },
    {
      path: `/dashboard/statement/${new Date().toISOString().slice(0, 7)}`,
      name: 'monthly-statement',
      heading: /^Statement for/,
    },
    { path: '/dashboard/receipts/:payment', name: 'receipt', heading: /^Receipt TEST-R-/ },
  ],
  Admin: [
    { path: '/dashboard', name: 'profile', heading: 'Profile' },
    { path: '/dashboard/withdraw-request', name: 'withdraw-request', heading: 'Withdraw Request' },
    { path: '/dashboard/freezes', name: 'freezes', heading: 'Freezes' },
    { path: '/dashboard/payouts', name: 'payouts', heading: 'Payouts' },
    { path: '/dashboard/payouts/:batch', name: 'payout-batch', heading: 'Payout Batch' },
    { path: '/dashboard/manage-users', name: 'manage-users', heading: 'Manage Users' },
    { path: '/dashboard/manage-users/:user', name: 'user-overview', heading: 'Shafiq Mia' },
    { path: '/dashboard/user-search?q=01712345678', name: 'user-search', heading: 'Find Users' },
    {
      path: '/dashboard/manage-users/:user/sessions',
      name: 'user-sessions',
      heading: 'Sessions of Shafiq Mia',
    },
    { path: '/dashboard/manage-task', name: 'manage-task', heading: 'Manage Task' },
    { path: '/dashboard/reviews', name: 'reviews', heading: 'Reviews' },
    { path: '/dashboard/appeals', name: 'appeals', heading: 'Appeals' },
    { path: '/dashboard/payments', name: 'payments', heading: /Payments/ },
    { path: '/dashboard/disputes', name: 'disputes', heading: 'Disputes' },
    { path: '/dashboard/disputes/:dispute', name: 'dispute', heading: 'Dispute' },
    { path: '/dashboard/unmatched-payments', name: 'unmatched-payments', heading: 'Unmatched Payments' },
    { path: '/dashboard/payout-statements', name: 'payout-statements', heading: 'Payout Statements' },
    { path: '/dashboard/payout-files', name: 'payout-files', heading: 'Payout Files' },
    { path: '/dashboard/exchange-rate', name: 'exchange-rate', heading: 'Exchange Rate' },
    { path: '/dashboard/reconciliation', name: 'reconciliation', heading: 'Reconciliation' },
    { path: '/dashboard/messages', name: 'messages', heading: 'Messages' },
    { path: '/dashboard/books', name: 'books', heading: 'Books' },
    { path: '/dashboard/jobs', name: 'jobs', heading: 'Background jobs' },
    { path: '/dashboard/audit-log', name: 'audit-log', heading: 'Audit Log' },
    { path: '/dashboard/security-log', name: 'security-log', heading: 'Security Log' },
    { path: '/dashboard/settings', name: 'settings', heading: 'Settings' },
    { path: '/dashboard/public-pages', name: 'public-pages', heading: 'Public Pages' },
    { path: '/dashboard/system', name: 'system', heading: 'System' },
  ],
}

for (const [role, screens] of Object.entries(SCREENS) as [Role, Screen[]][]) {
  for (const { path, name, heading } of screens) {
    test(`${role}: ${name} is accessible, logs no error and fits, on a phone and on a desk`, async ({
      context,
      demoPage,
    }) => {
      const asksToBePaid = name === 'withdraw-request' || name === 'payout-batch'
      const withdrawal = asksToBePaid ? await aWithdrawal(context) : ''
      if (name === 'messages') await somebodyWrites(context)
      const page = await demoPage(role)
      if (name === 'task-drafts') await saveDrafts(page.context())
      if (name === 'my-workers') await aQualification(page.context(), context)
      if (name === 'projects') await someProjects(page.context())
      if (name === 'api-keys') await someKeys(page.context())
      const address = await addressOf(page, path, withdrawal)
      // A desk's window at 400 %.
      await page.setViewportSize({ width: 320, height: 700 })
      // To load the app for each screen takes a quarter of the processor time.
      if (runsLongTests() || page.url() === 'about:blank') await open(page, address)
      else await navigate(page, address)
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
      await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
      await expectUsualFormats(page)
      await expectToFit(page)
      // The whole page is on the screen once, so that what loads late is there.
      await resize(page, 390)
      await expectToFitWithLargeText(page, 390)
      await expectAccessibleAt(page, 390, `dashboard/${role}-${name}`)
      if (!runsLongTests()) {
        await expectToFitAt(page, 1440)
        await expectAccessibleAt(page, 1440, `dashboard/${role}-${name}`)
        return
      }
      for (const width of [768, 1440]) {
        await expectToFitAt(page, width)
        // The wide page is checked in Bangla, in the other color scheme.
        if (width < 1440) await saveScreenshots(page, `dashboard/${role}-${name}-${width}`)
      }
      await expectToFitAt(page, 320)
      await expectRoomForLongTexts(page)
      await expectBanglaToFit(await demoPage(role, 'bn'), address, `dashboard/${role}-${name}`)
    })
  }
}

async function addressOf(page: Page, path: string, withdrawal: string): Promise<string> {
  if (!path.includes(':')) return path
  const call = await apiClient(page.context())
  if (path.includes(':project')) return path.replace(':project', await aProject(call))
  if (path.includes(':paid')) return path.replace(':paid', await aPaidBatch(page.context(), call, path))
  if (path.includes('/batches/'))
    return path.replace(/:\w+/, await aCheckedBatch(call, path.endsWith(':failed')))
  if (path.includes(':dispute')) return `/dashboard/disputes/${await aDispute(page, call)}`
  if (path.includes(':webhook')) return `/dashboard/webhooks/${await aWebhook(call)}`
  if (path.includes(':batch')) return `/dashboard/payouts/${await aBatch(call, withdrawal)}`
  const list = path.includes(':own')
    ? '/my-task/shafiq@demo.example'
    : path.includes(':payment')
      ? '/payment-history/shafiq@demo.example'
      : path.includes(':rejected')
        ? '/task-to-review?email=shafiq@demo.example&status=rejected'
        : path.includes(':user')
          ? '/get-all-user?q=shafiq'
          : '/task-list-worker?q=voice'
  const [first] = (await call('GET', list)) as unknown as { _id: string }[]
  return path.replace(/:\w+/, first?._id ?? '')
}

/** Returns the id of a paid batch with answers; for a worker that of its task, of which they have reserved an item. */
async function aPaidBatch(context: BrowserContext, call: ApiClient, path: string): Promise<string> {
  if (!path.endsWith('/work')) {
    const { batch, task } = await anOpenBatch(call)
    await asDemo(context, 'Worker', (worker) => submitItems(worker, task, 12))
    for (const [shift, name] of ['Wahida Khatun', 'Abdul Karim'].entries())
      await asNew(context, 'Worker', name, (worker) => submitItems(worker, task, 6, shift))
    await expect
      .poll(async () => (await call('GET', `/batches/${batch}/agreement/summary`)).computedAt)
      .not.toBeNull()
    return batch
  }
  const { task } = await asDemo(context, 'Buyer', anOpenBatch)
  await call('POST', `/tasks/${task}/items`)
  return task
}

/** Grants a qualification with a long name to a worker of the demo, a favourite, and blocks a new one, whom no other test uses. */
async function aQualification(context: BrowserContext, workerContext: BrowserContext): Promise<void> {
  const call = await apiClient(context)
  const blocked = `Wahida Khatun ${crypto.randomUUID().slice(0, 8)}`
  await workerWhoEarned(workerContext, 5, blocked)
  const name = `Reads handwriting ${'long-name-'.repeat(6)}`
  const { _id } = await call('POST', '/qualifications', { name, description: 'Transcribe the test batch.' })
  type Row = { worker: string; name: string }
  const workers = async () => (await call('GET', '/my-workers?limit=100')) as unknown as Row[]
  const isBlocked = ({ name }: Row) => name === blocked
  await expect
    .poll(async () => {
      const rows = await workers()
      return rows.some(isBlocked) && rows.length > 1
    })
    .toBe(true)
  const rows = await workers()
  const [favourite] = rows.filter((row) => !isBlocked(row))
  await call('PUT', `/qualifications/${_id}/workers`, { workers: [favourite?.worker], qualified: true })
  await call('PUT', `/my-workers/${favourite?.worker}/favourite`, { favourite: true })
  await call('PUT', `/my-workers/${rows.find(isBlocked)?.worker}/block`, {
    reason: 'The same text ten times',
  })
}

/** Creates more projects than a screen holds, the newest with paid work and with a file that has errors. */
async function someProjects(context: BrowserContext): Promise<void> {
  const call = await apiClient(context)
  for (let number = 1; number <= 28; number++) await aProject(call)
  await aCheckedBatch(call, true)
  const { task } = await anOpenBatch(call)
  await asDemo(context, 'Worker', (worker) => submitItems(worker, task, 3))
}

/** Creates API keys, one with a long name and many networks, one that is revoked. */
async function someKeys(context: BrowserContext): Promise<void> {
  const call = await apiClient(context)
  const scopes = ['tasks', 'review', 'payments:read', 'events', 'account:read']
  const networks = Array.from({ length: 8 }, (_, number) => `2001:db8:${number}::/48`)
  const name = `Warehouse of ${'long-name-'.repeat(4)}`
  await call('POST', '/api-keys', { name, scopes, networks, expiresInDays: 5 })
  const { _id } = await call('POST', '/api-keys', {
    name: 'Old laptop',
    scopes: ['tasks'],
    expiresInDays: 90,
  })
  await call('DELETE', `/api-keys/${_id}`)
}

/** Returns the id of a webhook endpoint with a long name and an attempt that failed. */
async function aWebhook(call: ApiClient): Promise<string> {
  const { _id } = await call('POST', '/webhook-endpoints', {
    name: 'Warehouse of Mst. Kamrunnahar Begum Chowdhury, Brahmanbaria',
    url: `http://127.0.0.1:9/hooks/${'long-path-'.repeat(12)}`,
    events: ['submission.received', 'submission.decided', 'payout.confirmed'],
  })
  await call('POST', `/webhook-endpoints/${_id}/test`)
  await expect
    .poll(async () => {
      const deliveries = (await call('GET', `/webhook-endpoints/${_id}/deliveries`)) as unknown as {
        state: string
      }[]
      return deliveries.map(({ state }) => state)
    })
    .toEqual(['failed'])
  return _id as string
}

/** Creates a payout batch of a withdrawal and returns its id. */
async function aBatch(call: ApiClient, withdrawal: string): Promise<string> {
  const { insertedId } = await call('POST', '/payout-batches', { withdrawalIds: [withdrawal] })
  return insertedId as string
}

/** Returns the id of a dispute about a new buyer's payment. */
async function aDispute(page: Page, call: ApiClient): Promise<string> {
  const name = 'Mst. Kamrunnahar Begum Chowdhury of Brahmanbaria'
  const transactionId = await aDisputedPayment(page.context(), name)
  let found: { _id: string; transactionId: string } | undefined
  await expect
    .poll(async () => {
      const disputes = (await call('GET', '/card-disputes')) as unknown as NonNullable<typeof found>[]
      found = disputes.find((dispute) => dispute.transactionId === transactionId)
      return found
    })
    .toBeDefined()
  return found?._id ?? ''
}

/** Requests a withdrawal as a new worker and returns its id. */
async function aWithdrawal(context: BrowserContext): Promise<string> {
  const worker = await workerWhoEarned(context, 240, 'Mst. Kamrunnahar Begum Chowdhury of Brahmanbaria')
  const { insertedId } = await worker.call('POST', `/withdraw/${worker.email}`, {
    withdrawalCoin: 220,
    payment_system: 'Bank',
    accountNumber: 'Sonali Bank, Dhanmondi, Kamrunnahar Begum, 4401-0200-1234-5678',
  })
  return insertedId as string
}

/** Saves more drafts than a screen holds, one of them with a long name, and a template. */
async function saveDrafts(context: BrowserContext): Promise<void> {
  const call = await apiClient(context)
  for (let number = 1; number <= 30; number++)
    await call('POST', '/task-drafts', { task_title: `Label photo ${number}`, required_workers: number })
  const name = `Interview for Mst. Kamrunnahar Begum Chowdhury of Brahmanbaria ${'long-name-'.repeat(8)}`
  await call('POST', '/task-drafts', { name, task_title: 'An interview', payable_amount: 25 })
  await call('POST', '/task-drafts', { task_title: 'Weekly survey', template: true })
}

async function somebodyWrites(context: BrowserContext): Promise<void> {
  const response = await context.request.post('/api/contact', {
    data: {
      name: 'Rahim Uddin',
      email: 'rahim@example.com',
      subject: 'How do I post a task for my shop?',
      message: 'Hello,\nI have a small shop in Sylhet. Where do I begin?',
    },
  })
  expect(response.status()).toBe(201)
}
