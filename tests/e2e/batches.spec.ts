import { expect, open, test } from './fixtures.ts'

const DAY = new Date(Date.now() + 20 * 86_400_000)
const DATE = DAY.toLocaleDateString('en-US', {
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  timeZone: 'UTC',
})

test('a buyer describes a project, pays for a file of items, and gets the answers of a worker', async ({
  visitor,
}) => {
  const title = `Describe shops ${crypto.randomUUID().slice(0, 6)}`
  const buyer = await visitor('Buyer', 'Nasrin Akter', '/dashboard/projects')
  await buyer.getByRole('link', { name: 'New project' }).click()
  await buyer.getByRole('textbox', { name: 'Title' }).fill(title)
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of a project
  await buyer.getByRole('textbox', { name: 'Instructions' }).fill('Look at ${name} in ${city}.')
  await buyer.getByRole('textbox', { name: 'Pay per item' }).fill('5')
  const question = buyer.getByRole('group', { name: 'Question 1' })
  await question.getByRole('textbox', { name: /^Question/ }).fill('What does it sell?')
  await question.getByLabel('Type').selectOption('choice')
  await question.getByRole('textbox', { name: 'Options' }).fill('Food\nBooks')
  await buyer.getByRole('button', { name: 'Create project' }).click()

  await expect(buyer.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await buyer.getByLabel('Choose a CSV or JSON lines file').setInputFiles({
    name: 'shops.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('\ufeffShop;City\r\nRupali Store;Dhaka\r\n"Surma; Books";Sylhet\r\n'),
  })
  await buyer.getByRole('combobox', { name: 'name', exact: true }).selectOption('Shop')
  await buyer.getByRole('button', { name: 'Upload and check' }).click()
  await expect(buyer.getByText('Look at Rupali Store in Dhaka.')).toBeVisible()
  await buyer.getByRole('textbox', { name: 'Completion date' }).fill(DATE)
  await buyer.getByRole('button', { name: /^Pay / }).click()
  const task = buyer.getByRole('link', { name: 'Review one by one' })
  const address = await task.getAttribute('href')
  const taskId = new URLSearchParams(address?.split('?')[1]).get('task')

  const worker = await visitor('Worker', 'Wahida Khatun')
  await open(worker, `/dashboard/task-details/${taskId}`)
  await worker.getByRole('link', { name: 'Work on items' }).click()
  await worker.getByRole('button', { name: 'Start working' }).click()
  await expect(worker.getByText('Look at Rupali Store in Dhaka.')).toBeVisible()
  await worker.keyboard.press('1')
  await expect(worker.getByRole('radio', { name: 'Food' })).toBeChecked()
  await worker.keyboard.press('Control+Enter')
  await expect(worker.getByText('Look at Surma; Books in Sylhet.')).toBeVisible()
  await worker.getByRole('radio', { name: 'Books' }).check()
  await worker.getByRole('button', { name: 'Submit and next' }).click()
  await expect(worker.getByText('No items are available for you at the moment.')).toBeVisible()

  await buyer.getByRole('link', { name: 'See answers' }).click()
  await expect(buyer.getByRole('article', { name: 'What does it sell?' })).toContainText('1 (50%)')
  const table = buyer.getByRole('table', { name: 'Answers' })
  await expect(table.getByRole('row')).toHaveCount(3)
  const downloaded = buyer.waitForEvent('download')
  await buyer.getByRole('button', { name: 'Download CSV' }).click()
  const chunks = await (await (await downloaded).createReadStream()).toArray()
  const rows = Buffer.concat(chunks).toString().trimEnd().split('\r\n')
  // The last four columns are Approve, Reject, Category and Requirement.
  const [heading = '', ...answers] = rows
  expect(heading).toContain('"Approve","Reject","Category","Requirement"')
  const decided = answers.map((row, index) =>
    row.replace(/(,[^,]*){4}$/, index === 0 ? ',x,,,' : ',,Another shop,wrong,'),
  )
  await buyer.getByLabel('Choose the file with your decisions').setInputFiles({
    name: 'decided.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from([heading, ...decided].join('\r\n')),
  })
  await expect(buyer.getByText(/2 decisions: 1 approved, 1 rejected/)).toBeVisible()
  await buyer.getByRole('button', { name: 'Apply decisions' }).click()
  await expect(buyer.getByText(/^Done: 2 decisions: 1 approved, 1 rejected/)).toBeVisible()
  await expect(table.getByText('Approved')).toBeVisible()
  await expect(table.getByText('Rejected: worker can appeal')).toBeVisible()
})
