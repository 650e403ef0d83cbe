import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fireEvent, screen } from '@testing-library/react'
import { taskToReview, updateSubmissionStatus } from '#contract/submissions.ts'
import { createOutbox } from '#web/features/review/outbox.ts'
import { expectGone, openApp, server, until } from '#web/testing/app.tsx'
import { Refused } from '#web/testing/fake-server.ts'
import { aSubmission, aUser } from '#web/testing/records.ts'

const WORKS = 200

/** Serves approvals as a server does that is overloaded, behind a network that loses responses. */
function serveBadly(submissions: { _id: string }[]) {
  const keysOf = new Map(submissions.map(({ _id }) => [_id, [] as string[]]))
  const paid = new Map<string, string>()
  let isBad = true
  let requests = 0
  server.serve(updateSubmissionStatus, ({ params: { id = '' }, headers }) => {
    const key = headers.get('idempotency-key') ?? ''
    keysOf.get(id)?.push(key)
    const turn = isBad ? requests++ % 4 : 0
    if (turn === 1) throw new Refused('unavailable', 'The server is busy. Try again in a moment.')
    assert.equal(paid.get(id) ?? key, key, 'a repeated approval has the key of the first one')
    paid.set(id, key)
    if (turn === 2) throw new TypeError('fetch failed')
    return { acknowledged: true, matchedCount: 1, modifiedCount: 1 }
  })
  return { keysOf, paid, recover: () => (isBad = false) }
}

const rowsThatShow = (text: string | RegExp) =>
  screen.getAllByText(text).filter((element) => element.closest('li') !== null).length

test('approvals of a large selection that fail are shown and sent again: none is lost, none paid twice', async () => {
  const submissions = Array.from({ length: WORKS }, (_, n) => aSubmission({ worker_name: `Worker no ${n}` }))
  const { keysOf, paid, recover } = serveBadly(submissions)
  const sentKeys = () => [...keysOf.values()].flat()
  server.serveList(taskToReview, submissions)
  const buyer = aUser('Buyer')
  await openApp('/dashboard/task-to-review', { as: buyer })
  await screen.findByText(`${WORKS} to review`)
  // Events without a pointer, and queries by text: the others take seconds in a list of this length.
  fireEvent.click(screen.getByLabelText('Select all'))
  fireEvent.click(screen.getByText(`Approve ${WORKS}`))
  fireEvent.click(await screen.findByText(`Approve ${WORKS} submissions`))
  fireEvent.click(await screen.findByText('Pay now'))

  await until(() => assert.equal(sentKeys().length, WORKS))
  await screen.findByText(`${WORKS / 2} decisions not sent`)
  assert.equal(rowsThatShow(/^Not sent yet: The server is busy/), WORKS / 4)
  assert.equal(rowsThatShow(/^Not sent yet: No connection/), WORKS / 4)
  assert.equal(rowsThatShow('Approved and paid'), WORKS / 2)
  assert.equal(createOutbox(buyer.email).list().length, WORKS / 2)

  recover()
  fireEvent.click(screen.getByText('Try again', { ignore: 'li *' }))
  await until(() => assert.equal(sentKeys().length, WORKS * 1.5))
  await screen.findByText('5,000 coins paid to 200 workers.')
  expectGone(screen.queryByText(/not sent/i))
  assert.equal(paid.size, WORKS)
  for (const keys of keysOf.values()) assert.equal(new Set(keys).size, 1)
  assert.deepEqual(createOutbox(buyer.email).list(), [])
})
