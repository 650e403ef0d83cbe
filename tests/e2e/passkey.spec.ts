import { expect, expectAccessible, open, signUpUser, test } from './fixtures.ts'

test('a passkey is registered, completes a sign-in and signs in alone, by the browser’s virtual authenticator', async ({
  page,
  context,
  expected,
}) => {
  expected.push('401')
  const { email, password } = await signUpUser(context, 'Worker')
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })

  await open(page, '/dashboard/security')
  const section = page.getByRole('region', { name: 'Two-step sign-in' })
  await section.getByRole('button', { name: 'Add passkey' }).click()
  await expect(section.getByText(/Save these recovery codes now/)).toBeVisible()
  await expectAccessible(page)
  await section.getByRole('button', { name: 'I have saved them' }).click()
  await expect(section.getByRole('button', { name: /^Remove Passkey/ })).toBeVisible()
  await section.getByRole('button', { name: 'Add authenticator app' }).click()
  await expect(section.getByRole('img', { name: /QR code/ })).toBeVisible()
  await expectAccessible(page)

  await context.clearCookies()
  await open(page, '/login')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Two-step sign-in' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page).toHaveURL('/dashboard')

  await context.clearCookies()
  await open(page, '/login')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('banner')).toContainText('Worker')
})
