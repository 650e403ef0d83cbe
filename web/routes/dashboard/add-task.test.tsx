import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { uploadImage } from '#contract/images.ts'
import { site } from '#contract/site.ts'
import { addTask } from '#contract/tasks.ts'
import {
  button,
  dialog,
  expectFocus,
  expectGone,
  field,
  fill,
  server,
  until,
  user,
} from '#web/testing/app.tsx'
import { SITE } from '#web/testing/fake-server.ts'
import { aStoredImage } from '#web/testing/records.ts'
import { fillIn, input, openForm, send } from '#web/testing/task-form.ts'

const cost = () => screen.getByRole('region', { name: 'Cost' }).textContent ?? ''

for (const [timeZone, weekend] of [
  ['Asia/Dhaka', [5, 6]],
  ['Europe/Berlin', [0, 6]],
] as const) {
  test(`the weekend in ${timeZone} is marked when a date is picked`, async () => {
    server.serve(site, { ...SITE, timeZone })
    await openForm()
    await user.click(field(/^completion date/i))
    await until(() => {
      const days = [...document.querySelectorAll('button[data-weekend]')]
      assert.ok(days.length >= 8)
      const weekdays = days.map((day) => new Date(`${day.getAttribute('aria-label')} UTC`).getUTCDay())
      assert.deepEqual(new Set(weekdays), new Set<number>(weekend))
    })
  })
}

test('the cost is shown as it is typed, with what remains of the balance', async () => {
  await openForm(500)
  await fill(field(/^required workers/i), '10')
  await fill(field(/^payable amount/i), '25')
  assert.match(cost(), /10 workers × 25/)
  assert.match(cost(), /250 coins.*500 coins.*250 coins/)
  await fill(field(/^payable amount/i), '30')
  assert.match(cost(), /300 coins.*500 coins.*200 coins/)
})

test('the fee of the marketplace is part of the cost', async () => {
  server.serve(site, { ...SITE, feePercent: 10 })
  await openForm(500)
  await fill(field(/^required workers/i), '10')
  await fill(field(/^payable amount/i), '25')
  await until(() => assert.match(cost(), /275 coins/))
})

test('a cost above the balance shows what is missing and the way to buy coins', async () => {
  await openForm(100)
  await fill(field(/^required workers/i), '10')
  await fill(field(/^payable amount/i), '25')
  assert.match(cost(), /150 coins/)
  const link = within(screen.getByRole('region', { name: 'Cost' })).getByRole('link')
  assert.equal(link.getAttribute('href'), '/dashboard/purchase-coin')
})

test('starting coins that cannot be spent yet are missing', async () => {
  await openForm(60, { spendable: 10 })
  await fill(field(/^required workers/i), '2')
  await fill(field(/^payable amount/i), '10')
  assert.match(cost(), /60 coins.*spend now10 coins.*needed10 coins/)
})

test('a posted task is sent with its cost and leads to the list of tasks', async () => {
  const router = await openForm(500)
  await fillIn()
  await send()
  await dialog('Task Added')
  assert.equal(router.state.location.pathname, '/dashboard/my-task')
  const { body, headers } = server.received(addTask)[0] ?? {}
  assert.equal(body.total, 250)
  assert.equal(body.completion_date, '2026-12-18')
  assert.ok(headers?.get('idempotency-key'))
})

test('a task that is posted after its form was left is announced there, and leads nowhere', async () => {
  const router = await openForm(500)
  await fillIn()
  const held = server.hold(addTask)
  await send()
  await until(() => assert.equal(server.received(addTask).length, 1))
  await router.navigate('/dashboard')
  await screen.findByRole('heading', { level: 1, name: 'Profile' })
  held.release()
  await screen.findByText('Task Added')
  expectGone(screen.queryByRole('dialog'))
  assert.equal(router.state.location.pathname, '/dashboard')
})

test('a task has the review period and the time per worker that were chosen', async () => {
  await openForm(500)
  await fillIn()
  await user.selectOptions(field(/^review within/i), '3 days')
  await user.selectOptions(field(/^time per worker/i), '2 hours')
  await send()
  await dialog('Task Added')
  const { review_hours, reservation_minutes } = server.received(addTask)[0]?.body ?? {}
  assert.deepEqual({ review_hours, reservation_minutes }, { review_hours: 72, reservation_minutes: 120 })
})

test('without a choice a task has the review period of the marketplace', async () => {
  server.serve(site, { ...SITE, reviewDays: 5 })
  await openForm(500)
  await screen.findByRole('option', { name: '5 days (standard)' })
  await fillIn()
  await send()
  await dialog('Task Added')
  const { review_hours, reservation_minutes } = server.received(addTask)[0]?.body ?? {}
  assert.deepEqual(
    { review_hours, reservation_minutes },
    { review_hours: undefined, reservation_minutes: 60 },
  )
})

test('an empty form shows a message at every required field and focuses the first', async () => {
  await openForm()
  await send()
  await until(() => expectFocus(field(/^task title/i)))
  assert.equal(screen.getAllByText('This field is required').length, 3)
  assert.equal(screen.getByRole('main').querySelectorAll('[aria-invalid=true]').length, 6)
  assert.equal(server.received(addTask).length, 0)
})

