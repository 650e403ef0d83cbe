import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fireEvent, screen, within } from '@testing-library/react'
import { type Case, decideReviews, defendRejection, openAppeal, submissionCase } from '#contract/appeals.ts'
import type { Role } from '#contract/endpoint.ts'
import { uploadImage } from '#contract/images.ts'
import { acceptRejection, concedeRejection, reopenSlot, reverseRejection } from '#contract/rejections.ts'
import { reviseSubmission } from '#contract/revisions.ts'
import type { SubmissionState } from '#contract/submission-states.ts'
import { payBonus, updateSubmissionStatus } from '#contract/submissions.ts'
import {
  button,
  dialog,
  expectFocus,
  expectGone,
  field,
  fill,
  openApp,
  server,
  setOnline,
  until,
  user,
} from '#web/testing/app.tsx'
import { Replay } from '#web/testing/fake-server.ts'
import { aCase, aStoredImage, aUser } from '#web/testing/records.ts'

const accepted = { acknowledged: true }
const DAY = 86_400_000
const later = (ms: number) => new Date(Date.now() + ms + 30_000).toISOString()
const state = () => within(screen.getByRole('region', { name: 'State' }))
const buttons = () =>
  state()
    .queryAllByRole('button')
    .map(({ textContent }) => textContent)

/** Opens a case. `served` is what the server returns from now on. */
async function openCase(change: Partial<Case> = {}, coin = 500, role?: Role) {
  let served = aCase(change)
  const viewer = aUser(role ?? (served.viewer === 'buyer' ? 'Buyer' : 'Worker'), { coin })
  server.serve(submissionCase, () => served)
  await openApp(`/dashboard/case/${served._id}`, { as: viewer })
  await screen.findByRole('region', { name: 'State' })
  return {
    id: served._id,
    become: (next: Partial<Case>) => {
      served = { ...served, ...next }
    },
  }
}

test('the case shows the task, the work and everything said', async () => {
  await openCase({
    steps: [
      ...aCase().steps,
      {
        at: '2026-01-15T09:00:00.000Z',
        step: 'appealed',
        text: 'The file is two minutes long.',
        pictures: ['/images/a.webp'],
        decidedBy: null,
        coins: null,
      },
      {
        at: '2026-01-16T09:00:00.000Z',
        step: 'bonus',
        text: 'Thank you!',
        pictures: [],
        decidedBy: null,
        coins: 15,
      },
    ],
  })
  const timeline = within(screen.getByRole('region', { name: 'Timeline' }))
  assert.deepEqual(
    timeline.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent),
    ['Work submitted', 'Work rejected', 'Rejection appealed', 'Bonus paid'],
  )
  timeline.getByText('15 coins')
  timeline.getByText('Incomplete')
  timeline.getByText('The recording ends after a minute.')
  timeline.getByText('The file is two minutes long.')
  const picture = timeline.getByRole('link', { name: 'Open evidence 1 of 1 in a new tab' })
  assert.equal(picture.getAttribute('href'), '/images/a.webp')
  within(screen.getByRole('region', { name: 'Task' })).getByText('A link to the recording')
  within(screen.getByRole('region', { name: 'Work' })).getByText(/The recording is at/)
})

test("the picture of a case's task opens in full", async () => {
  await openCase({ task_title: 'Count boats', taskImg: 'https://example.com/boats.jpg' })
  await user.click(button('Open the picture'))
  const picture = (await dialog('Count boats')).querySelector('img')
  assert.ok(picture)
  const small = '/images/foreign?url=https%3A%2F%2Fexample.com%2Fboats.jpg'
  assert.equal(picture.getAttribute('src'), `${small}&size=1280`)
  // Its site does not respond now.
  fireEvent.error(picture)
  assert.equal(picture.getAttribute('src'), small)
})

