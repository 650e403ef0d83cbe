import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import {
  BATCH_CHUNK_BYTES,
  type Batch,
  batch,
  batches,
  batchPreview,
  batchProblems,
  cancelBatch,
  checkBatch,
  createBatch,
  fundBatch,
  uploadChunk,
} from '#contract/batches.ts'
import { type Project, project } from '#contract/projects.ts'
import { taskFunnel } from '#contract/task-funnel.ts'
import {
  button,
  dialog,
  expectGone,
  field,
  fill,
  openApp,
  server,
  setOnline,
  setWidth,
  until,
  user,
} from '#web/testing/app.tsx'
import { anId, aUser } from '#web/testing/records.ts'

const PROJECT: Project = {
  _id: anId(),
  title: 'Describe shops',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of a project
  instructions: 'Look at ${name} in ${city}.',
  pictureColumns: [],
  examples: [],
  form: { fields: [{ type: 'text', name: 'hours', label: 'Opening hours', required: true }] },
  category: 'local',
  reward: 5,
  workersPerItem: 3,
  reviewHours: null,
  reservationMinutes: 60,
  version: 2,
  columns: ['name', 'city'],
  createdAt: '2026-01-10T09:00:00.000Z',
  changedAt: '2026-01-11T09:00:00.000Z',
  archivedAt: null,
}

function aBatch(change: Partial<Batch> = {}): Batch {
  return {
    _id: anId(),
    projectId: PROJECT._id,
    projectVersion: 2,
    title: PROJECT.title,
    fileName: 'shops.csv',
    state: 'uploading',
    bytes: 0,
    rowsRead: 0,
    items: 0,
    columns: [],
    encoding: null,
    separator: null,
    errors: 0,
    warnings: 0,
    cost: null,
    itemsWritten: 0,
    fundingRefusal: null,
    taskId: null,
    createdAt: '2026-01-12T09:00:00.000Z',
    checkedAt: null,
    ...change,
  }
}
const CHECKED: Partial<Batch> = {
  state: 'checked',
  rowsRead: 1200,
  items: 1200,
  columns: ['name', 'city'],
  encoding: 'utf-8',
  separator: ',',
  checkedAt: '2026-01-12T09:01:00.000Z',
}

async function openProject(): Promise<ReturnType<typeof openApp>> {
  server.serve(project, PROJECT)
  server.serve(batches, [])
  return openApp(`/dashboard/projects/${PROJECT._id}`, { as: aUser('Buyer') })
}

async function chooseFile(content: BlobPart, name = 'shops.csv'): Promise<void> {
  await user.upload(await screen.findByLabelText(/choose a csv/i), new File([content], name))
}

/** Serves the upload of a batch. Returns its bytes so far. */
function serveUpload(created: Batch): () => string {
  const pieces: string[] = []
  server.serve(batch, created)
  server.serve(uploadChunk, ({ params, body }) => {
    pieces[Number(params.number)] = atob(body.content)
    return { bytes: pieces.join('').length }
  })
  return () => pieces.join('')
}

test('a file is matched with the variables, uploaded and checked', async () => {
  const router = await openProject()
  await screen.findByText(/No batches yet/)
  await chooseFile('Name;"Town; or city";note\nRupali;Dhaka;x\n')
  const match = within(await screen.findByRole('group', { name: /columns of the file/i }))
  assert.equal((match.getByLabelText('name') as HTMLSelectElement).selectedOptions[0]?.textContent, 'Name')
  match.getByText('No column of the file has this name')
  screen.getByText(/Further columns, which workers do not see: Town; or city, note/)
  await user.selectOptions(match.getByLabelText('city'), 'Town; or city')
  expectGone(screen.queryByText('No column of the file has this name'))

  const created = aBatch()
  server.serve(createBatch, created)
  const received = serveUpload(created)
  const checking = aBatch({ _id: created._id, state: 'checking' })
  server.serve(checkBatch, () => {
    server.serve(batch, checking)
    return checking
  })
  await user.click(button('Upload and check'))
  await until(() => assert.equal(router.state.location.pathname, `/dashboard/batches/${created._id}`))
  await screen.findByText('Checking rows')
  assert.equal(received(), 'name;city;note\nRupali;Dhaka;x\n')
  assert.deepEqual(server.received(createBatch)[0]?.body, { fileName: 'shops.csv' })
  assert.deepEqual(server.received(checkBatch)[0]?.body, { bytes: received().length })
})

