import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { decideReviews, listReviews, type Review } from '#contract/appeals.ts'
import { queryClient, queryKeyOf } from '#web/lib/queries.ts'
import {
  button,
  expectFocus,
  expectGone,
  field,
  fill,
  openApp,
  server,
  until,
  user,
} from '#web/testing/app.tsx'
import { ListPage } from '#web/testing/fake-server.ts'
import { aReview, aUser } from '#web/testing/records.ts'

/** Serves these reviews, 100 at a time, and those of one case for `caseOf`. */
function serveReviews(reviews: Review[]) {
  server.serve(listReviews, ({ query }) => {
    const { caseId } = reviews.find(({ _id }) => _id === query.caseOf) ?? {}
    const found = query.caseOf ? reviews.filter((review) => review.caseId === caseId) : reviews
    const from = Number(query.cursor ?? 0)
    const to = from + Number(query.limit ?? 100)
    return new ListPage(found.slice(from, to), to < found.length ? String(to) : null, found.length)
  })
}

async function openReviews(reviews: Review[]) {
  serveReviews(reviews)
  await openApp('/dashboard/reviews', { as: aUser('Worker', { reviewer: true }) })
  await screen.findByRole('heading', { name: 'Reviews' })
}

test('identical rejections of a task are one case and are decided together', async () => {
  const same = { caseId: aReview().caseId, caseSize: 2, task_title: 'Label photos' }
  const reviews = [
    aReview(same),
    aReview(same),
    aReview({ task_title: 'Label photos', reason: 'Another reason' }),
  ]
  await openReviews(reviews)
  const [first, second] = within(await screen.findByRole('list', { name: 'Cases' })).getAllByRole('article')
  assert.ok(first && second)
  expectGone(within(second).queryByRole('button'))
  server.serve(decideReviews, () => ({ acknowledged: true }))
  await user.click(within(first).getByRole('button', { name: 'Decide all 2 submissions together' }))
  await user.click(await screen.findByRole('radio', { name: /Overturn the rejection/ }))
  await fill(field(/^Reason/), 'The date is in the second line.')
  await user.click(button('Decide'))
  await until(() => assert.equal(server.received(decideReviews).length, 1))
  assert.deepEqual(server.received(decideReviews)[0]?.body, {
    ids: [reviews[0]?._id, reviews[1]?._id],
    decision: 'overturned',
    reason: 'The date is in the second line.',
  })
})

test('a case of more submissions than the list has loaded is decided whole', async () => {
  const same = { caseId: aReview().caseId, caseSize: 250, task_title: 'Label photos' }
  const reviews = Array.from({ length: 250 }, () => aReview(same))
  await openReviews(reviews)
  server.serve(decideReviews, () => ({ acknowledged: true }))
  await user.click(await screen.findByRole('button', { name: 'Decide all 250 submissions together' }))
  await user.click(await screen.findByRole('radio', { name: /Uphold the rejection/ }))
  await fill(field(/^Reason/), 'The date is missing.')
  await user.click(button('Decide'))
  await until(() => assert.equal(server.received(decideReviews).length, 3))
  const sent = server.received(decideReviews)
  assert.deepEqual(
    sent.flatMap(({ body }) => body.ids),
    reviews.map(({ _id }) => _id),
  )
  assert.equal(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size, 3)
})

test('a review that arrives while the reason is typed is not decided with the others', async () => {
  const same = { caseId: aReview().caseId, caseSize: 3, task_title: 'Label photos' }
  const [first, second, third, late] = [aReview(same), aReview(same), aReview(same), aReview(same)]
  await openReviews([first, second, third])
  await user.click(await screen.findByRole('button', { name: 'Decide all 3 submissions together' }))
  await screen.findByRole('form', { name: 'Decision' })
  serveReviews([second, third, late])
  await queryClient.invalidateQueries({ queryKey: queryKeyOf(listReviews) })
  await until(() => assert.ok(document.querySelector(`a[href$="${late._id}"]`)))
  server.serve(decideReviews, () => {
    serveReviews([late])
    return { acknowledged: true }
  })
  await user.click(screen.getByRole('radio', { name: /Uphold the rejection/ }))
  await fill(field(/^Reason/), 'The date is missing.')
  await user.click(button('Decide'))
  await until(() => assert.equal(server.received(decideReviews).length, 1))
  assert.deepEqual(server.received(decideReviews)[0]?.body.ids, [second._id, third._id])
  await until(() => expectGone(screen.queryByRole('form', { name: 'Decision' })))
})

test('J and K move through the submissions', async () => {
  await openReviews([aReview(), aReview()])
  const links = within(await screen.findByRole('list', { name: 'Cases' })).getAllByRole('link')
  await user.keyboard('j')
  await until(() => expectFocus(links[0] as HTMLElement))
  await user.keyboard('j')
  await until(() => expectFocus(links[1] as HTMLElement))
  await user.keyboard('k')
  await until(() => expectFocus(links[0] as HTMLElement))
})

test('a reviewer without reviews reads that there are none, and finds the page in the menu', async () => {
  await openReviews([])
  await screen.findByText('No open reviews.')
  screen.getAllByRole('link', { name: 'Reviews' })
})