const CLOCKS: [Case['viewer'], SubmissionState, clock: RegExp, effect: RegExp][] = [
  ['worker', 'pending', /^Nadia Buyer has 2 days 4 hours to review the work/, /you are paid 25 coins/],
  ['worker', 'revision_requested', /^You have 2 days 4 hours to submit revised work/, /goes back to review/],
  ['worker', 'rejection_open', /^You have 2 days 4 hours to appeal/, /becomes final and you are not paid/],
  ['worker', 'appealed', /^Nadia Buyer has 2 days 4 hours to respond/, /Without a response, you are paid/],
  ['worker', 'in_review', /^A neutral reviewer has 2 days 4 hours to decide/, /you are paid 25 coins/],
  ['buyer', 'rejection_open', /^Rafi has 2 days 4 hours to appeal/, /the worker is not paid/],
  ['buyer', 'appealed', /^You have 2 days 4 hours to respond/, /the worker is paid 25 coins/],
  ['reviewer', 'in_review', /^A neutral reviewer has 2 days 4 hours to decide/, /the worker is paid 25/],
]
for (const [viewer, now, clock, effect] of CLOCKS) {
  test(`a ${viewer} sees the clock of ${now} and what happens if nobody acts`, async () => {
    await openCase({ viewer, state: now, dueAt: later(2 * DAY + 4 * 3_600_000 - 60_000) })
    state().getByText(clock)
    state().getByText(effect)
  })
}

for (const [viewer, end] of [
  ['worker', /Without a decision by then, a second reviewer has 3 days.*you are paid 25 coins/],
  ['reviewer', /Without a decision by then, a second reviewer has 3 days.*the worker is paid 25 coins/],
] as const) {
  test(`a ${viewer} sees that a second reviewer follows the first`, async () => {
    await openCase({ viewer, state: 'in_review', round: 1, dueAt: later(DAY) })
    state().getByText(end)
    expectGone(state().queryByText(/If no reviewer decides in time/))
  })
}

const ACTIONS: [Case['viewer'], Partial<Case>, string[]][] = [
  ['worker', { state: 'pending' }, []],
  ['worker', { state: 'rejection_open' }, ['Add pictures', 'Accept rejection', 'Appeal']],
  ['worker', { state: 'appealed' }, []],
  ['worker', { state: 'in_review' }, []],
  ['worker', { state: 'rejected', reversibleUntil: later(DAY) }, []],
  ['buyer', { state: 'revision_requested' }, ['Approve as it is']],
  ['buyer', { state: 'rejection_open' }, ['Reopen slot now', 'Withdraw rejection']],
  ['buyer', { state: 'rejection_open', isClosed: true }, ['Withdraw rejection']],
  ['buyer', { state: 'appealed' }, ['Reopen slot now', 'Withdraw rejection', 'Stand by the rejection']],
  ['buyer', { state: 'in_review', slotReopened: true }, ['Withdraw rejection']],
  ['buyer', { state: 'rejected', reversibleUntil: later(DAY) }, ['Reverse the rejection']],
  ['buyer', { state: 'rejected', reversibleUntil: later(-DAY) }, []],
  ['buyer', { state: 'approved' }, ['Pay a bonus']],
  ['reviewer', { state: 'in_review' }, []],
  ['reviewer', { state: 'in_review', decides: true }, ['Decide']],
]
for (const [viewer, change, expected] of ACTIONS) {
  const { state, reversibleUntil, ...rest } = change
  const details = Object.keys({ ...rest, ...(reversibleUntil && { reversibleUntil }) }).join(', ')
  test(`a ${viewer} has the actions of ${state} ${details}`.trim(), async () => {
    await openCase({ viewer, ...change })
    assert.deepEqual(buttons(), expected)
  })
}

for (const [now, expected] of [
  ['pending', []],
  ['revision_requested', []],
  ['appealed', ['Withdraw rejection', 'Stand by the rejection']],
  ['in_review', ['Withdraw rejection']],
  ['rejected', []],
  ['approved', []],
] as const) {
  test(`a buyer who became a Worker has the actions of ${now} that are not only for Buyers`, async () => {
    const change = { viewer: 'buyer', state: now, reversibleUntil: later(DAY) } as const
    await openCase(change, 500, 'Worker')
    assert.deepEqual(buttons(), expected)
  })
}

test('a worker appeals with a text and a picture, and the page shows the new state', async () => {
  const { id, become } = await openCase()
  server.serve(openAppeal, () => {
    become({ state: 'appealed' })
    return accepted
  })
  server.serve(uploadImage, aStoredImage('/images/proof.webp'))
  await user.click(state().getByRole('button', { name: 'Appeal' }))
  await screen.findByText('Say why the rejection is wrong')
  await fill(field(/^why is the rejection wrong/i), 'The file is two minutes long.')
  const file = new File(['picture'], 'proof.png', { type: 'image/png' })
  await user.upload(document.querySelector('input[type=file]') as HTMLInputElement, file)
  await screen.findByAltText('Evidence 1')
  await user.click(state().getByRole('button', { name: 'Appeal' }))
  await state().findByText(/Without a response, you are paid/)
  await screen.findByText('Your appeal was sent to the buyer.')
  const { params, body, headers } = server.received(openAppeal)[0] ?? {}
  assert.equal(params?.id, id)
  assert.deepEqual(body, {
    text: 'The file is two minutes long.',
    pictures: ['http://localhost:3000/images/proof.webp'],
  })
  assert.ok(headers?.get('idempotency-key'))
})

