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
  uploadChunk,
} from '#contract/batches.ts'
import { project } from '#contract/projects.ts'
import {
  button,
  dialog,
  expectGone,
  openApp,
  server,
  setOnline,
  setWidth,
  until,
  user,
} from '#web/testing/app.tsx'
import { aBatch, CHECKED, PROJECT } from '#web/testing/batches.ts'
import { anId, aUser } from '#web/testing/records.ts'

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
  const chunks: string[] = []
  server.serve(batch, created)
  server.serve(uploadChunk, ({ params, body }) => {
    chunks[Number(params.number)] = atob(body.content)
    return { bytes: chunks.join('').length }
  })
  return () => chunks.join('')
}

test('a file is matched with the variables, uploaded and checked', async () => {
  const router = await openProject()
  await screen.findByText(/No batches yet/)
  await chooseFile('Name;"Town; or city";note\nRupali;Dhaka;x\n')
  const match = within(await screen.findByRole('group', { name: /columns of the file/i }))
  assert.equal((match.getByLabelText('name') as HTMLSelectElement).selectedOptions[0]?.textContent, 'Name')
  match.getByText('No column of the file has this name')
  screen.getByText(/Other columns, hidden from workers: Town; or city, note/)
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

test('the form says how many rows a file may have, which depends on the workers per item', async () => {
  const router = await openProject()
  await screen.findByText(/^One item per row, at most 33,333\./)
  const single = { ...PROJECT, _id: anId(), workersPerItem: 1 }
  server.serve(project, single)
  await router.navigate(`/dashboard/projects/${single._id}`)
  await screen.findByText(/^One item per row, at most 1,00,000\./)
})

test('a column that is chosen for two variables is marked at both before the upload', async () => {
  await openProject()
  await chooseFile('name,town\nRupali,Dhaka\n')
  const match = within(await screen.findByRole('group', { name: /columns of the file/i }))
  await user.selectOptions(match.getByLabelText('city'), 'name')
  match.getByText('This column is also chosen for name')
  match.getByText('This column is also chosen for city')
  assert.equal(match.getByLabelText('city').getAttribute('aria-invalid'), 'true')
  await user.selectOptions(match.getByLabelText('city'), 'town')
  expectGone(match.queryByText(/^This column is also chosen/))
})

test('the upload continues in chunks after the network was away, while another screen is open', async () => {
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

test('an upload whose file the browser has not kept begins again, with the same file and its columns matched', async () => {
  const begun = aBatch({ bytes: BATCH_CHUNK_BYTES, fileName: 'my shops.csv' })
  const rows = 'Rupali,Dhaka\n'.repeat(25_000)
  const received = serveUpload(begun)
  server.serve(project, PROJECT)
  await openApp(`/dashboard/batches/${begun._id}`, { as: aUser('Buyer') })
  await screen.findByText(/Choose my shops\.csv again\. It is uploaded from the beginning/)
  await chooseFile(rows, 'people.csv')
  await screen.findByText('This is a different file. Choose the original my shops.csv.')
  const checking = aBatch({ _id: begun._id, state: 'checking' })
  server.serve(checkBatch, () => {
    server.serve(batch, checking)
    return checking
  })
  server.serve(batches, [checking])
  // A batch has the name of its file on one line, with single spaces.
  await chooseFile(`Name,Town\n${rows}`, 'my \u202fshops.csv')
  const match = within(await screen.findByRole('group', { name: /columns of the file/i }))
  await user.selectOptions(match.getByLabelText('city'), 'Town')
  await user.click(button('Upload and check'))
  await screen.findByText('Checking rows')
  assert.deepEqual(
    server.received(uploadChunk).map(({ params }) => params.number),
    ['0', '1'],
  )
  assert.equal(received(), `name,city\n${rows}`)
})

test('a refused upload says why and can be continued or cancelled', async () => {
  await openProject()
  await chooseFile('name,city\nRupali,Dhaka\n')
  server.refuse(createBatch, 'state_conflict', 'You have 10 unpaid files. Cancel one first.')
  await user.click(await screen.findByRole('button', { name: 'Upload and check' }))
  await screen.findByText('You have 10 unpaid files. Cancel one first.')
  const created = aBatch()
  server.serve(createBatch, created)
  serveUpload(created)
  server.refuse(uploadChunk, 'state_conflict', 'Upload the chunks in order.')
  await user.click(button('Upload and check'))
  await screen.findByText('Upload the chunks in order.')
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
  await screen.findByText('Missing from the file: city. The check will report it.')
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
  expectGone(screen.queryByText('Total cost'))
  server.serve(project, PROJECT)
  server.serve(batches, [])
  await user.click(screen.getByRole('link', { name: 'Upload the corrected file' }))
  await screen.findByText(/No batches yet/)
  assert.equal(router.state.location.pathname, `/dashboard/projects/${PROJECT._id}`)
})

test('the progress of the pictures is shown after that of the rows, then those that do not load beside the cost', async () => {
  const checking = aBatch({
    ...CHECKED,
    state: 'checking',
    checkedAt: null,
    pictures: 5000,
    picturesChecked: 1200,
  })
  server.serve(batch, checking)
  await openApp(`/dashboard/batches/${checking._id}`, { as: aUser('Buyer') })
  const check = within(await screen.findByRole('region', { name: 'Check' }))
  check.getByText('1,200 of 5,000')
  check.getByRole('progressbar', { name: 'Checking pictures' })
  check.getByText(/for at most 10 minutes\. You can pay after that/)
  expectGone(screen.queryByText('Checking rows'))
  expectGone(screen.queryByText('Total cost'))

  server.serve(batchProblems, [
    {
      row: 7,
      column: 'photo',
      kind: 'picture_not_loaded',
      isError: false,
      message: 'This picture does not load: its host responds with status 404.',
    },
  ])
  server.serve(batchPreview, [])
  const cost = { items: 1200, workersPerItem: 3, reward: 5, pay: 18_000, fee: 0, total: 18_000 }
  server.serve(batch, { ...checking, ...CHECKED, picturesChecked: 5000, warnings: 1, cost })
  const table = within(await screen.findByRole('table', { name: 'Problems of the file' }))
  const row = within(table.getByRole('row', { name: /status 404/ }))
  for (const text of ['7', 'photo', 'Warning']) row.getByText(text)
  screen.getByText('Total cost')
})

test('the progress ends at the number of pictures that are checked', async () => {
  const checking = aBatch({
    ...CHECKED,
    state: 'checking',
    checkedAt: null,
    pictures: 25_000,
    picturesChecked: 9000,
  })
  server.serve(batch, checking)
  await openApp(`/dashboard/batches/${checking._id}`, { as: aUser('Buyer') })
  await screen.findByText('9,000 of 10,000')
})
