import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fireEvent, screen, within } from '@testing-library/react'
import { uploadImage } from '#contract/images.ts'
import { itemsInWork, type ReservedItem, returnItem, submitItem, takeItem } from '#contract/items.ts'
import { returnReservation } from '#contract/reservations.ts'
import { taskDetails, taskListWorker } from '#contract/tasks.ts'
import { webhookEndpoints } from '#contract/webhooks.ts'
import {
  button,
  expectFocus,
  expectGone,
  fill,
  openApp,
  server,
  setOnline,
  until,
  user,
} from '#web/testing/app.tsx'
import { Refused } from '#web/testing/fake-server.ts'
import { aStoredImage, aTaskDetails, aUser } from '#web/testing/records.ts'

const TASK = aTaskDetails({
  task_title: 'Describe shops',
  isBatch: true,
  payable_amount: 5,
  workSeconds: 60,
})

const anItem = (number: number): ReservedItem => ({
  taskId: TASK._id,
  number,
  expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
  title: TASK.task_title,
  instructions: `Look at shop ${number}.`,
  pictures: [{ column: 'photo', url: `https://photos.example/${number}.jpg` }],
  examples: [],
  form: {
    fields: [
      { type: 'choice', name: 'kind', label: 'Kind', required: true, options: ['Food', 'Books', 'Tea'] },
      { type: 'choices', name: 'goods', label: 'Goods', required: false, options: ['Rice', 'Salt'] },
      { type: 'text', name: 'note', label: 'Note', required: false },
      { type: 'picture', name: 'photos', label: 'Photos', required: false },
    ],
  },
  reward: 5,
})

/** Serves a batch with items as the server does. */
function serveItems(numbers: number[]): void {
  const waiting = [...numbers]
  let reserved: ReservedItem[] = []
  let submitted = 0
  server.serve(taskDetails, TASK)
  server.serve(itemsInWork, () => ({ reserved, submitted, left: waiting.length }))
  server.serve(takeItem, () => {
    const number = waiting.shift()
    if (number === undefined)
      throw new Refused('task_filled', 'No items are available for you at the moment.')
    reserved = [...reserved, anItem(number)]
    return reserved.at(-1)
  })
  server.serve(submitItem, ({ params }) => {
    reserved = reserved.filter(({ number }) => number !== Number(params.number))
    submitted++
    return { acknowledged: true, insertedId: TASK._id }
  })
  server.serve(returnReservation, () => {
    const deletedCount = reserved.length
    reserved = []
    return { acknowledged: true, deletedCount }
  })
}

const openWork = () => openApp(`/dashboard/batches/${TASK._id}/work`, { as: aUser('Worker') })
const answersOf = () => server.received(submitItem).map(({ params, body }) => [params.number, body.answers])

test('items are worked on by keys, the next one is loaded ahead, and the last one ends the work', async () => {
  serveItems([1, 2])
  await openWork()
  await user.click(await screen.findByRole('button', { name: 'Start working' }))
  await screen.findByText('Look at shop 1.')
  screen.getByText('about 300 coins an hour')
  assert.equal(server.received(takeItem).length, 1)
  await user.keyboard('2')
  await until(() => assert.equal((screen.getByLabelText(/^Books/) as HTMLInputElement).checked, true))
  await until(() => assert.equal(server.received(takeItem).length, 2))
  await user.keyboard('1')
  await user.keyboard('2')
  await user.keyboard('1')
  await user.keyboard('{Control>}{Enter}{/Control}')
  await screen.findByText('Look at shop 2.')
  screen.getByText('Item 1 was submitted.')
  await fill(within(screen.getByRole('region', { name: 'Item 2' })).getByLabelText('Note'), 'Room 12')
  await user.click(screen.getByLabelText(/^Tea/))
  await user.click(button('Submit and next'))
  await screen.findByText('No items are available for you at the moment.')
  assert.deepEqual(answersOf(), [
    ['1', { kind: 'Books', goods: ['Salt'] }],
    ['2', { note: 'Room 12', kind: 'Tea' }],
  ])
  within(screen.getByRole('region', { name: 'Your work' })).getByText('10 coins')
})

