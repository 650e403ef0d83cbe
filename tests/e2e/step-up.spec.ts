import { workerWhoEarned } from './api-client.ts'
import { shown } from './conditions.ts'
import { runInDatabase } from './database.ts'
import { expect, expectAccessible, open, saveScreenshot, signUpUser, test } from './fixtures.ts'

test('a decision on money asks for the password when the sign-in is older than ten minutes, and then goes through', async ({
  page,
  context,
  expected,
}) => {
  expected.push('403', '422')
  const worker = await workerWhoEarned(context, 240, `Worker ${crypto.randomUUID().slice(0, 8)}`)
  await worker.call('POST', `/withdraw/${worker.email}`, {
    withdrawalCoin: 220,
    payment_system: 'Bkash',
    accountNumber: '01700000000',
  })
  const admin = await signUpUser(context, 'Worker', 'Farida Admin')
  await runInDatabase(
    `with promoted as (update users set role = 'Admin' where email = $1)
     update sessions set proved_at = now() - interval '11 minutes'
      where identity_id = (select id from identities where email = $1)`,
    [admin.email],
  )

  await open(page, `/dashboard/withdraw-request?q=${encodeURIComponent(worker.name)}`)
  await page.evaluate(() => Object.assign(window, { isTheSamePage: true }))
  const request = page.getByRole('list', { name: 'Withdrawal requests' }).getByRole('listitem').first()
  await expect(request).toContainText(worker.name)
  await request.getByRole('button', { name: 'Decline' }).click()
  const reason = page.getByRole('dialog', { name: 'Decline this request?' })
  await reason.getByLabel('Reason').fill('The account number has a digit too few.')
  await reason.getByRole('button', { name: 'Decline' }).click()

  const proof = page.getByRole('dialog', { name: 'Confirm your identity' })
  const password = proof.getByRole('textbox', { name: 'Password' })
  await expect(password).toBeFocused()
  await expectAccessible(page)
  await saveScreenshot(page, 'step-up-1440')
  await password.fill('Wrong!1')
  await page.keyboard.press('Enter')
  await expect(proof.getByText('The current password is wrong.')).toBeVisible()
  await password.fill(admin.password)
  const declined = shown(page, 'Request declined')
  await page.keyboard.press('Enter')

  await declined
  await expect(proof).toBeHidden()
  expect(await page.evaluate(() => 'isTheSamePage' in window)).toBe(true)
  await page.getByRole('link', { name: 'Declined' }).click()
  await expect(request).toContainText('The account number has a digit too few.')
})
