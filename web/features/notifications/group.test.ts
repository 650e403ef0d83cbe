import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupNotifications, type ShownNotification } from './group.ts'

let last = 1000
/** Returns a notification that is older than the one before. */
function received(change: Partial<ShownNotification> = {}): ShownNotification {
  return {
    _id: String(--last),
    message: `Ruma submitted work for "Check prices".`,
    time: '2026-11-20T09:00:00.000Z',
    actionRoute: '/dashboard/task-to-review',
    read: false,
    wasUnread: true,
    kind: 'work_received',
    title: 'Check prices',
    actor: null,
    coins: null,
    count: null,
    ...change,
  }
}
const texts = (rows: ShownNotification[], hasMore = false) =>
  groupNotifications(rows, hasMore).map(({ groups }) => groups.map(({ text }) => text))

test('unread ones about the same task become one row', () => {
  const rows = Array.from({ length: 24 }, () => received())
  assert.deepEqual(texts(rows), [['24 submissions for "Check prices".']])
  assert.deepEqual(groupNotifications(rows, false)[0]?.groups[0]?.notifications, rows)
})

test('one alone keeps its own sentence', () => {
  assert.deepEqual(texts([received()]), [['Ruma submitted work for "Check prices".']])
})

test('only those of one kind about one task that were unread are grouped, in the place of the newest', () => {
  const other = received({ message: 'Other task', title: 'Other task' })
  const revised = received({ message: 'Revised', kind: 'work_revised' })
  const read = received({ message: 'Read', wasUnread: false, read: true })
  assert.deepEqual(texts([other, received(), revised, received(), read, received()]), [
    ['Other task', '3 submissions for "Check prices".', 'Revised', 'Read'],
  ])
})

test('work of one worker on several tasks is one row', () => {
  const rows = ['Check prices', 'Label photos', 'Write a leaflet'].map((title) =>
    received({ title, actor: 'Nusrat' }),
  )
  assert.deepEqual(texts(rows), [['3 submissions by Nusrat.']])
})

test('the larger group takes what belongs to two', () => {
  const rows = [
    received({ title: 'Check prices', actor: 'Nusrat' }),
    received({ title: 'Check prices', actor: 'Rafi', message: 'Rafi submitted work.' }),
    received({ title: 'Label photos', actor: 'Nusrat' }),
    received({ title: 'Write a leaflet', actor: 'Nusrat' }),
  ]
  assert.deepEqual(texts(rows), [['3 submissions by Nusrat.', 'Rafi submitted work.']])
})

test('approved work of a day is one row with its coins', () => {
  const rows = [12, 30, 3].map((coins) =>
    received({ kind: 'submission_approved', title: `Task for ${coins}`, coins }),
  )
  assert.deepEqual(texts(rows), [['3 of your submissions were approved. You earned 45 coins.']])
  const several = received({ kind: 'submission_approved', title: 'Label shops', coins: 80, count: 40 })
  assert.deepEqual(texts([...rows, several]), [
    ['43 of your submissions were approved. You earned 125 coins.'],
  ])
  assert.deepEqual(texts(rows, true), [['3+ of your submissions were approved.']])
})

test('purchases of a day are one row', () => {
  const rows = [500, 1000].map((coins) => received({ kind: 'coins_bought', title: null, coins }))
  assert.deepEqual(texts(rows), [['You bought coins 2 times, 1,500 coins in total.']])
})

test('a group opens the page of its notifications only if all have the same', () => {
  const route = (rows: ShownNotification[]) => groupNotifications(rows, false)[0]?.groups[0]?.route
  const appeal = (id: string) =>
    received({ kind: 'appeal_opened', actionRoute: `/dashboard/case/${id}`, title: id })
  assert.equal(route([received(), received()]), '/dashboard/task-to-review')
  assert.equal(route([appeal('one'), appeal('two')]), null)
})

test('one that is marked as read stays in its group', () => {
  assert.deepEqual(texts([received(), received({ read: true }), received()]), [
    ['3 submissions for "Check prices".'],
  ])
})

test('a kind whose sentence does not fit several is not grouped', () => {
  const rejected = () => received({ kind: 'submission_rejected', message: 'Rejected' })
  assert.deepEqual(texts([rejected(), rejected()]), [['Rejected', 'Rejected']])
})

test('each day has its own groups', () => {
  const earlier = { time: '2026-11-18T09:00:00.000Z' }
  const days = groupNotifications([received(), received(), received(earlier), received(earlier)], false)
  assert.deepEqual(
    days.map(({ day, groups }) => [day, groups.map(({ text }) => text)]),
    [
      ['2026-11-20', ['2 submissions for "Check prices".']],
      ['2026-11-18', ['2 submissions for "Check prices".']],
    ],
  )
})

test('groups of the last day say that they may be larger while older ones are not loaded', () => {
  const messages = [1, 2].map(() => received({ kind: 'contact_message', title: null }))
  const earlier = { time: '2026-11-18T09:00:00.000Z' }
  assert.deepEqual(texts([...messages, received(earlier), received(earlier), received(earlier)], true), [
    ['2 contact messages.'],
    ['3+ submissions for "Check prices".'],
  ])
})
