import { holdScripts, shown } from './conditions.ts'
import { expect, expectAccessible, type Page, ready, saveScreenshot, signUpUser, test } from './fixtures.ts'

const PASSWORD = 'Secret!'
const PICTURE = 'web/public/icon-192.png'
const newEmail = () => `form-${crypto.randomUUID().slice(0, 13)}@example.com`
const password = (page: Page) => page.getByRole('textbox', { name: 'Password' })

/** Opens a page whose scripts do not arrive until the returned function is called, as on a slow connection. */
async function openWithoutScripts(page: Page, path: string): Promise<() => void> {
  const sendScripts = await holdScripts(page)
  await page.goto(path, { waitUntil: 'commit' })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  return sendScripts
}

/** Collects the URL of every request. */
function urlsOf(context: ReturnType<Page['context']>): string[] {
  const urls: string[] = []
  context.on('request', (request) => urls.push(request.url()))
  return urls
}

function expectNoSecret(urls: string[]): void {
  expect(urls.length).toBeGreaterThan(3)
  expect(urls.filter((url) => /Secret|Wrong|password=/i.test(url))).toEqual([])
}

async function fillSignUp(page: Page, email: string): Promise<void> {
  await page.getByRole('radio', { name: 'Buyer' }).check()
  await page.getByLabel('Name').fill('রেহানা Akter')
  await page.getByLabel('Email').fill(email)
  await password(page).fill(PASSWORD)
}

async function fillContact(page: Page): Promise<void> {
  await page.getByLabel('Full name').fill('Asha Das')
  await page.getByLabel('Email').fill('asha@example.com')
  await page.getByLabel('Subject').fill('A question')
  await page.getByLabel('Message').fill('How long does a withdrawal take?')
}

test.describe('a form that is sent before the scripts arrive', () => {
  test('signs in, or says why not', async ({ page, context }) => {
    const user = await signUpUser(context, 'Worker')
    await context.clearCookies()
    const urls = urlsOf(context)
    const release = await openWithoutScripts(page, '/login')
    await page.getByLabel('Email').fill(user.email)
    await password(page).fill('Wrong!1')
    await page.getByRole('button', { name: 'Login', exact: true }).click()
    await expect(page).toHaveURL('/login#wrong_credentials')
    await expect(page.getByText('Email or password is wrong.')).toBeFocused()
    await expect(page.getByText('Something went wrong!')).toBeHidden()
    await expectAccessible(page)
    await saveScreenshot(page, 'forms/login-1440')
    await page.getByLabel('Email').fill(user.email)
    await password(page).fill(user.password)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/dashboard')
    release()
    await expect(page.getByRole('banner')).toContainText('Worker')
    expectNoSecret(urls)
  })

  test('signs up, and the profile is completed afterwards', async ({ page, context, expected }) => {
    expected.push('user-details')
    const urls = urlsOf(context)
    const release = await openWithoutScripts(page, '/sign-up')
    const email = newEmail()
    await fillSignUp(page, email)
    await password(page).fill('secret')
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page.locator('input:invalid')).toBeFocused()
    await password(page).fill(PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page).toHaveURL('/dashboard?role=Buyer')
    release()
    await expect(page.getByRole('heading', { name: 'Complete your profile' })).toBeVisible()
    await expect(page.getByRole('radio', { name: 'Buyer' })).toBeChecked()
    await expect(page.getByLabel('Name')).toHaveValue('রেহানা Akter')
    await page.locator('input[type=file]').setInputFiles(PICTURE)
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByRole('banner')).toContainText('Buyer')
    expectNoSecret(urls)
  })

  test('sends a message', async ({ page }) => {
    await openWithoutScripts(page, '/')
    await fillContact(page)
    await page.getByRole('button', { name: 'Send message' }).click()
    await expect(page).toHaveURL('/#message-sent')
    await expect(page.getByText('Message sent. Thank you.')).toBeInViewport()
    await saveScreenshot(page, 'forms/contact-1440')
  })
})

