import { startIssuer } from '#tests/support/oidc-issuer.ts'
import { freePort, type ServerProcess, startServerProcess } from '#tests/support/server-process.ts'
import { expect, expectAccessible, open, ready, test } from './fixtures.ts'

const people = [{ sub: 'anna', name: 'Anna Karim', email: 'anna@acme.example', email_verified: true }]
let issuer: Awaited<ReturnType<typeof startIssuer>>
let server: ServerProcess
const shared = process.env.E2E_URL ?? ''

test.describe.configure({ mode: 'serial' })

/**
 * The issuer is on another site than the product, 127.0.0.1 against localhost, and is down when the server starts. The server masks
 * emails in public lists.
 */
test.beforeAll(async () => {
  const port = await freePort()
  issuer = await startIssuer({ id: 'oidc', people, site: `http://localhost:${port}` })
  await issuer.stop()
  const env = {
    OIDC_ISSUER: issuer.url,
    OIDC_CLIENT_ID: issuer.settings.clientId,
    OIDC_CLIENT_SECRET: issuer.settings.clientSecret,
    OIDC_LABEL: 'Acme',
    DEMO: '1',
    PUBLIC_EMAILS: 'masked',
  }
  server = await startServerProcess({ port, env })
  process.env.E2E_URL = server.url
})
test.afterAll(async () => {
  process.env.E2E_URL = shared
  await server?.stop()
  await issuer?.stop()
})

test('an issuer that is down is reported; other ways to sign in work', async ({ page }) => {
  await open(page, '/login')
  await page.getByRole('button', { name: 'Continue with Acme' }).click()
  await expect(page).toHaveURL('/login?error=service-unavailable')
  await ready(page)
  await expect(page.getByRole('alert')).toContainText('cannot be reached right now')
  await expectAccessible(page)
  await page.getByRole('button', { name: /Try as Worker/ }).click()
  await expect(page).toHaveURL('/dashboard')
})

test('a user signs in at an issuer on another site, keeps the deep link, reloads, opens a tab, signs out of both', async ({
  page,
  context,
  expected,
}) => {
  expected.push('401') // of a request in flight while its session ends
  const port = Number(new URL(issuer.url).port)
  issuer = await startIssuer({ id: 'oidc', people, site: server.url, port })
  await open(page, '/dashboard/available-task?q=photos')
  await expect(page).toHaveURL('/login')
  await page.getByRole('button', { name: 'Continue with Acme' }).click()
  await expect(page).toHaveURL(new RegExp(`^${issuer.url}/interaction/`))
  await page.getByRole('button', { name: /Anna Karim/ }).click()
  await expect(page).toHaveURL('/dashboard/available-task?q=photos')
  await ready(page)
  const banner = page.getByRole('banner')
  await expect(banner).toContainText('Anna Karim')
  await expect(banner).toContainText('Worker')
  await expect(banner).toContainText('10')

  await page.reload()
  await expect(banner).toContainText('Anna Karim')
  const second = await context.newPage()
  await open(second, '/dashboard')
  await expect(second.getByRole('banner')).toContainText('Anna Karim')

  // Nothing that signs anybody in can be read by a script.
  const readable = await page.evaluate(() =>
    JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }]),
  )
  expect(readable).not.toMatch(/eyJ|tallywork|[\w-]{43}/)

  await second.getByRole('button', { name: 'Logout' }).click()
  await expect(second).toHaveURL('/login')
  await expect(page).toHaveURL('/login')
})

test('the demo Google button is labelled as a demo and signs in', async ({ page }) => {
  await open(page, '/login')
  await page.getByRole('button', { name: 'Continue with Google (demonstration)' }).click()
  await expect(page.getByText('This is a demonstration of signing in with Google.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: /Lamia Haque/ }).click()
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('banner')).toContainText('Lamia Haque')
})

test('a Buyer who chooses Google is asked for the role, and the buttons say before what they make', async ({
  page,
  expected,
}) => {
  expected.push('user-details')
  await open(page, '/sign-up')
  await expect(page.getByText('These buttons create a Worker account.')).toBeVisible()
  await page.getByRole('radio', { name: 'Buyer' }).check()
  await expect(page.getByText('After the sign-in you confirm that you join as a Buyer.')).toBeVisible()
  await page.getByRole('button', { name: 'Continue with Google (demonstration)' }).click()
  await page.getByRole('button', { name: /Mitali Das/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Complete your profile' })).toBeVisible()
  await expect(page.getByRole('radio', { name: 'Buyer' })).toBeChecked()
  await page.locator('input[type=file]').setInputFiles('web/public/icon-192.png')
  await page.getByRole('button', { name: 'Continue' }).click()
  const banner = page.getByRole('banner')
  await expect(banner).toContainText('Mitali Das')
  await expect(banner).toContainText('Buyer')
})

test('public lists mask emails for visitors, and not for an Admin', async ({ page }) => {
  await open(page, '/all-worker?q=shafiq')
  const people = page.getByRole('list', { name: 'People' })
  await expect(people).toContainText('s•••@demo.example')
  await open(page, '/login')
  await page.getByRole('button', { name: 'Try as Admin' }).click()
  await expect(page.getByRole('banner')).toContainText('Admin')
  await open(page, '/all-worker?q=shafiq')
  await expect(people).toContainText('shafiq@demo.example')
  await page.getByLabel('Search by name or email').fill('rehana')
  await expect(people).toContainText('rehana@demo.example')
})
