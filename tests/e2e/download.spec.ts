import { expect, test } from './fixtures.ts'

test('a statement is saved as CSV', async ({ visitor }) => {
  const page = await visitor('Buyer', 'Bashir Ahmed', '/dashboard/statement')
  const waiting = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  const file = await waiting
  expect(file.suggestedFilename()).toMatch(/^coins-\d{4}-\d{2}-\d{2}\.csv$/)
})
