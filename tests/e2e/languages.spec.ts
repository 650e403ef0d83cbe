import type { BrowserContext, Locator } from '@playwright/test'
import { apiClient } from './api-client.ts'
import { holdScripts } from './conditions.ts'
import { expect, expectAccessible, open, type Page, ready, signUpUser, test } from './fixtures.ts'

const switchIn = (place: Locator, language: 'English' | 'বাংলা') =>
  place.getByRole('link', { name: language, exact: true })
const BANGLA_FONT = /bangla-(?!name)|noto-sans-bengali/

/** Returns the language that the signed-in user's account has. */
async function accountLanguage(context: BrowserContext, email: string) {
  const call = await apiClient(context)
  return (await call('GET', `/user-details/${email}`)).locale
}

async function chooseLanguage(context: BrowserContext, { name, email }: { name: string; email: string }) {
  const call = await apiClient(context)
  await call('PUT', '/profile', { name, image: '', locale: 'bn' })
  return email
}

async function signIn(page: Page, user: { email: string; password: string }) {
  await page.locator('input[name=email]').fill(user.email)
  await page.locator('input[name=password]').fill(user.password)
  await page.keyboard.press('Enter')
}

test('the switch keeps the page with its query and fragment, and the home page remembers the choice', async ({
  page,
}) => {
  await open(page, '/all-task?q=photo#list')
  const banner = page.getByRole('banner')
  await expect(switchIn(banner, 'বাংলা')).toHaveAttribute('lang', 'bn')
  await switchIn(banner, 'বাংলা').click()
  await expect(page).toHaveURL('/bn/all-task?q=photo#list')
  await expect(page.locator('html')).toHaveAttribute('lang', 'bn')
  await ready(page)
  // With the keyboard: a list that loads meanwhile moves the footer away from a pointer.
  const footer = page.getByRole('contentinfo')
  await switchIn(footer, 'English').press('Enter')
  await expect(page).toHaveURL('/all-task?q=photo#list')
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await ready(page)
  await switchIn(banner, 'বাংলা').click()
  await expect(page).toHaveURL('/bn/all-task?q=photo#list')

  await page.goto('/')
  await expect(page).toHaveURL('/bn')
  await switchIn(footer, 'English').press('Enter')
  await expect(page).toHaveURL('/')
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
})

test('the header has one row, also with the switch, which is in the menu of phones', async ({ page }) => {
  const banner = page.getByRole('banner')
  for (const [path, menu, language, scheme] of [
    ['/', 'Menu', 'বাংলা', 'Switch between light and dark'],
    ['/bn', 'মেনু', 'English', 'হালকা বা গাঢ় রং বেছে নিন'],
  ] as const) {
    await open(page, path)
    for (const width of [1440, 1280, 1024, 640]) {
      await page.setViewportSize({ width, height: 800 })
      await expect(switchIn(banner, language)).toBeVisible()
      expect((await banner.boundingBox())?.height).toBeLessThan(80)
    }
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 800 })
      await expect(switchIn(banner, language)).toBeHidden()
      expect((await banner.boundingBox())?.height).toBeLessThan(80)
    }
    // Text of twice its size.
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
    expect((await banner.boundingBox())?.height).toBeLessThan(100)
    await banner.getByRole('button', { name: menu }).click()
    await expect(switchIn(banner.getByRole('navigation'), language)).toBeInViewport()
    await expect(banner.getByRole('navigation').getByRole('button', { name: scheme })).toBeInViewport()
  }
})

test('an English page loads no font for the name of Bangla, and offers nothing to a browser that prefers English', async ({
  page,
}) => {
  const fonts: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'font') fonts.push(request.url())
  })
  await open(page, '/terms')
  await expect(switchIn(page.getByRole('banner'), 'বাংলা')).toBeVisible()
  await expect(page.locator('[data-offer=bn]')).toBeHidden()
  await page.evaluate(() => document.fonts.ready)
  expect(fonts.filter((url) => BANGLA_FONT.test(url))).toEqual([])
})

test('what is typed and chosen is carried over, before and after the scripts arrive, and no password is stored', async ({
  page,
}) => {
  const fill = async () => {
    await page.locator('input[name=role][value=Buyer]').check()
    await page.locator('input[name=name]').fill('রেহানা Akter')
    await page.locator('input[name=email]').fill('rehana@example.com')
    await page.locator('input[name=password]').fill('Shapla-Phul-9')
  }
  const expectCarried = async () => {
    await ready(page)
    await expect(page.locator('input[name=role][value=Buyer]')).toBeChecked()
    await expect(page.locator('input[name=name]')).toHaveValue('রেহানা Akter')
    await expect(page.locator('input[name=email]')).toHaveValue('rehana@example.com')
    const stored = await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))
    expect(stored).not.toMatch(/Shapla|rehana/)
  }
  await page.route('**/assets/*.js', () => {})
  await page.goto('/sign-up', { waitUntil: 'commit' })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await fill()
  await page.unroute('**/assets/*.js')
  await switchIn(page.getByRole('banner'), 'বাংলা').click()
  await expect(page).toHaveURL('/bn/sign-up')
  await expectCarried()

  await page.locator('input[type=file]').setInputFiles('web/public/icon-192.png')
  await expect(page.getByText('icon-192.png')).toBeVisible()
  await switchIn(page.getByRole('banner'), 'English').click()
  await expect(page).toHaveURL('/sign-up')
  await expectCarried()
  await expect(page.getByText('icon-192.png')).toBeVisible()
})

