import { workerWhoEarned } from './api-client.ts'
import { expect, open, test } from './fixtures.ts'

test('an error of an account number ends when another payment system accepts the number', async ({
  page,
  context,
}) => {
  await workerWhoEarned(context, 200)
  await open(page, '/dashboard/withDrawal-form')
  const system = page.getByLabel('Payment system')
  await expect(system.getByRole('option')).toHaveText(['bKash', 'Rocket', 'Nagad', 'Bank', 'Other'])
  await page.getByLabel('Coins to withdraw').fill('200')
  const number = page.getByLabel('Account number')
  await number.fill('017123456789')
  await page.getByRole('button', { name: 'Withdraw $10.00' }).click()
  const refused = page.getByText('Enter the 11-digit mobile number of the bKash account, like 01712345678')
  await expect(refused).toBeVisible()
  await expect(number).toHaveAttribute('aria-invalid', 'true')
  await system.selectOption('Rocket')
  await expect(refused).toHaveCount(0)
  await expect(number).not.toHaveAttribute('aria-invalid', 'true')
  await page.getByRole('button', { name: 'Withdraw $10.00' }).click()
  await expect(page.getByRole('dialog', { name: 'Withdraw Request Sent' })).toBeVisible()
})
