import type { BrowserContext, Page } from '@playwright/test'
import sharp from 'sharp'
import { UPLOAD_PART_BYTES } from '#contract/uploads.ts'
import { emulatePhone } from '#tests/load/slow-phone/network.ts'
import { type ApiClient, apiClient, asDemo, asNew } from './api-client.ts'
import { expect, open, ready, test } from './fixtures.ts'
import { savedReplies, secondVisit } from './offline-storage.ts'

const ANSWER = 'সকাল নয়টা থেকে বিকেল পাঁচটা, শুক্রবার বন্ধ'

test.use({
  viewport: { width: 360, height: 780 },
  hasTouch: true,
  contextOptions: { serviceWorkers: 'allow' },
  expected: ['ERR_INTERNET_DISCONNECTED', 'ERR_FAILED', 'Failed to fetch', 'Failed to load resource'],
})

/** Pays for one item whose question is answered in words and with a picture. Returns the batch's id. */
async function oneItem(call: ApiClient, title: string): Promise<string> {
  const { _id: project } = await call('POST', '/projects', {
    title,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of a project
    instructions: '${name} দোকানটি দেখুন।',
    pictureColumns: [],
    examples: [],
    form: {
      fields: [
        { type: 'long_text', name: 'hours', label: 'খোলা থাকার সময়', required: true },
        { type: 'picture', name: 'photo', label: 'দোকানের ছবি', required: true },
      ],
    },
    category: 'local',
    reward: 5,
    workersPerItem: 1,
    reviewHours: null,
    reservationMinutes: 60,
  })
  const { _id: batch } = await call('POST', `/projects/${project}/batches`, { fileName: 'shops.csv' })
  const content = Buffer.from('name\nরহিম স্টোর')
  await call('PUT', `/batches/${batch}/chunks/0`, { content: content.toString('base64') })
  await call('POST', `/batches/${batch}/check`, { bytes: content.length })
  const stateOf = async () => (await call('GET', `/batches/${batch}`)).state
  await expect.poll(stateOf).toBe('checked')
  const { cost } = (await call('GET', `/batches/${batch}`)) as { cost: { total: number } }
  const completion_date = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10)
  await call('POST', `/batches/${batch}/funding`, { completion_date, total: cost.total })
  await expect.poll(stateOf).toBe('open')
  return batch as string
}

/** A picture that is uploaded in several parts: no compression makes it small. */
async function aPhoto(): Promise<Buffer> {
  const noise = Buffer.from(
    Array.from({ length: 500 * 400 * 3 }, (_, n) => (n * 7919 + (n >> 7) * 104729) % 256),
  )
  const photo = await sharp(noise, { raw: { width: 500, height: 400, channels: 3 } })
    .jpeg({ quality: 90 })
    .toBuffer()
  expect(photo.length).toBeGreaterThan(2 * UPLOAD_PART_BYTES)
  expect(photo.length).toBeLessThan(200 * 1024)
  return photo
}

/** Registers a worker on the pages in Bangla, and returns their email. */
async function signUp(page: Page): Promise<string> {
  const email = `bn-${crypto.randomUUID().slice(0, 13)}@example.com`
  await open(page, '/bn/sign-up')
  await page.locator('input[name=role][value=Worker]').check()
  await page.locator('input[name=name]').fill('রুমা আক্তার')
  await page.locator('input[name=email]').fill(email)
  await page.locator('input[name=password]').fill('Shapla-Phul-9')
  await page.locator('input[type=file]').setInputFiles('web/public/icon-192.png')
  await page.locator('button[type=submit]').click()
  await expect(page).toHaveURL('/bn/dashboard')
  return email
}

/** With PHONE=1, gives the page the network and the processor of a slow phone, as `npm run slow-phone` does. */
async function slowDown(page: Page): Promise<void> {
  if (process.env.PHONE === '1') await emulatePhone(page, { kbitPerSecond: 400, latencyMs: 400, slower: 6 })
}

/** Connects the page again, which ends what slowed it down. */
async function connect(page: Page): Promise<void> {
  await page.context().setOffline(false)
  await slowDown(page)
}