test('a sixth picture is refused with a message, and the five and the text stay', async () => {
  const { id } = await openCase()
  server.serve(openAppeal, accepted)
  let uploads = 0
  server.serve(uploadImage, () => aStoredImage(`/images/proof-${++uploads}.webp`))
  const input = document.querySelector('input[type=file]') as HTMLInputElement
  const pictures = (count: number) =>
    Array.from({ length: count }, (_, n) => new File([`${n}`], `${n}.png`, { type: 'image/png' }))
  await fill(field(/^why is the rejection wrong/i), 'The file is two minutes long.')

  await user.upload(input, pictures(6))
  await screen.findByText('You can add up to 5 pictures. Choose up to 5.')
  assert.equal(uploads, 0)
  await user.upload(input, pictures(5))
  await screen.findByAltText('Evidence 5')
  expectGone(screen.queryByText(/^You can add up to/))
  await user.upload(input, pictures(1))
  await screen.findByText('You can add up to 5 pictures. Remove one to add another.')
  assert.equal(uploads, 5)

  await user.click(state().getByRole('button', { name: 'Appeal' }))
  await until(() => assert.equal(server.received(openAppeal).length, 1))
  const { params, body } = server.received(openAppeal)[0] ?? {}
  assert.equal(params?.id, id)
  assert.equal(body.pictures.length, 5)
})

test('a picture that was removed can be chosen again', async () => {
  await openCase()
  server.serve(uploadImage, aStoredImage('/images/proof.webp'))
  const input = document.querySelector('input[type=file]') as HTMLInputElement
  const file = new File(['picture'], 'proof.png', { type: 'image/png' })
  await user.upload(input, file)
  await screen.findByAltText('Evidence 1')
  await user.click(button('Remove evidence 1'))
  expectGone(screen.queryByAltText('Evidence 1'))
  expectFocus(screen.getByRole('group', { name: 'Pictures' }))
  await user.upload(input, file)
  await until(() => assert.equal(server.received(uploadImage).length, 2))
  await screen.findByAltText('Evidence 1')
})

test('an appeal waits for its picture, and one that is removed meanwhile stays removed', async () => {
  await openCase()
  server.serve(openAppeal, accepted)
  let uploads = 0
  server.serve(uploadImage, () => aStoredImage(`/images/proof-${++uploads}.webp`))
  const input = document.querySelector('input[type=file]') as HTMLInputElement
  const picture = (name: string) => new File([name], `${name}.png`, { type: 'image/png' })
  await fill(field(/^why is the rejection wrong/i), 'The file is two minutes long.')
  await user.upload(input, picture('first'))
  await screen.findByAltText('Evidence 1')

  const upload = server.hold(uploadImage)
  await user.upload(input, picture('second'))
  await screen.findByText('Wait until the picture is uploaded.')
  assert.ok(state().getByRole<HTMLButtonElement>('button', { name: 'Appeal' }).disabled)
  await user.click(button('Remove evidence 1'))
  upload.release()
  await screen.findByAltText('Evidence 1')
  await until(() => expectGone(screen.queryByText('Wait until the picture is uploaded.')))
  await user.click(state().getByRole('button', { name: 'Appeal' }))
  await until(() => assert.equal(server.received(openAppeal).length, 1))
  assert.deepEqual(server.received(openAppeal)[0]?.body.pictures, [
    'http://localhost:3000/images/proof-2.webp',
  ])
})

test('a rejection is accepted only after a confirmation', async () => {
  const { become } = await openCase()
  server.serve(acceptRejection, () => {
    become({ state: 'rejected', dueAt: null })
    return accepted
  })
  await user.click(button('Accept rejection'))
  await user.click(within(await dialog('Accept the rejection?')).getByRole('button', { name: 'Cancel' }))
  await until(() => expectGone(screen.queryByRole('dialog')))
  assert.equal(server.received(acceptRejection).length, 0)
  await user.click(button('Accept rejection'))
  await user.click(within(await dialog()).getByRole('button', { name: 'Accept rejection' }))
  await state().findByText(/The rejection is final/)
  await screen.findByText('You accepted the rejection.')
})

