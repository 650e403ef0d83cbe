import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fireEvent, screen } from '@testing-library/react'
import { approveSubmissions, taskToReview } from '#contract/submissions.ts'
import { createDecisionStore } from '#web/features/review/decision-store.ts'
import { expectGone, openApp, server, until } from '#web/testing/app.tsx'
import { Refused } from '#web/testing/fake-server.ts'
import { aSubmission, aUser } from '#web/testing/records.ts'

const WORKS = 200

/** Serves approvals as a server does that is overloaded at first, behind a network that then loses a response. */
function serveBadly() {
  const paid = new Set<string>()
  const requests: string[][] = []
  server.serve(approveSubmissions, ({ body }) => {
    const { ids } = body as { ids: string[] }
    requests.push(ids)
    if (requests.length === 1) throw new Refused('unavailable', 'The server is busy. Try again in a moment.')
    const results = ids.map((_id) => ({ _id, modified: !paid.has(_id), error: null }))
    for (const id of ids) paid.add(id)
    if (requests.length === 2) throw new TypeError('fetch failed')
    return { results }
  })
  return { paid, requests }
}

const rowsThatShow = (text: string | RegExp) =>
  screen.getAllByText(text).filter((element) => element.closest('li') !== null).length

test('a large selection that could not be sent is shown and sent again: none is lost', async () => {
  const submissions = Array.from({ length: WORKS }, (_, n) =>
    aSubmission({ worker_name: `Worker no ${n}`, worker_email: `worker-${n}@example.com` }),
  )
  const { paid, requests } = serveBadly()
  server.serveList(taskToReview, submissions)
  const buyer = aUser('Buyer')
  await openApp('/dashboard/task-to-review', { as: buyer })
  await screen.findByText(`${WORKS} to review`)
  // Events without a pointer, and queries by text: the others take seconds in a list of this length.
  fireEvent.click(screen.getByLabelText('Select all'))
  fireEvent.click(screen.getByText(`Approve ${WORKS}`))
  fireEvent.click(await screen.findByText(`Approve ${WORKS} submissions`))
  fireEvent.click(await screen.findByText('Pay now'))

  await screen.findByText(`${WORKS} decisions not sent`)
  assert.equal(rowsThatShow(/^Not sent yet: The server is busy/), WORKS)
  assert.equal(createDecisionStore(buyer._id).list().length, WORKS)

  fireEvent.click(screen.getByText('Try again', { ignore: 'li *, article *' }))
  await screen.findAllByText(/^Not sent yet: No connection/)
  fireEvent.click(await screen.findByText('Try again', { ignore: 'li *, article *' }))
  await screen.findByText('5,000 coins paid to 200 workers.')
  await until(() => expectGone(screen.queryByText(/not sent/i)))
  assert.deepEqual(
    requests.map((ids) => ids.length),
    [WORKS, WORKS, WORKS],
  )
  assert.equal(paid.size, WORKS)
  assert.deepEqual(createDecisionStore(buyer._id).list(), [])
})