async function booksBalance(context: BrowserContext): Promise<void> {
  const { balanced } = await asDemo(context, 'Admin', (call) => call('GET', '/audit'))
  expect(balanced).toBe(true)
}

test('a worker in Bangla whose connection breaks while typing, uploading and sending submits once', async ({
  page,
  context,
}) => {
  const title = `দোকানের সময় ${crypto.randomUUID().slice(0, 6)}`
  await asNew(context, 'Buyer', 'Hasan Ali', async (buyer) => {
    const batch = await oneItem(buyer, title)
    await slowDown(page)
    const email = await signUp(page)
    await page.goto('/bn/dashboard/available-task')
    await page.getByRole('searchbox').fill(title)
    // The list has been replaced by what was found.
    await expect(page.getByRole('article')).toHaveCount(1)
    await page
      .getByRole('article')
      .filter({ hasText: title })
      .getByRole('link', { name: /^টাস্কটি নিন/ })
      .click()
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await page.getByRole('link', { name: 'আইটেমে কাজ করুন' }).click()
    await page.getByRole('button', { name: 'কাজ শুরু করুন' }).click()
    const answer = page.getByRole('textbox', { name: 'খোলা থাকার সময়' })
    await expect(answer).toBeVisible()
    await secondVisit(page)
    await expect.poll(() => savedReplies(page)).toContain('"reserved":[{')

    // While typing: half of the answer is typed without a network, and the app is opened again.
    await answer.fill(ANSWER.slice(0, 10))
    await context.setOffline(true)
    await answer.press('End')
    await answer.pressSequentially(ANSWER.slice(10))
    await page.reload()
    await ready(page)
    await expect(answer).toHaveValue(ANSWER)
    await connect(page)

    // While uploading: one part does not arrive. Only that part is sent again.
    const offsets: string[] = []
    await page.route('**/api/uploads/*?offset=*', async (route) => {
      offsets.push(new URL(route.request().url()).searchParams.get('offset') ?? '')
      if (offsets.length === 2) await route.abort('internetdisconnected')
      else await route.continue()
    })
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'shop.jpg', mimeType: 'image/jpeg', buffer: await aPhoto() })
    await expect(page.getByRole('img', { name: 'দোকানের ছবি' })).toBeVisible()
    const part = String(UPLOAD_PART_BYTES)
    expect(offsets.slice(0, 3)).toEqual(['0', part, part])
    expect(offsets.filter((offset) => offset === '0')).toHaveLength(1)

    // While sending: the first request does not arrive, and the response of the second one is lost.
    const attempts: (string | undefined)[] = []
    await page.route('**/api/tasks/*/items/*/answers', async (route) => {
      attempts.push(route.request().headers()['idempotency-key'])
      if (attempts.length === 1) return route.abort('internetdisconnected')
      if (attempts.length === 2) {
        await route.fetch()
        return route.abort('internetdisconnected')
      }
      await route.continue()
    })
    await page.getByRole('button', { name: 'জমা দিয়ে পরেরটি' }).click()
    const unsent = page.getByRole('region', { name: 'পাঠানো হয়নি এমন কাজ' })
    await expect(unsent.getByText('পাঠানোর অপেক্ষায়')).toBeVisible()
    for (const count of [2, 3]) {
      await context.setOffline(true)
      await connect(page)
      await expect.poll(() => attempts.length).toBeGreaterThanOrEqual(count)
    }
    await expect(unsent).toHaveCount(0)
    expect(new Set(attempts).size).toBe(1)

    const answers = (await buyer('GET', `/batches/${batch}/answers`)) as unknown as {
      answers: { hours: string; photo: string[] }
    }[]
    expect(answers.map(({ answers }) => answers.hours)).toEqual([ANSWER])
    expect(answers[0]?.answers.photo).toHaveLength(1)
    const worker = await apiClient(context)
    const submitted = await worker('GET', '/my-submission-counts')
    expect(submitted).toEqual([{ state: 'pending', count: 1 }])
    // The account has the language in which it was made.
    expect((await worker('GET', `/user-details/${email}`)).locale).toBe('bn')
  })
  await booksBalance(context)
})
