import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { myReservations, type Reservation, reserveSlot, returnReservation } from '#contract/reservations.ts'
import { submitWork } from '#contract/submissions.ts'
import { type TaskDetails, taskDetails, taskListWorker } from '#contract/tasks.ts'
import { waiting } from '#contract/waiting.ts'
import { queryClient } from '#web/lib/queries.ts'
import { button, dialog, expectGone, field, fill, openApp, server, until, user } from '#web/testing/app.tsx'
import { anId, aTask, aTaskDetails, aUser } from '#web/testing/records.ts'

const work = () => field(/^your work/i) as HTMLTextAreaElement
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()
const aReservation = (taskId: string, seconds = 3600): Reservation => ({
  _id: anId(),
  taskId,
  taskVersion: 1,
  expiresAt: inSeconds(seconds),
})

/** Opens a task that keeps what is reserved, returned and lapsed, as the server does. */
async function openTask(change: Partial<TaskDetails> = {}) {
  const state: { task: TaskDetails } = {
    task: aTaskDetails(change),
  }
  server.serve(taskDetails, () => state.task)
  server.serve(reserveSlot, () => {
    state.task = { ...state.task, worker: state.task.worker - 1, reservation: aReservation(state.task._id) }
    return state.task.reservation
  })
  server.serve(returnReservation, () => {
    state.task = { ...state.task, worker: state.task.worker + 1, reservation: null }
    return { acknowledged: true, deletedCount: 1 }
  })
  await openApp(`/dashboard/task-details/${state.task._id}`, { as: aUser('Worker') })
  await screen.findByRole('heading', { level: 1 })
  return state
}

test('opening a task reserves nothing; starting work does, and keeps what was typed', async () => {
  await openTask({ worker: 2 })
  await fill(work(), 'The first line')
  assert.equal(server.received(reserveSlot).length, 0)
  screen.getByText(/reserve a slot for 1 hour/)

  await user.click(button('Start work'))
  assert.match((await screen.findByRole('timer')).textContent ?? '', /^(1:00:00|59:\d\d)$/)
  assert.equal(work().value, 'The first line')
  server.serve(submitWork, { acknowledged: true, insertedId: anId() })
  await user.click(button('Submit Work'))
  await dialog('Success')
  screen.getByText('1 of 10 left')
})

test('a reserved slot can be returned', async () => {
  const { task } = await openTask({ worker: 4 })
  await user.click(button('Start work'))
  await user.click(await screen.findByRole('button', { name: 'Return the slot' }))
  await screen.findByRole('button', { name: 'Start work' })
  assert.equal(server.received(returnReservation)[0]?.params.id, task._id)
  expectGone(screen.queryByText('Your reservation has expired.', { selector: 'strong' }))
  screen.getByText('4 of 10 left')
})

test('work can be submitted without a reservation', async () => {
  await openTask()
  await fill(work(), 'Done')
  server.serve(submitWork, { acknowledged: true, insertedId: anId() })
  await user.click(button('Submit Work'))
  await dialog('Success')
  assert.equal(server.received(reserveSlot).length, 0)
})

test('the form of a filled task is open to the worker who has a slot', async () => {
  const id = anId()
  await openTask({ _id: id, worker: 0, isClosed: true, reservation: aReservation(id) })
  assert.equal((button('Submit Work') as HTMLButtonElement).disabled, false)
  expectGone(screen.queryByText('Task already completed'))
  screen.getByText(/your work is still accepted/)
})

for (const [seconds, announced] of [
  [900, ''],
  [290, 'Less than 5 minutes left to submit.'],
  [50, 'Less than 1 minute left to submit.'],
] as const) {
  test(`with ${seconds} seconds left a screen reader announces "${announced}"`, async () => {
    const id = anId()
    await openTask({ _id: id, reservation: aReservation(id, seconds) })
    const panel = (await screen.findByRole('timer')).closest('div') as HTMLElement
    assert.equal(within(panel).getByRole('status').textContent, announced)
  })
}

test('a reservation that expires keeps the text and offers another', async () => {
  const id = anId()
  const state = await openTask({ _id: id, worker: 3, reservation: aReservation(id, 2) })
  await fill(work(), 'Nearly done')
  state.task = { ...state.task, worker: 4, reservation: null }
  await screen.findByText('Your reservation has expired.', { selector: 'strong' })
  assert.equal(work().value, 'Nearly done')
  expectGone(screen.queryByRole('timer'))
  await user.click(button('Start work'))
  await screen.findByRole('timer')
})