test('a task that costs more than the balance offers coins instead of being sent', async () => {
  const router = await openForm(100)
  await fillIn()
  await send()
  const offered = await dialog('Insufficient Coin')
  within(offered).getByText('Not available Coin. Purchase Coin')
  await user.click(within(offered).getByRole('button', { name: 'Go to Purchase Page' }))
  await until(() => assert.equal(router.state.location.pathname, '/dashboard/purchase-coin'))
  assert.equal(server.received(addTask).length, 0)
})

test('the balance that counts is the present one, not the one on the screen', async () => {
  await openForm(500)
  await fillIn()
  server.change({ coin: 10 })
  await send()
  await dialog('Insufficient Coin')
  assert.equal(server.received(addTask).length, 0)
})

test('a refused task keeps what was typed and shows the reason', async () => {
  await openForm(500)
  server.refuse(addTask, 'insufficient_coins', 'You have too few coins.')
  await fillIn()
  await send()
  await screen.findByText('You have too few coins.')
  assert.equal(input(/^task title/i).value, 'Transcribe a note')
})

test('a message of the server for a field is shown at the field', async () => {
  await openForm(500)
  server.refuse(addTask, 'invalid_fields', 'Correct the fields.', {
    completion_date: 'The deadline has passed',
  })
  await fillIn()
  await send()
  await screen.findByText('The deadline has passed')
})

test('what was typed is there again after another screen', async () => {
  const router = await openForm()
  await fill(field(/^task title/i), 'Half a task')
  await router.navigate('/dashboard/my-task')
  await screen.findByRole('heading', { level: 1, name: 'My Tasks' })
  await router.navigate('/dashboard/add-task')
  await until(() => assert.equal(input(/^task title/i).value, 'Half a task'))
})

test('a sent task keeps the draft of another tab, where another task is typed', async () => {
  await openForm()
  await fillIn()
  const stored = Object.keys(localStorage).find((key) => key.startsWith('draft add-task')) ?? ''
  const typed = JSON.parse(localStorage.getItem(stored) ?? '') as object
  const other = JSON.stringify({ ...typed, task_title: 'Translate a note' })
  localStorage.setItem(stored, other)
  await send()
  await dialog('Task Added')
  assert.equal(localStorage.getItem(stored), other)
})

test('a sent task leaves no draft behind', async () => {
  const router = await openForm()
  await fillIn()
  await send()
  await dialog('Task Added')
  await user.keyboard('{Escape}')
  await router.navigate('/dashboard/add-task')
  await screen.findByRole('heading', { level: 1, name: 'Create a New Task' })
  assert.equal(input(/^task title/i).value, '')
})

test('a task is not posted or saved before its picture is uploaded', async () => {
  await openForm()
  server.serve(uploadImage, aStoredImage('/images/task.webp'))
  const file = document.querySelector<HTMLInputElement>('input[type=file]')
  assert.ok(file)
  const upload = server.hold(uploadImage)
  await user.upload(file, new File(['pixels'], 'task.png', { type: 'image/png' }))
  await screen.findByText('Wait until the picture is uploaded.')
  for (const name of ['Add Task', 'Save draft', 'Save as template'])
    assert.ok((button(name) as HTMLButtonElement).disabled, name)
  upload.release()
  await until(() => assert.equal(input(/^task image/i).value, 'http://localhost:3000/images/task.webp'))
  await until(() => expectGone(screen.queryByText('Wait until the picture is uploaded.')))
  await fillIn()
  await send()
  await dialog('Task Added')
  assert.equal(server.received(addTask)[0]?.body.task_image_url, 'http://localhost:3000/images/task.webp')
})

test('a picture that cannot be stored is shown at its field', async () => {
  await openForm()
  server.refuse(uploadImage, 'invalid_image', 'This file is not a picture.')
  const file = document.querySelector<HTMLInputElement>('input[type=file]')
  assert.ok(file)
  await user.upload(file, new File(['text'], 'task.png', { type: 'image/png' }))
  await screen.findByText('This file is not a picture.')
})

test('the category follows the text until the buyer chooses one', async () => {
  await openForm()
  const category = () => field(/^category/i) as HTMLSelectElement
  assert.equal(category().selectedOptions[0]?.textContent, 'Other')
  await fill(field(/^task title/i), 'Translate a menu')
  assert.equal(category().selectedOptions[0]?.textContent, 'Translation')
  await user.selectOptions(category(), 'Local visits')
  await fillIn()
  assert.equal(category().selectedOptions[0]?.textContent, 'Local visits')
  await send()
  await dialog('Task Added')
  assert.equal(server.received(addTask)[0]?.body.category, 'local')
})

test('without a choice the suggested category is sent', async () => {
  await openForm()
  await fillIn()
  await send()
  await dialog('Task Added')
  assert.equal(server.received(addTask)[0]?.body.category, 'transcription')
})