test('the upload goes on in pieces after the network was away, while another screen is open', async () => {
  const router = await openProject()
  const text = `name,city\n${'Rupali,Dhaka\n'.repeat(30_000)}`
  await chooseFile(text)
  const created = aBatch()
  server.serve(createBatch, created)
  const received = serveUpload(created)
  const served = server.received(uploadChunk)
  server.serve(checkBatch, aBatch({ _id: created._id, state: 'checking' }))
  const held = server.hold(uploadChunk)
  await screen.findByRole('group', { name: /columns of the file/i })
  await user.click(button('Upload and check'))
  await screen.findByText('Uploading')
  await router.navigate(`/dashboard/projects/${PROJECT._id}`)
  await until(() => assert.equal(served.length, 1))
  setOnline(false)
  held.release()
  await until(() => assert.ok(server.failedRequests > 0))
  setOnline(true)
  await until(() => assert.equal(server.received(checkBatch).length, 1))
  assert.equal(received(), text)
  assert.equal(Math.ceil(text.length / BATCH_CHUNK_BYTES), 2)
  assert.deepEqual(server.received(checkBatch)[0]?.body, { bytes: text.length })
})

test('an upload of a closed tab continues where it stopped, with the same file only', async () => {
  const begun = aBatch({ bytes: BATCH_CHUNK_BYTES })
  const text = `name,city\n${'Rupali,Dhaka\n'.repeat(25_000)}`
  const received = serveUpload(begun)
  await openApp(`/dashboard/batches/${begun._id}`, { as: aUser('Buyer') })
  await screen.findByText(/256 KB arrived\. Choose shops\.csv again/)
  await chooseFile(text, 'people.csv')
  await screen.findByText('This is another file. Choose shops.csv, unchanged.')
  const checking = aBatch({ _id: begun._id, state: 'checking' })
  server.serve(checkBatch, () => {
    server.serve(batch, checking)
    return checking
  })
  server.serve(batches, [checking])
  await chooseFile(text)
  await screen.findByText('Checking rows')
  assert.deepEqual(
    server.received(uploadChunk).map(({ params }) => params.number),
    ['1'],
  )
  assert.equal(received(), text.slice(BATCH_CHUNK_BYTES))
})

test('a refused upload says why and can be continued or cancelled', async () => {
  await openProject()
  await chooseFile('name,city\nRupali,Dhaka\n')
  server.refuse(createBatch, 'state_conflict', 'You have 10 files that are not paid. Cancel one first.')
  await user.click(await screen.findByRole('button', { name: 'Upload and check' }))
  await screen.findByText('You have 10 files that are not paid. Cancel one first.')
  const created = aBatch()
  server.serve(createBatch, created)
  serveUpload(created)
  server.refuse(uploadChunk, 'state_conflict', 'Upload the pieces in order.')
  await user.click(button('Upload and check'))
  await screen.findByText('Upload the pieces in order.')
  server.serve(cancelBatch, aBatch({ _id: created._id, state: 'cancelled' }))
  await user.click(button('Cancel batch'))
  await user.click(within(await dialog('Cancel this batch?')).getByRole('button', { name: 'Cancel batch' }))
  await screen.findByText('This batch was cancelled. Its file is deleted.')
})

test('JSON lines keep their names, and an empty file is refused', async () => {
  await openProject()
  await chooseFile('', 'empty.csv')
  await screen.findByText('This file is empty.')
  await chooseFile('{"name":"Rupali","town":"Dhaka"}\n', 'shops.jsonl')
  await screen.findByText('The file lacks: city. The check will report it.')
  const match = within(screen.getByRole('group', { name: /columns of the file/i }))
  assert.equal((match.getByLabelText('city') as HTMLSelectElement).disabled, true)
})

test('the report of a file with errors is shown by row and column, and downloaded', async () => {
  const problems = Array.from({ length: 60 }, (_, index) => ({
    row: index + 2,
    column: index === 0 ? null : 'city',
    kind: 'empty_value' as const,
    isError: true,
    message: `The project needs this value (${index}).`,
  }))
  server.serve(batchProblems, problems)
  const failed = aBatch({ ...CHECKED, errors: 1500, warnings: 2 })
  server.serve(batch, failed)
  const router = await openApp(`/dashboard/batches/${failed._id}`, { as: aUser('Buyer') })
  const table = within(await screen.findByRole('table', { name: 'Problems of the file' }))
  screen.getByText('1,500 errors, 2 warnings. The first 60 are listed.')
  assert.equal(table.getAllByRole('row').length, 51)
  await user.click(button('Show all 60'))
  assert.equal(table.getAllByRole('row').length, 61)
  button('Download report')
  setWidth(390)
  await user.click(screen.getByRole('link', { name: 'Upload the corrected file' }))
  server.serve(project, PROJECT)
  assert.equal(router.state.location.pathname, `/dashboard/projects/${PROJECT._id}`)
  expectGone(screen.queryByText('Total cost'))
})