test('every public page names itself in both languages, also after a navigation', async ({
  page,
  request,
}) => {
  const origin = process.env.E2E_URL ?? ''
  for (const [path, other] of [
    ['/all-task', '/bn/all-task'],
    ['/', '/bn'],
  ] as const) {
    for (const url of [path, other]) {
      const html = await (await request.get(url)).text()
      expect(html).toContain(`<link rel="canonical" href="${origin}${url}"/>`)
      expect(html).toContain(`<link rel="alternate" hrefLang="en" href="${origin}${path}"/>`)
      expect(html).toContain(`<link rel="alternate" hrefLang="bn" href="${origin}${other}"/>`)
      expect(html).toContain(`<link rel="alternate" hrefLang="x-default" href="${origin}${path}"/>`)
      expect(html).toContain(`content="${origin}/social.png"`)
      expect(html).not.toContain('.invalid')
    }
  }
  const sitemap = await (await request.get('/sitemap.xml')).text()
  expect(sitemap).toContain(`<loc>${origin}/all-task</loc>`)
  expect(sitemap).toContain(`<loc>${origin}/bn/all-task</loc>`)
  expect(sitemap).toContain(`hreflang="bn" href="${origin}/bn/fees"`)
  expect(await (await request.get('/robots.txt')).text()).toContain(`Sitemap: ${origin}/sitemap.xml`)
  await open(page, '/bn/all-task')
  const canonical = page.locator('link[rel="canonical"]')
  await expect(canonical).toHaveCount(1)
  // The list moves the footer when it is loaded.
  await expect(page.getByRole('article').first()).toBeVisible()
  await page.getByRole('contentinfo').locator('a[href="/bn/fees"]').click()
  await expect(page).toHaveURL('/bn/fees')
  await expect(canonical).toHaveCount(1)
  await expect(canonical).toHaveAttribute('href', `${origin}/bn/fees`)
  await expect(page.locator('meta[property="og:image"]')).toHaveCount(1)
  await expect(page.locator('link[hreflang]')).toHaveCount(3)
  await expect(page.locator('link[hreflang=en]')).toHaveAttribute('href', `${origin}/fees`)
})

test.describe('a browser that prefers Bangla', () => {
  test.use({ locale: 'bn-BD' })

  test('is offered an English page in Bangla, until the offer is followed or closed', async ({ page }) => {
    const offer = page.locator('[data-offer=bn]')
    // Also before the scripts of the page have started.
    const sendScripts = await holdScripts(page)
    await page.goto('/fees?a=b', { waitUntil: 'commit' })
    await expect(offer).toBeVisible()
    sendScripts()
    await page.evaluate(() => dispatchEvent(new Event('scroll')))
    await ready(page)
    await expect(offer.getByRole('link', { name: 'এই পাতা বাংলায় পড়ুন' })).toBeVisible()
    await expectAccessible(page)
    await offer.getByRole('button').click()
    await expect(offer).toBeHidden()
    await open(page, '/login')
    await expect(offer).toBeHidden()

    await page.context().clearCookies()
    await open(page, '/fees?a=b')
    await offer.getByRole('link').click()
    await expect(page).toHaveURL('/bn/fees?a=b')
    await expect(page.locator('[data-offer]')).toHaveCount(0)
  })
})

test('a sign-in lands in the language of the account, on the page that required it', async ({
  page,
  context,
}) => {
  const bangla = await signUpUser(context, 'Worker', 'Ruma Akter')
  await chooseLanguage(context, bangla)
  await context.clearCookies()
  await open(page, '/dashboard/my-submisson?page=1')
  await expect(page).toHaveURL('/login')
  await signIn(page, bangla)
  await expect(page).toHaveURL('/bn/dashboard/my-submisson?page=1')
  await expect(page.locator('html')).toHaveAttribute('lang', 'bn')
  await ready(page)
  await expect(page.getByRole('banner')).toContainText('Ruma Akter')

  await context.clearCookies()
  const english = await signUpUser(context, 'Worker', 'Hasan Ali')
  await context.clearCookies()
  await open(page, '/bn/login')
  await signIn(page, english)
  await expect(page).toHaveURL('/dashboard')
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
})

test('a language chosen in the dashboard is saved to the account, and typed values stay', async ({
  page,
  context,
}) => {
  const buyer = await signUpUser(context, 'Buyer', 'Hasan Ali')
  await open(page, '/dashboard/webhooks')
  const url = page.locator('input[name=url]')
  await page.getByRole('main').getByRole('button').click()
  await url.fill('https://shop.example/hook')
  await switchIn(page.getByRole('navigation', { name: 'Dashboard' }), 'বাংলা').click()
  await expect(page).toHaveURL('/bn/dashboard/webhooks')
  await ready(page)
  await expect.poll(() => accountLanguage(context, buyer.email)).toBe('bn')
  await page.getByRole('main').getByRole('button').click()
  await expect(url).toHaveValue('https://shop.example/hook')
})