const loadedPictures = () =>
  Array.from(document.querySelectorAll('img[src^="/images/foreign"]'), (image) =>
    new URLSearchParams(image.getAttribute('src')?.split('?')[1]).get('url'),
  )

test('the pictures of the next item are loaded before it is shown, and again when the network is back', async () => {
  serveItems([1, 2])
  await openWork()
  await user.click(await screen.findByRole('button', { name: 'Start working' }))
  await screen.findByText('Look at shop 1.')
  assert.deepEqual(loadedPictures(), ['https://photos.example/1.jpg'])
  await user.keyboard('2')
  await until(() =>
    assert.deepEqual(loadedPictures(), ['https://photos.example/1.jpg', 'https://photos.example/2.jpg']),
  )
  await user.keyboard('{Control>}{Enter}{/Control}')
  await screen.findByText('Look at shop 2.')
  setOnline(false)
  fireEvent.error(screen.getByRole('img', { name: 'photo' }))
  screen.getByText('photo: this picture could not be loaded')
  setOnline(true)
  await screen.findByRole('img', { name: 'photo' })
})

test('where the user saves data, the pictures of the next item are loaded when it is shown', async (context) => {
  Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true })
  context.after(() => Reflect.deleteProperty(navigator, 'connection'))
  serveItems([1, 2])
  await openWork()
  await user.click(await screen.findByRole('button', { name: 'Start working' }))
  await screen.findByText('Look at shop 1.')
  await user.keyboard('2')
  await until(() => assert.equal(server.received(takeItem).length, 2))
  await user.keyboard('{Control>}{Enter}{/Control}')
  await screen.findByText('Look at shop 2.')
  assert.deepEqual(loadedPictures(), ['https://photos.example/2.jpg'])
})

test('an item that is submitted while the next one is being reserved is followed by that one', async () => {
  serveItems([1, 2])
  await openWork()
  await user.click(await screen.findByRole('button', { name: 'Start working' }))
  await screen.findByText('Look at shop 1.')
  const held = server.hold(takeItem)
  await user.keyboard('1')
  await until(() => assert.equal(server.received(takeItem).length, 2))
  await user.keyboard('{Control>}{Enter}{/Control}')
  await until(() => assert.equal(server.received(submitItem).length, 1))
  held.release()
  await screen.findByText('Look at shop 2.')
  await user.keyboard('2')
  await user.keyboard('{Control>}{Enter}{/Control}')
  await screen.findByText('No items are available for you at the moment.')
  assert.equal(server.received(takeItem).length, 2)
})

test('the keys of a Bangla keyboard choose the same options', async () => {
  serveItems([1])
  await openWork()
  await user.click(await screen.findByRole('button', { name: 'Start working' }))
  await screen.findByText('Look at shop 1.')
  fireEvent.keyDown(document.body, { key: '২', code: 'Digit2' })
  await until(() => assert.equal((screen.getByLabelText(/^Books/) as HTMLInputElement).checked, true))
})

test('digits that are typed into a text choose nothing', async () => {
  serveItems([1])
  await openWork()
  await user.click(await screen.findByRole('button', { name: 'Start working' }))
  await user.click(await screen.findByLabelText('Note'))
  await user.keyboard('12')
  assert.equal((screen.getByLabelText('Note') as HTMLInputElement).value, '12')
  expectGone(screen.queryByRole('radio', { checked: true }))
})

