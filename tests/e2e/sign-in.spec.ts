import { readFile } from 'node:fs/promises'
import { shown } from './conditions.ts'
import { expect, expectAccessible, open, signInAsDemo, signUpUser, test } from './fixtures.ts'

const PICTURE = 'web/public/icon-192.png'

test('a wrong password is reported, a right one continues to the requested page', async ({
  page,
  context,
  expected,
}) => {
  const user = await signUpUser(context, 'Worker')
  await context.clearCookies()
  expected.push('401')

  await open(page, '/dashboard/available-task?q=photos')
  await expect(page).toHaveURL('/login')
  await page.getByLabel('Email').fill(user.email)
  await page.getByRole('textbox', { name: 'Password' }).fill('Wrong!1')
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  const failed = page.getByRole('dialog', { name: 'Login Failed' })
  await expect(failed).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(failed).toBeHidden()

  await page.getByRole('textbox', { name: 'Password' }).fill(user.password)
  const welcome = page.getByRole('dialog', { name: 'Welcome Back!' })
  const welcomed = shown(page, "You're now logged in.")
  await page.keyboard.press('Enter')
  await welcomed
  await expect(page).toHaveURL('/dashboard/available-task?q=photos')
  await expect(welcome).toBeHidden()
})

test('sign-up shows what is missing, and ends in the dashboard', async ({ page }) => {
  await open(page, '/sign-up')
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByText('Profile image is required')).toBeVisible()
  await expect(page.getByRole('radio', { name: 'Worker' })).toBeFocused()
  await expectAccessible(page)

  await page.getByRole('radio', { name: 'Buyer' }).check()
  await page.getByLabel('Name').fill('রেহানা Akter')
  await page.getByLabel('Email').fill(`new-${crypto.randomUUID()}@example.com`)
  await page.getByRole('textbox', { name: 'Password' }).fill('Secret!')
  await page.locator('input[type=file]').setInputFiles(PICTURE)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('banner')).toContainText('50')
  await expect(page.getByRole('banner')).toContainText('Buyer')
})