test('revised work is submitted, and a refused one is kept', async () => {
  await openCase({ state: 'revision_requested' })
  server.refuse(reviseSubmission, 'state_conflict', 'The work is no longer being revised.')
  const work = field(/^revised work/i) as HTMLTextAreaElement
  assert.match(work.value, /The recording is at/)
  await fill(work, 'Now with two minutes.')
  await user.click(button('Submit revised work'))
  await screen.findByText('The work is no longer being revised.')
  assert.match(Object.values({ ...localStorage }).join(), /Now with two minutes/)
  assert.deepEqual(server.received(reviseSubmission)[0]?.body, { submissoin_data: 'Now with two minutes.' })
})

test('revised work that is submitted without a network waits, is edited, and is sent once under its key', async () => {
  const { become } = await openCase({ state: 'revision_requested', task_title: 'Record boats' })
  server.serve(reviseSubmission, () => {
    become({ state: 'pending' })
    return accepted
  })
  await fill(field(/^revised work/i), 'Now with two minutes.')
  setOnline(false)
  await user.click(button('Submit revised work'))
  const notice = within(await screen.findByRole('region', { name: 'Unsent work' }))
  notice.getByText('Waiting to be sent')
  await until(() => expectFocus(state().getByText('Waiting to be sent')))
  await user.click(state().getByRole('button', { name: 'Edit' }))
  assert.equal((field(/^revised work/i) as HTMLTextAreaElement).value, 'Now with two minutes.')
  expectGone(screen.queryByRole('region', { name: 'Unsent work' }))
  await fill(field(/^revised work/i), 'Now with three minutes.')
  await user.click(button('Submit revised work'))
  await state().findByText('Now with three minutes.')
  const [work = ''] = Object.entries({ ...localStorage }).flatMap(([key, text]) =>
    key.startsWith('unsent ') ? [text as string] : [],
  )
  setOnline(true)
  await screen.findByText('Work sent')
  assert.deepEqual(
    server
      .received(reviseSubmission)
      .map(({ body, headers }) => [body.submissoin_data, headers.get('idempotency-key')]),
    [['Now with three minutes.', JSON.parse(work).idempotencyKey]],
  )
  await until(() => expectGone(screen.queryByText('Waiting to be sent')))
  assert.doesNotMatch(Object.values({ ...localStorage }).join(), /Now with three minutes/)
})

test('an appeal that is sent without a network waits, and its refusal is shown with its text', async () => {
  const { id, become } = await openCase({ state: 'rejection_open' })
  await fill(field(/^why is the rejection/i), 'The file is complete.')
  setOnline(false)
  await user.click(button('Appeal'))
  await state().findByText('Waiting to be sent')
  state().getByText('The file is complete.')
  become({ state: 'rejected', dueAt: null })
  server.refuse(openAppeal, 'deadline_passed', 'The time to appeal is over.')
  setOnline(true)
  const notice = within(await screen.findByRole('region', { name: 'Unsent work' }))
  await notice.findByText('The time to appeal is over. Your text has been kept.')
  notice.getByText('The file is complete.')
  const [link] = notice.getAllByRole('link')
  assert.equal(link?.getAttribute('href'), `/dashboard/case/${id}`)
  await state().findByText(/The rejection is final/)
  assert.deepEqual(
    server.received(openAppeal).map(({ params, body }) => [params.id, body]),
    [[id, { text: 'The file is complete.', pictures: [] }]],
  )
  await user.click(notice.getByRole('button', { name: 'Dismiss' }))
  expectGone(screen.queryByRole('region', { name: 'Unsent work' }))
})

test("a buyer's response to an appeal is kept without a network, and the form says that it is to be submitted again", async () => {
  await openCase({ viewer: 'buyer', state: 'appealed' })
  await fill(field(/^why do you stand by/i), 'I measured it.')
  setOnline(false)
  await user.click(button('Stand by the rejection'))
  await screen.findByText(
    'No connection. What you entered is kept on this device, but may not have been sent. Submit it again when you are online.',
  )
  assert.match(Object.values({ ...localStorage }).join(), /I measured it/)
})