test('messages of the form are shown at their questions, and what was entered is kept', async () => {
  serveItems([1, 2])
  const router = await openWork()
  await user.click(await screen.findByRole('button', { name: 'Start working' }))
  await fill(await screen.findByLabelText('Note'), 'Nice shop')
  server.refuse(submitItem, 'invalid_fields', 'This question is required', {
    'answers.kind': 'This question is required',
  })
  await user.click(button('Submit and next'))
  await until(() => assert.equal(screen.getAllByText('This question is required').length, 2))
  server.serve(taskListWorker, [])
  await router.navigate('/dashboard/available-task')
  await screen.findByText('No tasks found')
  await router.navigate(`/dashboard/batches/${TASK._id}/work`)
  await until(() => assert.equal((screen.getByLabelText('Note') as HTMLInputElement).value, 'Nice shop'))
})

test('stopping returns the reserved items', async () => {
  serveItems([1, 2])
  server.serveList(taskListWorker, [])
  const router = await openWork()
  await user.click(await screen.findByRole('button', { name: 'Start working' }))
  await user.click(await screen.findByRole('button', { name: 'Stop and return the item' }))
  await until(() => assert.equal(router.state.location.pathname, '/dashboard/available-task'))
  assert.equal(server.received(returnReservation).length, 1)
})

test('stopping opens no other screen after the worker has left', async () => {
  serveItems([1, 2])
  server.serve(webhookEndpoints, [])
  const router = await openWork()
  await user.click(await screen.findByRole('button', { name: 'Start working' }))
  await user.click(await screen.findByLabelText(/^Food/))
  await user.click(button('Submit and next'))
  await screen.findByText('Look at shop 2.')
  const held = server.hold(returnReservation)
  await user.click(button('Stop and return the item'))
  await until(() => assert.equal(server.received(returnReservation).length, 1))
  await router.navigate('/dashboard/webhooks')
  await screen.findByRole('heading', { level: 1, name: 'Webhooks' })
  held.release()
  await screen.findByText('You submitted 1 item.')
  assert.equal(router.state.location.pathname, '/dashboard/webhooks')
})

test('an item that is submitted after the worker has left is followed by no other', async () => {
  serveItems([1, 2])
  server.serve(webhookEndpoints, [])
  const router = await openWork()
  await user.click(await screen.findByRole('button', { name: 'Start working' }))
  // Item 2 is not reserved ahead.
  server.refuse(takeItem, 'task_filled')
  await user.click(await screen.findByLabelText(/^Food/))
  await until(() => assert.equal(server.received(takeItem).length, 2))
  const sending = server.hold(submitItem)
  await user.click(button('Submit and next'))
  await until(() => assert.equal(server.received(submitItem).length, 1))
  await router.navigate('/dashboard/webhooks')
  await screen.findByRole('heading', { level: 1, name: 'Webhooks' })
  sending.release()
  await until(() => assert.equal(server.received(itemsInWork).length, 2))
  await router.navigate(`/dashboard/batches/${TASK._id}/work`)
  await screen.findByRole('button', { name: 'Next item' })
  assert.equal(server.received(takeItem).length, 2)
})

test('stopping returns the item too that is being reserved', async () => {
  serveItems([1, 2])
  server.serveList(taskListWorker, [])
  const router = await openWork()
  await user.click(await screen.findByRole('button', { name: 'Start working' }))
  const held = server.hold(takeItem)
  await user.click(await screen.findByLabelText(/^Food/))
  await until(() => assert.equal(server.received(takeItem).length, 2))
  await user.click(button('Stop and return the item'))
  held.release()
  await until(() => assert.equal(router.state.location.pathname, '/dashboard/available-task'))
  await router.navigate(`/dashboard/batches/${TASK._id}/work`)
  await screen.findByRole('button', { name: 'Start working' })
  expectGone(screen.queryByText(/^Look at shop/))
})

test('an item whose time is over makes room for the next one', async () => {
  serveItems([])
  const expired = { ...anItem(7), expiresAt: new Date(Date.now() - 1000).toISOString() }
  let asked = 0
  server.serve(itemsInWork, () => ({ reserved: asked++ === 0 ? [expired] : [], submitted: 3, left: 5 }))
  await openWork()
  await screen.findByText('Your time for item 7 has expired.')
  button('Next item')
  expectGone(screen.queryByText('Look at shop 7.'))
})