test.describe('what was typed before the scripts arrive stays', () => {
  test('in the sign-in form', async ({ page, context }) => {
    const user = await signUpUser(context, 'Worker')
    await context.clearCookies()
    const release = await openWithoutScripts(page, '/login')
    await password(page).fill(user.password)
    const email = page.getByLabel('Email')
    await email.fill(user.email)
    await password(page).press('Home')
    release()
    await ready(page)
    await expect(email).toHaveValue(user.email)
    await expect(password(page)).toHaveValue(user.password)
    await expect(password(page)).toBeFocused()
    expect(await password(page).evaluate((input: HTMLInputElement) => input.selectionStart)).toBe(0)
    const welcomed = shown(page, 'Welcome Back!')
    await page.keyboard.press('Enter')
    await welcomed
    await expect(page).toHaveURL('/dashboard')
  })

  test('in the sign-up form', async ({ page }) => {
    const release = await openWithoutScripts(page, '/sign-up')
    const email = newEmail()
    await fillSignUp(page, email)
    release()
    await ready(page)
    await expect(page.getByRole('radio', { name: 'Buyer' })).toBeChecked()
    await expect(page.getByLabel('Name')).toHaveValue('রেহানা Akter')
    await expect(page.getByLabel('Email')).toHaveValue(email)
    await expect(password(page)).toHaveValue(PASSWORD)
    await page.locator('input[type=file]').setInputFiles(PICTURE)
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page).toHaveURL('/dashboard')
    await expect(page.getByRole('banner')).toContainText('Buyer')
  })

  test('in the contact form', async ({ page }) => {
    const release = await openWithoutScripts(page, '/')
    await fillContact(page)
    release()
    await expect(page.locator('#contact form[novalidate]')).toBeVisible()
    await expect(page.getByLabel('Full name')).toHaveValue('Asha Das')
    await expect(page.getByLabel('Message')).toHaveValue('How long does a withdrawal take?')
    await expect(page.getByLabel('Message')).toBeFocused()
    await page.getByRole('button', { name: 'Send message' }).click()
    await expect(page.getByRole('dialog', { name: 'Message sent' })).toBeVisible()
    await expect(page).toHaveURL('/')
  })
})

test('a page is not reloaded for a script that failed while its form is filled in', async ({
  page,
  expected,
}) => {
  expected.push('ERR_FAILED')
  await page.clock.install()
  const { promise: isFilledIn, resolve } = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', (route) => isFilledIn.then(() => route.abort()))
  await page.goto('/login', { waitUntil: 'commit' })
  await page.getByLabel('Email').fill(newEmail())
  await password(page).fill('Wrong!1')
  resolve()
  await expect(page.locator('html')).toHaveAttribute('data-retrying')
  await page.clock.fastForward(5000)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page).toHaveURL('/login#wrong_credentials')
})

test.describe('in a browser without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  /** Whether the browser's session cookie is valid. */
  const isSignedIn = async (page: Page) => {
    const { origin } = new URL(page.url())
    const response = await page.context().request.post('/api/auth/token', { headers: { origin } })
    return response.status() === 200
  }

  test('an error is shown on the page, and a sign-up and a sign-in start a session', async ({
    page,
    context,
    expected,
  }) => {
    expected.push('/assets/') // scripts that are not loaded
    const email = newEmail()
    await page.goto('/login')
    await page.getByLabel('Email').fill(email)
    await password(page).fill(PASSWORD)
    await page.getByRole('button', { name: 'Login', exact: true }).click()
    await expect(page).toHaveURL('/login#wrong_credentials')
    await expect(page.getByText('Email or password is wrong.')).toBeVisible()

    await page.goto('/sign-up')
    await fillSignUp(page, email)
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page).toHaveURL('/dashboard?role=Buyer')
    await expect(page.locator('noscript p')).toBeVisible()
    expect(await isSignedIn(page)).toBe(true)

    await context.clearCookies()
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/sign-up')
    await fillSignUp(page, email)
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page).toHaveURL('/sign-up#email_taken')
    await expect(page.getByText('An account with this email already exists.')).toBeInViewport()
    await saveScreenshot(page, 'forms/sign-up-390')
    expect(await isSignedIn(page)).toBe(false)

    await page.goto('/login')
    await page.getByLabel('Email').fill(email)
    await password(page).fill(PASSWORD)
    await page.getByRole('button', { name: 'Login', exact: true }).click()
    await expect(page).toHaveURL('/dashboard')
    expect(await isSignedIn(page)).toBe(true)
  })
})