test('a buyer stands by the rejection, or withdraws it after a confirmation with the coins', async () => {
  const { become } = await openCase({ viewer: 'buyer', state: 'appealed' })
  server.serve(defendRejection, () => {
    become({ state: 'in_review' })
    return accepted
  })
  server.serve(concedeRejection, () => {
    become({ state: 'approved', dueAt: null })
    return accepted
  })
  await fill(field(/^why do you stand by/i), 'I measured it.')
  await user.click(button('Stand by the rejection'))
  await state().findByText(/If no reviewer decides in time/)
  await screen.findByText('A neutral reviewer now decides.')
  assert.deepEqual(server.received(defendRejection)[0]?.body, { text: 'I measured it.' })
  await user.click(button('Withdraw rejection'))
  const asked = within(await dialog('Withdraw the rejection?'))
  asked.getByText(/25 coins will be paid from escrow to Rafi/)
  await user.click(asked.getByRole('button', { name: 'Pay 25 coins' }))
  await state().findByText('The worker was paid 25 coins.')
  await screen.findByText('25 coins paid to Rafi.')
})

test('a worker sees what approved work paid', async () => {
  await openCase({ viewer: 'worker', state: 'approved', dueAt: null, payable_amount: 1 })
  state().getByText('You were paid 1 coin.')
})

test('work whose revision is awaited is approved as it is', async () => {
  await openCase({ viewer: 'buyer', state: 'revision_requested', payable_amount: 1 })
  server.serve(updateSubmissionStatus, { acknowledged: true, matchedCount: 1, modifiedCount: 1 })
  await user.click(button('Approve as it is'))
  const asked = within(await dialog())
  asked.getByText('1 coin will be paid from escrow to Rafi.')
  await user.click(asked.getByRole('button', { name: 'Pay 1 coin' }))
  await screen.findByText('1 coin paid to Rafi.')
})

test('a slot is reopened after its cost was shown', async () => {
  const { become } = await openCase({ viewer: 'buyer' })
  server.serve(reopenSlot, () => {
    become({ slotReopened: true })
    return accepted
  })
  await user.click(button('Reopen slot now'))
  const asked = within(await dialog('Reopen the slot now'))
  assert.match(asked.getByLabelText('Cost').textContent ?? '', /25 coins.*475 coins/)
  await user.click(asked.getByRole('button', { name: 'Pay 25 coins' }))
  await until(() => expectGone(screen.queryByRole('button', { name: 'Reopen slot now' })))
  await screen.findByText('The slot was reopened.')
})

test('a reversal that costs more than the balance leads to the purchase of coins', async () => {
  await openCase({ viewer: 'buyer', state: 'rejected', reversibleUntil: later(DAY) }, 5)
  server.refuse(reverseRejection, 'insufficient_coins', 'Not available Coin. Purchase Coin')
  await user.click(button('Reverse the rejection'))
  const asked = within(await dialog('Reverse the rejection'))
  assert.match(asked.getByLabelText('Cost').textContent ?? '', /Coins needed20 coins/)
  await user.click(asked.getByRole('button', { name: 'Pay 25 coins' }))
  within(await dialog('Insufficient Coin')).getByText('Not available Coin. Purchase Coin')
})

test('a bonus whose response was lost is not paid twice after Cancel, and then as often as the buyer pays it', async () => {
  await openCase({ viewer: 'buyer', state: 'approved' })
  const keys = () => server.received(payBonus).map(({ headers }) => headers.get('idempotency-key'))
  const reply = { acknowledged: true as const, insertedId: aCase()._id }
  server.serve(payBonus, () => {
    if (keys().length === 1) throw new TypeError('fetch failed')
    return keys().length === 2 ? new Replay(reply) : reply
  })
  const pay = async () => {
    await user.click(button('Pay a bonus'))
    const asked = within(await dialog('Pay a bonus'))
    await fill(asked.getByLabelText(/^coins/i), '20')
    await user.click(asked.getByRole('button', { name: 'Pay bonus' }))
    return asked
  }
  const asked = await pay()
  await asked.findByText(/^No connection/)
  await user.click(asked.getByRole('button', { name: 'Cancel' }))
  await until(() => expectGone(screen.queryByRole('dialog')))
  await pay()
  const replayed = within(await dialog('This was already done'))
  replayed.getByText('Your earlier attempt succeeded, so nothing was done or paid again.')
  await user.click(replayed.getByRole('button', { name: 'OK' }))
  await pay()
  await screen.findByText('The bonus was paid to Rafi.')
  const [first, second, third] = keys()
  assert.equal(second, first)
  assert.notEqual(third, first)
})