/** Returns what `work` starts that checks repeatedly whether a reservation has lapsed. */
async function recordRechecks(work: () => Promise<void>): Promise<(() => void)[]> {
  const { setInterval } = globalThis
  const rechecks: (() => void)[] = []
  const watched = (work: () => void, ms: number) => {
    if (ms === 15_000) rechecks.push(work)
    return setInterval(work, ms)
  }
  Object.assign(globalThis, { setInterval: watched })
  try {
    await work()
  } finally {
    Object.assign(globalThis, { setInterval })
  }
  return rechecks
}

/**
 * Opens item 7, whose time is over by this device's clock and not by the server's. What is in `reserved` is returned next;
 * `recheck` looks whether the item has lapsed, as every 15 seconds.
 */
async function openExpiredItem() {
  serveItems([])
  const expiresAt = new Date(Date.now() - 1000).toISOString()
  const work = { reserved: [{ ...anItem(7), expiresAt }], recheck: () => {} }
  let requests = 0
  server.serve(itemsInWork, () => {
    requests++
    return { reserved: work.reserved, submitted: 3, left: 5 }
  })
  const [recheck] = await recordRechecks(async () => {
    await openWork()
    await until(() => assert.equal(requests, 2))
  })
  assert.ok(recheck)
  work.recheck = recheck
  return work
}

test('an item that is over by a clock that runs ahead stays until the server lapses it', async () => {
  const work = await openExpiredItem()
  screen.getByText('Look at shop 7.')
  work.reserved = [anItem(8)]
  work.recheck()
  await screen.findByText('Look at shop 8.')
  await screen.findByText('Your time for item 7 has expired.')
})

test('the next item says why the one before it was replaced, and takes no focus', async () => {
  serveItems([])
  let reserved = [anItem(7), anItem(8)]
  server.serve(itemsInWork, () => ({ reserved, submitted: 3, left: 5 }))
  await openWork()
  await fill(await screen.findByLabelText('Note'), 'Red door')
  server.serve(submitItem, () => {
    reserved = [anItem(8)]
    throw new Refused('state_conflict', 'This item is no longer reserved for you.')
  })
  await user.click(button('Submit and next'))
  await screen.findByText('Look at shop 8.')
  await screen.findByText('Item 7 was not submitted. This item is no longer reserved for you.')
  const next = screen.getByRole('region', { name: 'Item 8' })
  assert.equal(next.contains(document.activeElement), false)

  server.serve(submitItem, () => {
    reserved = [anItem(9)]
    return { acknowledged: true, insertedId: TASK._id }
  })
  await user.click(screen.getByLabelText(/^Food/))
  await user.click(button('Submit and next'))
  await screen.findByText('Look at shop 9.')
  expectGone(screen.queryByText(/^Item 7 was not submitted/))
  await until(() =>
    assert.ok(screen.getByRole('region', { name: 'Item 9' }).contains(document.activeElement)),
  )
})

test('an item that was submitted while its time ran out has not expired', async () => {
  const work = await openExpiredItem()
  server.serve(submitItem, () => {
    work.reserved = [anItem(8)]
    return { acknowledged: true, insertedId: TASK._id }
  })
  const sending = server.hold(submitItem)
  await user.click(screen.getByLabelText(/^Food/))
  await user.click(button('Submit and next'))
  await until(() => assert.equal(server.received(submitItem).length, 1))
  const reading = server.hold(itemsInWork)
  const before = server.received(itemsInWork).length
  work.recheck()
  await until(() => assert.equal(server.received(itemsInWork).length, before + 1))
  sending.release()
  await screen.findByText('Item 7 was submitted.')
  reading.release()
  await screen.findByText('Look at shop 8.')
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate)
  expectGone(screen.queryByText('Your time for item 7 has expired.'))
})

