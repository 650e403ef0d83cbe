import { enterAs, expect, open, test } from './fixtures.ts'
import { asNew, aTask, type Call } from './world.ts'

const WORKERS = 2

/** Buys 500 coins with the test card. */
async function buyCoins(buyer: Call): Promise<void> {
  const { clientSecret } = await buyer('POST', '/create-payment-intent', { price: 20 })
  const card = { number: '4242424242424242', expMonth: 12, expYear: 2040, cvc: '123' }
  const { transactionId } = await buyer('POST', '/sandbox/confirm', { clientSecret, ...card })
  await buyer('POST', '/payment-success', { transactionId })
}

test('an Admin finds, selects and pays the requests of several workers', async ({ page, context }) => {
  const name = `Kamrun Nahar ${crypto.randomUUID().slice(0, 8)}`
  await asNew(context, 'Buyer', 'Bashir Ahmed', async (buyer) => {
    await buyCoins(buyer)
    const task = aTask({ required_workers: WORKERS, payable_amount: 220 })
    const { insertedId: taskId } = await buyer('POST', '/add-task', task)
    for (let number = 1; number <= WORKERS; number++)
      await asNew(context, 'Worker', `${name} ${number}`, async (worker, { email }) => {
        const { insertedId } = await worker('POST', '/submiteted-task', { taskId, submissoin_data: 'Done.' })
        await buyer('PATCH', `/update-submission-status/${insertedId}`, { status: 'approved' })
        await worker('POST', `/withdraw/${email}`, {
          withdrawalCoin: 200,
          payment_system: 'Bkash',
          accountNumber: `0171234567${number}`,
        })
      })
  })

  await enterAs(context, 'Admin')
  await open(page, `/dashboard/withdraw-request?q=${encodeURIComponent(name)}`)
  await page.getByLabel(`Select all ${WORKERS}`).check()
  await expect(page.getByText(`${WORKERS} selected, $20.00`)).toBeVisible()
  await page.getByRole('button', { name: 'Create batch' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Payout Batch' })).toBeVisible()
  await page.getByRole('button', { name: 'Release' }).click()
  await page.getByRole('button', { name: 'Mark all as paid' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Payment Success' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await open(page, `/dashboard/withdraw-request?status=approved&q=${encodeURIComponent(name)}`)
  await expect(page.getByRole('article')).toHaveCount(WORKERS)
})