test('a file without errors shows its cost and its first items', async () => {
  const cost = { items: 1200, workersPerItem: 3, reward: 5, pay: 18_000, fee: 900, total: 18_900 }
  const ready = aBatch({ ...CHECKED, cost, warnings: 1 })
  server.serve(batch, ready)
  server.serve(batchProblems, [
    { row: 7, column: null, kind: 'repeated_row', isError: false, message: 'This row is the same as row 2.' },
  ])
  const item = (instructions: string) => ({
    title: PROJECT.title,
    instructions,
    pictures: [],
    examples: [],
    form: PROJECT.form,
    reward: 5,
    missing: [],
  })
  server.serve(batchPreview, [item('Look at Rupali in Dhaka.'), item('Look at Surma in Sylhet.')])
  await openApp(`/dashboard/batches/${ready._id}`, { as: aUser('Buyer') })
  const shown = within(await screen.findByRole('region', { name: 'Payment' }))
  shown.getByText('1,200 items × 3 workers × 5')
  assert.match(shown.getByText('Total cost').parentElement?.textContent ?? '', /18,900/)
  await screen.findByText('This row is the same as row 2.')
  await screen.findByText('Look at Rupali in Dhaka.')
  await user.click(button('Next'))
  await screen.findByText('Look at Surma in Sylhet.')
  screen.getByText('Item 2 of the first 2')
  screen.getByText('CSV, separated by comma')
})

test('a batch is paid with its cost and a date, and becomes a task', async () => {
  const cost = { items: 40, workersPerItem: 2, reward: 5, pay: 400, fee: 20, total: 420 }
  const ready = aBatch({ ...CHECKED, items: 40, cost, fundingRefusal: 'Not available Coin. Purchase Coin' })
  server.serve(batch, ready)
  server.serve(batchPreview, [])
  const router = await openApp(`/dashboard/batches/${ready._id}`, { as: aUser('Buyer', { coin: 400 }) })
  const shown = within(await screen.findByRole('region', { name: 'Payment' }))
  shown.getByText('Not available Coin. Purchase Coin')
  assert.match(shown.getByLabelText('Cost').textContent ?? '', /Coins needed20 coins/)
  await user.click(shown.getByRole('button', { name: 'Pay 420 coins' }))
  await screen.findByText('Choose a completion date')
  await fill(field(/^completion date/i), 'December 20, 2026')
  await user.tab()
  await user.click(shown.getByRole('button', { name: 'Pay 420 coins' }))
  await user.click(within(await dialog('Insufficient Coin')).getByRole('button', { name: 'Not now' }))
  assert.equal(server.received(fundBatch).length, 0)

  server.change({ coin: 1000 })
  const open = aBatch({ ...ready, state: 'open', itemsWritten: 40, taskId: anId(), fundingRefusal: null })
  server.serve(fundBatch, () => {
    server.serve(batch, { ...ready, state: 'funding', itemsWritten: 10 })
    return { ...ready, state: 'funding' }
  })
  server.serve(batches, [])
  server.serve(taskFunnel, {
    taskId: ready._id,
    seen: 9,
    reserved: 40,
    submitted: 30,
    approved: 20,
    rejected: 1,
    paid: 100,
    escrow: 300,
    medianSeconds: 42,
  })
  await user.click(shown.getByRole('button', { name: 'Pay 420 coins' }))
  await screen.findByText('10 of 40')
  assert.deepEqual(server.received(fundBatch)[0]?.body, { completion_date: '2026-12-20', total: 420 })
  server.serve(batch, open)
  await screen.findByText('Slots taken')
  assert.equal(
    screen.getByRole('link', { name: 'Review one by one' }).getAttribute('href'),
    `/dashboard/task-to-review?task=${open.taskId}`,
  )
  expectGone(screen.queryByRole('button', { name: 'Cancel batch' }))
  assert.equal(router.state.location.pathname, `/dashboard/batches/${ready._id}`)
})