test('the next item after one that expired takes the focus', async () => {
  serveItems([8])
  const expired = { ...anItem(7), expiresAt: new Date(Date.now() - 1000).toISOString() }
  let asked = 0
  server.serve(itemsInWork, () => ({ reserved: asked++ === 0 ? [expired] : [], submitted: 3, left: 5 }))
  await openWork()
  await screen.findByText('Your time for item 7 has expired.')
  await user.click(button('Next item'))
  await screen.findByText('Look at shop 8.')
  await until(() =>
    assert.ok(screen.getByRole('region', { name: 'Item 8' }).contains(document.activeElement)),
  )
})

test('the details of a batch lead to its items', async () => {
  server.serve(taskDetails, TASK)
  await openApp(`/dashboard/task-details/${TASK._id}`, { as: aUser('Worker') })
  const link = await screen.findByRole('link', { name: 'Work on items' })
  assert.equal(link.getAttribute('href'), `/dashboard/batches/${TASK._id}/work`)
  expectGone(screen.queryByRole('button', { name: 'Start work' }))
})

/** Answers the reserved item and the next one without a network. */
async function workOffline() {
  await openWork()
  await user.click(await screen.findByRole('button', { name: 'Start working' }))
  await user.click(await screen.findByLabelText(/^Food/))
  await until(() => assert.equal(server.received(takeItem).length, 2))
  setOnline(false)
  await user.click(button('Submit and next'))
  await screen.findByText('Look at shop 2.')
  await user.click(screen.getByLabelText(/^Books/))
  await user.click(button('Submit and next'))
  await screen.findByText('You are offline. Your answers are sent when you are back online.')
  expectFocus(screen.getByRole('region', { name: 'Start' }))
  assert.equal(server.received(submitItem).length, 0)
}
const unsent = () => within(screen.getByRole('region', { name: 'Unsent work' }))

test('reserved items are answered without a network, and sent once when it is back', async () => {
  serveItems([1, 2, 3])
  await workOffline()
  unsent().getByText('Item 1')
  unsent().getByText('Item 2')
  screen.getByText('Item 2 is waiting to be sent.')
  setOnline(true)
  await until(() =>
    assert.deepEqual(
      answersOf().toSorted(([one], [other]) => Number(one) - Number(other)),
      [
        ['1', { kind: 'Food' }],
        ['2', { kind: 'Books' }],
      ],
    ),
  )
  await until(() => expectGone(screen.queryByRole('region', { name: 'Unsent work' })))
  expectGone(screen.queryByText(/^You are offline\. Your answers/))
  expectGone(screen.queryByText('Item 2 is waiting to be sent.'))
  await user.click(button('Next item'))
  await screen.findByText('Look at shop 3.')
  assert.equal(server.received(submitItem).length, 2)
})

test('an item whose answers a closed page began to send waits, so that they are not sent under another key', async () => {
  serveItems([1, 2])
  const worker = aUser('Worker')
  await openApp(`/dashboard/batches/${TASK._id}/work`, { as: worker })
  await user.click(await screen.findByRole('button', { name: 'Start working' }))
  await screen.findByText('Look at shop 1.')
  const sending = server.hold(submitItem)
  const work = {
    userId: worker._id,
    taskId: TASK._id,
    title: TASK.task_title,
    idempotencyKey: 'of-a-closed-page',
  }
  const item = { number: 1, answers: { kind: 'Food' }, text: 'Kind: Food' }
  localStorage.setItem(
    `unsent ${worker._id} ${TASK._id} 1`,
    JSON.stringify({ ...work, isWaiting: false, item }),
  )
  await openApp(`/dashboard/batches/${TASK._id}/work`, { as: worker })
  await until(() => unsent().getByText('Item 1'))
  expectGone(screen.queryByText('Look at shop 1.'))
  sending.release()
  await screen.findByText('Work sent')
  const keys = server.received(submitItem).map(({ headers }) => headers.get('idempotency-key'))
  assert.deepEqual(keys, ['of-a-closed-page'])
})

