import { apiClient, asNew, taskBody } from './api-client.ts'
import { expect, open, test } from './fixtures.ts'

test('a worker sees what became of their work, also of a deleted task', async ({ visitor }) => {
  const page = await visitor('Worker', 'Wahida Khatun')
  const worker = await apiClient(page.context())
  const mark = crypto.randomUUID().slice(0, 8)
  await asNew(page.context(), 'Buyer', 'Bashir Ahmed', async (buyer) => {
    // The newest is listed first, unless nobody can apply for it.
    for (const outcome of ['Rejected', 'Deleted', 'Paid', 'Waiting']) {
      const task = taskBody({ task_title: `${outcome} ${mark}`, payable_amount: 1 })
      const { insertedId: taskId } = await buyer('POST', '/add-task', task)
      const work = { taskId, submissoin_data: 'Three tea stalls.' }
      const { insertedId } = await worker('POST', '/submiteted-task', work)
      if (outcome === 'Paid')
        await buyer('PATCH', `/update-submission-status/${insertedId}`, { status: 'approved' })
      if (outcome === 'Rejected')
        await buyer('DELETE', `/submission-reject/${insertedId}`, { reason: 'The streets are missing.' })
      if (outcome === 'Deleted') await buyer('DELETE', `/delete-task/${taskId}`)
    }
    const filled = taskBody({ task_title: `Filled ${mark}`, payable_amount: 1, required_workers: 1 })
    const { insertedId: taskId } = await buyer('POST', '/add-task', filled)
    await asNew(page.context(), 'Worker', 'Abdul Karim', (other) =>
      other('POST', '/submiteted-task', { taskId, submissoin_data: 'Three tea stalls.' }),
    )
  })

  await open(page, `/dashboard/available-task?q=${mark}`)
  const card = (outcome: string) => page.getByRole('article').filter({ hasText: `${outcome} ${mark}` })
  await expect(card('Waiting').getByRole('link', { name: /^In review/ })).toBeVisible()
  await expect(card('Paid').getByRole('link', { name: /^Paid/ })).toBeVisible()
  await expect(card('Rejected').getByRole('link', { name: /^Rejected: try again/ })).toBeVisible()
  await expect(card('Filled')).toContainText('Task already completed')
  await expect(card('Deleted')).toHaveCount(0)
  await expect(page.getByRole('article')).toContainText(
    ['Rejected', 'Filled', 'Waiting', 'Paid'].map((outcome) => `${outcome} ${mark}`),
  )
  await expect(page.getByRole('link', { name: /^Apply Task/ })).toHaveCount(0)

  await open(page, '/dashboard')
  await expect(page.getByLabel('Your statistics')).toContainText(/Submissions\s*4/)
  await page.getByRole('link', { name: 'Submissions', exact: true }).click()
  await expect(page.getByRole('link', { name: 'All 4' })).toBeVisible()
  await page.getByRole('link', { name: `Deleted ${mark}` }).click()
  await expect(page).toHaveURL(/\/dashboard\/case\//)
  // The list stays on the screen until the case is there.
  await expect(page.getByRole('heading', { name: 'Your work' })).toBeVisible()
  await expect(page.getByText('Three tea stalls.')).toBeVisible()
})
