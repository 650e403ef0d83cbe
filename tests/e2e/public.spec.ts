import { runsLongTests } from '#tests/support/long.ts'
import { aTask } from '#web/testing/records.ts'
import { expectBanglaToFit } from './bangla.ts'
import {
  expect,
  expectAccessible,
  expectAccessibleAt,
  expectNoSidewaysScroll,
  open,
  type Page,
  test,
  WIDTHS,
} from './fixtures.ts'
import { expectUsualFormats } from './formats.ts'
import { expectRoomForLongTexts } from './pseudo-locale.ts'

const PAGES = [
  { path: '/', name: 'home', title: 'Tallywork: small tasks, paid in coins' },
  { path: '/all-worker', name: 'all-worker', title: 'All Workers · Tallywork' },
  { path: '/all-task', name: 'all-task', title: 'All Tasks · Tallywork' },
  { path: '/terms', name: 'terms', title: 'Terms · Tallywork' },
  { path: '/privacy', name: 'privacy', title: 'Privacy · Tallywork' },
  { path: '/fees', name: 'fees', title: 'Fees · Tallywork' },
  { path: '/blog/escrow', name: 'blog', title: 'Why your coins are held in escrow · Tallywork' },
  { path: '/login', name: 'login', title: 'Login · Tallywork' },
  { path: '/sign-up', name: 'sign-up', title: 'Register · Tallywork' },
]

for (const { path, name, title } of PAGES) {
  test(`${path} is complete, accessible and logs no error, on a phone and on a desk`, async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 900 })
    await open(page, path)
    await expect(page).toHaveTitle(title)
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await scrollThrough(page)
      await expectNoSidewaysScroll(page)
      // In a long test the wide page is checked in Bangla, in the other color scheme.
      if (width < 1440 || !runsLongTests()) await expectAccessibleAt(page, width, `public/${name}`)
    }
    await expectUsualFormats(page)
    if (!runsLongTests()) return
    await expectRoomForLongTexts(page)
    await expectBanglaToFit(page, path, `public/${name}`)
  })
}

test('more tasks than a chunk of the list stay within the width of a phone', async ({ page }) => {
  const tasks = Array.from({ length: 30 }, (_, index) =>
    aTask({ task_title: `Transcribe and translate a recording of a market interview, part ${index}` }),
  )
  await page.route(
    (url) => url.pathname === '/api/all-task',
    (route) => route.fulfill({ json: tasks }),
  )
  await page.setViewportSize({ width: 390, height: 900 })
  await open(page, '/all-task')
  await expect(page.getByRole('heading', { name: /part 0$/ })).toBeVisible()
  await expectNoSidewaysScroll(page)
  await page.getByRole('button', { name: 'List' }).click()
  await expectNoSidewaysScroll(page)
})

test('the text of every public page is in its HTML before any script runs', async ({ request }) => {
  for (const { path, title } of PAGES) {
    const html = await (await request.get(path)).text()
    expect(html).toContain(`<title>${title}</title>`)
    expect(html).toMatch(/<h1[^>]*>/)
    expect(html).toContain('og:image')
  }
  const home = await (await request.get('/')).text()
  for (const words of [
    'Our Finest Talent Pool',
    '5,00,000+',
    'About Us',
    'Contact Us',
    'What Our Users Say',
    'Why Choose',
  ]) {
    expect(home).toContain(words)
  }
})

test('the fees are in the HTML that the server sends and stay when scripts run; the blog leads to them', async ({
  page,
  request,
}) => {
  const html = await (await request.get('/fees')).text()
  expect(html).toMatch(/<td[^>]*>1,000<\/td>/)
  expect(html).not.toContain('page-text-->')
  await open(page, '/fees')
  const article = page.getByRole('article')
  await expect(article.getByRole('cell', { name: '$35.00' })).toBeVisible()
  await page.getByRole('navigation', { name: 'Footer' }).getByRole('link', { name: 'Terms' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Terms of use' })).toBeVisible()
  await expect(article.getByRole('heading', { name: 'Appeals' })).toBeVisible()
  await page.getByRole('banner').getByRole('link', { name: 'Tallywork' }).click()
  await expectBlogToLeadOn(page)
})

/** A card of the blog opens its post, which leads to the others and to what it explains. */
async function expectBlogToLeadOn(page: Page): Promise<void> {
  const title = 'How to write a task description that gets good results'
  await page.getByRole('link', { name: title }).click()
  await expect(page).toHaveURL('/blog/write-a-task')
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await page.getByRole('link', { name: 'Why your coins are held in escrow' }).click()
  await expect(page).toHaveURL('/blog/escrow')
  await page.getByRole('article').getByRole('link', { name: 'fees page' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Fees and prices' })).toBeVisible()
}

test('an unknown URL and an unknown post return 404 with links', async ({ page, expected }) => {
  expected.push('404')
  const response = await page.goto('/no-such-page')
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Go to home' }).click()
  await expect(page).toHaveURL('/')

  const post = await page.goto('/blog/no-such-post')
  expect(post?.status()).toBe(404)
  await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
})

test('the colour scheme follows the system, can be switched, and is remembered', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await open(page, '/')
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await page.getByRole('button', { name: 'Switch between light and dark' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light')
  await open(page, '/login')
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light')
})

/** Brings every part of the page on the screen once, so that what loads late is there. */
async function scrollThrough(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let y = 0; y < document.body.scrollHeight; y += innerHeight) {
      scrollTo({ top: y, behavior: 'instant' })
      await new Promise(requestAnimationFrame)
      await new Promise(requestAnimationFrame)
    }
    scrollTo({ top: 0, behavior: 'instant' })
  })
  await expect(page.locator('.animate-pulse')).toHaveCount(0)
}
