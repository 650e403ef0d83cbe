import { asDemo, taskBody } from './api-client.ts'
import { expectToFit } from './fits.ts'
import { expect, expectAccessibleAt, expectNoSidewaysScroll, open, resize, test, WIDTHS } from './fixtures.ts'

test('a worker reserves a slot, finds it again, returns it and submits into another', async ({ visitor }) => {
  const worker = await visitor('Worker', 'Wahida Khatun')
  const title = `Count the boats ${crypto.randomUUID().slice(0, 6)}`
  const task = taskBody({ task_title: title, required_workers: 1 })
  const { insertedId } = await asDemo(worker.context(), 'Buyer', (call) => call('POST', '/add-task', task))
  const address = `/dashboard/task-details/${insertedId}`

  await open(worker, address)
  await worker.getByRole('button', { name: 'Start work' }).click()
  await expect(worker.getByRole('timer')).toHaveText(/^(1:00:00|\d\d:\d\d)$/)
  await worker.getByRole('textbox', { name: 'Your work' }).fill('Fourteen boats, two of them red.')
  for (const width of WIDTHS) {
    await resize(worker, width)
    await expectToFit(worker, { labels: true })
    await expectAccessibleAt(worker, width, 'dashboard/Worker-reservation')
  }

  await open(worker, '/dashboard/available-task')
  const strip = worker.getByRole('region', { name: 'Your reservations' })
  await expect(strip).toContainText(/(1 hour|\d\d minutes) left/)
  for (const width of WIDTHS) {
    await resize(worker, width)
    await expectNoSidewaysScroll(worker)
    await expectAccessibleAt(worker, width, 'dashboard/Worker-reservations')
  }
  await strip.getByRole('link', { name: title }).click()

  await worker.getByRole('button', { name: 'Return the slot' }).click()
  await expect(worker.getByRole('region', { name: 'About this task' })).toContainText('1 of 1 left')
  await worker.getByRole('button', { name: 'Start work' }).click()
  await expect(worker.getByRole('region', { name: 'About this task' })).toContainText('Filled')
  await worker.getByRole('textbox', { name: 'Your work' }).fill('Fourteen boats.')
  await worker.getByRole('button', { name: 'Submit Work' }).click()
  await expect(worker.getByRole('dialog', { name: 'Success' })).toContainText('Task submitted successfully!')
})