test('a reservation that the server lapses before it is over by the clock of the device has expired', async () => {
  const id = anId()
  const state = await openTask({ _id: id, worker: 3, reservation: aReservation(id, 120) })
  await screen.findByRole('timer')
  await until(() => assert.equal(server.openStreams, 1))
  state.task = { ...state.task, worker: 4, reservation: null }
  server.send('update', { about: ['tasks'], coin: 500, notices: [] })
  await screen.findByText('Your reservation has expired.', { selector: 'strong' })
  screen.getByText('Your reservation has expired.', { selector: '[role=status]' })
})

test('a reservation that expires when all slots are taken says so, and the text stays', async () => {
  const id = anId()
  const state = await openTask({ _id: id, worker: 0, reservation: aReservation(id, 1) })
  state.task = { ...state.task, reservation: null }
  await fill(work(), 'Nearly done')
  await screen.findByText(/All slots are taken now/)
  assert.equal(work().value, 'Nearly done')
  assert.equal((button('Task already completed') as HTMLButtonElement).disabled, true)
})

test('a reservation that expires on a closed task says that it is closed', async () => {
  const id = anId()
  const state = await openTask({ _id: id, worker: 0, isClosed: true, reservation: aReservation(id, 120) })
  await screen.findByRole('timer')
  state.task = { ...state.task, reservation: null }
  await queryClient.invalidateQueries()
  await screen.findByText(/The task is closed, so no slot can be reserved\./)
  expectGone(screen.queryByText(/All slots are taken now/))
})

test('a reservation that lapses for a worker who may not take the task any more says so, and the text can be read', async () => {
  const id = anId()
  const state = await openTask({ _id: id, worker: 3, reservation: aReservation(id, 120) })
  await fill(work(), 'Nearly done')
  state.task = { ...state.task, reservation: null, ineligibility: { reason: 'blocked', message: 'Blocked.' } }
  await queryClient.invalidateQueries()
  await screen.findByText('Your reservation has expired.')
  within(screen.getByRole('region', { name: 'Your text' })).getByText('Nearly done')
})

test('a slot that is over by a clock that runs ahead is used until the server lapses it', async () => {
  const id = anId()
  await openTask({ _id: id, worker: 0, reservation: aReservation(id, -600) })
  await until(() => assert.equal(server.received(taskDetails).length, 2))
  await fill(work(), 'Done in time')
  assert.equal(screen.getByRole('timer').textContent, '0:00')
  button('Return the slot')
  server.serve(submitWork, { acknowledged: true, insertedId: anId() })
  await user.click(button('Submit Work'))
  await dialog('Success')
})

test('a refused reservation says why', async () => {
  await openTask()
  server.refuse(reserveSlot, 'reservation_limit', 'You already have 5 reserved slots.')
  await user.click(button('Start work'))
  assert.match((await dialog('Error')).textContent ?? '', /You already have 5 reserved slots\./)
})

const RESERVED = {
  kind: 'reservations' as const,
  count: 1,
  coins: null,
  cents: null,
  oldest: null,
  deadline: null,
}

test('reservations are listed above the tasks, each with the time left and a link to its task', async () => {
  const taskId = anId()
  const listed = {
    ...aReservation(taskId, 1750),
    item: null,
    task_title: 'Label photos',
    payable_amount: 25,
    task_image_url: '',
  }
  server.serve(waiting, [RESERVED])
  server.serve(myReservations, [listed])
  server.serveList(taskListWorker, [aTask()])
  await openApp('/dashboard/available-task', { as: aUser('Worker') })
  const strip = within(await screen.findByRole('region', { name: 'Your reservations' }))
  assert.equal(
    strip.getByRole('link', { name: 'Label photos' }).getAttribute('href'),
    `/dashboard/task-details/${taskId}`,
  )
  strip.getByText('30 minutes left')
})

test('a reservation that was submitted or returned is not listed any more', async () => {
  const listed = { ...aReservation(anId()), item: null, task_title: 'Label photos', payable_amount: 25 }
  server.serve(waiting, [RESERVED])
  server.serve(myReservations, [{ ...listed, task_image_url: '' }])
  server.serveList(taskListWorker, [aTask()])
  await openApp('/dashboard/available-task', { as: aUser('Worker') })
  await screen.findByRole('region', { name: 'Your reservations' })
  await until(() => assert.equal(server.openStreams, 1))
  server.serve(waiting, [])
  server.send('update', { about: [], coin: 100, notices: [] })
  await until(() => expectGone(screen.queryByRole('region', { name: 'Your reservations' })))
})

test('no reservations, no list of them', async () => {
  server.serveList(taskListWorker, [aTask()])
  await openApp('/dashboard/available-task', { as: aUser('Worker') })
  await screen.findByRole('article')
  await until(() => assert.equal(server.received(waiting).length, 1))
  assert.equal(server.received(myReservations).length, 0)
  expectGone(screen.queryByRole('region', { name: 'Your reservations' }))
})