test('stopping keeps an item whose answers wait to be sent', async () => {
  serveItems([1, 2])
  server.serveList(taskListWorker, [])
  server.serve(returnItem, { acknowledged: true, deletedCount: 1 })
  const router = await openWork()
  await user.click(await screen.findByRole('button', { name: 'Start working' }))
  await user.click(await screen.findByLabelText(/^Food/))
  await until(() => assert.equal(server.received(takeItem).length, 2))
  setOnline(false)
  await user.click(button('Submit and next'))
  await screen.findByText('Look at shop 2.')
  unsent().getByText('Item 1')
  const sending = server.hold(submitItem)
  setOnline(true)
  await user.click(button('Stop and return the item'))
  await until(() => assert.equal(router.state.location.pathname, '/dashboard/available-task'))
  assert.deepEqual(
    server.received(returnItem).map(({ params }) => params.number),
    ['2'],
  )
  assert.equal(server.received(returnReservation).length, 0)
  sending.release()
  await until(() => expectGone(screen.queryByRole('region', { name: 'Unsent work' })))
})

test('nothing is returned while answers are being sent', async () => {
  serveItems([1, 2])
  await openWork()
  await user.click(await screen.findByRole('button', { name: 'Start working' }))
  await user.click(await screen.findByLabelText(/^Food/))
  const sending = server.hold(submitItem)
  await user.click(button('Submit and next'))
  const stop = () => button('Stop and return the item') as HTMLButtonElement
  await until(() => assert.ok(stop().disabled))
  sending.release()
  await screen.findByText('Look at shop 2.')
  assert.ok(!stop().disabled)
})

test('answers that the server does not take any more are kept, with its reason', async () => {
  serveItems([1, 2])
  await workOffline()
  server.refuse(submitItem, 'state_conflict', 'This item is no longer reserved for you.')
  setOnline(true)
  await until(() => assert.equal(unsent().getAllByText('Not sent').length, 2))
  unsent().getByText('Kind: Food')
  unsent().getByText('Kind: Books')
  const [first] = unsent().getAllByRole('button', { name: 'Dismiss' })
  await user.click(first as HTMLElement)
  await until(() => assert.equal(unsent().getAllByText('Not sent').length, 1))
})

test('what is answered while a picture is uploaded stays, nothing is sent, and the browser asks before the page is left', async () => {
  serveItems([1])
  server.serve(uploadImage, aStoredImage('/images/shop.webp'))
  await openWork()
  await user.click(await screen.findByRole('button', { name: 'Start working' }))
  await screen.findByText('Look at shop 1.')
  const mayLeave = () => dispatchEvent(new Event('beforeunload', { cancelable: true }))
  const upload = server.hold(uploadImage)
  const input = document.querySelector<HTMLInputElement>('input[type=file]')
  assert.ok(input)
  await user.upload(input, new File(['pixels'], 'shop.png', { type: 'image/png' }))
  await until(() => assert.equal(server.received(uploadImage).length, 1))
  assert.equal(mayLeave(), false)
  await fill(screen.getByLabelText(/^Note/), 'Open from nine')
  await user.click(screen.getByLabelText(/^Books/))
  screen.getByText('Wait until the picture is uploaded.')
  assert.ok((button('Submit and next') as HTMLButtonElement).disabled)
  await user.keyboard('{Control>}{Enter}{/Control}')
  upload.release()
  await screen.findByRole('img', { name: 'Photos 1' })
  await until(() => assert.equal(mayLeave(), true))
  await user.click(button('Submit and next'))
  await until(() => assert.equal(answersOf().length, 1))
  const photos = [`${location.origin}/images/shop.webp`]
  assert.deepEqual(answersOf(), [['1', { kind: 'Books', note: 'Open from nine', photos }]])
})