test('a bonus that was not paid is there when its dialog is opened the next time, until it is paid', async () => {
  await openCase({ viewer: 'buyer', state: 'approved', dueAt: null })
  server.serve(payBonus, { acknowledged: true, insertedId: aCase()._id })
  const message = async () => {
    await user.click(button('Pay a bonus'))
    return within(await dialog('Pay a bonus')).getByLabelText<HTMLTextAreaElement>(/^message/i)
  }
  await fill(await message(), 'Thank you')
  await user.keyboard('{Escape}')
  await until(() => expectGone(screen.queryByRole('dialog')))
  assert.equal((await message()).value, 'Thank you')
  await fill(field(/^coins/i), '12')
  await user.click(button('Pay bonus'))
  await screen.findByText('The bonus was paid to Rafi.')
  await until(() => expectGone(screen.queryByRole('dialog')))
  assert.equal((await message()).value, '')
})

test('a bonus is paid once on a double press, with its message', async () => {
  await openCase({ viewer: 'buyer', state: 'approved', dueAt: null })
  server.serve(payBonus, { acknowledged: true, insertedId: aCase()._id })
  await user.click(button('Pay a bonus'))
  const asked = within(await dialog('Pay a bonus'))
  await user.click(asked.getByRole('button', { name: 'Pay bonus' }))
  await asked.findByText('Enter a whole number')
  await fill(asked.getByLabelText(/^coins/i), '12')
  await fill(asked.getByLabelText(/^message/i), 'Thank you')
  await user.dblClick(asked.getByRole('button', { name: 'Pay bonus' }))
  await screen.findByText('The bonus was paid to Rafi.')
  const [request, ...others] = server.received(payBonus)
  assert.deepEqual(request?.body, { coins: 12, message: 'Thank you' })
  assert.ok(request?.headers.get('idempotency-key'))
  assert.equal(others.length, 0)
})

test('a reviewer decides with a reason', async () => {
  const { id, become } = await openCase({
    viewer: 'reviewer',
    state: 'in_review',
    decides: true,
    worker_name: null,
    buyer_name: null,
  })
  server.serve(decideReviews, () => {
    become({ state: 'approved', dueAt: null, decides: false })
    return accepted
  })
  await user.click(button('Decide'))
  await screen.findByText('Choose a decision')
  await until(() => expectFocus(screen.getByRole('radio', { name: 'Uphold the rejection' })))
  await user.click(screen.getByRole('radio', { name: 'Overturn the rejection' }))
  await fill(field(/^reason/i), 'The file has two minutes.')
  await user.click(button('Decide'))
  await state().findByText('The worker was paid 25 coins.')
  await screen.findByText('Your decision was saved.')
  assert.deepEqual(server.received(decideReviews)[0]?.body, {
    ids: [id],
    decision: 'overturned',
    reason: 'The file has two minutes.',
  })
})

test('a reviewer who decides a case that was decided meanwhile sees the decision', async () => {
  const { become } = await openCase({ viewer: 'reviewer', state: 'in_review', decides: true })
  await user.click(screen.getByRole('radio', { name: 'Overturn the rejection' }))
  await fill(field(/^reason/i), 'The file has two minutes.')
  become({ state: 'rejected', dueAt: null, decides: false })
  server.refuse(decideReviews, 'already_decided', 'This review has already been decided.')
  await user.click(button('Decide'))
  await state().findByText(/The rejection is final/)
  await screen.findByText('This review has already been decided.')
  expectGone(screen.queryByRole('form', { name: 'Decision' }))
})

test('a case is not shown any more to a reviewer whose review passed to another one', async () => {
  await openCase({ viewer: 'reviewer', state: 'in_review', decides: true })
  server.refuse(submissionCase, 'submission_not_found')
  server.send('update', { about: ['submissions'], notices: [] })
  await screen.findByText('Case not found')
})

test('a live event refreshes the case', async () => {
  const { become } = await openCase({ viewer: 'buyer' })
  become({ state: 'appealed' })
  server.send('update', { about: ['submissions'], notices: [] })
  await state().findByText(/You have .* to respond to the appeal/)
})

test('a case of somebody else is not found', async () => {
  server.refuse(submissionCase, 'submission_not_found')
  await openApp(`/dashboard/case/${aCase()._id}`, { as: aUser('Worker') })
  await screen.findByText('Case not found')
})