test('sign-up succeeds although the picture is refused, and the profile has name, picture and data', async ({
  page,
  expected,
}) => {
  expected.push('422')
  await open(page, '/sign-up')
  await page.getByRole('radio', { name: 'Worker' }).check()
  await page.getByLabel('Name').fill('Half Picture')
  await page.getByLabel('Email').fill(`new-${crypto.randomUUID()}@example.com`)
  await page.getByRole('textbox', { name: 'Password' }).fill('Secret!')
  const buffer = Buffer.from('not a picture')
  await page.locator('input[type=file]').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer })
  await page.getByRole('button', { name: 'Create account' }).click()
  const refused = page.getByRole('dialog', { name: 'Please upload a valid image.' })
  await expect(refused).toContainText('Your account was created without a picture. Add one on your profile.')
  await refused.getByRole('button', { name: 'OK' }).click()
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('banner')).toContainText('Worker')

  await page.getByRole('button', { name: 'Edit profile' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Whole Picture')
  await page.locator('input[type=file]').setInputFiles(PICTURE)
  await page.getByRole('button', { name: 'Save profile' }).click()
  await expect(page.getByRole('banner')).toContainText('Whole Picture')
  await expect(page.getByRole('banner').locator('img[src*="/images/"]')).toBeVisible()

  const waiting = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download my data' }).click()
  const file = await waiting
  expect(await readFile(await file.path(), 'utf8')).toContain('Whole Picture')

  await page.getByRole('link', { name: 'View public profile' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Whole Picture' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'As a worker' })).toBeVisible()
})

test('a user who signed in without registering completes their profile', async ({
  page,
  context,
  expected,
}) => {
  expected.push('user-details')
  const headers = { origin: new URL(process.env.E2E_URL ?? '').origin }
  const data = { name: 'Half Way', email: `half-${Date.now()}@example.com`, password: 'Secret!' }
  await context.request.post('/api/auth/sign-up', { data, headers })
  await open(page, '/dashboard')
  await expect(page.getByRole('heading', { name: 'Complete your profile' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('radio', { name: 'Worker' }).check()
  await page.locator('input[type=file]').setInputFiles(PICTURE)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('heading', { name: 'Half Way' })).toBeVisible()
})

test('a demo button signs in as its role', async ({ page }) => {
  await open(page, '/login')
  await page.getByRole('button', { name: 'Try as Admin' }).click()
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('banner')).toContainText('Admin')
})

test('logging out in one tab logs out in the others', async ({ page, context, expected }) => {
  expected.push('401') // of what the other tab reads in the moment in which its session ends
  await signUpUser(context, 'Worker')
  await open(page, '/dashboard')
  const other = await context.newPage()
  await open(other, '/dashboard')
  await expect(other.getByRole('banner')).toContainText('Worker')
  await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/login')
  await expect(other).toHaveURL('/login')
})

for (const path of ['/login', '/sign-up']) {
  test(`${path} does not redirect a signed-in user who already opened another screen`, async ({
    page,
    context,
  }) => {
    await signInAsDemo(context, 'Worker')
    const session = Promise.withResolvers<void>()
    const screen = Promise.withResolvers<void>()
    await page.route('**/api/auth/token', (route) => session.promise.then(() => route.continue()))
    await page.route('**/assets/all-task-*.js', (route) => screen.promise.then(() => route.continue()))
    await open(page, path)
    const header = page.getByRole('banner')
    await header.getByRole('link', { name: 'Find work' }).click()
    await expect(page.getByRole('progressbar', { name: 'Loading page' })).toBeVisible()
    session.resolve()
    await expect(header.getByRole('link', { name: 'Dashboard' })).toBeVisible()
    screen.resolve()
    await expect(page.getByRole('heading', { level: 1, name: 'All Tasks' })).toBeVisible()
    await expect(page).toHaveURL('/all-task')
  })
}

test('the header of a signed-in user has dashboard, coins and logout, before any interaction', async ({
  page,
  context,
}) => {
  await signUpUser(context, 'Buyer')
  await open(page, '/dashboard')
  await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible()
  await page.goto('/')
  const header = page.getByRole('banner')
  await expect(header.getByRole('link', { name: 'Dashboard' })).toBeVisible()
  await expect(header.getByRole('link', { name: 'Register' })).toHaveCount(0)
  await expect(header).toContainText('50')
  await expect(header.getByRole('link', { name: 'Login' })).toHaveCount(0)

  // What the dashboard's header reads.
  await page.route('**/api/coin-role/**', async (route) => {
    const record = await (await route.fetch()).json()
    expect([record.coin, record.role]).toEqual([50, 'Buyer'])
    await route.fulfill({ json: { ...record, coin: 65 } })
  })
  await header.getByRole('link', { name: 'Dashboard' }).click()
  await expect(header).toContainText('65 coins')
  await page.getByRole('link', { name: 'Go to home' }).click()
  await expect(page).toHaveURL('/')
  await header.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/login')
  await expect(header.getByRole('link', { name: 'Join as Developer' })).toBeVisible()
})

test('logging out cancels requests for the user’s data', async ({ page, context }) => {
  await signUpUser(context, 'Buyer')
  // A request in flight would fail with 401.
  const waiting = page.waitForResponse('**/api/waiting')
  await open(page, '/dashboard')
  await waiting
  const logout = page.getByRole('navigation', { name: 'Dashboard' }).getByRole('button', { name: 'Logout' })
  await expect(logout).toBeVisible()
  await page.route('**/api/user-details/**', () => {})
  const userRequest = page.waitForRequest('**/api/user-details/**')
  // As another tab does whose session has changed.
  await page.evaluate(() => new BroadcastChannel('session').postMessage(null))
  const request = await userRequest
  await logout.click()
  await expect(page).toHaveURL('/login')
  await expect.poll(() => request.failure()?.errorText).toBe('net::ERR_ABORTED')
})

test('a password reset does not reveal who is registered', async ({ page }) => {
  await open(page, '/login')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
  await page.getByLabel('Email').fill('nobody@example.com')
  await page.getByRole('button', { name: 'Send link' }).click()
  await expect(page.getByText('If an account with this email exists')).toBeVisible()
  await expectAccessible(page)
})

test('used links from mails say so, with the next step', async ({ page }) => {
  for (const path of ['/verify#token=used', '/setup#code=used', '/reset#token=used']) {
    await open(page, path)
    await expect(page.getByRole('heading', { name: 'This link no longer works' })).toBeVisible()
    await expect(page.getByRole('textbox')).toHaveCount(0)
    await expectAccessible(page)
  }
  await page.getByRole('link', { name: 'Request a new link' }).click()
  await expect(page.getByRole('button', { name: 'Send link' })).toBeVisible()
})

test('a user changes their password and ends their other sessions', async ({
  page,
  context,
  visitor,
  expected,
}) => {
  expected.push('401', 'the old token')
  const user = await signUpUser(context, 'Worker')
  const other = await visitor('Worker', 'Somebody Else')
  await other.context().clearCookies()
  const headers = { origin: new URL(process.env.E2E_URL ?? '').origin }
  await other.context().request.post('/api/auth/sign-in', { data: user, headers })

  await open(page, '/dashboard/security')
  await expect(page.getByRole('button', { name: /^Sign out .* on / })).toHaveCount(1)
  await page.getByRole('textbox', { name: 'Current password' }).fill(user.password)
  await page.getByRole('textbox', { name: 'New password' }).fill('Changed!')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('You have been signed out on your other devices.')).toBeVisible()
  await expect(page.getByText('This device')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Sign out .* on / })).toHaveCount(0)
})
